// What repairs a difference: a row of a file that a bulk command takes. Reconcile itself writes nothing to the service.
import { argumentWords, shellWord } from '../../base/shell-word.ts'

interface RemedyForm {
  /** The bulk command, and what it does. */
  command: string
  does: string
  /** The columns of its file; the first is the key. */
  columns: readonly string[]
  /** The command that repairs one. */
  one: (row: Readonly<Record<string, string>>) => string
}

const because = ({ reason = '', source_id }: Readonly<Record<string, string>>) =>
  `--reason ${shellWord(reason)}${source_id === undefined ? '' : ` --source-id ${shellWord(source_id)}`}`

const change = (command: string, does: string, size: 'amount' | 'points'): RemedyForm => ({
  command,
  does,
  columns: ['code', size, 'reason', 'source_id'],
  one: (row) =>
    `promo ${command} --${size} ${shellWord(row[size] ?? '')} ${because(row)} ${argumentWords(row.code ?? '')}`,
})

/** The remedies, by the names that `--fix` takes. */
export const remedies = {
  rollback: {
    command: 'redemptions rollback',
    does: 'roll back',
    columns: ['id', 'stacked', 'reason'],
    one: (row) =>
      `promo redemptions rollback ${argumentWords(row.id ?? '')}${row.stacked === 'true' ? ' --stacked' : ''} --reason ${shellWord(row.reason ?? '')}`,
  },
  'balance-add': change('vouchers balance add', 'give credit back', 'amount'),
  'balance-remove': change('vouchers balance remove', 'take credit off', 'amount'),
  'points-add': change('loyalty points add', 'give points back', 'points'),
  'points-remove': change('loyalty points remove', 'take points off', 'points'),
  redeem: {
    command: 'redemptions create',
    does: 'redeem',
    columns: ['code', 'order.source_id', 'order.amount'],
    one: (row) =>
      `promo redemptions create --amount ${shellWord(row['order.amount'] ?? '')} --set ${shellWord(`order.source_id=${row['order.source_id']}`)} ${argumentWords(row.code ?? '')}`,
  },
} as const satisfies Readonly<Record<string, RemedyForm>>

export type RemedyName = keyof typeof remedies

/** A remedy, and the row of its file. */
export interface Remedy {
  name: RemedyName
  row: Readonly<Record<string, string>>
}

/** The names of the remedies. */
export const remedyNames = Object.keys(remedies) as RemedyName[]

/** Returns the command that repairs one difference. */
export function commandOf({ name, row }: Remedy): string {
  return remedies[name].one(row)
}
