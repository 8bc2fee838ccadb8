// Validations, qualifications and redemptions as answered. Source: docs/service/validations.md#validate.
import { z } from 'zod'
import { campaign, promotionStack, promotionTier } from './campaigns.ts'
import { customer, customerSummary } from './customers.ts'
import {
  count,
  instant,
  listOf,
  maybeInstant,
  maybeText,
  metadata,
  namedForm,
  referenceTo,
  storedForm,
  text,
} from './form.ts'
import { order } from './orders.ts'
import { product, sku } from './products.ts'
import { category } from './rules.ts'
import { discount, gift, voucher } from './vouchers.ts'

/** A product, SKU or collection that a redeemable applies to, or not. */
const target = z.object({
  object: text,
  id: text,
  source_id: maybeText,
  product_id: maybeText,
  product_source_id: maybeText,
  price: z.number().nullish(),
  price_formula: text.optional(),
  effect: text.optional(),
  strict: z.boolean().optional(),
  quantity_limit: count.optional(),
  aggregated_quantity_limit: count.optional(),
  amount_limit: count.optional(),
  aggregated_amount_limit: count.optional(),
  order_item_indices: z.array(count).optional(),
  repeat: count.optional(),
  skip_initially: count.optional(),
})

const targets = listOf('data', target)

const failure = z.object({
  code: count,
  key: text,
  message: text,
  details: maybeText,
  request_id: text.optional(),
  resource_id: text.optional(),
  resource_type: text.optional(),
  error: z.object({ message: text }).optional(),
})

const bundlePart = { id: text, object: text, item_quantity: count }

/** What an order has of the bundle that a rule asks for. Source: docs/service/validation-rules.md#bundles. */
const bundle = z.object({
  quantity: count,
  limit: count,
  identified: z.array(z.object({ ...bundlePart, item_index: count })),
  missing: z.array(z.object(bundlePart)).optional(),
})

/** What a redeemable takes off, or why it does not apply. */
const result = z.object({
  discount: discount.optional(),
  gift: z.object({ balance: count, credits: count }).optional(),
  loyalty_card: z
    .object({
      points: count.optional(),
      balance: count.optional(),
      transfers: z.array(z.unknown()).optional(),
      exchange_ratio: z.number().optional(),
      points_ratio: count.optional(),
    })
    .optional(),
  bundle: bundle.optional(),
  error: failure.optional(),
  details: z.object({ key: text.optional(), message: text.optional() }).optional(),
})

/** What each redeemable of an evaluation may show of the object itself, when the request asks for it. */
const expanded = { ...voucher.partial().shape, ...promotionTier.partial().shape, ...promotionStack.partial().shape }

/** What a rule says by itself. Source: docs/service/validation-rules.md#judge-one-rule. */
export const ruleValidation = z.object({ valid: z.boolean(), rule_id: text, applicable_to: targets })

/** One redeemable of a validation or a qualification. */
export const redeemable = namedForm('Redeemable', {
  ...expanded,
  ...campaign.partial().shape,
  status: z.enum(['APPLICABLE', 'INAPPLICABLE', 'SKIPPED']).optional(),
  id: text,
  object: z.enum(['voucher', 'promotion_tier', 'promotion_stack', 'campaign']),
  order: order.optional(),
  applicable_to: targets.optional(),
  inapplicable_to: targets.optional(),
  result: result.optional(),
  metadata,
  categories: z.array(category).optional(),
  banner: maybeText,
  name: maybeText,
  campaign: z.union([text, z.looseObject({ id: text })]).nullish(),
  campaign_name: maybeText,
  campaign_id: maybeText,
})

/** How redeemables are combined: the settings of a project, shown by each evaluation. Source: docs/service/projects.md#stacking-rules. */
export const stackingRules = {
  redeemables_limit: count,
  applicable_redeemables_limit: count,
  applicable_redeemables_per_category_limit: count,
  applicable_redeemables_category_limits: z.record(text, count),
  applicable_exclusive_redeemables_limit: count,
  applicable_exclusive_redeemables_per_category_limit: count,
  exclusive_categories: z.array(text),
  joint_categories: z.array(text),
  redeemables_application_mode: text,
  redeemables_sorting_rule: text,
  redeemables_products_application_mode: text,
  redeemables_no_effect_rule: text,
  no_effect_skip_categories: z.array(text),
  no_effect_redeem_anyway_categories: z.array(text),
  redeemables_rollback_order_mode: text,
  grouped_redeemables_sorting_rule: text.optional(),
  discount_calculation_mode: text.optional(),
  initial_amount_mode_categories: z.array(text).optional(),
  discounted_amount_mode_categories: z.array(text).optional(),
}

const appliedStackingRules = namedForm('AppliedStackingRules', stackingRules)

const session = z.object({ type: text, key: text, ttl: z.number().optional(), ttl_unit: text.optional() })

/** Source: docs/service/validations.md#validate. */
export const validation = namedForm('Validation', {
  id: text,
  valid: z.boolean(),
  redeemables: z.array(redeemable),
  skipped_redeemables: z.array(redeemable).optional(),
  inapplicable_redeemables: z.array(redeemable).optional(),
  order: order.optional(),
  tracking_id: maybeText,
  session: session.optional(),
  stacking_rules: appliedStackingRules,
})

/** A tier that applies, with what it takes off alone. Source: docs/service/validations.md#promotions-in-answers. */
export const validatedPromotion = z.object({
  ...promotionTier.partial().shape,
  valid: z.boolean(),
  order: order.optional(),
  applicable_to: targets.optional(),
  inapplicable_to: targets.optional(),
  discount: discount.optional(),
  discount_amount: count.optional(),
  applied_discount_amount: count.optional(),
  tracking_id: maybeText,
})

/** The older validation of promotions. Source: docs/service/validations.md#validate-promotions. */
export const promotionsValidation = namedForm('PromotionsValidation', {
  valid: z.boolean(),
  promotions: z.array(validatedPromotion),
  tracking_id: maybeText,
})

/** Source: docs/service/qualifications.md#redeemables-qualification. */
export const qualification = namedForm('Qualification', {
  id: text,
  created_at: instant,
  redeemables: listOf('data', redeemable),
  tracking_id: maybeText,
  order: order.optional(),
  stacking_rules: appliedStackingRules,
})

/** Source: docs/service/qualifications.md#campaign-qualification; docs/service/qualifications.md#voucher-qualification. */
export const qualificationList = listOf('data', redeemable).extend({
  id: text.optional(),
  created_at: instant.optional(),
  tracking_id: maybeText,
})

const reward = z.object({
  id: text,
  name: text.optional(),
  type: text.optional(),
  customer: z.union([customer, customerSummary, referenceTo('customer')]).nullish(),
  assignment_id: maybeText,
  voucher: z.looseObject({}).nullish(),
  product: z.union([product, z.looseObject({})]).nullish(),
  sku: z.union([sku, z.looseObject({})]).nullish(),
  loyalty_tier_id: maybeText,
  parameters: z.looseObject({}).nullish(),
  stock: count.nullish(),
  redeemed: count.nullish(),
  attributes: z.looseObject({}).nullish(),
  metadata,
  object: z.literal('reward').optional(),
  created_at: instant.optional(),
  updated_at: maybeInstant,
})

const event = { id: text, date: text }

/** Members that a redemption and a rollback share. */
const shared = {
  id: text,
  date: instant,
  created_at: instant,
  updated_at: maybeInstant,
  customer_id: maybeText,
  customer: customerSummary.nullish(),
  tracking_id: maybeText,
  metadata,
  result: z.enum(['SUCCESS', 'FAILURE']),
  status: z.enum(['SUCCEEDED', 'FAILED', 'ROLLED_BACK']),
  channel: z.object({ channel_id: text, channel_type: text }).optional(),
  related_object_type: text,
  related_object_id: text,
  campaign_id: maybeText,
  amount: count.optional(),
  gift: z.object({ amount: count }).optional(),
  loyalty_card: z.object({ points: count }).optional(),
  reward: reward.nullish(),
  voucher: voucher.optional(),
  promotion_tier: promotionTier.optional(),
  promotion_stack_id: text.optional(),
  order: order.nullish(),
  failure_code: text.optional(),
  failure_message: text.optional(),
}

/** Source: docs/service/redemptions.md#redemption-object. */
export const redemption = namedForm('Redemption', {
  ...shared,
  object: z.literal('redemption'),
  bundle: bundle.optional(),
  redemption: text.optional(),
  related_redemptions: z
    .object({ redemptions: z.array(z.object(event)).optional(), rollbacks: z.array(z.object(event)).optional() })
    .optional(),
})

/** Source: docs/service/redemptions.md#roll-back. */
export const rollback = namedForm('RedemptionRollback', {
  ...shared,
  object: z.literal('redemption_rollback'),
  redemption: text,
  reason: maybeText,
})

/** A redemption or a rollback, as lists mix them. */
export const redemptionOrRollback = z.discriminatedUnion('object', [redemption, rollback])

/** Source: docs/service/redemptions.md#redemption-answer. */
export const redeemed = namedForm('Redeemed', {
  redemptions: z.array(redemption),
  parent_redemption: redemption.optional(),
  order: order.optional(),
  inapplicable_redeemables: z.array(redeemable).optional(),
  skipped_redeemables: z.array(redeemable).optional(),
})

/** Source: docs/service/redemptions.md#roll-back. */
export const rolledBack = namedForm('RolledBack', {
  rollbacks: z.array(rollback),
  parent_rollback: rollback,
  order: order.optional(),
})

/** Source: docs/service/redemptions.md#redemptions-of-a-voucher. */
export const voucherRedemption = listOf('redemption_entries', redemptionOrRollback).extend({
  quantity: count.nullish(),
  redeemed_quantity: count,
  redeemed_amount: count.optional(),
  redeemed_points: count.optional(),
  url: text.optional(),
})

/** A code that a customer holds. Source: docs/service/customers.md#redeemables. */
export const heldRedeemable = z.object({
  id: text,
  created_at: instant,
  redeemable_id: text,
  redeemable_object: text,
  customer_id: text,
  holder_role: text,
  campaign_id: maybeText,
  campaign_type: maybeText,
  voucher_type: maybeText,
  redeemable: z.object({
    type: text,
    voucher,
    status: z.enum(['ACTIVE', 'USED', 'DISABLED', 'NOT_ACTIVE_YET', 'EXPIRED', 'NO_BALANCE']),
  }),
  object: text.optional(),
})

/** Source: docs/service/publications.md#fields. */
export const publication = storedForm('Publication', 'publication', {
  source_id: maybeText,
  customer_id: text,
  customer: z.union([customer, customerSummary]),
  tracking_id: maybeText,
  campaign_id: maybeText,
  channel: text,
  metadata,
  vouchers_id: z.array(text),
  voucher: z.union([voucher, z.object({ code: text, object: z.literal('voucher'), gift: gift.nullish() })]).nullish(),
  vouchers: z.array(text).optional(),
  result: text,
})

/** The answer to the older validation of one code. Source: docs/service/validations.md#older-validation-calls. */
export const voucherValidation = namedForm('VoucherValidation', {
  valid: z.boolean(),
  code: text,
  reason: text.optional(),
  error: failure.optional(),
  applicable_to: targets.optional(),
  inapplicable_to: targets.optional(),
  discount: discount.optional(),
  gift: gift.extend({ credits: count.optional() }).optional(),
  loyalty_card: z.looseObject({}).optional(),
  loyalty: z.object({ points_cost: count }).optional(),
  reward: z.object({ id: text, assignment_id: text, points: count }).optional(),
  campaign: maybeText,
  campaign_id: maybeText,
  is_referral_code: z.boolean().optional(),
  order: order.optional(),
  start_date: maybeText,
  expiration_date: maybeText,
  session: session.optional(),
  tracking_id: maybeText,
  metadata,
})
