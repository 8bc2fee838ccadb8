// Decides about all members of a program after its tiers or their settings changed.
// Source: docs/service/loyalty-tiers.md#changes-of-the-rules.

import type { TierRefresh } from '../../answers/loyalty.ts'
import type { Context } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { nextStay, recalculatedStay } from '../../rules/balances/loyalty-tiers.ts'
import { is } from '../../storage/conditions.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { withNextDue } from './next-due.ts'
import { settleTier } from './tier-member.ts'

const sliceSize = 500

/** Decides about a slice of the members. */
export const refreshJob = job<TierRefresh>((work, context) => {
  const ofProgram = [is(vouchers, 'campaign_id', work.campaign_id)]
  const { items, more_starting_after } = context.in(vouchers).cursor(ofProgram, 'id', sliceSize, work.after)
  for (const card of items) refreshTier(card, work.how, context)
  if (more_starting_after === undefined) return undefined
  return { again: 0, payload: { ...work, after: more_starting_after } }
})

function refreshTier(card: StoredVoucher, how: TierRefresh['how'], context: Context): void {
  const settled = how === 'KEEP' ? card : settleTier(card, context, how === 'RECALCULATE' ? recalculatedStay : nextStay)
  context.in(vouchers).update(withNextDue(settled, context))
}
