// Removes a voucher for good, with everything that is only about it. Source: docs/service/vouchers.md#delete.

import { removeAssignments } from '../../answers/assignments.ts'
import type { Context } from '../../http/route.ts'
import type { Declaration } from '../../storage/collection.ts'
import { is } from '../../storage/conditions.ts'
import { pendingPoints } from '../../stores/pending-points.ts'
import { pointsBuckets } from '../../stores/points-buckets.ts'
import { removeRedemptionsOf } from '../../stores/redemptions.ts'
import { redeemableHolders } from '../../stores/referrals.ts'
import { sessionLocks } from '../../stores/session-locks.ts'
import { giftTransactions, loyaltyTransactions } from '../../stores/transactions.ts'
import { vouchers } from '../../stores/vouchers.ts'

// ASSUMED A1161: besides rule assignments and redemptions, which are published, transactions, points that expire, locks of
// sessions and holders go too: listings and exports of the campaign would show a card that cannot be read. Publications
// stay, as part of what a customer was given.
const belongings: ReadonlyArray<[Declaration, string]> = [
  [giftTransactions, 'voucher_id'],
  [loyaltyTransactions, 'voucher_id'],
  [pointsBuckets, 'voucher_id'],
  [pendingPoints, 'voucher_id'],
  [sessionLocks, 'voucher_id'],
  [redeemableHolders, 'redeemable_id'],
]

/** Removes a voucher, also from the bin, which frees its code. */
export function removeVoucher(id: string, context: Pick<Context, 'in'>): void {
  context.in(vouchers).remove(id)
  removeAssignments(id, context)
  removeRedemptionsOf(id, context)
  for (const [declared, field] of belongings)
    for (const one of context.in(declared).all([is(declared, field, id)])) context.in(declared).remove(one.id)
}
