import { readCommand } from '../../cli/declared/read.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { listCustomerRedeemables } from '../../contract/customers.ts'
import { listEarningRules } from '../../contract/earning-rules.ts'
import { listCardTransactions } from '../../contract/loyalty.ts'
import { getOrder } from '../../contract/orders.ts'
import { listMemberPendingPoints } from '../../contract/pending-points.ts'
import { orderColumns } from '../../output/columns/resources/catalogue.ts'

export default readCommand('Show one order', {
  examples: [
    'promo orders get northlight-2009 --profile sandbox',
    'promo orders get northlight-2009 --explain --profile sandbox',
    "promo orders get northlight-2009 --json --query 'items[].product_id' --profile sandbox",
  ],
  calls: [
    getOrder,
    getCampaign,
    listCustomerRedeemables,
    listCardTransactions,
    listMemberPendingPoints,
    listEarningRules,
  ],
  columns: orderColumns,
  explains: async () => (await import('../../cli/reasons/order.ts')).explainOrder,
  several: { noun: 'order', key: 'id' },
  args: { id: argument('an order, by id or source id') },
  request: ({ args }) => ({ path: { orderId: args.id } }),
})
