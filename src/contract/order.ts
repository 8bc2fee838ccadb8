// An order in a request. Amounts are integers in the smallest currency unit.
// Source: docs/service/pricing.md#order-in-requests.
import { z } from 'zod'
import { customer } from './customer.ts'
import { dateTime, metadata } from './fields.ts'

/** How many lines an order may have. Source: docs/service/pricing.md#order-in-requests. */
export const itemsPerOrder = 500

/** The states an order may be sent in. */
export const orderStatuses = ['CREATED', 'PAID', 'CANCELED', 'FULFILLED'] as const

/** Marks a text that stands for a number: whoever reads words of people into a body takes the number instead. */
const decimalText = { format: 'decimal' }

// Samples of the service send quantities as text, so both are accepted (docs/service/pricing.md#order-in-requests).
const quantity = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .meta(decimalText),
])

// Shops that work send amounts as text too, also with decimals (docs/service/pricing.md#order-in-requests).
const amount = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,15}(\.\d{1,6})?$/)
    .meta(decimalText),
])

const id = z.string().min(1).nullish()

const product = z.strictObject({
  id,
  source_id: id,
  override: z.boolean().optional(),
  name: z.string().nullish(),
  price: amount.nullish(),
  metadata: metadata.nullish(),
  object: z.literal('product').optional(),
})

const sku = z.strictObject({
  id,
  source_id: id,
  override: z.boolean().optional(),
  sku: z.string().nullish(),
  price: amount.nullish(),
  metadata: metadata.nullish(),
  object: z.literal('sku').optional(),
})

/** One line of an order; it names a product or SKU by id, or by `source_id` with `related_object`. */
export const orderItem = z.strictObject({
  object: z.literal('order_item').optional(),
  product_id: id,
  sku_id: id,
  source_id: id,
  related_object: z.enum(['product', 'sku']).optional(),
  quantity: quantity.optional(),
  price: amount.optional(),
  amount: amount.optional(),
  discount_quantity: quantity.optional(),
  discount_amount: amount.optional(),
  initial_quantity: quantity.optional(),
  initial_amount: amount.optional(),
  product: product.optional(),
  sku: sku.optional(),
  metadata: metadata.nullish(),
})

/**
 * The items to buy. Nothing is required.
 *
 * An amount below one passes: the service decides on it and answers `invalid_amount` per redeemable.
 */
export const order = z.strictObject({
  object: z.literal('order').optional(),
  id,
  source_id: id,
  created_at: dateTime.optional(),
  status: z.enum(orderStatuses).optional(),
  amount: amount.optional(),
  initial_amount: amount.optional(),
  discount_amount: amount.optional(),
  items: z.array(orderItem).max(itemsPerOrder).optional(),
  customer: customer.optional(),
  customer_id: id,
  referrer: customer.optional(),
  referrer_id: id,
  metadata: metadata.nullish(),
})
