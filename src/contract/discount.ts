// What a code takes off an order. Source: docs/service/vouchers.md#discount-kinds.
import { z } from 'zod'

const wholeAmount = z.int().min(0)

const unitForm = {
  unit_off: z.int().min(0).optional(),
  unit_off_formula: z.string().optional(),
  unit_type: z.string().optional(),
  product: z.looseObject({}).optional(),
  sku: z.looseObject({}).optional(),
}

/** The discount of a code on an order. Amounts are in the smallest currency unit; `percent_off` is a plain percentage. */
export const discount = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('AMOUNT'),
    amount_off: wholeAmount,
    amount_off_formula: z.string().optional(),
    aggregated_amount_limit: wholeAmount.optional(),
    is_dynamic: z.boolean().optional(),
    effect: z
      .enum([
        'APPLY_TO_ORDER',
        'APPLY_TO_ITEMS',
        'APPLY_TO_ITEMS_PROPORTIONALLY',
        'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
        'APPLY_TO_ITEMS_BY_QUANTITY',
      ])
      .optional(),
  }),
  z.strictObject({
    type: z.literal('PERCENT'),
    percent_off: z.number().min(0).max(100),
    percent_off_formula: z.string().optional(),
    amount_limit: wholeAmount.optional(),
    aggregated_amount_limit: wholeAmount.optional(),
    is_dynamic: z.boolean().optional(),
    effect: z.enum(['APPLY_TO_ORDER', 'APPLY_TO_ITEMS']).optional(),
  }),
  z.strictObject({
    type: z.literal('FIXED'),
    fixed_amount: wholeAmount,
    fixed_amount_formula: z.string().optional(),
    is_dynamic: z.boolean().optional(),
    effect: z.enum(['APPLY_TO_ORDER', 'APPLY_TO_ITEMS']).optional(),
  }),
  z.strictObject({
    type: z.literal('UNIT'),
    ...unitForm,
    effect: z.enum(['ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS', 'ADD_MANY_ITEMS']).optional(),
    units: z.array(z.strictObject({ ...unitForm, effect: z.enum(['ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS']) })).optional(),
    is_dynamic: z.boolean().optional(),
  }),
])

export type Discount = z.output<typeof discount>
