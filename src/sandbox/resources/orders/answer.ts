// Orders as the order calls show them. Source: docs/service/orders.md#fields.
import type { StoredOrder } from './store.ts'

/** Shows an order: the stored facts, and its customer as a reference. Lines of a fixture may not say what they are. */
export function orderShown(order: StoredOrder): Record<string, unknown> {
  const { customer_id = null } = order
  return {
    ...order,
    ...(order.items && { items: order.items.map((item) => ({ ...item, object: 'order_item' })) }),
    source_id: order.source_id ?? null,
    updated_at: order.updated_at ?? null,
    customer_id,
    ...(customer_id !== null && { customer: { id: customer_id, object: 'customer' } }),
    referrer_id: order.referrer_id ?? null,
    object: 'order',
  }
}
