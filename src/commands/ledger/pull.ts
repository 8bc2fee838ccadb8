import { counted } from '../../base/grouped.ts'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { names } from '../../cli/flags/kinds.ts'
import { copiedProjectOf, copyFileOf, dataFlag } from '../../cli/topics/ledger/copy-file.ts'
import { usageError } from '../../errors.ts'
import { openCopy } from '../../ledger/copy.ts'
import { pull, pullCalls } from '../../ledger/pull.ts'
import type { TableName } from '../../ledger/schema.ts'
import { pulledTableColumns } from '../../output/columns/ledger.ts'

export default class Pull extends PromoCommand {
  static override summary =
    'Copy what happened in a project into a file of this computer: all at first, then what is new'
  static override description =
    'Redemptions with their rollbacks, transactions of cards, orders, codes, cards and publications; of customers only their ids. The project is only read.'
  static override examples = [
    'promo ledger pull --profile sandbox',
    'promo ledger pull --with customers --data ~/shop.db --profile sandbox',
  ]
  static override effect = 'local' as const
  static override calls = pullCalls
  static override columns = pulledTableColumns
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
    const client = await this.connect(flags)
    const file = copyFileOf(flags, this.host, client.profile)
    const copy = openCopy(file, { writes: true, project: copiedProjectOf(client.profile) })
    try {
      const counts = await pull({ client, copy, withCustomers: flags.with !== undefined, nowMs: this.host.now() })
      const sources = copy.all<{ name: TableName }>('SELECT name, held, counted, complete_until, missing FROM sources')
      const rows = sources.map(({ name, ...source }) => ({ table: name, new: counts.get(name) ?? 0, ...source }))
      await this.emit(rows, pulledTableColumns, flags, { nothing: 'nothing is new' })
      const total = [...counts.values()].reduce((sum, one) => sum + one, 0)
      messages.say(`read ${counted(total, 'row')} into ${file}`)
    } finally {
      copy.close()
    }
  }
}
