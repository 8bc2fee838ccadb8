import { readCommand } from '../../cli/declared/read.ts'
import { asSourceIdFlag } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { customerCalls, idOfCustomer, isContact } from '../../cli/request/customers/flag.ts'
import { getCustomer } from '../../contract/customers.ts'
import { customerColumns } from '../../output/columns/resources/customers.ts'

export default readCommand('Show one customer, by id or source id', {
  description:
    '`customers show` adds what the customer holds, redeemed and recommended; `customers find` takes a name.',
  examples: [
    'promo customers get shop-1001 --profile sandbox',
    "promo customers get shop-1001 --json --query 'summary.orders.total_amount' --profile sandbox",
  ],
  calls: [getCustomer, ...customerCalls.slice(1)],
  columns: customerColumns,
  several: { noun: 'customer', key: 'source_id' },
  args: { customer: argument('a customer, by id or source id, e-mail address or phone number') },
  flags: asSourceIdFlag,
  async request({ args: { customer }, flags }, client, warn) {
    const isFound = flags['as-source-id'] || !isContact(customer)
    const customerId = isFound ? customer : await idOfCustomer(client, customer, warn)
    return { path: { customerId } }
  },
})
