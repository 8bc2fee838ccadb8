// Promotion tiers with what was redeemed through them. Source: docs/service/promotions.md#tier-fields.
import type { Context } from '../../http/route.ts'
import { redemptionTotals } from '../redemptions/store.ts'
import { type TierAnswer, tierAnswers } from './answer.ts'
import { promotionTiers, type StoredTier } from './store.ts'

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
