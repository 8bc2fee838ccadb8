// The calls of promotion tiers.
// Source: docs/service/validations.md#validate-promotions; docs/service/promotions.md#tier-calls.
import * as contract from '../../contract/promotions.ts'
import { campaignOf } from '../answers/campaign-facts.ts'
import { existingById, findOr404, routesFor } from '../answers/existing.ts'
import { tiersWithTotals, tierWithTotals } from '../answers/promotions.ts'
import { type Context, type QueryOf, type Resource, route } from '../http/route.ts'
import { createTier, deleteTier, loadTier, setTierActive, updateTier } from '../resources/promotions/tiers.ts'
import { answerPromotionValidation } from '../resources/promotions/validate.ts'
import type { UpdateResult } from '../resources/update.ts'
import { inheritedLimits } from '../rules/eligibility/usability.ts'
import { validityState } from '../rules/eligibility/validity.ts'
import { is } from '../storage/conditions.ts'
import { campaigns } from '../stores/campaigns.ts'
import { promotionTiers, type StoredTier } from '../stores/promotions.ts'

const routeFor = routesFor('promotionTierId', (id, context) => existingById(promotionTiers, id, context))

const routeForCampaign = routesFor('campaignId', (id, context) => findOr404(campaigns, id, context))

/** Promotion tiers, by id. */
export const promotionResource: Resource = {
  collections: [promotionTiers],
  load: { promotion_tiers: loadTier },
  routes: [
    route(contract.validatePromotions, ({ query, body }, context) => answerPromotionValidation(query, body, context)),
    routeForCampaign(contract.createPromotionTier, (campaign, context, { body }) => {
      const tier = createTier(campaign, body, context)
      const answer = emitAndAnswer('campaign.promotion_tier.created', tier, context)
      // A new tier is shown without what nothing can be said of yet.
      const { promotion_id: _, validation_rule_assignments: rules, ...shown } = answer
      return { ...shown, ...(rules.total > 0 && { validation_rule_assignments: rules }) }
    }),
    routeFor(contract.getPromotionTier, (tier, context) => tierWithTotals(tier, context)),
    route(contract.listPromotionTiers, ({ query }, context) => tierPage(query, context)),
    routeForCampaign(contract.listCampaignTiers, ({ id }, context) => {
      const tiers = context
        .in(promotionTiers)
        .all([is(promotionTiers, 'campaign_id', id)])
        .toSorted((a, b) => a.hierarchy - b.hierarchy)
      const total = tiers.length
      return { object: 'list', data_ref: 'tiers', tiers: tiersWithTotals(tiers, context), total, has_more: false }
    }),
    routeFor(contract.updatePromotionTier, (tier, context, { body }) =>
      answerChange('campaign.promotion_tier.updated', updateTier(tier, body, context), context),
    ),
    routeFor(contract.enablePromotionTier, (tier, context) =>
      answerChange('campaign.promotion_tier.enabled', setTierActive(tier, true, context), context),
    ),
    routeFor(contract.disablePromotionTier, (tier, context) =>
      answerChange('campaign.promotion_tier.disabled', setTierActive(tier, false, context), context),
    ),
    routeFor(contract.deletePromotionTier, (tier, context) => {
      emitAndAnswer('campaign.promotion_tier.deleted', tier, context)
      deleteTier(tier, context)
    }),
  ],
}

type TierQuery = QueryOf<typeof contract.listPromotionTiers>

/** Lists the tiers of all campaigns, newest first unless requested otherwise. */
export function tierPage(query: TierQuery, context: Context) {
  const { order = '-created_at', limit = 10, page = 1, is_available } = query
  const { items, total } =
    is_available === undefined
      ? context.in(promotionTiers).page([], order, limit, page)
      : availablePage(order, limit, page, is_available, context)
  const has_more = page * limit < total
  return { object: 'list', data_ref: 'tiers', tiers: tiersWithTotals(items, context), total, has_more }
}

/** Whether a tier can be used now depends on the clock and on its campaign, so tiers are checked one by one. */
function availablePage(order: string, limit: number, page: number, wanted: boolean, context: Context) {
  const count = context.in(promotionTiers).count()
  const { items } = context.in(promotionTiers).page([], order, count, 1)
  const fitting = items.filter((tier) => isAvailable(tier, context) === wanted)
  return { items: fitting.slice((page - 1) * limit, page * limit), total: fitting.length }
}

function answerChange(type: string, { doc, isChanged }: UpdateResult<StoredTier>, context: Context) {
  return isChanged ? emitAndAnswer(type, doc, context) : tierWithTotals(doc, context)
}

function emitAndAnswer(type: string, tier: StoredTier, context: Context) {
  const answer = tierWithTotals(tier, context)
  context.emit(type, tier.id, { promotion_tier: answer, ...campaignOf(tier, context) })
  return answer
}

/** Returns whether a tier and its campaign are enabled and inside their dates and time windows. */
function isAvailable(tier: StoredTier, context: Pick<Context, 'in' | 'now' | 'project'>): boolean {
  const campaign = context.in(campaigns).get(tier.campaign_id)
  if (!tier.active || campaign?.active === false) return false
  return validityState(inheritedLimits(tier, campaign), context.now, context.project.timezone) === 'open'
}
