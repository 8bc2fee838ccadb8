// Redemptions, and their totals for rules about counts and budgets.
// Source: docs/service/validation-rules.md#counts-and-budgets; docs/service/redemptions.md#redemption-object.
import type { Tables } from '../http/route.ts'
import type { RedemptionQuery, RedemptionTotals } from '../rules/conditions/context.ts'
import { collection, type Stored } from '../storage/collection.ts'
import { type Condition, is, isWithoutIndex, joinedConditions } from '../storage/conditions.ts'
import type { Store } from '../storage/store.ts'
import { keptTotals, redemptionSums } from './redemption-totals.ts'

/** A redemption, a rollback or a failed attempt as on the wire; members not listed here are kept as they are. */
export interface StoredRedemption extends Stored {
  object: 'redemption' | 'redemption_rollback'
  result: 'SUCCESS' | 'FAILURE'
  status: 'SUCCEEDED' | 'FAILED' | 'ROLLED_BACK'
  /** The kind of what was redeemed; the parent of several is `redemption`, which no rule counts. */
  related_object_type: 'voucher' | 'promotion_tier' | 'redemption'
  related_object_id: string
  campaign_id: string | null
  customer_id: string | null
  /** The order as this redemption left it; its `applied_*` are this redemption's own. */
  order?: {
    id?: string
    amount?: number
    applied_discount_amount?: number
    total_applied_discount_amount?: number
    [field: string]: unknown
  } | null
  /** The parent of a redemption that was made together with others; of a rollback, the redemption it reverted. */
  redemption?: string
  /** The stack that was redeemed, on the parent of its tiers. */
  promotion_stack_id?: string
  /** The amount paid; negative on a rollback. Smallest currency unit, or points. */
  gift?: { amount: number }
  loyalty_card?: { points: number }
  /** With the code that was given for the points, if it was one. */
  reward?: { id: string; name: string; loyalty_tier_id?: string; voucher?: { id: string; code: string } }
  related_redemptions?: { redemptions?: RelatedRedemption[]; rollbacks?: RelatedRedemption[] }
  /** Kept for filters and rollbacks, not shown. */
  voucher_code?: string
  undo?: OrderAdditions
  [field: string]: unknown
}

/** How redemptions and rollbacks reference each other. */
export interface RelatedRedemption {
  id: string
  date: string
}

/** What a redemption added to an order besides discounts: free units, line by line, and the increase of the order. */
export interface OrderAdditions {
  amount: number
  lines: Array<{ quantity: number; discount_quantity: number; amount: number }>
}

/** Redemptions, by id. */
export const redemptions = collection<StoredRedemption>('redemptions', 'redemption', 'r_', {
  indexed: { related_object_id: 'text', campaign_id: 'text', customer_id: 'text' },
  many: ['related_object_id', 'campaign_id'],
  tallied: 'campaign_id',
  derived: redemptionSums,
  filterable: {
    object: 'text',
    result: 'text',
    status: 'text',
    related_object_type: 'text',
    redemption: 'text',
    voucher_code: 'text',
    failure_code: 'text',
    tracking_id: 'text',
    'order.id': 'text',
  },
})

/** Counts successful redemptions that were not rolled back. An inclusive `since` restricts them by `created_at`. */
export function redemptionTotals(store: Store, projectId: string, query: RedemptionQuery): RedemptionTotals {
  return keptTotals(store.db, projectId, query) ?? addUp(store, projectId, query)
}

/** Adds them up from the redemptions themselves: those of a customer are few. */
export function addUp(store: Store, projectId: string, query: RedemptionQuery): RedemptionTotals {
  const { sql, values } = joinedConditions([
    { sql: 'project_id = ? AND binned = 0', values: [projectId] },
    is(redemptions, 'object', 'redemption'),
    is(redemptions, 'result', 'SUCCESS'),
    { sql: `doc ->> '$.status' IS NOT 'ROLLED_BACK'`, values: [] },
    ...narrowingConditions(query),
  ])
  const totals = store.db.get<RedemptionTotals>(
    `SELECT count(*) AS count, count(DISTINCT customer_id) AS customers_count,
       coalesce(sum(doc ->> '$.order.amount'), 0) AS orders_amount,
       coalesce(sum(doc ->> '$.order.total_applied_discount_amount'), 0) AS orders_amount_discounted
     FROM redemptions WHERE ${sql}`,
    ...values,
  )
  return { count: 0, customers_count: 0, orders_amount: 0, orders_amount_discounted: 0, ...totals }
}

function narrowingConditions({ object, id, campaign_id, customer_id, since }: RedemptionQuery): Condition[] {
  // A customer has few redemptions, a campaign or a month can have a million.
  const [restricted, sign] = customer_id === undefined ? [is, ''] : [isWithoutIndex, '+']
  return [
    ...(object === undefined ? [] : [is(redemptions, 'related_object_type', object)]),
    ...(id === undefined ? [] : [restricted(redemptions, 'related_object_id', id)]),
    ...(campaign_id === undefined ? [] : [restricted(redemptions, 'campaign_id', campaign_id)]),
    ...(customer_id === undefined ? [] : [is(redemptions, 'customer_id', customer_id)]),
    ...(since === undefined ? [] : [{ sql: `${sign}created_at >= ?`, values: [since] }]),
  ]
}

/** Removes the redemptions of a voucher, including rollbacks and failed attempts; orders and parents of several stay. */
export function removeRedemptionsOf(voucherId: string, context: Tables): void {
  const table = context.in(redemptions)
  for (const { id } of table.all([is(redemptions, 'related_object_id', voucherId)])) table.remove(id)
}
