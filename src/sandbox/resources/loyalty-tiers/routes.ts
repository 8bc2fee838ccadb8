// The tiers of loyalty programs, and the tier of a member. Source: docs/service/loyalty-tiers.md#calls.
import { ownValue } from '../../../base/record.ts'
import * as contract from '../../../contract/loyalty-tiers.ts'
import { notFound } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { type Context, ok, pageAnswer, route, wholeList } from '../../http/route.ts'
import { mappedEarning } from '../../rules/balances/tier-mapping.ts'
import { is } from '../../storage/conditions.ts'
import { campaignFacts } from '../campaigns/facts.ts'
import { earningRules } from '../loyalty/earning-rule-store.ts'
import { earningRuleAnswer } from '../loyalty/earning-rules.ts'
import { findCard, findLoyaltyProgram } from '../loyalty/program.ts'
import { offersOf } from '../loyalty/rewards.ts'
import { loyaltyTierAnswer, memberTierAnswer } from './answer.ts'
import { memberJob, tierEventJob, tierEventKind } from './member.ts'
import { refreshJob, refreshKind, refreshMembers } from './refresh.ts'
import { memberKind } from './schedule.ts'
import { loyaltyTiers, type StoredLoyaltyTier } from './store.ts'
import { createLoyaltyTier, loadLoyaltyTier } from './tiers.ts'

/** Tiers, by id within their program. */
export const loyaltyTierResource: Resource = {
  collections: [loyaltyTiers],
  load: { loyalty_tiers: loadLoyaltyTier },
  jobs: { [memberKind]: memberJob, [tierEventKind]: tierEventJob, [refreshKind]: refreshJob },
  routes: [
    route(contract.listLoyaltyTiers, ({ path, query }, context) => {
      const { limit = 10, order = '-created_at' } = query
      const ofProgram = [is(loyaltyTiers, 'campaign_id', findLoyaltyProgram(path.campaignId, context).id)]
      const ordered = inOrder(context.in(loyaltyTiers).all(ofProgram), order)
      return ok({ ...wholeList(ordered.slice(0, limit).map(loyaltyTierAnswer)), total: ordered.length })
    }),
    route(contract.createLoyaltyTiers, ({ path, body }, context) => {
      const campaign = findLoyaltyProgram(path.campaignId, context)
      const made = body.map((tier) => createLoyaltyTier(campaign, tier, context))
      for (const tier of made) {
        const data = { campaign: campaignFacts(campaign), loyalty_tier: loyaltyTierAnswer(tier) }
        context.emit('campaign.loyalty_tier.created', campaign.id, data)
      }
      refreshMembers(campaign, 'DECIDE', context)
      return ok(made.map(loyaltyTierAnswer))
    }),
    route(contract.getLoyaltyTier, ({ path }, context) => ok(loyaltyTierAnswer(known(path, context)))),
    route(contract.listTierEarningRules, ({ path, query }, context) => {
      const tier = known(path, context)
      return pageAnswer(earningRules, query, context, {
        where: [is(earningRules, 'campaign_id', tier.campaign_id)],
        show: (items) =>
          items.map((rule) => {
            const mapping = ownValue(tier.earning_rules, rule.id)
            return earningRuleAnswer(mapping ? { ...rule, loyalty: mappedEarning(rule.loyalty, mapping) } : rule)
          }),
      })
    }),
    route(contract.listTierRewards, ({ path }, context) => {
      const offers = offersOf(known(path, context).campaign_id, context)
      // ASSUMED A1772: an offer shows the price of the program, as the published sample of a tier does.
      return ok(wholeList(offers.map((offer) => ({ ...offer, object: 'loyalty_tier_reward' }))))
    }),
    route(contract.listMemberTiers, ({ path }, context) => {
      const tier = memberTierAnswer(findCard(path, context), context)
      return ok(wholeList(tier ? [tier] : []))
    }),
  ],
}

function known(path: { campaignId: string; loyaltyTierId: string }, context: Context): StoredLoyaltyTier {
  const campaign = findLoyaltyProgram(path.campaignId, context)
  const tier = context.in(loyaltyTiers).get(path.loyaltyTierId)
  if (tier?.campaign_id !== campaign.id) throw notFound('loyalty_tier', path.loyaltyTierId)
  return tier
}

/** By date in either direction; of tiers created together the lower first (docs/service/loyalty-tiers.md#calls). */
function inOrder(tiers: readonly StoredLoyaltyTier[], order: string): StoredLoyaltyTier[] {
  const field = order.replace(/^-/, '') as 'created_at' | 'updated_at'
  const sign = order.startsWith('-') ? -1 : 1
  return tiers.toSorted(
    (one, other) => sign * (one[field] ?? '').localeCompare(other[field] ?? '') || one.points.from - other.points.from,
  )
}
