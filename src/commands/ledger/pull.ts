import { counted } from '../../base/grouped.ts'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { names } from '../../cli/flags/kinds.ts'
import { copiedProjectOf, copyFileOf, dataFlag } from '../../cli/topics/ledger/copy-file.ts'
import { EXIT, usageError } from '../../errors.ts'
import { openCopy } from '../../ledger/copy.ts'
import { pullCalls } from '../../ledger/lists.ts'
import { pull } from '../../ledger/pull.ts'
import type { TableName } from '../../ledger/schema.ts'
import { pulledTableColumns } from '../../output/columns/ledger.ts'

export default class Pull extends PromoCommand {
  static override summary =
    'Copy what happened in a project into a file of this computer: all at first, then what is new'
  static override description =
    'Redemptions with their rollbacks, transactions of cards, orders, codes, cards and publications; of customers only their ids. The project is only read.'
  static override examples = [
    'promo ledger pull --profile sandbox',
    'promo ledger pull --with customers --profile sandbox',
  ]
  static override effect = 'local' as const
  static override calls = pullCalls
  static override columns = pulledTableColumns
  static override exits = [EXIT.no]
  static override flags = {
    ...callFlags,
    ...dataFlag,
    with: names('also copy names and addresses of customers', 'customers'),
  }

  async run() {
    const { flags } = await this.input(Pull)
    const messages = this.messages(flags)
    const other = flags.with?.find((name) => name !== 'customers')
    if (other !== undefined) throw usageError(`--with takes customers, not "${other}"`)
    let serviceMs: number | undefined
    let sent = 0
    const client = await this.connect(flags, {
      onSent: () => {
        sent += 1
      },
      onReply: ({ headers }) => {
        serviceMs = dateIn(headers) ?? serviceMs
      },
    })
    const file = copyFileOf(flags, this.host, client.profile)
    const copy = openCopy(file, { writes: true, project: copiedProjectOf(client.profile) })
    try {
      const { rows, isComplete, failure } = await pull({
        client,
        copy,
        withCustomers: flags.with !== undefined,
        now: () => serviceMs ?? this.host.now(),
        sent: () => sent,
        onPlan: () => {},
        onRows: () => {},
      })
      const sources = copy.all<{ name: TableName }>('SELECT name, held, counted, complete_until, missing FROM sources')
      const shown = sources.map(({ name, ...source }) => ({ table: name, read: rows.get(name) ?? 0, ...source }))
      await this.emit(shown, pulledTableColumns, flags)
      messages.say(`${counted(sent, 'request')}; the copy is ${file}`)
      if (failure !== undefined) throw failure
      if (!isComplete) this.exitCode = EXIT.no
    } finally {
      copy.close()
    }
  }
}

/** Returns the time that the service puts into its answers. */
function dateIn(headers: readonly string[]): number | undefined {
  const header = headers.find((line) => /^date:/i.test(line))
  const ms = Date.parse(header?.slice('date:'.length) ?? '')
  return Number.isNaN(ms) ? undefined : ms
}
