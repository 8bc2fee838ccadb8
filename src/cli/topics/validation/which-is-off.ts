// A refused voucher or tier whose switch or dates are at fault: its own, or those of its campaign. The refusal does not say.
import type { Client } from '../../../api/client.ts'
import { getCampaign } from '../../../contract/campaigns.ts'
import { getPromotionTier } from '../../../contract/promotions.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { unlessRefused } from '../../result/unless-refused.ts'
import { type CampaignDates, campaignState } from '../vouchers/state.ts'
import type { Result } from './answer.ts'

/** The refusals that a campaign may cause. */
const keys = [
  'voucher_disabled',
  'voucher_expired',
  'voucher_not_active',
  'promotion_inactive',
  'promotion_not_active_now',
]

interface Redeemable extends CampaignDates {
  campaign_id?: string | null
  campaign?: string | { id?: string; name?: string } | null
}

/**
 * Returns a function that says which of the two it is: `it is on; its campaign "Spring" is paused (voucher_disabled)`. It reads
 * the redeemable and its campaign; undefined for other refusals, and where the key may not read them.
 */
export function whichIsOff(client: Client, nowMs: number): (result: Result) => Promise<string | undefined> {
  return async ({ status, object, id, result }) => {
    const key = result?.error?.key
    if (status !== 'INAPPLICABLE' || key === undefined || !keys.includes(key)) return undefined
    return await unlessRefused(
      async () => {
        const own = (
          object === 'promotion_tier'
            ? await client.call(getPromotionTier, { path: { promotionTierId: id } })
            : await client.call(getVoucher, { path: { code: id } })
        ) as Redeemable
        const campaignId = own.campaign_id ?? (typeof own.campaign === 'object' ? own.campaign?.id : undefined)
        const state = campaignState(own, nowMs)
        const words = state === 'ended' ? 'it has expired' : inWords('it', state)
        if (campaignId == null) return state === 'on' ? undefined : `${words} (${key})`
        const campaign = (await client.call(getCampaign, { path: { campaignId } })) as CampaignDates & { name?: string }
        const named = `its campaign ${JSON.stringify(campaign.name ?? campaignId)}`
        const ofCampaign = campaignState(campaign, nowMs)
        if (ofCampaign !== 'on') return `${words}; ${inWords(named, ofCampaign)} (${key})`
        return state === 'on' ? undefined : `${words} (${key})`
      },
      () => {},
    )
  }
}

function inWords(subject: string, state: string): string {
  if (state === 'ended') return `${subject} is over`
  return state.startsWith('not ')
    ? `${subject} is not valid ${state.slice('not '.length)}`
    : `${subject} is ${state === 'paused' ? 'off' : state}`
}
