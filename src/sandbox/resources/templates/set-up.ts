// Creates a campaign or a tier from a template, with its own rules. Source: docs/service/templates.md#campaign-setup.
import type { z } from 'zod'
import { withoutNull } from '../../../base/record.ts'
import { newCampaign } from '../../../contract/new-campaign.ts'
import { newPromotionTier } from '../../../contract/promotions.ts'
import type { setUpCampaign, setUpTier } from '../../../contract/templates.ts'
import type { newValidationRule } from '../../../contract/validation-rules.ts'
import { campaignFacts } from '../../answers/campaign-facts.ts'
import { existingById } from '../../answers/existing.ts'
import { tierAnswer, tierWithTotals } from '../../answers/promotions.ts'
import { checkBody } from '../../http/check-input.ts'
import { notFound } from '../../http/refusal.ts'
import type { BodyOf, Context } from '../../http/route.ts'
import type { ApplicableTo } from '../../rules/pricing/applicable.ts'
import type { Collection, Stored } from '../../storage/collection.ts'
import { campaigns } from '../../stores/campaigns.ts'
import { productCollections, products, skus } from '../../stores/products.ts'
import type { StoredTemplate, TemplateContent } from '../../stores/templates.ts'
import { validationRules } from '../../stores/validation-rules.ts'
import { createCampaign } from '../campaigns/new-campaign.ts'
import { createTier } from '../promotions/tiers.ts'
import { createRule, newRuleAnswer } from '../validation-rules/lifecycle.ts'
import { validityLimitsOf } from '../vouchers/parts.ts'
import { unsupportedTemplate } from './create.ts'

type CampaignSetup = BodyOf<typeof setUpCampaign>
type TierSetup = BodyOf<typeof setUpTier>

/** Creates a campaign; a template of a tier becomes a campaign of codes with its discount. Throws 400, 404 or 409. */
export function campaignFromTemplate(template: StoredTemplate, body: CampaignSetup, context: Context) {
  const { object, banner: _, action, validation_rules, ...blueprint } = template.json_template
  const fromTier = object === 'promotion_tier' &&
    action && { voucher: { type: 'DISCOUNT_VOUCHER', discount: action.discount } }
  const rules = recreateRules(validation_rules, context)
  const request = {
    ...blueprint,
    ...fromTier,
    ...withoutNull(body),
    voucher: { ...(fromTier ? fromTier.voucher : blueprint.voucher), ...withoutNull(body.voucher ?? {}) },
    campaign_type: template.campaign_type,
    validation_rules: rules.map(({ id }) => id),
  }
  const campaign = createCampaign(checkBody(newCampaign, request), context)
  return { created_resources: shortFormsOf(rules), campaign, object: 'campaign_setup' as const }
}

/** Creates a promotion tier; a template of discount codes becomes a tier with their discount. Throws 400 or 404. */
export function tierFromTemplate(template: StoredTemplate, body: TierSetup, context: Context) {
  const campaign = existingById(campaigns, body.campaign_id, context)
  const { validation_rules } = template.json_template
  const rules = recreateRules(validation_rules, context)
  const { campaign_id: _campaign, ...overrides } = withoutNull(body)
  const request = { ...tierPartOf(template), ...overrides, validation_rules: rules.map(({ id }) => id) }
  const tier = createTier(campaign, checkBody(newPromotionTier, request), context)
  const answer = tierAnswer(tier, context)
  context.emit('campaign.promotion_tier.created', tier.id, {
    promotion_tier: answer,
    campaign: campaignFacts(campaign),
  })
  return {
    created_resources: shortFormsOf(rules),
    promotion_tier: tierWithTotals(tier, context),
    object: 'promotion_tier_setup' as const,
  }
}

function tierPartOf({ json_template }: StoredTemplate): Record<string, unknown> {
  const { object, voucher, action, banner = null, active, metadata } = json_template
  const discount = object === 'promotion_tier' ? action?.discount : voucher?.discount
  if (!discount) throw unsupportedTemplate('A template of gift cards cannot become a promotion tier')
  return {
    action: { discount },
    banner,
    active,
    metadata,
    ...withoutNull(validityLimitsOf(json_template)),
  }
}

/** Stores copies of the rules of a template, and announces them. Throws 400 for one the service does not support. */
function recreateRules(rules: TemplateContent['validation_rules'], context: Context) {
  return rules.map((content) => {
    mustHaveProducts(content.applicable_to as ApplicableTo | null, context)
    const rule = createRule(content as z.output<typeof newValidationRule>, context)
    context.emit('business_validation_rule.created', rule.id, { rule: newRuleAnswer(rule), created_at: context.now })
    return rule
  })
}

const catalogue = { product: products, sku: skus, products_collection: productCollections }

// ASSUMED A237: products are not created from a template: if its rules name one that the project lacks, it is a 404.
function mustHaveProducts(applicableTo: ApplicableTo | null, context: Context): void {
  const { included = [], excluded = [] } = applicableTo ?? {}
  for (const { object, id } of [...included, ...excluded])
    if (!context.in(catalogue[object] as Collection<Stored>).find(id)) throw notFound(catalogue[object].type, id)
}

function shortFormsOf(rules: ReturnType<typeof recreateRules>) {
  return rules.map(({ id }) => ({ id, object: validationRules.type }))
}
