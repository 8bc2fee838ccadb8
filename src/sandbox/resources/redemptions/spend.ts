// What a redemption takes from a voucher, and what a rollback returns: uses, credits, points.
// Source: docs/service/pricing.md#gift-cards; docs/service/pricing.md#pay-with-points; docs/service/redemptions.md#what-is-stored.

import { existingById } from '../../answers/existing.ts'
import { namedTier } from '../../answers/loyalty.ts'
import { refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import type { TransactionType } from '../../rules/balances/balance.ts'
import type { Reward } from '../../rules/pricing/payment.ts'
import type { AppliedEntry } from '../../rules/stacking/entry.ts'
import { campaigns } from '../../stores/campaigns.ts'
import { loyaltyTiers, rewards } from '../../stores/loyalty.ts'
import type { StoredRedemption } from '../../stores/redemptions.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { applyBalanceChange, expireCard } from '../loyalty/balance.ts'
import { customerCards } from '../loyalty/cards.ts'
import { publish } from '../publications/publish.ts'

/** Removes expired points from the cards of a request, so that they cannot be spent. */
export function expireCards(redeemables: ReadonlyArray<{ object: string; id: string }>, context: Context): void {
  for (const { object, id } of redeemables) {
    const card = object === 'voucher' ? context.in(vouchers).find(id) : undefined
    if (card?.type === 'LOYALTY_CARD') expireCard(card, context)
  }
}

/** The members of a redemption that record what was paid with a card, and the code it `bought`; none for a discount. */
export function paymentOf(
  { candidate, incentive }: AppliedEntry,
  bought: StoredVoucher | undefined,
): Partial<StoredRedemption> {
  const { credits, points, reward } = incentive
  if (candidate.voucher?.type === 'GIFT_VOUCHER') return { amount: credits, gift: { amount: credits } }
  if (candidate.voucher?.type !== 'LOYALTY_CARD') return {}
  return {
    amount: points,
    loyalty_card: { points },
    ...(reward && {
      reward: {
        id: reward.id,
        name: reward.name,
        ...(reward.loyalty_tier_id !== undefined && { loyalty_tier_id: reward.loyalty_tier_id }),
        ...(bought && { voucher: { id: bought.id, code: bought.code } }),
      },
    }),
  }
}

/** Counts a redemption on its voucher, and takes the credits or points from the card. */
export function spend(redemption: StoredRedemption, context: Context): void {
  change(redemption, 1, { redemption: { id: redemption.id } }, context)
}

/** Removes a redemption from the counters of its voucher, and returns the credits or points to the card. */
export function restoreSpent(redemption: StoredRedemption, rollbackId: string, context: Context): void {
  change(redemption, -1, { redemption: { id: redemption.id }, rollback: { id: rollbackId } }, context)
}

function change(redemption: StoredRedemption, by: 1 | -1, told: Record<string, unknown>, context: Context): void {
  if (redemption.related_object_type !== 'voucher') return
  const stored = context.in(vouchers).get(redemption.related_object_id)
  // A voucher may be deleted before its redemption is rolled back.
  if (!stored) return
  const counted: StoredVoucher = {
    ...stored,
    redemption: {
      ...stored.redemption,
      redeemed_quantity: Math.max(0, stored.redemption.redeemed_quantity + by),
    },
    updated_at: context.now,
  }
  const { gift, loyalty_card, reward, order } = redemption
  if (reward) countPiece(reward.id, by, context)
  const units = gift?.amount ?? loyalty_card?.points ?? 0
  if (units === 0) {
    context.in(vouchers).update(counted)
    return
  }
  const tier = by === 1 && namedTier(context.in(loyaltyTiers).get(reward?.loyalty_tier_id ?? ''))
  const details = {
    ...told,
    ...(tier && { loyalty_tier: tier }),
    ...(reward && { reward: { id: reward.id, name: reward.name } }),
    ...(order?.id !== undefined && { order: { id: order.id, source_id: order.source_id ?? null } }),
  }
  // ASSUMED A1751: a code or credits that the points bought stay with the customer, as points that an order earned do.
  // ASSUMED A282: returned points no longer expire.
  applyBalanceChange(context, counted, { type: typeOf(counted, by), units, details, expires_at: null })
}

/** Counts a piece of a reward that there is a limited number of. */
function countPiece(id: string, by: 1 | -1, context: Context): void {
  const reward = context.in(rewards).get(id)
  if (reward?.stock == null) return
  context.in(rewards).update({ ...reward, redeemed: Math.max(0, (reward.redeemed ?? 0) + by) })
}

function typeOf({ type }: StoredVoucher, by: 1 | -1): TransactionType {
  const family = type === 'LOYALTY_CARD' ? 'POINTS' : 'CREDITS'
  return `${family}_${by === 1 ? 'REDEMPTION' : 'REFUND'}`
}

// What a customer gets for points: a code of a campaign, or a balance on a card. Source: docs/service/loyalty.md#rewards.

/**
 * Gives a customer what a CAMPAIGN reward promises; returns the code. Of a coupon campaign that is another code each time.
 *
 * Throws 400 when nobody is there to get it, and what a publication of the campaign is refused with, such as no code left.
 */
export function giveReward(reward: Reward, customerId: string | undefined, context: Context): StoredVoucher {
  const { id = '', balance } = reward.parameters.campaign ?? {}
  const campaign = existingById(campaigns, id, context)
  if (customerId === undefined)
    throw refused('missing_customer', `Reward ${reward.id} is a code, so it needs a customer who gets it`)
  const issueVoucher = () => {
    const [voucher] = publish({ customer: { id: customerId }, campaign: campaign.id }, context, {
      join_once: false,
    }).vouchers
    return voucher as StoredVoucher
  }
  if (balance === undefined) return issueVoucher()
  const isLoyalty = campaign.campaign_type === 'LOYALTY_PROGRAM'
  // ASSUMED A1753: credits and points go to the oldest usable card of the campaign that the customer holds, else to a new one.
  const card = customerCards(campaign.id, customerId, context)[0] ?? issueVoucher()
  return applyBalanceChange(context, card, {
    type: isLoyalty ? 'POINTS_ACCRUAL' : 'CREDITS_ADDITION',
    units: balance,
    source: 'Automation',
    operation_type: 'AUTOMATIC',
  }).voucher
}
