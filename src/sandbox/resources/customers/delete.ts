// Removes customers. Source: docs/service/customers.md#delete; docs/service/customers.md#permanent-deletion.
import type { Context } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { orders } from '../orders/store.ts'
import { customerAnswer } from './answer.ts'
import { segments } from './segment-store.ts'
import { customers, type StoredCustomer } from './store.ts'

// ASSUMED A173: a customer is removed at once and for good, which frees the source id; codes keep the id of the holder.
/** Removes a customer, also from every segment. Records `customer.deleted`. */
export function deleteCustomer(customer: StoredCustomer, context: Context): void {
  const shown = customerAnswer(customer, context)
  remove(customer, context)
  context.emit('customer.deleted', customer.id, { customer: shown })
}

/**
 * Removes a customer with their orders and activity, and returns how much of each there was.
 *
 * Redemptions, publications and codes keep the id. Records `customer.deleted` with nothing but the id, because the event
 * outlives the customer.
 */
export function deletePermanently(customer: StoredCustomer, context: Context) {
  const { id } = customer
  const counts = Object.entries(context.store.outbox.forget({ project_id: context.project.id, subject_id: id }))
  const sumOf = (isCounted: (type: string) => boolean) =>
    counts.reduce((sum, [type, count]) => sum + (isCounted(type) ? count : 0), 0)
  const owned = context.in(orders).all([is(orders, 'customer_id', id)])
  for (const order of owned) context.in(orders).remove(order.id)
  const left = remove(customer, context)
  context.emit('customer.deleted', id, { customer: { id, object: 'customer' } })
  const isOf = (family: string) => (type: string) => type.startsWith(family)
  return {
    id: context.id('del_'),
    created_at: context.now,
    related_object: 'customer',
    related_object_id: id,
    status: 'DONE',
    // ASSUMED A1059: the three kinds of events are the recorded ones by their names; daily totals are not kept.
    data_json: {
      events: sumOf((type) => !isOf('customer.')(type) && !isOf('order.')(type)),
      customer_events: sumOf(isOf('customer.')),
      daily_events: 0,
      segments: left,
      orders: owned.length,
      order_events: sumOf(isOf('order.')),
      customer: 1,
    },
    object: 'pernament_deletion',
  }
}

/** Removes a customer and returns how many segments listed them. */
function remove({ id }: StoredCustomer, context: Context): number {
  context.in(customers).remove(id)
  const listing = context
    .in(segments)
    .all()
    .filter((segment) => segment.customers?.includes(id))
  for (const segment of listing)
    context.in(segments).update({ ...segment, customers: segment.customers?.filter((one) => one !== id) ?? [] })
  return listing.length
}
