// Campaigns as the service shows them. Source: docs/service/campaigns.md#fields.

import type { Context } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { categories } from '../categories/store.ts'
import { type TierAnswer, tierAnswers } from '../promotions/answer.ts'
import { promotionTiers, type StoredTier } from '../promotions/tier-store.ts'
import { withoutUnset } from '../unset.ts'
import { assignmentLists } from '../validation-rules/assignments.ts'
import { vouchers } from '../vouchers/store.ts'
import { absentFromCampaigns } from './facts.ts'
import type { StoredCampaign } from './store.ts'

/** Shows campaigns in their order; the tiers of a promotion as `showTiers` does. */
export function campaignAnswers<Read extends Pick<Context, 'in'>>(
  campaigns: readonly StoredCampaign[],
  context: Read,
  showTiers: (tiers: readonly StoredTier[], context: Read) => TierAnswer[] = tierAnswers,
) {
  const assigned = assignmentLists(
    campaigns.map(({ id }) => id),
    context,
  )
  return campaigns.map((campaign) => {
    const { category_id = null, category = null } = campaign
    const filed = category_id === null ? undefined : context.in(categories).get(category_id)
    const isPromotion = campaign.campaign_type === 'PROMOTION'
    const { vouchers_count: _, ...shown } = {
      ...campaign,
      category: filed?.name ?? category,
      category_id,
      categories: filed ? [filed] : [],
    }
    return {
      ...withoutUnset(shown, absentFromCampaigns),
      ...(isPromotion
        ? { promotion: listOf(showTiers(tiersOf(campaign, context), context)) }
        : { vouchers_count: countOf(campaign, context), validation_rules_assignments: assigned(campaign.id) }),
      // Areas and stores that may use it: none can be assigned here.
      access_settings_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
      object: 'campaign',
    }
  })
}

export type CampaignAnswer = ReturnType<typeof campaignAnswers>[number]

/** Shows one campaign. */
export function campaignAnswer(campaign: StoredCampaign, context: Pick<Context, 'in'>): CampaignAnswer {
  return campaignAnswers([campaign], context)[0] as CampaignAnswer
}

function tiersOf({ id }: StoredCampaign, context: Pick<Context, 'in'>) {
  const stored = context.in(promotionTiers).all([is(promotionTiers, 'campaign_id', id)])
  return stored.toSorted((a, b) => a.hierarchy - b.hierarchy)
}

function listOf(tiers: readonly TierAnswer[]) {
  return { object: 'list', data_ref: 'tiers', tiers, total: tiers.length, has_more: false }
}

function countOf(campaign: StoredCampaign, context: Pick<Context, 'in'>): number {
  if (campaign.vouchers_generation_status === 'IN_PROGRESS') return campaign.vouchers_count ?? 0
  return context.in(vouchers).count([is(vouchers, 'campaign_id', campaign.id)])
}
