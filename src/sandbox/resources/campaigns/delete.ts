// Deletes a campaign at once and its vouchers in the background. Source: docs/service/async-actions.md#types.

import { removeAssignments } from '../../answers/assignments.ts'
import { campaignAnswer } from '../../answers/campaigns.ts'
import type { Context } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { is } from '../../storage/conditions.ts'
import type { StoredAction } from '../../stores/async-actions.ts'
import { campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import { loyaltyTiers } from '../../stores/loyalty.ts'
import { promotionStacks, promotionTiers } from '../../stores/promotions.ts'
import { moveToBin } from '../../stores/trash-bin.ts'
import { vouchers } from '../../stores/vouchers.ts'
import { enqueueAction, failAction, finishAction, progressAction } from '../async-actions/progress.ts'
import { deleteVoucher } from '../vouchers/update.ts'

interface Removal {
  campaign_id: string
  action_id: string
  force: boolean
  done: number
  total: number
}

/** The kind of the job. */
export const removeKind = 'campaign.remove'

const sliceSize = 500

/**
 * Moves a campaign to the bin, or with `force` removes it and its rule assignments for good, which frees its name. Its
 * vouchers are deleted the same way afterwards. Records `campaign.deleted`.
 */
export function removeCampaign(campaign: StoredCampaign, force: boolean, context: Context): StoredAction {
  context.emit('campaign.deleted', campaign.id, {
    campaign: campaignAnswer(campaign, context),
    deleted_at: context.now,
  })
  if (force) {
    context.in(campaigns).remove(campaign.id)
    removeAssignments(campaign.id, context)
  } else moveToBin(campaigns, campaign, context)
  removeTiers(campaign, context)
  const action = enqueueAction('CAMPAIGN.VOUCHERS_DELETE', context)
  const total = context.in(vouchers).count([is(vouchers, 'campaign_id', campaign.id)])
  const work: Removal = { campaign_id: campaign.id, action_id: action.id, force, done: 0, total }
  context.later(removeKind, work)
  return action
}

/** Removes the tiers and stacks of a promotion, and the tiers of a loyalty program, for good: nothing refers to them any more, and the bin restores nothing. */
function removeTiers({ id }: StoredCampaign, context: Context): void {
  for (const stack of context.in(promotionStacks).all([is(promotionStacks, 'campaign_id', id)]))
    context.in(promotionStacks).remove(stack.id)
  for (const tier of context.in(loyaltyTiers).all([is(loyaltyTiers, 'campaign_id', id)]))
    context.in(loyaltyTiers).remove(tier.id)
  for (const tier of context.in(promotionTiers).all([is(promotionTiers, 'campaign_id', id)])) {
    context.in(promotionTiers).remove(tier.id)
    removeAssignments(tier.id, context)
  }
}

/** Deletes a slice of the vouchers. */
export const removalJob = job<Removal>(
  (work, context) => {
    const ofCampaign = [is(vouchers, 'campaign_id', work.campaign_id)]
    const { items, has_more } = context.in(vouchers).cursor(ofCampaign, 'id', sliceSize)
    for (const voucher of items) deleteVoucher(voucher, work.force, context)
    const done = work.done + items.length
    if (has_more) {
      progressAction(work.action_id, done, Math.max(work.total, done), context)
      return { again: 0, payload: { ...work, done } }
    }
    finishAction(work.action_id, { message: `${done} voucher(s) deleted successfully.`, done_count: done }, context)
    return undefined
  },
  (work, context) =>
    failAction(work.action_id, { message: 'The vouchers could not be deleted', done_count: work.done }, context),
)
