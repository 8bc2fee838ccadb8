// What a customer gets for points: a code of a campaign, or a balance on a card. Source: docs/service/loyalty.md#rewards.

import { existingById } from '../../answers/existing.ts'
import { refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import type { Reward } from '../../rules/pricing/points-payment.ts'
import { campaigns } from '../../stores/campaigns.ts'
import type { StoredVoucher } from '../../stores/vouchers.ts'
import { applyBalanceChange } from '../loyalty/balance.ts'
import { customerCards } from '../loyalty/cards.ts'
import { publish } from '../publications/publish.ts'

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
