// Promotion tiers and stacks as the service shows them.
// Source: docs/service/promotions.md#tier-fields; docs/service/validations.md#promotions-in-answers.
import type { Context, Tables } from '../http/route.ts'
import { tierCampaign } from '../rules/redeemable.ts'
import { campaigns } from '../stores/campaigns.ts'
import { categories } from '../stores/categories.ts'
import { promotionTiers, type StoredStack, type StoredTier } from '../stores/promotions.ts'
import { redemptionTotals } from '../stores/redemptions.ts'
import { assignmentLists } from './assignments.ts'
import { absentWhileUnset, withoutUnset } from './unset.ts'

/**
 * Shows tiers in their order, without their totals: those are added up from all redemptions, which an event of every
 * redemption cannot afford (`tiersWithTotals`).
 */
export function tierAnswers(tiers: readonly StoredTier[], context: Tables) {
  const assigned = assignmentLists(
    tiers.map(({ id }) => id),
    context,
  )
  return tiers.map((tier) => {
    const filed = tier.category_id === null ? undefined : context.in(categories).get(tier.category_id)
    const campaign = context.in(campaigns).get(tier.campaign_id)
    return {
      ...withoutUnset({ ...tier, category: filed?.name ?? tier.category }, absentWhileUnset),
      promotion_id: tier.campaign_id,
      categories: filed ? [filed] : [],
      ...(campaign && { campaign: tierCampaign(campaign) }),
      // Without the s of `validation_rules_assignments` elsewhere: the public documents spell it this way for tiers.
      validation_rule_assignments: assigned(tier.id),
    }
  })
}

export type TierAnswer = ReturnType<typeof tierAnswers>[number]

/** Shows one tier. */
export function tierAnswer(tier: StoredTier, context: Tables): TierAnswer {
  return tierAnswers([tier], context)[0] as TierAnswer
}

/** Shows a stack. */
export function stackAnswer(stack: StoredStack, context: Tables) {
  const filed = stack.category_id === null ? undefined : context.in(categories).get(stack.category_id)
  return { ...stack, categories: filed ? [filed] : [] }
}

/** Shows tiers in their order, with the totals of their redemptions that were not rolled back. */
export function tiersWithTotals(tiers: readonly StoredTier[], context: Pick<Context, 'in' | 'store' | 'project'>) {
  return tierAnswers(tiers, context).map((tier) => {
    const query = { object: promotionTiers.type as 'promotion_tier', id: tier.id }
    const totals = redemptionTotals(context.store, context.project.id, query)
    return {
      ...tier,
      summary: {
        redemptions: { total_redeemed: totals.count },
        orders: { total_amount: totals.orders_amount, total_discount_amount: totals.orders_amount_discounted },
      },
    }
  })
}

/** Shows one tier with its totals. */
export function tierWithTotals(tier: StoredTier, context: Pick<Context, 'in' | 'store' | 'project'>): TierAnswer {
  return tiersWithTotals([tier], context)[0] as TierAnswer
}
