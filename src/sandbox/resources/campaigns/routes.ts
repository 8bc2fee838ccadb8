// The campaign calls.
// Source: docs/service/campaigns.md#generate-codes; docs/service/campaigns.md#calls; docs/service/webhooks.md#what-emits-what.
import * as contract from '../../../contract/campaigns.ts'
import { notFound } from '../../http/refusal.ts'
import { type Answer, accepted, type Context, ok, type Resource, route } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { vouchers } from '../vouchers/store.ts'
import { campaignAnswer, campaignAnswers } from './answer.ts'
import { switchCampaign, updatedCampaign } from './change.ts'
import { following, followKind, startFollowing } from './follow.ts'
import { generateKind, generation, startGeneration } from './generate.ts'
import { restrictionsOf } from './list.ts'
import { loadCampaign } from './load.ts'
import { checkedForm, mustHaveRoom } from './make.ts'
import { announcedVoucher, openCampaign } from './open.ts'
import { invalidCampaign } from './programs.ts'
import { removal, removeCampaign, removeKind } from './remove.ts'
import { campaigns, type StoredCampaign } from './store.ts'
import { summaryOf } from './summary.ts'
import { checkedModel, type Differences } from './vouchers.ts'

/** Campaigns, by id or name, and the codes they make. */
export const campaignResource: Resource = {
  collections: [campaigns],
  load: { campaigns: loadCampaign },
  jobs: { [generateKind]: generation, [followKind]: following, [removeKind]: removal },
  routes: [
    route(contract.createCampaign, ({ body }, context) => ok(openCampaign(body, context))),
    route(contract.getCampaign, ({ path }, context) => ok(campaignAnswer(known(path.campaignId, context), context))),
    route(contract.listCampaigns, ({ query }, context) => {
      const { order = '-created_at', limit = 10, page = 1 } = query
      const { items, total } = context.in(campaigns).page(restrictionsOf(query, context), order, limit, page)
      return ok({ object: 'list', data_ref: 'campaigns', campaigns: campaignAnswers(items, context), total })
    }),
    route(contract.updateCampaign, ({ path, body }, context) => {
      const before = known(path.campaignId, context)
      const { doc, isChanged } = updatedCampaign(before, body, context)
      const answer = campaignAnswer(doc, context)
      if (isChanged) {
        context.emit('campaign.updated', doc.id, { campaign: answer, updated_at: context.now })
        startFollowing(before, doc, context)
      }
      return ok(answer)
    }),
    route(contract.deleteCampaign, ({ path, query }, context) => {
      const campaign = known(path.campaignId, context)
      const shown = campaignAnswer(campaign, context)
      const action = removeCampaign(campaign, query.force ?? false, context)
      context.emit('campaign.deleted', campaign.id, { campaign: shown, deleted_at: context.now })
      return accepted({ async_action_id: action.id })
    }),
    route(contract.enableCampaign, ({ path }, context) => switched(path.campaignId, true, context)),
    route(contract.disableCampaign, ({ path }, context) => switched(path.campaignId, false, context)),
    route(contract.getCampaignSummary, ({ path, query }, context) =>
      ok(summaryOf(known(path.campaignId, context), query, context)),
    ),
    route(contract.generateCampaignVouchers, ({ path, query, body }, context) => {
      const campaign = known(path.campaignId, context)
      const { vouchers_count: count = 1 } = query
      const present = roomIn(campaign, count, body, context)
      if (count === 1) return added(campaign, undefined, body, context)
      // What every voucher would be refused for is refused now, not found out in the background.
      checkedModel(campaign, body, context)
      const wanted = { count, present, creates: false, ...(body && { differences: body }) }
      return accepted({ async_action_id: startGeneration(campaign, wanted, context).action.id })
    }),
    route(contract.addCampaignVoucher, ({ path, body }, context) => {
      const campaign = known(path.campaignId, context)
      mustHaveRoom(campaign.voucher, presentIn(campaign, context), 1)
      return added(campaign, path.code, body, context)
    }),
  ],
}

function known(idOrName: string, context: Context): StoredCampaign {
  const campaign = context.in(campaigns).find(idOrName)
  if (!campaign) throw notFound('campaign', idOrName)
  return campaign
}

function switched(idOrName: string, active: boolean, context: Context): Answer {
  const { doc, isChanged } = switchCampaign(known(idOrName, context), active, context)
  if (isChanged)
    context.emit(active ? 'campaign.enabled' : 'campaign.disabled', doc.id, {
      campaign: campaignAnswer(doc, context),
      [active ? 'enabled_at' : 'disabled_at']: context.now,
    })
  return ok({})
}

function roomIn(campaign: StoredCampaign, count: number, differences: Differences, context: Context): number {
  const { voucher, vouchers_generation_status } = campaign
  // ASSUMED A240: while codes are being made no more are ordered; the documents say only to wait for DONE.
  if (count > 1 && vouchers_generation_status === 'IN_PROGRESS')
    throw invalidCampaign('Vouchers of this campaign are still being generated')
  const present = presentIn(campaign, context)
  const form = differences?.code_config
  mustHaveRoom(voucher && form ? { ...voucher, code_config: checkedForm(form) } : voucher, present, count)
  return present
}

function presentIn(campaign: StoredCampaign, context: Context): number {
  return context.in(vouchers).count([is(vouchers, 'campaign_id', campaign.id)])
}

function added(campaign: StoredCampaign, code: string | undefined, differences: Differences, context: Context): Answer {
  const voucher = announcedVoucher(campaign, code, differences, context)
  context.emit('campaign.vouchers.added', campaign.id, { campaign: campaignAnswer(campaign, context), count: 1 })
  return ok(voucher)
}
