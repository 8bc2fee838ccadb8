import { readCommand } from '../../cli/declared.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { getCustomer } from '../../contract/customers.ts'
import { customerColumns } from '../../output/columns/resources/customers.ts'

export default readCommand('Show one customer, by id or source id', {
  description:
    '`customers show` adds what the customer holds, redeemed and recommended; `customers find` takes a name.',
  examples: [
    'promo customers get shop-1001 --profile sandbox',
    "promo customers get shop-1001 --json --query 'summary.orders.total_amount' --profile sandbox",
  ],
  endpoint: getCustomer,
  columns: customerColumns,
  args: { customer: argument('a customer, by id or source id') },
  request: ({ args }) => ({ path: { customerId: args.customer } }),
})
