// What a code takes off an order. Source: docs/service/vouchers.md#discount-kinds.
import { z } from 'zod'

const wholeAmount = z.int().min(0)

// What they compute is published, and what a discount must contain for them is not (docs/service/pricing.md#discount-types).
const unconfigured: readonly unknown[] = ['REPLACE_ITEMS', 'ADD_SAME_ITEMS']

/** The effects that a discount can be configured with; those of which nobody knows how are refused with that reason. */
function effects<const Effect extends string>(known: readonly Effect[]) {
  return z.enum(known, {
    error: ({ input }) =>
      unconfigured.includes(input)
        ? `must be equal to one of the allowed values: ${known.join(', ')}; what ${String(input)} computes is published, how it is configured is not`
        : undefined,
  })
}

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
    effect: effects([
      'APPLY_TO_ORDER',
      'APPLY_TO_ITEMS',
      'APPLY_TO_ITEMS_PROPORTIONALLY',
      'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
      'APPLY_TO_ITEMS_BY_QUANTITY',
    ]).optional(),
  }),
  z.strictObject({
    type: z.literal('PERCENT'),
    percent_off: z.number().min(0).max(100),
    percent_off_formula: z.string().optional(),
    amount_limit: wholeAmount.optional(),
    aggregated_amount_limit: wholeAmount.optional(),
    is_dynamic: z.boolean().optional(),
    effect: effects(['APPLY_TO_ORDER', 'APPLY_TO_ITEMS']).optional(),
  }),
  z.strictObject({
    type: z.literal('FIXED'),
    fixed_amount: wholeAmount,
    fixed_amount_formula: z.string().optional(),
    is_dynamic: z.boolean().optional(),
    effect: effects(['APPLY_TO_ORDER', 'APPLY_TO_ITEMS']).optional(),
  }),
  z
    .strictObject({
      type: z.literal('UNIT'),
      ...unitForm,
      effect: effects(['ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS', 'ADD_MANY_ITEMS']).optional(),
      units: z
        .array(z.strictObject({ ...unitForm, effect: effects(['ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS']) }))
        .optional(),
      is_dynamic: z.boolean().optional(),
    })
    .superRefine((given, context) => {
      const problem = unitProblem(given)
      if (problem) context.addIssue({ code: 'custom', ...problem, params: { refused_as: 'invalid_payload' } })
    }),
])

interface UnitForms {
  effect?: string | undefined
  unit_type?: string | undefined
  unit_off?: number | undefined
  unit_off_formula?: string | undefined
  units?: ReadonlyArray<{ unit_type?: string | undefined }> | undefined
}

/** Returns where and why free units could never apply, or would apply other than written; undefined when they can. */
export function unitProblem(given: UnitForms): { path: (string | number)[]; message: string } | undefined {
  const { effect, units, unit_type, unit_off, unit_off_formula } = given
  if (effect !== 'ADD_MANY_ITEMS') {
    if (units) return { path: ['units'], message: 'needs the effect ADD_MANY_ITEMS' }
    return unit_type === undefined
      ? { path: ['unit_type'], message: 'is required: the id of a product or SKU' }
      : undefined
  }
  if (!units) return { path: ['units'], message: 'is required with the effect ADD_MANY_ITEMS' }
  if (units.length === 0) return { path: ['units'], message: 'must NOT have fewer than 1 items' }
  for (const [name, value] of Object.entries({ unit_type, unit_off, unit_off_formula }))
    if (value !== undefined) return { path: [name], message: 'does not go with the effect ADD_MANY_ITEMS' }
  const bare = units.findIndex((unit) => unit.unit_type === undefined)
  return bare === -1
    ? undefined
    : { path: ['units', bare, 'unit_type'], message: 'is required: the id of a product or SKU' }
}

export type Discount = z.output<typeof discount>
