import { Flags } from '@oclif/core'
import { listCommand } from '../../cli/declared.ts'
import { orderStatuses } from '../../contract/order.ts'
import { listOrders } from '../../contract/orders.ts'
import { orderColumns } from '../../output/columns/resources/catalogue.ts'

export default listCommand({
  summary: 'List orders, newest first',
  description:
    'Orders of redemptions are among them. A table shows one page and says if there is more; the other formats are complete unless --limit is given.',
  examples: [
    'promo orders list --profile sandbox',
    'promo orders list --status PAID --created-after 30d --csv --profile sandbox',
  ],
  endpoint: listOrders,
  columns: orderColumns,
  noun: 'orders',
  flags: {
    status: Flags.option({ description: 'only orders in this state', options: orderStatuses })(),
    'customer-id': Flags.string({ description: 'only orders of this customer, by id' }),
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: ['created_at', '-created_at', 'updated_at', '-updated_at', 'status', '-status'] as const,
    })(),
  },
  request: ({ flags: { status, 'customer-id': customer, order } }) => ({
    query: {
      order,
      ...((status ?? customer) !== undefined && {
        filters: {
          ...(status !== undefined && { status: { conditions: { $is: status } } }),
          ...(customer !== undefined && { customer_id: { conditions: { $is: customer } } }),
        },
      }),
    },
  }),
})
