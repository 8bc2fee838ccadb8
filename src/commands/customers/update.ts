import { PromoCommand } from '../../cli/command.ts'
import { bodyFlags, bulkFlags, callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { bodyFrom, fieldReader } from '../../cli/request/body.ts'
import { rowBodies } from '../../cli/request/row-body.ts'
import type { Host } from '../../cli/run/host.ts'
import { customerKeys } from '../../cli/topics/customers/keys.ts'
import type { JobUndo } from '../../cli/undo.ts'
import { changedCustomer, updateCustomer } from '../../contract/customers.ts'

const checkField = (text: string, host: Host) => bodyFrom({ set: [text] }, changedCustomer, host)

export default class Update extends PromoCommand {
  static override summary = 'Change customers: one, many, or a whole file'
  static override description =
    'Fields that are not named keep their value; metadata is added name by name. In a file, each column other than the source id is a wire path, such as phone or metadata.tier.'
  static override examples = [
    'promo customers update shop-1001 --set phone="+49 30 1234567" --profile sandbox',
    'promo customers update shop-1001 shop-1002 --set metadata.tier=gold --yes --profile sandbox',
  ]
  static override effect = 'write' as const
  static override undo: JobUndo = {
    because: 'its journal does not have the values from before, which have to be put into its report',
    instead: (job) =>
      `promo jobs report ${job} --only ok --csv --out before.csv; promo customers update --from before.csv --dry-run`,
  }
  static override calls = [updateCustomer]
  static override args = customerKeys
  static override asks = {
    customer: { unless: ['from'] },
    set: { unless: ['body', 'from'], question: 'a field and its value, like name=Ann:', check: checkField },
  }
  static override flags = { ...callFlags, ...bodyFlags, ...bulkFlags, ...writeFlags }

  async run() {
    const { args, flags } = await this.input(Update)
    const shared = await bodyFrom(flags, changedCustomer, this.host)
    const bodyOf = rowBodies(shared, await fieldReader(changedCustomer, flags, this.host), flags.column ?? 'source_id')
    await this.runBulk(args.customer, flags, {
      words: { noun: 'customer', verb: 'update', done: 'updated', unchanged: 'already up to date', key: 'source_id' },
      endpoint: updateCustomer,
      request: (row) => ({ path: { customerId: row.key }, body: bodyOf(row) }),
      onDuplicate: 'fold-identical',
    })
  }
}
