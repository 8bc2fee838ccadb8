// The card of a program that a customer has or receives. Source: docs/service/loyalty.md#when-points-are-earned.

import { refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { validityState } from '../../rules/eligibility/validity.ts'
import { is } from '../../storage/conditions.ts'
import type { StoredCampaign } from '../../stores/campaigns.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'

/** Returns whether a campaign is enabled and currently inside its dates and hours. */
export function isUsable(thing: StoredCampaign | StoredVoucher, context: Context): boolean {
  return thing.active && validityState(thing, context.now, context.project.timezone) === 'open'
}

/** The cards of a campaign that a customer holds and that can be used now, oldest first. */
export function customerCards(campaignId: string, customerId: string, context: Context): StoredVoucher[] {
  // By the holder alone: given two indexes, SQLite may choose that of the campaign, which can have a million cards.
  const held = context.in(vouchers).all([is(vouchers, 'holder_id', customerId)])
  return held.filter((card) => card.campaign_id === campaignId && isUsable(card, context))
}

/**
 * Returns a loyalty card whose balance may be changed, or a voucher that is none. Throws 400 `not_published`.
 *
 * ASSUMED A1811: that a card nobody holds has no balance to change is published, the refusal is not.
 */
export function changeable(voucher: StoredVoucher): StoredVoucher {
  if (voucher.type === 'LOYALTY_CARD' && voucher.holder_id === null) throw refused('not_published', voucher.code)
  return voucher
}
