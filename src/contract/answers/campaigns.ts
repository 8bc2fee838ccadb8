// Campaigns, promotion tiers and stacks, and templates as answered. Source: docs/service/campaigns.md#fields.
import { z } from 'zod'
import { count, dates, listOf, maybeText, metadata, namedForm, storedForm, text, validity } from './form.ts'
import { assignments, category, validationRule } from './rules.ts'
import { discount, gift, loyaltyCard } from './vouchers.ts'

const codeConfig = z.object({
  length: count.optional(),
  charset: text.optional(),
  pattern: text.optional(),
  prefix: maybeText,
  postfix: maybeText,
  initial_count: count.optional(),
})

const campaignReference = z.object({
  id: text,
  name: text.optional(),
  ...validity,
  active: z.boolean().optional(),
  category_id: maybeText,
  category: maybeText,
  categories: z.array(category).optional(),
  object: z.literal('campaign'),
})

/** A promotion tier. Source: docs/service/promotions.md#tier-fields. */
export const promotionTier = storedForm('PromotionTier', 'promotion_tier', {
  name: text,
  banner: maybeText,
  campaign_id: text.optional(),
  promotion_id: text.optional(),
  campaign: campaignReference.optional(),
  action: z.object({ discount: discount.optional() }).optional(),
  hierarchy: count,
  active: z.boolean(),
  ...validity,
  category: maybeText,
  category_id: maybeText,
  categories: z.array(category).optional(),
  metadata,
  summary: z
    .object({
      redemptions: z.object({ total_redeemed: count }),
      orders: z.object({ total_amount: count, total_discount_amount: count }),
    })
    .optional(),
  validation_rule_assignments: assignments.optional(),
})

/** Tiers that apply together. Source: docs/service/promotions.md#stacks. */
export const promotionStack = storedForm('PromotionStack', 'promotion_stack', {
  name: text,
  campaign_id: text,
  tiers: z.object({ ids: z.array(text), hierarchy_mode: text.optional() }),
  category_id: maybeText,
  categories: z.array(category).optional(),
})

const reward = z.object({
  related_object_parent: campaignReference.optional(),
  type: text.optional(),
  amount: count.optional(),
})

const campaignShape = {
  id: text,
  name: text,
  description: maybeText,
  campaign_type: text,
  type: text,
  voucher: z
    .object({
      type: text,
      discount: discount.nullish(),
      gift: gift.optional(),
      loyalty_card: loyaltyCard
        .partial()
        .extend({ expiration_rules: z.looseObject({}).optional() })
        .optional(),
      redemption: z.object({ quantity: count.nullish() }).optional(),
      code_config: codeConfig.optional(),
      is_referral_code: z.boolean().optional(),
    })
    .optional(),
  referral_program: z
    .object({
      conversion_event_type: text,
      custom_event: z.object({ id: text.optional(), name: text.optional() }).nullish(),
      referrer_reward: reward.nullish(),
      referee_reward: reward.nullish(),
    })
    .nullish(),
  loyalty_tiers_expiration: z.looseObject({ qualification_type: text }).nullish(),
  auto_join: z.boolean(),
  join_once: z.boolean(),
  use_voucher_metadata_schema: z.boolean(),
  ...validity,
  activity_duration_after_publishing: maybeText,
  active: z.boolean(),
  metadata,
  category: maybeText,
  category_id: maybeText,
  categories: z.array(category).optional(),
  creation_status: text,
  vouchers_count: count.optional(),
  vouchers_generation_status: text.optional(),
  protected: z.boolean().optional(),
  validation_rules_assignments: assignments.optional(),
  access_settings_assignments: listOf('data', z.object({})).optional(),
  ...dates,
  object: z.literal('campaign'),
}

/** A campaign of any type. Source: docs/service/campaigns.md#fields. */
export const campaign = namedForm('Campaign', {
  ...campaignShape,
  promotion: z
    .object({
      object: z.literal('list').optional(),
      data_ref: z.literal('tiers').optional(),
      tiers: z.array(promotionTier),
      total: count.optional(),
      has_more: z.boolean().optional(),
    })
    .optional(),
})

/** The counters of a campaign. Source: docs/service/campaigns.md#summary. */
export const campaignSummary = namedForm('CampaignSummary', {
  object: z.literal('campaign_summary'),
  campaign,
  redemptions: count,
  redemptions_succeeded: count,
  redemptions_failed: count,
  rollbacks: count,
  rollbacks_succeeded: count,
  rollbacks_failed: count,
  validations: count,
  validations_succeeded: count,
  validations_failed: count,
  publications: count,
  publications_succeeded: count,
  publications_failed: count,
  vouchers_created: count,
  vouchers_deleted: count,
  discounted_amount: count,
  rolledback_discounted_amount: count,
  orders_amount: count,
  orders_rolledback_amount: count,
})

/** The contents of a template: a campaign to be, or the campaign of a tier to be. Source: docs/service/templates.md#get. */
const blueprint = z.object({
  ...campaign.partial().shape,
  validation_rules: z.array(z.looseObject({})).optional(),
  products: z.array(z.looseObject({})).optional(),
  skus: z.array(z.looseObject({})).optional(),
  collections: z.array(z.looseObject({})).optional(),
})

/** A template, with its contents on request. Source: docs/service/templates.md#fields. */
export const template = storedForm('CampaignTemplate', 'campaign_template', {
  name: text,
  description: maybeText,
  campaign_type: text,
  json_template: blueprint.optional(),
})

const createdResources = z.union([
  z.object({ validation_rules: z.array(validationRule).optional() }),
  z.array(z.object({ id: text, object: text })),
])

/** A campaign made from a template, and what was made with it. Source: docs/service/templates.md#campaign-setup. */
export const campaignSetup = namedForm('CampaignSetup', {
  campaign,
  created_resources: createdResources.optional(),
  object: z.literal('campaign_setup'),
})

/** A tier made from a template, and what was made with it. Source: docs/service/templates.md#tier-setup. */
export const tierSetup = namedForm('PromotionTierSetup', {
  promotion_tier: promotionTier,
  created_resources: createdResources.optional(),
  object: z.literal('promotion_tier_setup'),
})
