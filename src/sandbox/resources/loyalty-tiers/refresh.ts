// Decides about all members of a program after its tiers or their settings changed.
// Source: docs/service/loyalty-tiers.md#changes-of-the-rules.
import type { Context } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { nextStay, recalculatedStay } from '../../rules/balances/loyalty-tiers.ts'
import { is } from '../../storage/conditions.ts'
import type { StoredCampaign } from '../campaigns/store.ts'
import { withNight } from '../points-expiry/night.ts'
import { type StoredVoucher, vouchers } from '../vouchers/store.ts'
import { settleTier } from './member.ts'

/**
 * What happens to each member: `DECIDE` moves those whose tier has no last day, and others up; `RECALCULATE` moves all of them
 * up or to new dates; `KEEP` moves nobody, and only queues what becomes due by the new settings.
 */
type Refresh = 'DECIDE' | 'RECALCULATE' | 'KEEP'

interface Work {
  campaign_id: string
  how: Refresh
  after?: string
}

/** The job that does it. */
export const refreshKind = 'loyalty.tiers.refresh'

const sliceSize = 500

/** Queues the decision about every member of a program. */
export function refreshMembers({ id: campaign_id }: StoredCampaign, how: Refresh, context: Context): void {
  const work: Work = { campaign_id, how }
  context.later(refreshKind, work)
}

/** Decides about a slice of the members. */
export const refreshJob = job<Work>((work, context) => {
  const ofProgram = [is(vouchers, 'campaign_id', work.campaign_id)]
  const { items, more_starting_after } = context.in(vouchers).cursor(ofProgram, 'id', sliceSize, work.after)
  for (const card of items) refreshed(card, work.how, context)
  if (more_starting_after === undefined) return undefined
  return { again: 0, payload: { ...work, after: more_starting_after } }
})

function refreshed(card: StoredVoucher, how: Refresh, context: Context): void {
  const settled = how === 'KEEP' ? card : settleTier(card, context, how === 'RECALCULATE' ? recalculatedStay : nextStay)
  context.in(vouchers).update(withNight(settled, context))
}
