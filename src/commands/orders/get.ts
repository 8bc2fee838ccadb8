import { readCommand } from '../../cli/declared.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { getOrder } from '../../contract/orders.ts'
import { orderColumns } from '../../output/columns/resources/catalogue.ts'

export default readCommand('Show one order', {
  examples: [
    'promo orders get northlight-2009 --profile sandbox',
    "promo orders get northlight-2009 --json --query 'items[].product_id' --profile sandbox",
  ],
  endpoint: getOrder,
  columns: orderColumns,
  several: { noun: 'order', key: 'id' },
  args: { id: argument('an order, by id or source id') },
  request: ({ args }) => ({ path: { orderId: args.id } }),
})
