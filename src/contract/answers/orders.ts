// Orders as answered, stored ones and those of an evaluation. Source: docs/service/pricing.md#order-in-answers.
import { z } from 'zod'
import { customerSummary } from './customers.ts'
import { count, instant, maybeInstant, maybeText, metadata, namedForm, referenceTo, text } from './form.ts'

/** The product or the SKU of a line, as far as it is known; the member that has its name is called otherwise in each. */
const boughtForm = (name: 'name' | 'sku') =>
  z.object({
    id: maybeText,
    source_id: maybeText,
    [name]: maybeText,
    price: count.nullish(),
    metadata,
    override: z.boolean().optional(),
    object: text.optional(),
  })

const item = namedForm('OrderItem', {
  id: text.optional(),
  object: z.literal('order_item'),
  source_id: maybeText,
  related_object: text.optional(),
  product_id: maybeText,
  sku_id: maybeText,
  quantity: count.optional(),
  amount: count.optional(),
  price: count.optional(),
  subtotal_amount: count.optional(),
  discount_amount: count.optional(),
  applied_discount_amount: count.optional(),
  discount_quantity: count.optional(),
  applied_discount_quantity: count.optional(),
  initial_quantity: count.optional(),
  initial_amount: count.optional(),
  product: boughtForm('name').optional(),
  sku: boughtForm('sku').optional(),
  metadata,
})

/** The amounts of an order, in the smallest currency unit. An amount that is zero may be absent. */
const amounts = {
  amount: count.optional(),
  initial_amount: count.optional(),
  discount_amount: count.optional(),
  items_discount_amount: count.optional(),
  total_discount_amount: count.optional(),
  total_amount: count.optional(),
  applied_discount_amount: count.optional(),
  items_applied_discount_amount: count.optional(),
  total_applied_discount_amount: count.optional(),
}

/** An order: stored, or as an evaluation computes it. Source: docs/service/pricing.md#order-in-answers; docs/service/pricing.md#stored-orders. */
export const order = namedForm('Order', {
  id: text.optional(),
  source_id: maybeText,
  created_at: instant.optional(),
  updated_at: maybeInstant,
  status: text.optional(),
  ...amounts,
  items: z.array(item).optional(),
  metadata,
  customer_id: maybeText,
  customer: z.union([referenceTo('customer'), customerSummary]).nullish(),
  referrer_id: maybeText,
  referrer: z.union([referenceTo('customer'), customerSummary]).nullish(),
  redemptions: z.record(text, z.unknown()).optional(),
  object: z.literal('order'),
})
