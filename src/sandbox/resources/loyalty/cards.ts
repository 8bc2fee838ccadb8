// The card of a program that a customer has, or gets. Source: docs/service/loyalty.md#when-points-are-earned.

import { Refusal } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { validityState } from '../../rules/eligibility/validity.ts'
import { is } from '../../storage/conditions.ts'
import type { StoredCampaign } from '../campaigns/store.ts'
import { publish } from '../publications/publish.ts'
import { type StoredVoucher, vouchers } from '../vouchers/store.ts'

/** Says whether a campaign is switched on and inside its dates and hours now. */
export function isUsable(thing: StoredCampaign | StoredVoucher, context: Context): boolean {
  return thing.active && validityState(thing, context.now, context.project.timezone) === 'open'
}

/** The cards of a campaign that a customer holds and that can be used now, the oldest first. */
export function customerCards(campaignId: string, customerId: string, context: Context): StoredVoucher[] {
  // By the holder alone: of two indexes SQLite may take that of the campaign, which can have a million cards.
  const held = context.in(vouchers).all([is(vouchers, 'holder_id', customerId)])
  return held.filter((card) => card.campaign_id === campaignId && isUsable(card, context))
}

/** Gives a customer a card of a campaign; undefined when the campaign has none to give. */
export function issueCard(campaign: StoredCampaign, customerId: string, context: Context): StoredVoucher | undefined {
  try {
    return context.store.savepoint(
      () => publish({ customer: { id: customerId }, campaign: campaign.id }, context).vouchers[0],
    )
  } catch (error) {
    // Nobody asked for the card, so nobody is there to be refused.
    if (error instanceof Refusal) return undefined
    throw error
  }
}
