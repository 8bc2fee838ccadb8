// The campaign calls.
// Source: docs/service/campaigns.md#generate-codes; docs/service/campaigns.md#calls; docs/service/webhooks.md#what-emits-what;
// docs/service/campaigns.md#summary.
import type { listCampaigns } from '../../contract/campaigns.ts'
import * as contract from '../../contract/campaigns.ts'
import { campaignAnswer, campaignAnswers } from '../answers/campaigns.ts'
import { findOr404, routesFor } from '../answers/existing.ts'
import { tiersWithTotals } from '../answers/promotions.ts'
import { type Context, pageAnswer, type QueryOf, type Resource, route } from '../http/route.ts'
import { answerStarted } from '../resources/async-actions/progress.ts'
import { removalJob, removeCampaign, removeKind } from '../resources/campaigns/delete.ts'
import { generateKind, generationJob, startGeneration } from '../resources/campaigns/generate.ts'
import { loadCampaign } from '../resources/campaigns/load.ts'
import {
  checkCodeCapacity,
  checkCodeConfig,
  createCampaign,
  createCampaignVoucher,
} from '../resources/campaigns/new-campaign.ts'
import { invalidCampaign } from '../resources/campaigns/programs.ts'
import { changeCampaign, setCampaignActive } from '../resources/campaigns/update.ts'
import { voucherUpdateJob, voucherUpdateKind } from '../resources/campaigns/update-vouchers.ts'
import { checkedVoucherTemplate, type VoucherOverrides } from '../resources/campaigns/vouchers.ts'
import { activityOf } from '../resources/events/activity.ts'
import { areAll, type Condition, is } from '../storage/conditions.ts'
import { campaignDays, campaignTotals } from '../stores/campaign-summary.ts'
import { campaigns, hasCreationStatus, isReferralProgram, type StoredCampaign } from '../stores/campaigns.ts'
import { vouchers } from '../stores/vouchers.ts'

const routeFor = routesFor('campaignId', (id, context) => findOr404(campaigns, id, context))

/** Campaigns, by id or name, and the codes they generate. */
export const campaignResource: Resource = {
  collections: [campaigns, campaignDays],
  load: { campaigns: loadCampaign },
  jobs: { [generateKind]: generationJob, [voucherUpdateKind]: voucherUpdateJob, [removeKind]: removalJob },
  routes: [
    route(contract.createCampaign, ({ body }, context) => createCampaign(body, context)),
    routeFor(contract.getCampaign, (campaign, context) => campaignAnswer(campaign, context, tiersWithTotals)),
    route(contract.listCampaigns, ({ query }, context) =>
      pageAnswer(campaigns, query, context, {
        where: campaignConditions(query),
        ref: 'campaigns',
        show: (items) => campaignAnswers(items, context, tiersWithTotals),
      }),
    ),
    routeFor(contract.updateCampaign, (campaign, context, { body }) => changeCampaign(campaign, body, context)),
    routeFor(contract.deleteCampaign, (campaign, context, { query }) =>
      answerStarted(removeCampaign(campaign, query.force ?? false, context)),
    ),
    routeFor(contract.enableCampaign, (campaign, context) => switchCampaign(campaign, true, context)),
    routeFor(contract.disableCampaign, (campaign, context) => switchCampaign(campaign, false, context)),
    routeFor(contract.listCampaignActivity, (campaign, context, { query }) => activityOf(campaign, query, context)),
    routeFor(contract.getCampaignSummary, (campaign, context, { query }) => summaryOf(campaign, query, context)),
    routeFor(contract.generateCampaignVouchers, (campaign, context, { query, body }) => {
      const { vouchers_count: count = 1 } = query
      const present = roomIn(campaign, count, body, context)
      if (count === 1) return addVoucher(campaign, undefined, body, context)
      // Refuses now what every voucher would be refused for, instead of failing in the background.
      checkedVoucherTemplate(campaign, body, context)
      const wanted = { count, present, creates: false, ...(body && { differences: body }) }
      return answerStarted(startGeneration(campaign, wanted, context).action)
    }),
    routeFor(contract.addCampaignVoucher, (campaign, context, { path, body }) => {
      checkCodeCapacity(campaign.voucher, presentIn(campaign, context), 1)
      return addVoucher(campaign, path.code, body, context)
    }),
  ],
}

function switchCampaign(campaign: StoredCampaign, active: boolean, context: Context) {
  const { doc, isChanged } = setCampaignActive(campaign, active, context)
  if (isChanged)
    context.emit(active ? 'campaign.enabled' : 'campaign.disabled', doc.id, {
      campaign: campaignAnswer(doc, context),
      [active ? 'enabled_at' : 'disabled_at']: context.now,
    })
  return {}
}

function roomIn(campaign: StoredCampaign, count: number, differences: VoucherOverrides, context: Context): number {
  const { voucher, vouchers_generation_status } = campaign
  // ASSUMED A240: while codes are being generated, no more can be requested; the documents say only to wait for DONE.
  if (count > 1 && vouchers_generation_status === 'IN_PROGRESS')
    throw invalidCampaign('Vouchers of this campaign are still being generated')
  const present = presentIn(campaign, context)
  const form = differences?.code_config
  checkCodeCapacity(voucher && form ? { ...voucher, code_config: checkCodeConfig(form) } : voucher, present, count)
  return present
}

function presentIn(campaign: StoredCampaign, context: Context): number {
  return context.in(vouchers).count([is(vouchers, 'campaign_id', campaign.id)])
}

function addVoucher(
  campaign: StoredCampaign,
  code: string | undefined,
  differences: VoucherOverrides,
  context: Context,
) {
  const voucher = createCampaignVoucher(campaign, code, differences, context)
  context.emit('campaign.vouchers.added', campaign.id, { campaign: campaignAnswer(campaign, context), count: 1 })
  return voucher
}

type Query = QueryOf<typeof listCampaigns>

/** Converts the own parameters of a listing into conditions, all of which must hold. */
function campaignConditions({ campaign_type, campaign_status, is_referral_code }: Query): Condition[] {
  const conditions = areAll(campaigns, { campaign_type })
  // ASSUMED A239: campaign_status filters by creation_status, the only status a campaign shows.
  if (campaign_status !== undefined) conditions.push(hasCreationStatus(campaign_status.toUpperCase()))
  if (is_referral_code !== undefined) conditions.push(isReferralProgram(is_referral_code))
  return conditions
}

/** First and last instant to count, both included; a day without a time begins, or ends, with that day in UTC. */
interface DateRange {
  start_date?: string | undefined
  end_date?: string | undefined
}

/** Shows a campaign and counts what was created, validated, redeemed and published. */
function summaryOf(
  campaign: StoredCampaign,
  { start_date, end_date }: DateRange,
  context: Pick<Context, 'in' | 'store' | 'project'>,
) {
  const span = {
    first: start_date === undefined ? undefined : new Date(start_date).toISOString(),
    last: end_date === undefined ? undefined : endOf(end_date),
  }
  return {
    object: 'campaign_summary',
    campaign: campaignAnswer(campaign, context, tiersWithTotals),
    ...campaignTotals(campaign.id, span, context),
  }
}

function endOf(day: string): string {
  return new Date(day.length === 10 ? `${day}T23:59:59.999Z` : day).toISOString()
}
