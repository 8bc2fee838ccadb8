// Orders as the order calls show them. Source: docs/service/orders.md#fields.
import type { StoredOrder } from '../stores/orders.ts'

/**
 * Shows an order, wherever it is shown: the stored facts, with customer and referrer as references. Lines of a fixture may not
 * say what they are.
 */
export function orderShown(order: Partial<StoredOrder>): Record<string, unknown> {
  const { customer_id = null, referrer_id = null } = order
  return {
    ...order,
    ...(order.items && { items: order.items.map((item) => ({ ...item, object: 'order_item' })) }),
    source_id: order.source_id ?? null,
    updated_at: order.updated_at ?? null,
    customer_id,
    ...(customer_id !== null && { customer: { id: customer_id, object: 'customer' } }),
    referrer_id,
    ...(referrer_id !== null && { referrer: { id: referrer_id, object: 'customer' } }),
    object: 'order',
  }
}
