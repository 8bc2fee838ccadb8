// Whether codes and promotions apply to an order. Source: docs/service/validations.md#validate.
import { z } from 'zod'
import { customer } from './customer.ts'
import { endpoint, type Repeat } from './endpoint.ts'
import { metadata } from './fields.ts'
import { order } from './order.ts'
import { session } from './session.ts'

/** The kinds of redeemable. Gift cards and loyalty cards are vouchers, with `gift` or `reward` next to the id. */
const redeemableObjects = ['voucher', 'promotion_tier', 'promotion_stack'] as const

/** How many redeemables one request may name. Source: docs/service/validations.md#validate. */
const redeemablesPerRequest = 30

/** One code, tier or stack. Without `credits` (in the smallest currency unit) or `points`, the service takes as many as needed. */
export const redeemable = z.strictObject({
  object: z.enum(redeemableObjects),
  id: z.string().min(1),
  gift: z.strictObject({ credits: z.int().min(0).optional() }).optional(),
  reward: z.strictObject({ id: z.string().min(1), points: z.int().min(0).optional() }).optional(),
})

/** The redeemables of one request, without duplicates, in the order in which they are applied; a stack only alone. */
export const redeemables = z
  .array(redeemable)
  .min(1)
  .max(redeemablesPerRequest)
  .superRefine((items, context) => {
    // `refused_as` is the key under which the service refuses it, where that is not `invalid_payload`.
    const twice = items.find(({ object, id }, at) => items.findIndex((o) => o.object === object && o.id === id) < at)
    if (twice !== undefined) {
      const message = `must name each redeemable once; the ${twice.object} ${JSON.stringify(twice.id)} comes twice`
      context.addIssue({ code: 'custom', message, params: { refused_as: 'duplicated_redeemables' } })
    } else if (items.length > 1 && items.some(({ object }) => object === 'promotion_stack')) {
      const message = 'must name a promotion stack alone'
      context.addIssue({ code: 'custom', message, params: { refused_as: 'invalid_redeemables' } })
    }
  })

/** The subject of a validation or a redemption, apart from its options. */
export const evaluated = {
  redeemables,
  order: order.optional(),
  customer: customer.optional(),
  session: session.optional(),
  tracking_id: z.string().optional(),
  metadata: metadata.optional(),
}

/** A validation to request. */
export const newValidation = z.strictObject({
  ...evaluated,
  options: z
    .strictObject({ expand: z.array(z.enum(['order', 'redemption', 'redeemable', 'category'])).optional() })
    .optional(),
})

/** The result of one redeemable: `APPLICABLE`, `INAPPLICABLE` with `result.error`, or `SKIPPED`. */
const redeemableResult = z.looseObject({
  status: z.string(),
  id: z.string(),
  object: z.string(),
  result: z
    .looseObject({
      error: z.looseObject({ key: z.string().optional(), message: z.string().optional() }).optional(),
      details: z.looseObject({ key: z.string().optional(), message: z.string().optional() }).optional(),
    })
    .optional(),
})

/** The answer to a validation. In the `PARTIAL` mode, redeemables that do not apply are in separate lists. */
export const validation = z.looseObject({
  valid: z.boolean(),
  redeemables: z.array(redeemableResult),
  skipped_redeemables: z.array(redeemableResult).optional(),
  inapplicable_redeemables: z.array(redeemableResult).optional(),
  order: z.looseObject({}).optional(),
  stacking_rules: z.looseObject({}),
  id: z.string().optional(),
  tracking_id: z.string().optional(),
})

export type Validation = z.output<typeof validation>

/**
 * Validates redeemables against an order, in sequence, with the project's stacking rules.
 *
 * Answers 200 whatever the result. With a `session` it locks the applicable redeemables: see `repeatOf`.
 */
export const validateRedeemables = endpoint('validations.validate', 'Validate redeemables', {
  call: 'POST /v1/validations',
  body: newValidation,
  response: validation,
  repeat: 'read',
  source: 'docs/service/validations.md#validate',
})

/** What the older calls about one voucher take: the code is in the path. */
export const voucherUse = newValidation.omit({ redeemables: true, options: true }).extend({
  gift: redeemable.shape.gift,
  reward: redeemable.shape.reward,
})

/** The answer about one voucher: what it takes off, or the reason why it does not. */
export const voucherValidation = z.looseObject({
  valid: z.boolean(),
  code: z.string(),
  reason: z.string().optional(),
  error: z.looseObject({ key: z.string().optional() }).optional(),
  discount: z.looseObject({}).optional(),
  gift: z.looseObject({}).optional(),
  loyalty_card: z.looseObject({}).optional(),
  order: z.looseObject({}).optional(),
  tracking_id: z.string().optional(),
})

/** Validates one voucher, as older clients do. Answers 200 whatever the result; with a `session` it locks: see `repeatOf`. */
export const validateVoucher = endpoint('vouchers.validate', 'Validate one voucher (older call)', {
  call: 'POST /v1/vouchers/{code}/validate',
  body: voucherUse.optional(),
  response: voucherValidation,
  repeat: 'read',
  source: 'docs/service/validations.md#older-validation-calls',
})

/** Judges one rule for a customer and an order, as published clients do; nothing is assigned or stored. */
export const validateRule = endpoint('validation-rules.validate', 'Judge a validation rule', {
  call: 'POST /v1/validation-rules/{validationRuleId}/validation',
  body: newValidation.pick({ customer: true, order: true, metadata: true, tracking_id: true }).optional(),
  response: z.looseObject({ valid: z.boolean(), rule_id: z.string() }),
  repeat: 'read',
  source: 'docs/service/validation-rules.md#judge-one-rule',
})

/**
 * Returns what one more identical validation does: without a session it only reads, a session with a key renews its lock,
 * and a session without a key opens another lock whose key is lost.
 */
export function repeatOf(body: z.input<typeof newValidation>): Repeat {
  if (body.session === undefined) return 'read'
  return body.session.key === undefined ? 'once' : 'idempotent'
}
