// Campaigns as the service shows them. Source: docs/service/campaigns.md#fields.
import { isRecord } from '../../base/record.ts'
import { type Tables, withMembers } from '../http/route.ts'
import { is } from '../storage/conditions.ts'
import type { StoredCampaign } from '../stores/campaigns.ts'
import { categories, type StoredCategory } from '../stores/categories.ts'
import { promotionTiers, type StoredTier } from '../stores/promotions.ts'
import { vouchers } from '../stores/vouchers.ts'
import { assignmentLists } from './assignments.ts'
import { absentFromCampaigns } from './campaign-facts.ts'
import { type TierAnswer, tierAnswers } from './promotions.ts'
import { withoutUnset } from './unset.ts'

type ShowTiers<Read> = (tiers: readonly StoredTier[], context: Read) => TierAnswer[]

/** Shows campaigns in their order; the tiers of a promotion as `showTiers` does. */
export function campaignAnswers<Read extends Tables>(
  campaigns: readonly StoredCampaign[],
  context: Read,
  showTiers: ShowTiers<Read> = tierAnswers,
) {
  const linked = linkedPart(campaigns, context, showTiers)
  return campaigns.map((campaign) => ({
    ...storedPart(campaign, filedUnder(campaign, context)),
    ...linked(campaign),
    object: 'campaign',
  }))
}

export type CampaignAnswer = ReturnType<typeof campaignAnswers>[number]

/** Shows one campaign. */
export function campaignAnswer<Read extends Tables>(
  campaign: StoredCampaign,
  context: Read,
  showTiers?: ShowTiers<Read>,
): CampaignAnswer {
  return campaignAnswers([campaign], context, showTiers)[0] as CampaignAnswer
}

/** The members that the specification lists for a qualified campaign, while nothing is set. */
const unsetInQualifications = {
  description: null,
  start_date: null,
  expiration_date: null,
  validity_timeframe: null,
  validity_day_of_week: null,
  validity_hours: null,
  activity_duration_after_publishing: null,
  metadata: {},
  updated_at: null,
  category: null,
  referral_program: null,
}

const keptTexts = new WeakMap<StoredCampaign, { filed: StoredCategory | undefined; text: string }>()

/**
 * Shows qualified campaigns as a JSON array. What is stored of one is written once for as long as the campaign and its category are kept
 * in memory (ADR 15): objects that are kept never change, and others are not asked for twice.
 */
export function qualifiedCampaignsText(campaigns: readonly StoredCampaign[], context: Tables): string {
  const linked = linkedPart(campaigns, context, tierAnswers)
  const texts = campaigns.map((campaign) => {
    const filed = filedUnder(campaign, context)
    let kept = keptTexts.get(campaign)
    if (!kept || kept.filed !== filed) {
      kept = { filed, text: JSON.stringify(qualifiedPart(campaign, filed)) }
      keptTexts.set(campaign, kept)
    }
    return withMembers(kept.text, linked(campaign))
  })
  return `[${texts.join()}]`
}

/** A campaign with every member that the specification lists for it, and for what it contains. */
function qualifiedPart(campaign: StoredCampaign, filed: StoredCategory | undefined) {
  const { voucher, ...stored } = storedPart(campaign, filed)
  const { referral_program: program } = campaign
  return {
    ...unsetInQualifications,
    ...stored,
    ...(voucher && {
      voucher: { discount: null, ...voucher, code_config: { prefix: null, postfix: null, ...voucher.code_config } },
    }),
    ...(isRecord(program) && { referral_program: { custom_event: null, referee_reward: null, ...program } }),
    object: 'campaign',
  }
}

/** What is stored of a campaign, as it is shown. */
function storedPart(campaign: StoredCampaign, filed: StoredCategory | undefined) {
  const { category_id = null, category = null } = campaign
  const { vouchers_count: _, ...shown } = {
    ...campaign,
    category: filed?.name ?? category,
    category_id,
    categories: filed ? [filed] : [],
  }
  return withoutUnset(shown, absentFromCampaigns)
}

/** Returns a function that shows what is kept elsewhere for one of these campaigns: the number of its codes, its rules, its tiers. */
function linkedPart<Read extends Tables>(
  campaigns: readonly StoredCampaign[],
  context: Read,
  showTiers: ShowTiers<Read>,
) {
  const ids = campaigns.map(({ id }) => id)
  const assigned = assignmentLists(ids, context)
  const counts = context.in(vouchers).counts(ids)
  const countOf = ({ id, vouchers_generation_status, vouchers_count = 0 }: StoredCampaign) =>
    vouchers_generation_status === 'IN_PROGRESS' ? vouchers_count : (counts.get(id) ?? 0)
  return (campaign: StoredCampaign) => ({
    ...(campaign.campaign_type === 'PROMOTION'
      ? { promotion: listOf(showTiers(tiersOf(campaign, context), context)) }
      : { vouchers_count: countOf(campaign), validation_rules_assignments: assigned(campaign.id) }),
    // Areas and stores that may use it: none can be assigned here.
    access_settings_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
  })
}

function filedUnder({ category_id = null }: StoredCampaign, context: Tables): StoredCategory | undefined {
  return category_id === null ? undefined : context.in(categories).get(category_id)
}

function tiersOf({ id }: StoredCampaign, context: Tables) {
  const stored = context.in(promotionTiers).all([is(promotionTiers, 'campaign_id', id)])
  return stored.toSorted((a, b) => a.hierarchy - b.hierarchy)
}

function listOf(tiers: readonly TierAnswer[]) {
  return { object: 'list', data_ref: 'tiers', tiers, total: tiers.length, has_more: false }
}
