// A friend did what the program requires: both are rewarded, once per friend and code.
// Source: docs/service/referrals.md#conversion-rewards; docs/service/referrals.md#program.

import { campaignFacts } from '../../answers/campaign-facts.ts'
import { customerFacts, holderAnswer } from '../../answers/customers.ts'
import { voucherAnswer } from '../../answers/vouchers.ts'
import type { Context } from '../../http/route.ts'
import { conversionOf, type ReferralProgram, type ReferralTrigger } from '../../rules/referrals/conversion.ts'
import { campaigns } from '../../stores/campaigns.ts'
import { customers, type StoredCustomer } from '../../stores/customers.ts'
import { hasConverted, referralConversions, storeConversion } from '../../stores/referrals.ts'
import type { StoredVoucher } from '../../stores/vouchers.ts'
import { applyBalanceChange } from '../loyalty/balance.ts'
import { customerCards, isUsable } from '../loyalty/cards.ts'
import { issueCard } from '../publications/publish.ts'
import { holdersOf, referee } from './holders.ts'

interface Reward {
  related_object_parent: { id: string }
  type: 'LOYALTY_CARD' | 'GIFT_VOUCHER'
  /** Points, or credits in the smallest currency unit; some samples write it as text. */
  amount: number | string
}

/** What converted a referral, as announcements show it. */
export type ConversionCause = { redemption: Record<string, unknown> } | { event: { id: string; type: string } }

/** What a referral campaign stores in `referral_program`. */
type Program = ReferralProgram & { referee_reward?: Reward | null; referrer_reward?: Reward | null }

/**
 * Converts a referral if the event is the one its program requires. Returns whether it did.
 *
 * The friend becomes a referee of the code, and the rewards of friend and referrer are put on a card of
 * theirs, or on a new one. Must be called with `{ type: 'redemption' }` after a referral code was redeemed, with the
 * customer who redeemed it. Records `customer.rewarded` for each reward.
 */
export function convertReferral(
  voucher: StoredVoucher,
  friend: StoredCustomer,
  trigger: ReferralTrigger,
  cause: ConversionCause,
  context: Context,
): boolean {
  const campaign = voucher.campaign_id === null ? undefined : context.in(campaigns).get(voucher.campaign_id)
  const program = campaign?.referral_program as Program | undefined
  if (!campaign || !program || !voucher.is_referral_code) return false
  // A redemption has already succeeded, and may have been the last one that the code allows.
  if (trigger.type === 'custom_event' && !(isUsable(campaign, context) && isUsable(voucher, context))) return false
  const table = context.in(referralConversions)
  const pair = { voucher_id: voucher.id, customer_id: friend.id }
  const referrerId = voucher.referrer_id ?? voucher.holder_id ?? undefined
  const conversion = conversionOf({
    program,
    trigger,
    referrerId,
    refereeId: friend.id,
    hasConverted: hasConverted(table, pair),
  })
  if (!conversion.converts) return false

  storeConversion(table, {
    ...pair,
    campaign_id: campaign.id,
    referrer_id: conversion.referrerId,
    ...('event' in cause
      ? { related_object_id: cause.event.id, related_object_type: 'event' }
      : { related_object_id: String(cause.redemption.id), related_object_type: 'redemption' }),
    created_at: context.now,
  })
  if (!holdersOf(voucher, context).has(friend.id)) referee(voucher, friend.id, {}, context)
  give(program.referee_reward, friend, 'referee_reward', cause, context)
  const referrer = context.in(customers).get(conversion.referrerId)
  if (referrer) give(program.referrer_reward, referrer, 'referrer_reward', cause, context)
  return true
}

function give(
  reward: Reward | null | undefined,
  customer: StoredCustomer,
  kind: 'referee_reward' | 'referrer_reward',
  cause: ConversionCause,
  context: Context,
): void {
  const campaign = reward && context.in(campaigns).get(reward.related_object_parent.id)
  if (!reward || !campaign) return
  // ASSUMED A257: the oldest card of the program that the customer holds gets the reward, else a new one, else nothing does.
  const card = customerCards(campaign.id, customer.id, context)[0] ?? issueCard(campaign, customer.id, context)
  if (!card) return
  const { voucher, transaction } = applyBalanceChange(context, card, {
    type: reward.type === 'LOYALTY_CARD' ? 'POINTS_ACCRUAL' : 'CREDITS_ADDITION',
    units: Number(reward.amount),
    source: 'Automation',
    operation_type: 'AUTOMATIC',
  })
  context.emit('customer.rewarded', customer.id, {
    customer: customerFacts(customer),
    holder: holderAnswer(voucher, context) ?? null,
    campaign: campaignFacts(campaign),
    voucher: voucherAnswer(voucher, context),
    reward: { ...reward, kind },
    balance: transaction.details.balance,
    transaction,
    ...cause,
  })
}
