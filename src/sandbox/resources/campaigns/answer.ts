// Campaigns as the service shows them. Source: docs/service/campaigns.md#fields.

import type { Context } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { categories } from '../categories/store.ts'
import { tierAnswers } from '../promotions/answer.ts'
import { promotionTiers } from '../promotions/tier-store.ts'
import { assignmentLists } from '../validation-rules/assignments.ts'
import { vouchers } from '../vouchers/store.ts'
import type { StoredCampaign } from './store.ts'

/** Shows campaigns in their order. */
export function campaignAnswers(campaigns: readonly StoredCampaign[], context: Pick<Context, 'in'>) {
  const assigned = assignmentLists(
    campaigns.map(({ id }) => id),
    context,
  )
  return campaigns.map((campaign) => {
    const { category_id = null, category = null } = campaign
    const filed = category_id === null ? undefined : context.in(categories).get(category_id)
    return {
      ...campaign,
      vouchers_count: countOf(campaign, context),
      category: filed?.name ?? category,
      category_id,
      categories: filed ? [filed] : [],
      updated_at: campaign.updated_at ?? null,
      validation_rules_assignments: assigned(campaign.id),
      ...(campaign.campaign_type === 'PROMOTION' && { promotion: { tiers: tiersOf(campaign, context) } }),
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
  const tiers = context.in(promotionTiers).all([is(promotionTiers, 'campaign_id', id)])
  return tierAnswers(
    tiers.toSorted((a, b) => a.hierarchy - b.hierarchy),
    context,
  )
}

function countOf(campaign: StoredCampaign, context: Pick<Context, 'in'>): number {
  if (campaign.vouchers_generation_status === 'IN_PROGRESS') return campaign.vouchers_count ?? 0
  return context.in(vouchers).count([is(vouchers, 'campaign_id', campaign.id)])
}
