// The reward of a program that is redeemed by itself. Source: docs/service/loyalty.md#rewards-that-redeem-themselves.
import type { Context } from '../../http/route.ts'
import type { StoredVoucher } from '../vouchers/store.ts'
import { automaticOffer } from './rewards.ts'

/** The job that redeems it. */
export const automaticRewardKind = 'loyalty.reward.automatic'

/** Enqueues the reward that a card may now have the points for. */
export function scheduleAutomaticReward(card: StoredVoucher, context: Context): void {
  if (card.campaign_id === null || card.holder_id === null) return
  if (automaticOffer(card.campaign_id, context)) context.later(automaticRewardKind, { voucher_id: card.id })
}
