// The orders of a shop, from a file or a pipe: read as the rows of bulk commands are, then checked and put beside the copy.
import { z } from 'zod'
import { listNames } from '../../../base/name-list.ts'
import { formatCount } from '../../../base/numbers.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { excerpt, inputError } from '../../../bulk/input/input-error.ts'
import { type BadRow, badFrom, isBad, type Row } from '../../../bulk/input/row.ts'
import { readThrough } from '../../../bulk/input/spool.ts'
import { dateTime } from '../../../contract/fields.ts'
import { EXIT, PromoError, usageError } from '../../../errors.ts'
import { foldWord, orderStates, readerOfStates } from '../../../ledger/reconcile/states.ts'
import type { ReadOrder, Tables } from '../../../ledger/reconcile/tables.ts'
import { inputRows } from '../../bulk/input-rows.ts'
import { readingOf } from '../../bulk/run-plan.ts'
import type { readingFlags } from '../../flags/flags.ts'
import type { ValuesOf } from '../../flags/kinds.ts'
import type { MemberFlags } from '../../request/member-flags.ts'
import { bodiesOfRows } from '../../request/row-body.ts'
import type { Messages } from '../../result/messages.ts'
import type { ConnectFlags } from '../../session/connect.ts'
import type { Run } from '../../session/run.ts'

/** What is read of an order. Amounts are in the smallest currency unit, unless `--amounts-in` says otherwise. */
const shopOrder = z.strictObject({
  status: z.string().optional(),
  amount: z.int().min(0).nullish(),
  total_amount: z.int().min(0).nullish(),
  discount_amount: z.int().min(0).nullish(),
  refunded_amount: z.int().min(0).nullish(),
  codes: z.union([z.string(), z.array(z.string())]).nullish(),
  time: dateTime.nullish(),
})

const column = (path: string) => ({ about: '', path })

/** Other names of these columns: short ones, and those that shops give them in their exports. */
const columnNames: MemberFlags = {
  Amount: column('amount'),
  total: column('total_amount'),
  discount: column('discount_amount'),
  Discount: column('discount_amount'),
  refunded: column('refunded_amount'),
  Refunded: column('refunded_amount'),
  code: column('codes'),
  Code: column('codes'),
  Codes: column('codes'),
  'Financial Status': column('status'),
  Status: column('status'),
  'Discount Code': column('codes'),
  'Coupon Code': column('codes'),
  'Discount Amount': column('discount_amount'),
  'Refunded Amount': column('refunded_amount'),
  Time: column('time'),
  'Created at': column('time'),
}

/** What columns may be called in the rows that are read. */
const names = new Set([...Object.keys(shopOrder.shape), ...Object.keys(columnNames)])

type OrderFlags = ValuesOf<typeof readingFlags> & ConnectFlags & { status?: string[] | undefined; quiet?: boolean }
type OrdersRun = Pick<Run, 'host' | 'show' | 'clock'>

/**
 * Puts the orders of a file beside the copy, or `only` one of them; returns how many rows there were, and how many were bad.
 *
 * Throws `input` (exit 2) for rows that cannot be used.
 */
export async function readOrders(
  { from, only }: { from: string; only?: string | undefined },
  flags: OrderFlags,
  tables: Tables,
  run: OrdersRun,
) {
  const words = { noun: 'order', key: 'order' }
  const form = { body: shopOrder, path: '' }
  const reading = readingOf({ ...flags, from }, run)
  const { rows, placeOf } = inputRows(undefined, reading, words, form, { members: columnNames })
  const reader = await readerOfOrders(flags, run)

  let isFirst = true
  async function* taken(): AsyncGenerator<Row | BadRow> {
    for await (const row of rows) {
      if (isFirst && !isBad(row)) sayLeftOut(row, run.show)
      isFirst = false
      if (isBad(row) || (only !== undefined && row.key !== only)) {
        yield row
        continue
      }
      const order = reader(row)
      if (order instanceof PromoError) {
        yield bad(row, `${placeOf(row.line)}: ${order.message}`, order.facts.hint)
        continue
      }
      const contradiction = tables.add(order)
      yield contradiction === undefined
        ? row
        : bad(row, `${placeOf(row.line)}: order ${excerpt(row.key)} was read before, with another ${contradiction}`)
    }
  }

  return await readThrough(taken(), {
    name: from,
    placeOf,
    badRows: flags['skip-bad-rows'] ? 'keep' : 'refuse',
    skipFlag: '--skip-bad-rows',
  })
}

/** What is not read is said: a column under another name would be missed without a word. */
function sayLeftOut({ fields, key }: Row, { say }: Messages): void {
  const left = Object.keys(fields).filter((name) => name !== 'order' && !names.has(name) && fields[name] !== key)
  if (left.length > 0)
    say(`not read: ${listNames(left.map(excerpt), 10)}; --map ${shellWord(`${left[0]}=discount`)} reads one`)
}

function bad(row: Row, message: string, remedy?: string): BadRow {
  const isOfFile = /^--(?:dates|decimal|amounts-in) /.test(remedy ?? '')
  return { ...badFrom(row), rule: 'request', message, ...(isOfFile && { remedy: remedy as string }) }
}

/** Throws `input` (exit 2) for words for states that nobody explained: none is guessed. */
export function mustBeExplained(tables: Tables): void {
  const words = tables.unexplained()
  if (words.length === 0) return
  const shown = words.map(
    ({ word, orders }) => `${word === '' ? 'no word' : excerpt(word)} (${formatCount(orders, 'order')})`,
  )
  const flags = words.slice(0, 4).map(({ word }) => `--status ${shellWord(`${word}=paid`)}`)
  throw inputError(
    `what is said of the state of orders is not known: ${listNames(shown, 10)}`,
    `${flags.join(' ')}, or whichever it is of ${orderStates.join(', ')}`,
  )
}

/** Returns what words for states mean, by `--status WORD=STATE` and the words of shops. Throws `usage`. */
export function statesBy(texts: readonly string[] = []): ReturnType<typeof readerOfStates> {
  const own = new Map(
    texts.map((text) => {
      const [, word, state] = /^(.*)=([a-z-]+)$/s.exec(text) ?? []
      const known = orderStates.find((one) => one === state)
      if (word !== undefined && known !== undefined) return [foldWord(word), known]
      throw usageError(
        `--status "${text}" does not have the form WORD=${orderStates.join('|')}`,
        "--status 'on hold=pending'",
      )
    }),
  )
  return readerOfStates(own)
}

/** Makes the function that reads a row; returns the error of one that cannot be used. */
async function readerOfOrders(flags: OrderFlags, run: OrdersRun): Promise<(row: Row) => ReadOrder | PromoError> {
  const stateOf = statesBy(flags.status)
  const bodyOf = await bodiesOfRows(
    shopOrder,
    {},
    {
      flags,
      run,
      key: 'order',
      members: columnNames,
      sendable: (row) =>
        Object.fromEntries(
          Object.entries(row)
            .filter(([name]) => names.has(name))
            .map(isoTime),
        ),
    },
  )
  return (row) => {
    try {
      const read = shopOrder.safeParse(bodyOf(row))
      if (!read.success) {
        const [{ path, message } = { path: [], message: '' }] = read.error.issues
        return usageError(`"${path.join('.')}" ${message}`)
      }
      const { status = '', codes, time, ...money } = read.data
      const hasCodes = 'codes' in row.fields
      return {
        number: row.key,
        line: row.line,
        word: status.trim(),
        state: stateOf(status) ?? '',
        amount: money.amount ?? null,
        total: money.total_amount ?? null,
        discount: money.discount_amount ?? null,
        refunded: money.refunded_amount ?? null,
        codes: codes == null ? (hasCodes ? [] : null) : codesIn(codes),
        at: time == null ? null : new Date(time).toISOString(),
      }
    } catch (error) {
      if (error instanceof PromoError && error.exitCode === EXIT.usage) return error
      throw error
    }
  }
}

/** One cell has several codes with commas, semicolons or lines between them. */
function codesIn(codes: string | readonly string[]): string[] {
  const all = typeof codes === 'string' ? codes.split(/[,;|\n]/) : codes
  return all.map((code) => code.trim()).filter((code) => code !== '')
}

/** `2026-03-20 12:00:00 +0100`, as shops export it, is an instant in no other reading. */
function isoTime([name, value]: [string, unknown]): [string, unknown] {
  if (typeof value !== 'string') return [name, value]
  return [
    name,
    value.replace(
      /^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?) ?(?:UTC|([+-]\d\d):?(\d\d))$/,
      (_, day, clock, hours, minutes) => `${day}T${clock}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`,
    ),
  ]
}
