// Generates many codes after the answer, in slices between other requests. Source: docs/service/async-actions.md#types.

import { campaignAnswer } from '../../answers/campaigns.ts'
import type { Context, JobContext, JobOutcome } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import type { CodeSequence } from '../../rules/codes.ts'
import type { StoredAction } from '../../stores/async-actions.ts'
import { campaigns, type GenerationStatus, type StoredCampaign } from '../../stores/campaigns.ts'
import { enqueueAction, failAction, finishAction, progressAction } from '../async-actions/progress.ts'
import { addVouchers, codesExhaustedText, formOf, type VoucherOverrides } from './vouchers.ts'

/** The remaining work of one generation. */
interface Generation {
  campaign_id: string
  action_id: string
  wanted: number
  done: number
  differences?: VoucherOverrides
  /** Whether the campaign itself is being created, or existed before. */
  creates: boolean
  walk?: CodeSequence
}

/** The kind of the job. */
export const generateKind = 'campaign.generate'

// Some milliseconds of work: longer slices make requests wait, shorter ones spend most of their time on commits.
const sliceSize = 500
const sliceEffort = 20_000

/** Starts the generation of codes, which the campaign shows until it ends. Returns the campaign as it is stored now. */
export function startGeneration(
  campaign: StoredCampaign,
  wanted: { count: number; present: number; differences?: VoucherOverrides; creates: boolean },
  context: Context,
): { action: StoredAction; campaign: StoredCampaign } {
  const action = enqueueAction('CAMPAIGN.VOUCHERS_GENERATE', context)
  const { count, present, differences, creates } = wanted
  const working: StoredCampaign = {
    ...withStatus(campaign, 'IN_PROGRESS', creates),
    vouchers_count: present + count,
  }
  context.in(campaigns).update(working)
  const payload: Generation = {
    campaign_id: campaign.id,
    action_id: action.id,
    wanted: count,
    done: 0,
    ...(differences && { differences }),
    creates,
  }
  context.later(generateKind, payload)
  return { action, campaign: working }
}

/** Generates a slice of the codes. */
export const generationJob = job<Generation>(makeSlice, (work, context) =>
  fail(work, 'The codes could not be made', context),
)

function makeSlice(work: Generation, context: JobContext): JobOutcome {
  const campaign = context.in(campaigns).get(work.campaign_id)
  if (!campaign) return fail(work, 'The campaign was deleted', context)
  if (work.done === 0 && !work.walk)
    context.emit('campaign.vouchers.generation.started', campaign.id, {
      campaign: campaignAnswer(campaign, context),
      count: work.wanted,
    })
  const count = Math.min(sliceSize, work.wanted - work.done)
  const { added, walk, isExhausted } = addVouchers(
    campaign,
    work.differences,
    { count, effort: sliceEffort, walk: work.walk },
    context,
  )
  const next = { ...work, done: work.done + added, ...(walk && { walk }) }
  if (isExhausted) return fail(next, codesExhaustedText(formOf(campaign, work.differences)), context)
  if (next.done < next.wanted) {
    progressAction(work.action_id, next.done, next.wanted, context)
    return { again: 0, payload: next }
  }
  finish(campaign, next, context)
  return undefined
}

function finish(campaign: StoredCampaign, work: Generation, context: JobContext): void {
  const { done: done_count, creates } = work
  finishAction(work.action_id, { message: `${done_count} voucher(s) generated successfully.`, done_count }, context)
  const made = withStatus(campaign, 'DONE', creates)
  context.in(campaigns).update(made)
  const shown = campaignAnswer(made, context)
  context.emit('campaign.vouchers.generation.completed', made.id, {
    campaign: shown,
    count: done_count,
    completed_at: context.now,
  })
  // ASSUMED A234: codes added to an existing campaign are announced as added too; those it is created with are not.
  if (!creates) context.emit('campaign.vouchers.added', made.id, { campaign: shown, count: done_count })
}

// ASSUMED A235: codes generated before a failure stay; the action and the campaign report that the generation failed.
function fail(work: Generation, message: string, context: JobContext): undefined {
  failAction(work.action_id, { message, done_count: work.done, failed_count: work.wanted - work.done }, context)
  const campaign = context.in(campaigns).get(work.campaign_id)
  if (!campaign) return
  const failed = withStatus(campaign, 'FAILED', work.creates)
  context.in(campaigns).update(failed)
  context.emit('campaign.vouchers.generation.failed', failed.id, {
    campaign: campaignAnswer(failed, context),
    count: work.done,
    failed_at: context.now,
  })
}

function withStatus(campaign: StoredCampaign, status: GenerationStatus, creates: boolean): StoredCampaign {
  const { vouchers_count: _, ...rest } = campaign
  return {
    ...(rest as StoredCampaign),
    vouchers_generation_status: status,
    ...(creates && { creation_status: status }),
  }
}
