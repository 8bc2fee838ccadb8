// Creates a campaign: stored, with its codes, announced by an event. Source: docs/service/campaigns.md#create.

import { campaignFacts } from '../../answers/campaign-facts.ts'
import { type CampaignAnswer, campaignAnswer } from '../../answers/campaigns.ts'
import { tiersWithTotals } from '../../answers/promotions.ts'
import { voucherAnswer } from '../../answers/vouchers.ts'
import type { Context } from '../../http/route.ts'
import type { StoredCampaign } from '../../stores/campaigns.ts'
import { startGeneration } from './generate.ts'
import { insertCampaign, type NewCampaign } from './new-campaign.ts'
import { addVoucher, type VoucherOverrides } from './vouchers.ts'

/** Creates a campaign with its codes: a single one at once, many after the answer. Throws 400, 404 or 409. */
export function createCampaign(body: NewCampaign, context: Context): CampaignAnswer {
  const { vouchers_count: count = 0 } = body
  let campaign = insertCampaign(body, context)
  if (count === 1) createCampaignVoucher(campaign, undefined, undefined, context)
  if (count > 1) campaign = startGeneration(campaign, { count, present: 0, creates: true }, context).campaign
  const answer = campaignAnswer(campaign, context, tiersWithTotals)
  context.emit('campaign.created', campaign.id, { campaign: answer, created_at: campaign.created_at })
  return answer
}

/** Adds one voucher and records its creation, which generations do not. Throws 400, 404 or 409. */
export function createCampaignVoucher(
  campaign: StoredCampaign,
  code: string | undefined,
  differences: VoucherOverrides,
  context: Context,
) {
  const voucher = voucherAnswer(addVoucher(campaign, code, differences, context), context)
  context.emit('voucher.created', voucher.id, { voucher, campaign: campaignFacts(campaign) })
  return voucher
}
