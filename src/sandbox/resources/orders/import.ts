// Orders of the past, many at once. Source: docs/service/orders.md#import.
import * as contract from '../../../contract/bulk.ts'
import { newOrder } from '../../../contract/orders.ts'
import { checkedBody } from '../../http/check-input.ts'
import type { Resource } from '../../http/resource.ts'
import { ok, route } from '../../http/route.ts'
import { rowWork } from '../async-actions/row-work.ts'
import { anyRows } from '../async-actions/rows.ts'
import { type OrderBody, upsertOrder } from './upsert.ts'

// ASSUMED A1160: imported orders are history. They record no events of their own and earn nothing, then or later.
const orderImport = rowWork<OrderBody, null>({
  type: 'ORDERS.IMPORT',
  noun: 'order',
  key: { name: 'source_id', of: ({ source_id }) => source_id },
  isUpdate: false,
  begin: (_, context) => {
    const quiet = {
      ...context,
      emit: (type: string, id: string, data: Record<string, unknown>) => {
        if (!type.startsWith('order.') && type !== 'customer.updated') context.emit(type, id, data)
      },
    }
    return (row) => {
      upsertOrder(checkedBody(newOrder, row, 'absent') as OrderBody, quiet)
      return undefined
    }
  },
})

/** The import of orders, an asynchronous action. */
export const orderImportResource: Resource = {
  jobs: { [orderImport.kind]: orderImport.job },
  routes: [
    route({ ...contract.importOrders, body: anyRows.unwrap().unwrap() }, ({ body }, context) =>
      ok({ async_action_id: orderImport.start(body, null, context).id }),
    ),
  ],
}
