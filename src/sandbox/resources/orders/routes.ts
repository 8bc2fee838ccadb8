// The order calls. Source: docs/service/orders.md#calls.
import * as contract from '../../../contract/orders.ts'
import type { Resource } from '../../http/resource.ts'
import { type Context, ok, route } from '../../http/route.ts'
import { compileFilters } from '../../storage/filters.ts'
import { existing } from '../existing.ts'
import { pageAnswer } from '../listing.ts'
import { earnForPaidOrder } from '../loyalty/paid-order.ts'
import { orderShown } from './answer.ts'
import { loadOrder } from './load.ts'
import type { SavedOrder } from './save.ts'
import { orderPayments, orders } from './store.ts'
import { changeOrder, upsertOrder } from './upsert.ts'

/** Orders, by id or source id; those of redemptions are among them. */
export const orderResource: Resource = {
  collections: [orders, orderPayments],
  load: { orders: loadOrder },
  routes: [
    route(contract.createOrder, ({ body }, context) => answered(upsertOrder(body, context), context)),
    route(contract.listOrders, ({ query }, context) =>
      pageAnswer(orders, query, context, {
        where: query.filters ? [compileFilters(orders, query.filters, context.now)] : [],
        ref: 'orders',
        show: (items) => items.map(orderShown),
      }),
    ),
    route(contract.getOrder, ({ path }, context) => ok(orderShown(existing(orders, path.orderId, context)))),
    route(contract.updateOrder, ({ path, body }, context) =>
      answered(changeOrder(existing(orders, path.orderId, context), body, context), context),
    ),
  ],
}

function answered({ order, isNewlyPaid }: SavedOrder, context: Context) {
  if (isNewlyPaid && order.customer_id != null) earnForPaidOrder(context, order, { id: order.customer_id })
  return ok(orderShown(order))
}
