import type { Row } from '../../bulk/input/row.ts'
import { bulkCommand } from '../../cli/declared/bulk.ts'
import { asSourceIdFlag } from '../../cli/flags/flags.ts'
import { argumentList } from '../../cli/flags/kinds.ts'
import { flagsOfMembers } from '../../cli/request/member-flags.ts'
import { bodiesOfRows } from '../../cli/request/row-body.ts'
import { customerMembers as members } from '../../cli/topics/customers/members.ts'
import { customer } from '../../contract/customer.ts'
import { createCustomer, listCustomers } from '../../contract/customers.ts'
import { usageError } from '../../errors.ts'
import { customerColumns } from '../../output/columns/resources/customers.ts'

export default bulkCommand('Create customers: one, many, or a whole file', {
  description:
    'A source id that exists is changed instead: named fields get the new value, others stay. So the same file can be sent again. Without a source id, flags, --set and --body describe one new customer.',
  examples: [
    'promo customers create shop-2001 --name "Ada Weiss" --email ada@example.com --profile sandbox',
    'printf "source_id,name\\nshop-2002,Ben\\n" > friends.csv; promo customers create --from friends.csv --set metadata.source=import --yes --profile sandbox',
    'promo customers create --name "A guest" --json --query id --profile sandbox',
  ],
  calls: [createCustomer, listCustomers],
  columns: customerColumns,
  instead: (job) =>
    `promo jobs report ${job} --only ok --csv --out created.csv; promo customers delete --from created.csv --dry-run`,
  args: { 'source-id': argumentList('the source ids of the customers; one that starts with - goes after --') },
  asks: { 'source-id': { unless: ['from', 'set', 'body', ...Object.keys(members)], question: 'the source id:' } },
  flags: { ...flagsOfMembers(members), ...asSourceIdFlag },
  body: { takes: 'known', members },
  words: { noun: 'customer', verb: 'create', done: 'created or updated', unchanged: 'already there', key: 'source_id' },
  results: { id: 'id' },
  inputColumns: { fromList: 'fields' },
  customers: 'new',
  onDuplicate: 'fold-identical',
  async rows({ args, flags, body, run }) {
    const shared: { id?: string; source_id?: string } = body
    // With one of its keys a second identical call ends in the same state; without, it makes a second customer.
    const endpoint = { ...createCustomer, repeat: 'idempotent' as const }
    const bodyOf = await bodiesOfRows(customer, shared, { flags, run, key: 'source_id', isNew: true, members })
    const request = (row: Row) => ({ body: { ...bodyOf(row), source_id: row.key } })
    if (args['source-id'] === undefined && flags.from === undefined) {
      const hasKey = (shared.source_id ?? shared.id ?? undefined) !== undefined
      const { repeat } = hasKey ? endpoint : createCustomer
      const listed = hasKey ? {} : { listed: { listedBy: () => 'promo customers list' } }
      return { request, one: { request: { body: shared }, repeat, ...listed } }
    }
    for (const name of ['id', 'source_id']) {
      if (name in shared) throw usageError(`"${name}" names one customer, but every row has a source id of its own`)
    }
    return { endpoint, request }
  },
})
