// Finds loyalty programs and their cards by the parameters of a path.
// Source: docs/service/loyalty.md#list-transactions; docs/service/exports.md#export-card-transactions; docs/service/loyalty.md#programs.
import { notFound } from '../http/refusal.ts'
import type { Context } from '../http/route.ts'
import { campaigns, type StoredCampaign } from '../stores/campaigns.ts'
import { type StoredVoucher, vouchers } from '../stores/vouchers.ts'
import { findOr404 } from './existing.ts'

/** Finds a loyalty program by id or name. Throws 404. */
export function findLoyaltyProgram(idOrName: string, context: Pick<Context, 'in'>): StoredCampaign {
  const campaign = findOr404(campaigns, idOrName, context)
  // ASSUMED A250: a campaign of another kind is not a loyalty program, so it is not found as one.
  if (campaign.campaign_type !== 'LOYALTY_PROGRAM') throw notFound('campaign', idOrName)
  return campaign
}

/** Finds a loyalty card by code or id; if the path names a campaign, it must belong to it. Throws 404. */
export function findCard(path: { memberId: string; campaignId?: string }, context: Pick<Context, 'in'>): StoredVoucher {
  const campaign = path.campaignId === undefined ? undefined : findLoyaltyProgram(path.campaignId, context)
  const card = context.in(vouchers).find(path.memberId)
  // ASSUMED A251: other vouchers, and cards of a program other than the one in the path, are not found as members.
  if (card?.type !== 'LOYALTY_CARD' || (campaign && card.campaign_id !== campaign.id))
    throw notFound('voucher', path.memberId)
  return card
}
