// Points for orders that are paid. Source: docs/service/loyalty.md#when-points-are-earned, order-paid rules.

import { orderShown } from '../../answers/orders.ts'
import type { Context } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { calculateOrder } from '../../rules/pricing/order.ts'
import { customers } from '../../stores/customers.ts'
import { orders } from '../../stores/orders.ts'
import { snapshotOf } from '../evaluation/snapshot.ts'
import { earnPoints } from './earn.ts'
import { orderPaid } from './earning-rules.ts'

/** The job that adds points for a paid order. */
export const paidOrderKind = 'loyalty.order.paid'

/**
 * Enqueues the points for an order that has just been paid; they are added after the answer.
 *
 * Must be called once per order, when its status first becomes `PAID`; the order must be stored.
 */
export function earnForPaidOrder(context: Context, order: { id: string }, customer: { id: string }): void {
  context.later(paidOrderKind, { order_id: order.id, customer_id: customer.id })
}

/** Adds the points for a paid order. */
export const paidOrderJob = job(({ order_id, customer_id }: { order_id: string; customer_id: string }, context) => {
  const stored = context.in(orders).get(order_id)
  const customer = context.in(customers).get(customer_id)
  const order = calculateOrder(snapshotOf(context), stored)
  if (!stored || !customer || !order) return undefined
  const told = { id: stored.id, source_id: stored.source_id ?? null }
  const details = { order: told, event: { id: stored.id, type: orderPaid } }
  earnPoints({ event: orderPaid, customer, order, details, cause: { order: orderShown(stored) } }, context)
  return undefined
})
