import { PromoCommand } from '../../cli/command.ts'
import { bodyFlags, bulkFlags, callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { argumentList } from '../../cli/flags/kinds.ts'
import { bodyFrom, fieldReader } from '../../cli/request/body.ts'
import { rowBodies } from '../../cli/request/row-body.ts'
import type { JobUndo } from '../../cli/undo.ts'
import { customer } from '../../contract/customer.ts'
import { createCustomer } from '../../contract/customers.ts'
import { usageError } from '../../errors.ts'
import { customerColumns } from '../../output/columns/resources/customers.ts'

export default class Create extends PromoCommand {
  static override summary = 'Create customers: one, many, or a whole file'
  static override description =
    'A source id that exists is changed instead: fields that are named get the new value, the others keep theirs, so the same file can be sent again. Without a source id, --set and --body describe one new customer. In a file, each column is a wire path (name, email, address.city, metadata.tier).'
  static override examples = [
    'promo customers create shop-2001 --set name="Ada Weiss" --set email=ada@example.com --profile sandbox',
    'printf "source_id,name\\nshop-2002,Ben\\n" > friends.csv; promo customers create --from friends.csv --set metadata.source=import --yes --profile sandbox',
    'promo customers create --set name="A guest" --json --query id --profile sandbox',
  ]
  static override effect = 'write' as const
  static override undo: JobUndo = {
    because: 'the answers do not tell new customers from those that were there and were updated',
    instead: (job) =>
      `promo jobs report ${job} --only ok --csv --out created.csv; promo customers delete --from created.csv --dry-run`,
  }
  static override calls = [createCustomer]
  static override columns = customerColumns
  static override args = {
    'source-id': argumentList('the source ids of the customers; one that starts with - goes after --'),
  }
  static override asks = { 'source-id': { unless: ['from', 'set', 'body'], question: 'the source id:' } }
  static override flags = { ...callFlags, ...bodyFlags, ...bulkFlags, ...writeFlags }

  async run() {
    const { args, flags } = await this.input(Create)
    const shared = await bodyFrom(flags, customer, this.host)
    const sourceIds = args['source-id']
    // With one of its keys a second identical call ends in the same state; without, it makes a second customer.
    const endpoint = { ...createCustomer, repeat: 'idempotent' as const }
    if (sourceIds === undefined && flags.from === undefined) {
      const hasKey = (shared.source_id ?? shared.id ?? undefined) !== undefined
      await this.writeOne(flags, {
        endpoint: createCustomer,
        request: { body: shared },
        columns: Create.columns,
        ...(hasKey && { repeat: endpoint.repeat }),
      })
      return
    }
    for (const name of ['id', 'source_id']) {
      if (name in shared) throw usageError(`"${name}" names one customer, but every row has a source id of its own`)
    }
    const bodyOf = rowBodies(shared, await fieldReader(customer, flags, this.host), flags.column ?? 'source_id')
    await this.runBulk(sourceIds, flags, {
      words: { noun: 'customer', verb: 'create', done: 'created', unchanged: 'already there', key: 'source_id' },
      endpoint,
      results: { id: 'id' },
      request: (row) => ({ body: { ...bodyOf(row), source_id: row.key } }),
      onDuplicate: 'fold-identical',
    })
  }
}
