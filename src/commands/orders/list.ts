import { listCommand } from '../../cli/declared/list.ts'
import { choiceFlag } from '../../cli/flags/kinds.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { customerCalls, customerFlag, idOfCustomer, namedCustomer } from '../../cli/request/customers/flag.ts'
import { orderStatuses } from '../../contract/order.ts'
import { listOrders } from '../../contract/orders.ts'
import { orderColumns } from '../../output/columns/resources/catalogue.ts'

export default listCommand('List orders, newest first', {
  description:
    'Orders of redemptions are among them. A table shows one page and says if there is more; the other formats are complete unless --limit is given.',
  examples: [
    'promo orders list --profile sandbox',
    'promo orders list --status PAID --created-after 30d --csv --profile sandbox',
  ],
  calls: [listOrders, ...customerCalls],
  columns: orderColumns,
  noun: 'orders',
  named: { customer: namedCustomer },
  flags: {
    status: choiceFlag('only orders in this state', orderStatuses),
    customer: customerFlag,
    ...orderFlag(listOrders),
  },
  request: async ({ flags: { status, customer, order } }, client, warn) => {
    const filters = {
      ...(status !== undefined && { status: { conditions: { $is: status } } }),
      ...(customer !== undefined && {
        customer_id: { conditions: { $is: await idOfCustomer(client, customer, warn) } },
      }),
    }
    return { query: { order, ...(Object.keys(filters).length > 0 && { filters }) } }
  },
})
