// Counts and budgets within one request: redeemables applied before in the request count like earlier redemptions.
// Source: docs/service/validation-rules.md#counts-and-budgets.

import type { RedemptionQuery, RedemptionTotals } from '../conditions/context.ts'
import type { Snapshot } from '../snapshot.ts'
import type { AppliedEntry } from './entry.ts'

/**
 * Adds the redeemables applied so far to the snapshot's past redemptions, as if they were redeemed.
 *
 * Without this, two codes of one campaign could both be the last one within the campaign's budget.
 */
export function withApplied(
  snapshot: Snapshot,
  applied: readonly AppliedEntry[],
  customerId: string | undefined,
): Snapshot {
  if (applied.length === 0) return snapshot
  return {
    ...snapshot,
    redemptions: (query) => {
      const past = snapshot.redemptions(query)
      const own = applied.filter((entry) => isMeant(query, entry, customerId))
      return own.length === 0 ? past : added(past, own, isNewcomer(snapshot, query, customerId))
    },
  }
}

function isMeant({ object, id, campaign_id, customer_id }: RedemptionQuery, entry: AppliedEntry, customerId?: string) {
  const { voucher, tier, campaign } = entry.candidate
  return (
    (object === undefined || object === entry.candidate.request.object) &&
    (id === undefined || id === (voucher ?? tier)?.id) &&
    (campaign_id === undefined || campaign_id === campaign?.id) &&
    (customer_id === undefined || customer_id === customerId)
  )
}

/** A customer new to the service is counted by the rule itself. */
function isNewcomer(snapshot: Snapshot, query: RedemptionQuery, customerId: string | undefined): boolean {
  return customerId !== undefined && snapshot.redemptions({ ...query, customer_id: customerId }).count === 0
}

function added(past: RedemptionTotals, own: readonly AppliedEntry[], isNew: boolean): RedemptionTotals {
  const sum = (of: (entry: AppliedEntry) => number) => own.reduce((total, entry) => total + of(entry), 0)
  return {
    count: past.count + own.length,
    customers_count: past.customers_count + (isNew ? 1 : 0),
    orders_amount: past.orders_amount + sum(({ incentive }) => incentive.order?.amount ?? 0),
    orders_amount_discounted: past.orders_amount_discounted + sum(({ incentive }) => incentive.amount),
  }
}
