// Whether codes and promotions apply to an order. Source: docs/service/validations.md#validate.
import { z } from 'zod'
import { customer } from './customer.ts'
import { endpoint, type Repeat } from './endpoint.ts'
import { metadata } from './fields.ts'
import { order } from './order.ts'
import { session } from './session.ts'

/** What a redeemable can be. A gift card and a loyalty card are vouchers, with `gift` or `reward` beside the id. */
export const redeemableObjects = ['voucher', 'promotion_tier', 'promotion_stack'] as const

/** How many redeemables one request may name. Source: docs/service/validations.md#validate. */
export const redeemablesPerRequest = 30

/** One code, tier or stack. `credits` are in the smallest currency unit; without them, or `points`, as many as are needed are taken. */
export const redeemable = z.strictObject({
  object: z.enum(redeemableObjects),
  id: z.string().min(1),
  gift: z.strictObject({ credits: z.int().min(0).optional() }).optional(),
  reward: z.strictObject({ id: z.string().min(1), points: z.int().min(0).optional() }).optional(),
})

/** The redeemables of one request, each of them once, in the order in which they are applied; a stack only alone. */
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

/** What a validation or a redemption is about, apart from its options. */
export const evaluated = {
  redeemables,
  order: order.optional(),
  customer: customer.optional(),
  session: session.optional(),
  tracking_id: z.string().optional(),
  metadata: metadata.optional(),
}

/** A validation to make. */
export const newValidation = z.strictObject({
  ...evaluated,
  options: z
    .strictObject({ expand: z.array(z.enum(['order', 'redemption', 'redeemable', 'category'])).optional() })
    .optional(),
})

/** What became of one redeemable: `APPLICABLE`, `INAPPLICABLE` with `result.error`, or `SKIPPED`. */
export const redeemableResult = z.looseObject({
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

/** The answer to a validation. In the `PARTIAL` mode what does not apply stands in lists of its own. */
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
 * Validates redeemables against an order, in their order, with the project's stacking rules.
 *
 * Answers 200 whatever comes of it. With a `session` it locks what it finds applicable: see `repeatOf`.
 */
export const validateRedeemables = endpoint({
  id: 'validations.validate',
  method: 'POST',
  path: '/v1/validations',
  body: newValidation,
  response: validation,
  repeat: 'read',
  source: 'docs/service/validations.md#validate',
  summary: 'Validate redeemables',
})

/**
 * Says what one more identical validation does: without a session it only reads, the key of a session is locked over
 * again, and a session without a key becomes another lock that nobody can name.
 */
export function repeatOf(body: z.input<typeof newValidation>): Repeat {
  if (body.session === undefined) return 'read'
  return body.session.key === undefined ? 'once' : 'idempotent'
}
