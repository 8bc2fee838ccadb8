// The order calls. Source: docs/service/orders.md#calls; docs/service/orders.md#import.
import { isRecord } from '../../base/record.ts'
import { importOrders } from '../../contract/bulk.ts'
import * as contract from '../../contract/orders.ts'
import { findOr404, routesFor } from '../answers/existing.ts'
import { orderShown } from '../answers/orders.ts'
import { checkBody, checkWire } from '../http/check-input.ts'
import { identityOf } from '../http/fixture-object.ts'
import { invalidPayload } from '../http/refusal.ts'
import { type Context, type FixtureContext, pageAnswer, type Resource, route } from '../http/route.ts'
import { answerStarted } from '../resources/async-actions/progress.ts'
import { rowWork } from '../resources/async-actions/row-work.ts'
import { anyRows } from '../resources/async-actions/rows.ts'
import { earnForPaidOrder } from '../resources/loyalty/paid-order.ts'
import type { SavedOrder } from '../resources/orders/save.ts'
import { changeOrder, type OrderBody, upsertOrder } from '../resources/orders/upsert.ts'
import { lineIdPrefix, orderPayments, orders, type StoredOrder } from '../stores/orders.ts'

const routeFor = routesFor('orderId', (id, context) => findOr404(orders, id, context))

// ASSUMED A1160: imported orders are history. They record no events of their own and earn nothing, then or later.
const orderImport = rowWork<OrderBody, null>('ORDERS.IMPORT', 'order', {
  key: { name: 'source_id', of: ({ source_id }) => source_id },
  begin: (_, context) => {
    const quiet = {
      ...context,
      emit: (type: string, id: string, data: Record<string, unknown>) => {
        if (!type.startsWith('order.') && type !== 'customer.updated') context.emit(type, id, data)
      },
    }
    return (row) => {
      upsertOrder(checkBody(contract.newOrder, row, 'absent'), quiet)
      return undefined
    }
  },
})

/** Orders, by id or source id; those of redemptions are among them. */
export const orderResource: Resource = {
  collections: [orders, orderPayments],
  load: { orders: loadOrder },
  jobs: { [orderImport.kind]: orderImport.job },
  routes: [
    route(contract.createOrder, ({ body }, context) => answerSaved(upsertOrder(body, context), context)),
    route(contract.listOrders, ({ query }, context) =>
      pageAnswer(orders, query, context, {
        ref: 'orders',
        show: (items) => items.map(orderShown),
      }),
    ),
    routeFor(contract.getOrder, (order) => orderShown(order)),
    routeFor(contract.updateOrder, (order, context, { body }) =>
      answerSaved(changeOrder(order, body, context), context),
    ),
    route({ ...importOrders, body: anyRows.unwrap().unwrap() }, ({ body }, context) =>
      answerStarted(orderImport.start(body, null, context), 200),
    ),
  ],
}

function answerSaved({ order, isNewlyPaid }: SavedOrder, context: Context) {
  if (isNewlyPaid && order.customer_id != null) earnForPaidOrder(context, order, { id: order.customer_id })
  return orderShown(order)
}

/** Reads an order as the service shows it. Throws a refusal that names the problem. */
function loadOrder(wire: Record<string, unknown>, loading: FixtureContext): StoredOrder {
  checkWire(contract.newOrder, wire, 'absent')
  for (const name of ['customer_id', 'referrer_id'])
    if (wire[name] != null && typeof wire[name] !== 'string') throw invalidPayload(`Property .${name} must be string`)
  if (wire.redemptions != null && !isRecord(wire.redemptions))
    throw invalidPayload('Property .redemptions must be object')
  const items = (wire.items as object[] | null)?.map((item) => ({ id: loading.id(lineIdPrefix), ...item }))
  return { ...wire, ...(items && { items }), ...identityOf(orders, wire, loading) } as StoredOrder
}
