// Stores an order, whoever brings it (an order call, a redemption, a rollback, an import), and records the outcome.
// Source: docs/service/orders.md#events; docs/service/pricing.md#stored-orders.
import { ownValue } from '../../../base/record.ts'
import { customerFacts } from '../../answers/customers.ts'
import { orderShown } from '../../answers/orders.ts'
import { mustBeCounted } from '../../http/check-input.ts'
import type { Context } from '../../http/route.ts'
import type { OrderState } from '../../rules/pricing/order.ts'
import { orderAnswer } from '../../rules/pricing/order-answer.ts'
import { customers } from '../../stores/customers.ts'
import { orderPayments, orders, type StoredOrder } from '../../stores/orders.ts'
import { checkMetadata } from '../metadata/check.ts'

/** An order after it was stored, and whether it was paid for the first time by that. */
export interface SavedOrder {
  order: StoredOrder
  isNewlyPaid: boolean
}

const eventOfStatus: Record<string, string> = {
  PAID: 'order.paid',
  CANCELED: 'order.canceled',
  FULFILLED: 'order.fulfilled',
}

/**
 * Stores a new order, or the changed form of `before`, and records `order.created` or `order.updated`, then the event of
 * its new status. Throws 400 (metadata of the order or a line, amounts that are too large).
 */
export function storeOrder(before: StoredOrder | undefined, order: StoredOrder, context: Context): SavedOrder {
  mustBeCounted(order)
  checkMetadata(context, 'order', order.metadata)
  for (const item of order.items ?? []) checkMetadata(context, 'order_item', item.metadata)
  if (before) context.in(orders).update(order)
  else context.in(orders).insert(order)
  recordOrderEvents(before, order, context)
  return { order, isNewlyPaid: isFirstPayment(before, order, context) }
}

/** Builds the document of an order from its calculated state. */
export function orderFacts(
  state: OrderState,
  about: Pick<StoredOrder, 'customer_id' | 'updated_at' | 'redemptions'> & {
    metadata?: StoredOrder['metadata'] | undefined
  },
): StoredOrder {
  // An answer is JSON, in which undefined members are absent.
  return JSON.parse(JSON.stringify({ ...orderAnswer(state), ...about })) as StoredOrder
}

// ASSUMED A1151: the events of orders are those of the activity of a customer; webhooks cannot subscribe to them.
function recordOrderEvents(before: StoredOrder | undefined, order: StoredOrder, context: Context): void {
  const customer = order.customer_id == null ? undefined : context.in(customers).get(order.customer_id)
  const data = { order: orderShown(order), ...(customer && { customer: customerFacts(customer) }) }
  context.emit(before ? 'order.updated' : 'order.created', order.id, data)
  const reached = order.status === before?.status ? undefined : ownValue(eventOfStatus, order.status)
  if (reached) context.emit(reached, order.id, data)
}

// ASSUMED A280: an order that was canceled and is paid again does not earn points again; nor does one that was set back
// to CREATED after it had been paid.
function isFirstPayment(before: StoredOrder | undefined, order: StoredOrder, context: Context): boolean {
  const payments = context.in(orderPayments)
  if (payments.get(order.id)) return false
  const wasSettled = before !== undefined && before.status !== 'CREATED'
  const isPaid = order.status === 'PAID'
  if (wasSettled || isPaid) payments.insert({ id: order.id, created_at: context.now })
  return isPaid && !wasSettled
}
