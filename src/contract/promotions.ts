// Promotions: discounts without a code, in tiers.
// Source: docs/service/promotions.md#tier-fields; docs/service/validations.md#validate-promotions; docs/service/promotions.md#tier-calls.
import { z } from 'zod'
import { bothWays, byPage, callsAbout, filters, listing, pageListing } from './calls-about.ts'
import { customer } from './customer.ts'
import { discount } from './discount.ts'
import { endpoint } from './endpoint.ts'
import { metadata } from './fields.ts'
import { order } from './order.ts'
import { validity } from './validity.ts'

/** What a tier takes off: a discount, or, as older clients write it, the members of one. */
const tierAction = z.union([z.strictObject({ discount }), discount])

/** The rules of a tier in the form in which its answers list them: `rule_id` counts. */
const ruleAssignments = z.looseObject({ data: z.array(z.looseObject({ rule_id: z.string() })).optional() })

/** A tier to create. A lower `hierarchy` comes first. */
export const newPromotionTier = z.strictObject({
  name: z.string().min(1),
  banner: z.string().nullish(),
  action: tierAction,
  hierarchy: z.int().min(1).optional(),
  active: z.boolean().optional(),
  ...validity,
  category: z.string().nullish(),
  category_id: z.string().nullish(),
  validation_rules: z.array(z.string()).optional(),
  validation_rule_assignments: ruleAssignments.optional(),
  metadata: metadata.nullish(),
})

/** A tier as the service returns it. */
export const promotionTier = z.looseObject({
  id: z.string(),
  object: z.literal('promotion_tier'),
  name: z.string().nullish(),
  active: z.boolean().nullish(),
})

/** The answer to a validation of all promotions: only the tiers that apply. */
export const promotionsValidation = z.looseObject({
  valid: z.boolean(),
  tracking_id: z.string().nullish(),
  promotions: z.array(z.looseObject({ id: z.string(), name: z.string().nullish() })),
})

/** The tiers to evaluate, and which of their rules count. */
const promotionsQuery = z.strictObject({
  audienceRulesOnly: z.boolean().optional(),
  filters: filters.optional(),
})

/** The customer and the order to evaluate promotions for. The body is the same for both sides of the API. */
const promotionsContext = z.strictObject({
  customer: customer.optional(),
  order: order.optional(),
  metadata: metadata.optional(),
  // "An array of strings such as a category expansion" (specification): only `category` is known, none is refused.
  options: z.strictObject({ expand: z.array(z.string()).optional() }).optional(),
})

/** Evaluates every promotion tier on its own against a customer and an order; nothing is stacked or locked. */
export const validatePromotions = endpoint('promotions.validate', 'Validate promotions', {
  call: 'POST /v1/promotions/validation',
  query: promotionsQuery,
  body: promotionsContext,
  response: promotionsValidation,
  repeat: 'read',
  source: 'docs/service/validations.md#validate-promotions',
})

const calls = callsAbout('promotions.tiers', '/v1/promotions/tiers/{promotionTierId}', {
  response: promotionTier,
  source: 'docs/service/promotions.md',
})

export const listPromotionTiers = calls.list(
  {
    ...pageListing,
    query: z.strictObject({
      ...byPage,
      order: bothWays('created_at', 'updated_at', 'hierarchy').optional(),
      is_available: z.boolean().optional(),
    }),
  },
  'List promotion tiers',
  'list-tiers',
)

/** Lists the tiers of one campaign; there are no pages. */
export const listCampaignTiers = endpoint('promotions.campaign-tiers.list', 'List the promotion tiers of a campaign', {
  ...listing,
  call: 'GET /v1/promotions/{campaignId}/tiers',
  source: 'docs/service/promotions.md#list-tiers',
})

export const createPromotionTier = endpoint('promotions.tiers.create', 'Add a promotion tier to a campaign', {
  call: 'POST /v1/promotions/{campaignId}/tiers',
  body: newPromotionTier,
  response: promotionTier,
  repeat: 'reconcile',
  proof: { by: 'list', read: { call: () => listCampaignTiers } },
  source: 'docs/service/promotions.md#create-a-tier',
})

export const getPromotionTier = calls.get('Get a promotion tier', 'get-a-tier')

/** Changes a tier; omitted fields keep their values. */
export const updatePromotionTier = calls.update(newPromotionTier.partial(), 'Update a promotion tier', 'update-a-tier')

export const deletePromotionTier = calls.delete('Delete a promotion tier', 'delete-a-tier')
export const enablePromotionTier = calls.enable('Enable a promotion tier', 'enable-and-disable-a-tier')
export const disablePromotionTier = calls.disable('Disable a promotion tier', 'enable-and-disable-a-tier')
