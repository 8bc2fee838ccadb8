// Campaigns as the events of other things show them: what is stored, without what would have to be counted or looked up.
import type { Tables } from '../http/route.ts'
import { campaigns, type StoredCampaign } from '../stores/campaigns.ts'
import { absentWhileUnset, withoutUnset } from './unset.ts'

/** The members of a campaign that are absent while they are not set. */
export const absentFromCampaigns = [
  ...absentWhileUnset,
  'description',
  'activity_duration_after_publishing',
  'loyalty_tiers_expiration',
  'metadata',
] as const

/** Shows a campaign without its tiers, its rules and the number of its vouchers. */
export function campaignFacts({ vouchers_count: _, ...campaign }: StoredCampaign) {
  return { ...withoutUnset(campaign as StoredCampaign, absentFromCampaigns), object: 'campaign' }
}

/** Returns the member `campaign` of an event about something that may belong to one. */
export function campaignOf({ campaign_id: id }: { campaign_id?: string | null | undefined }, context: Tables) {
  const campaign = id == null ? undefined : context.in(campaigns).get(id)
  return campaign ? { campaign: campaignFacts(campaign) } : {}
}
