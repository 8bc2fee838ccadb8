// The wire form of a calculated order, without values that are zero or unknown.
// Source: docs/service/pricing.md#order-in-answers.
import { type OrderLine, type OrderState, totals } from './order.ts'

/** An order as in answers of the service: without discounts of zero. */
export type OrderAnswer = Record<string, unknown>

/**
 * Converts a calculated order to the form of the service's answers.
 *
 * `customer_id` is always null: a validation's order carries no customer data. `metadata` appears when lines or
 * metadata were sent; `id`, `source_id`, `status` and `created_at` only for stored orders.
 */
export function orderAnswer(order: OrderState): OrderAnswer {
  const sums = totals(order)
  return {
    ...(order.created_at !== undefined && {
      id: order.id,
      source_id: order.source_id ?? null,
      created_at: order.created_at,
      status: order.status,
    }),
    ...present({ amount: order.amount }),
    ...present({ initial_amount: order.initial_amount }),
    ...nonZero({
      discount_amount: order.discount_amount,
      items_discount_amount: sums.items_discount_amount,
      total_discount_amount: sums.total_discount_amount,
    }),
    ...(order.amount !== undefined && { total_amount: sums.total_amount }),
    ...nonZero({
      applied_discount_amount: order.applied_discount_amount,
      items_applied_discount_amount: sums.items_applied_discount_amount,
      total_applied_discount_amount: sums.total_applied_discount_amount,
    }),
    ...(order.hasItems || order.items.length > 0 ? { items: order.items.map(lineAnswer) } : {}),
    ...((order.hasItems || order.metadata !== undefined) && { metadata: order.metadata ?? {} }),
    customer_id: null,
    referrer_id: order.referrer_id ?? null,
    object: 'order',
  }
}

function lineAnswer(line: OrderLine): Record<string, unknown> {
  const unitsChanged = line.discount_quantity > 0 || line.quantity !== line.initial_quantity
  return {
    object: 'order_item',
    ...present({
      source_id: line.source_id,
      related_object: line.related_object,
      product_id: line.product_id,
      sku_id: line.sku_id,
    }),
    quantity: line.quantity,
    ...nonZero({ discount_quantity: line.discount_quantity }),
    ...(unitsChanged && nonZero({ initial_quantity: line.initial_quantity })),
    ...present({ amount: line.amount }),
    ...nonZero({ discount_amount: line.discount_amount }),
    ...(unitsChanged && nonZero({ initial_amount: line.initial_amount ?? 0 })),
    ...nonZero({ applied_discount_amount: line.applied_discount_amount }),
    ...present({ price: line.price }),
    ...(line.amount !== undefined && { subtotal_amount: line.amount - line.discount_amount }),
    ...(line.product && { product: picked(line.product, ['id', 'source_id', 'name', 'price']) }),
    ...(line.sku && { sku: picked(line.sku, ['id', 'source_id', 'sku', 'price']) }),
    ...present({ metadata: line.metadata }),
  }
}

function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function nonZero(fields: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== 0))
}

function picked<T extends object>(from: T, names: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  ) as Partial<T>
}
