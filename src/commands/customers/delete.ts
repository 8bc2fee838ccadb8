import { bulkCommand } from '../../cli/declared/bulk.ts'
import { asSourceIdFlag } from '../../cli/flags/flags.ts'
import { customerCalls } from '../../cli/request/customers/flag.ts'
import { choosingCustomers } from '../../cli/topics/customers/filters.ts'
import { customerKeys, customerPath } from '../../cli/topics/customers/keys.ts'
import { deleteCustomer } from '../../contract/customers.ts'

export default bulkCommand('Delete customers: one, many, or a whole file', {
  description:
    'A deleted customer is gone at once and for good, also from segments; codes keep the id of their holder, and orders stay. For somebody who asks to be forgotten, `promo customers forget` removes orders and events, too. Asks for confirmation even for a single customer.',
  examples: [
    'promo customers delete shop-1008 --yes --profile sandbox',
    'printf "source_id,name\\nshop-2002,Ben\\n" > friends.csv; promo customers delete --from friends.csv --dry-run --profile sandbox',
  ],
  calls: [deleteCustomer, ...customerCalls],
  instead: 'promo customers create --help',
  args: customerKeys,
  asks: { customer: { unless: ['from'] } },
  flags: asSourceIdFlag,
  words: { noun: 'customer', verb: 'delete', done: 'deleted', unchanged: 'already gone', key: 'source_id' },
  customers: 'key',
  onDuplicate: 'fold',
  choosing: choosingCustomers,
  rows: () => ({ request: (row) => ({ path: customerPath(row) }) }),
})
