import { Args } from '@oclif/core'
import { readCommand } from '../../cli/declared.ts'
import { getOrder } from '../../contract/orders.ts'
import { orderColumns } from '../../output/columns/resources/catalogue.ts'

export default readCommand({
  summary: 'Show one order',
  examples: [
    'promo orders get northlight-2009 --profile sandbox',
    "promo orders get northlight-2009 --json --query 'items[].product_id' --profile sandbox",
  ],
  endpoint: getOrder,
  columns: orderColumns,
  args: { id: Args.string({ description: 'an order, by id or source id', ignoreStdin: true, required: true }) },
  request: ({ args }) => ({ path: { orderId: args.id } }),
})
