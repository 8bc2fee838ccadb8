// By which points the members of a program are in its tiers, and when that is decided.
// Source: docs/service/loyalty-tiers.md#qualification; docs/service/loyalty-tiers.md#when.
import type { TierSettings } from '../../contract/loyalty-tiers.ts'
import type { Context } from '../http/route.ts'
import { byBalance } from '../rules/balances/loyalty-tiers.ts'
import { is } from '../storage/conditions.ts'
import { campaigns } from '../stores/campaigns.ts'
import { loyaltyTiers, type StoredLoyaltyTier } from '../stores/loyalty-tiers.ts'
import type { StoredVoucher } from '../stores/vouchers.ts'

/** The tiers of a program. */
export function tiersOf(campaignId: string, context: Pick<Context, 'in'>): readonly StoredLoyaltyTier[] {
  return context.in(loyaltyTiers).all([is(loyaltyTiers, 'campaign_id', campaignId)])
}

/** The settings that decide about the tier of a card's holder; undefined where there is nothing to decide. */
export function settingsOfTiers(
  { campaign_id, holder_id, tier }: StoredVoucher,
  context: Pick<Context, 'in'>,
): TierSettings | undefined {
  if (campaign_id === null || campaign_id === undefined || holder_id === null) return undefined
  if (!tier && tiersOf(campaign_id, context).length === 0) return undefined
  return context.in(campaigns).get(campaign_id)?.loyalty_tiers_expiration ?? byBalance
}

/** The job that decides about the tier of a member; tier-member.ts. */
export const memberKind = 'loyalty.tier.member'

/** Queues the decision after a change of points, behind the reward that may redeem itself. */
export function scheduleTier(card: StoredVoucher, context: Pick<Context, 'in' | 'later'>): void {
  if (settingsOfTiers(card, context)) context.later(memberKind, { voucher_id: card.id })
}

/** The job that decides about all members of a program; tier-refresh.ts. */
export const refreshKind = 'loyalty.tiers.refresh'

/**
 * What happens to each member: `DECIDE` moves those whose tier has no last day, and others up; `RECALCULATE` moves all of them
 * up or to new dates; `KEEP` moves nobody, and only queues what becomes due by the new settings.
 */
export interface TierRefresh {
  campaign_id: string
  how: 'DECIDE' | 'RECALCULATE' | 'KEEP'
  after?: string
}

/** Queues the decision about every member of a program. */
export function refreshMembers(
  program: { id: string },
  how: TierRefresh['how'],
  context: Pick<Context, 'later'>,
): void {
  context.later(refreshKind, { campaign_id: program.id, how } satisfies TierRefresh)
}
