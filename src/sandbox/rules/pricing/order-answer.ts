// The wire form of a calculated order, without values that are zero or unknown.
// Source: docs/service/pricing.md#order-in-answers.
import { type OrderLine, type OrderState, totals } from './order.ts'

/** An order as in answers of the service: without discounts of zero. */
export type OrderAnswer = Record<string, unknown>

/**
 * Converts a calculated order to the form of the service's answers.
 *
 * Of a customer only the reference is shown, and only when the order named a stored one. `id`, `source_id`, `status` and
 * `created_at` appear only for stored orders.
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
    ...(order.zeros && pick(sums, toldZeros[order.zeros])),
    ...(order.hasItems || order.items.length > 0 ? { items: shownLines(order) } : {}),
    metadata: order.metadata ?? {},
    customer_id: order.customer_id ?? null,
    ...(order.customer_id !== undefined && { customer: { id: order.customer_id, object: 'customer' } }),
    referrer_id: order.referrer_id ?? null,
    ...(order.referrer_id != null && { referrer: { id: order.referrer_id, object: 'customer' } }),
    object: 'order',
  }
}

// Recorded answers tell that nothing was taken off where something could have been: off the lines beside a gift card, and
// by a code that takes nothing.
const toldZeros = {
  lines: ['items_applied_discount_amount'],
  all: ['items_applied_discount_amount', 'total_applied_discount_amount'],
} as const

function shownLines({ items, zeros }: OrderState): Record<string, unknown>[] {
  const lines = lineAnswers(items)
  return zeros ? lines.map((line) => ({ applied_discount_amount: 0, ...line })) : lines
}

// Redeemables that leave the lines as they are share them, and so do their answers.
const knownLines = new WeakMap<readonly OrderLine[], Record<string, unknown>[]>()

function lineAnswers(lines: readonly OrderLine[]): Record<string, unknown>[] {
  const shown = knownLines.get(lines) ?? lines.map(lineAnswer)
  knownLines.set(lines, shown)
  return shown
}

function lineAnswer(line: OrderLine): Record<string, unknown> {
  return {
    object: 'order_item',
    ...present({
      id: line.id,
      source_id: line.source_id,
      related_object: line.related_object,
      product_id: line.product_id,
      sku_id: line.sku_id,
    }),
    quantity: line.quantity,
    ...nonZero({ discount_quantity: line.discount_quantity }),
    ...(line.gotUnits && { initial_quantity: line.initial_quantity }),
    ...present({ amount: line.amount }),
    ...nonZero({ discount_amount: line.discount_amount }),
    ...(line.gotUnits && line.amount !== undefined && { initial_amount: line.initial_amount ?? 0 }),
    ...nonZero({ applied_discount_amount: line.applied_discount_amount }),
    ...present({ price: line.price }),
    ...(line.amount !== undefined && { subtotal_amount: line.amount - line.discount_amount }),
    ...((line.product?.id !== undefined || line.toldProduct) && {
      product: showProduct(line.product ?? {}, line.toldProduct, ['id', 'source_id', 'name', 'price']),
    }),
    ...(line.sku && { sku: showProduct(line.sku, line.toldSku, ['id', 'source_id', 'sku', 'price']) }),
    ...present({ metadata: line.metadata }),
  }
}

function present(fields: Record<string, unknown>): Record<string, unknown> {
  return without(undefined, fields)
}

function nonZero(fields: Record<string, number>): Record<string, number> {
  return without(0, fields)
}

// A cart of ten lines passes here some hundred times for each redeemable: lists of members would be most of the work.
function without<Value>(unwanted: Value, fields: Record<string, Value>): Record<string, Value> {
  const kept: Record<string, Value> = {}
  for (const name in fields) if (fields[name] !== unwanted) kept[name] = fields[name] as Value
  return kept
}

/** Shows a product or SKU as the line tells of it, and what it leaves out as it is stored; metadata only where sent. */
function showProduct<T extends { id?: string; metadata?: unknown }>(
  known: Partial<T>,
  told: Partial<T> | undefined,
  names: readonly (keyof T & string)[],
): Record<string, unknown> {
  const members = { ...known, ...told, id: known.id } as T
  return {
    ...present(pick(members, names)),
    ...(told?.metadata !== undefined && { metadata: told.metadata }),
  }
}

function pick<T extends object>(from: T, names: readonly (keyof T & string)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}
