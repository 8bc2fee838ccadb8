// The tiers of loyalty programs, and the tier of a member. Source: docs/service/loyalty-tiers.md#calls.
import { z } from 'zod'
import { ownValue } from '../../base/record.ts'
import * as contract from '../../contract/loyalty-tiers.ts'
import { campaignFacts } from '../answers/campaign-facts.ts'
import { existingPart, routesFor, routesOf } from '../answers/existing.ts'
import {
  findCard,
  findLoyaltyProgram,
  loyaltyTierAnswer,
  memberKind,
  memberTierAnswer,
  offersOf,
  refreshKind,
  refreshMembers,
} from '../answers/loyalty.ts'
import { pageAnswer, type Resource, wholeList } from '../http/route.ts'
import { earningRuleAnswer } from '../resources/loyalty/earning-rules.ts'
import { memberJob, tierEventJob, tierEventKind } from '../resources/loyalty/tier-member.ts'
import { refreshJob } from '../resources/loyalty/tier-refresh.ts'
import { createLoyaltyTier, loadLoyaltyTier } from '../resources/loyalty/tiers.ts'
import { mappedEarning } from '../rules/balances/tier-mapping.ts'
import { is } from '../storage/conditions.ts'
import { earningRules, loyaltyTiers, type StoredLoyaltyTier } from '../stores/loyalty.ts'

const routeForProgram = routesFor('campaignId', findLoyaltyProgram)
const about = routesOf((path: { campaignId: string; loyaltyTierId: string }, context) => {
  const { id } = findLoyaltyProgram(path.campaignId, context)
  return existingPart(loyaltyTiers, path.loyaltyTierId, { campaign_id: id }, context)
})

/** Tiers, by id within their program. */
export const loyaltyTierResource: Resource = {
  collections: [loyaltyTiers],
  load: { loyalty_tiers: loadLoyaltyTier },
  jobs: { [memberKind]: memberJob, [tierEventKind]: tierEventJob, [refreshKind]: refreshJob },
  routes: [
    routeForProgram(contract.listLoyaltyTiers, ({ id }, context, { query }) => {
      const { limit = 10, order = '-created_at' } = query
      const ordered = inOrder(context.in(loyaltyTiers).all([is(loyaltyTiers, 'campaign_id', id)]), order)
      return { ...wholeList(ordered.slice(0, limit).map(loyaltyTierAnswer)), total: ordered.length }
    }),
    // An empty list is a 200, though no client of promo sends one.
    routeForProgram(
      { ...contract.createLoyaltyTiers, body: z.array(contract.newLoyaltyTier) },
      (campaign, context, { body }) => {
        const made = body.map((tier) => createLoyaltyTier(campaign, tier, context))
        for (const tier of made) {
          const data = { campaign: campaignFacts(campaign), loyalty_tier: loyaltyTierAnswer(tier) }
          context.emit('campaign.loyalty_tier.created', campaign.id, data)
        }
        refreshMembers(campaign, 'DECIDE', context)
        return made.map(loyaltyTierAnswer)
      },
    ),
    about(contract.getLoyaltyTier, (tier) => loyaltyTierAnswer(tier)),
    about(contract.listTierEarningRules, (tier, context, { query }) =>
      pageAnswer(earningRules, query, context, {
        where: [is(earningRules, 'campaign_id', tier.campaign_id)],
        show: (items) =>
          items.map((rule) => {
            const mapping = ownValue(tier.earning_rules, rule.id)
            return earningRuleAnswer(mapping ? { ...rule, loyalty: mappedEarning(rule.loyalty, mapping) } : rule)
          }),
      }),
    ),
    about(contract.listTierRewards, ({ campaign_id }, context) => {
      const offers = offersOf(campaign_id, context)
      // ASSUMED A1772: an offer shows the price of the program, as the published sample of a tier does.
      return wholeList(offers.map((offer) => ({ ...offer, object: 'loyalty_tier_reward' })))
    }),
    routesOf(findCard)(contract.listMemberTiers, (card, context) => {
      const tier = memberTierAnswer(card, context)
      return wholeList(tier ? [tier] : [])
    }),
  ],
}

/** By date in either direction; of tiers created together the lower first (docs/service/loyalty-tiers.md#calls). */
function inOrder(tiers: readonly StoredLoyaltyTier[], order: string): StoredLoyaltyTier[] {
  const field = order.replace(/^-/, '') as 'created_at' | 'updated_at'
  const sign = order.startsWith('-') ? -1 : 1
  return tiers.toSorted(
    (one, other) => sign * (one[field] ?? '').localeCompare(other[field] ?? '') || one.points.from - other.points.from,
  )
}
