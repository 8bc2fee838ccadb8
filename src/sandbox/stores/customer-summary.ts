// What customers redeemed, hold, bought and recommended: counted from what is stored, in one query for each kind.
import type { Bound } from '../storage/database.ts'
import type { Store } from '../storage/store.ts'

/** The redemptions of a customer; the parent of several counts as none. Credits and points are net of rollbacks. */
export interface RedemptionCounts {
  total_failed: number
  total_succeeded: number
  total_rolled_back: number
  total_rollback_failed: number
  total_rollback_succeeded: number
  redeemed_amount: number
  redeemed_points: number
}

/** The cards of one campaign that a customer holds: what is left on them. */
export interface HeldCards {
  campaign: string | null
  campaign_id: string | null
  type: 'GIFT_VOUCHER' | 'LOYALTY_CARD'
  balance: number
  /** The tier that the customer is in by them. */
  tier_id: string | null
}

/** The orders that a customer paid, after discounts. */
export interface OrderTotals {
  total_amount: number
  total_count: number
  last_order_amount: number
  last_order_date: string | null
}

/** A friend who converted on a code of the customer, or the customer's own conversion. */
export interface ConversionRow {
  campaign: string | null
  campaign_id: string
  customer_id: string
  referrer_id: string | null
  related_object_id: string | null
  related_object_type: string | null
  created_at: string
}

/** Reads the facts of one customer of a project. */
export function customerFactsOf({ db }: Pick<Store, 'db'>, projectId: string, customerId: string) {
  const both: [Bound, Bound] = [projectId, customerId]
  return {
    redemptions: db.get<RedemptionCounts>(redemptionsSql, ...both) as RedemptionCounts,
    cards: db.all<HeldCards>(cardsSql, ...both),
    orders: db.get<OrderTotals>(ordersSql, ...both, ...both) as OrderTotals,
    referred: db.all<ConversionRow>(conversionsBy('referrer_id'), ...both),
    received: db.all<ConversionRow>(conversionsBy('customer_id'), ...both),
  }
}

// The index of the customer is named in each: SQLite would rather walk a million vouchers in the order of a grouping.
const countWhere = (condition: string) => `count(*) FILTER (WHERE ${condition})`

const redemptionsSql = `SELECT
  ${countWhere("object = 'redemption' AND result = 'FAILURE'")} AS total_failed,
  ${countWhere("object = 'redemption' AND result = 'SUCCESS'")} AS total_succeeded,
  ${countWhere("object = 'redemption' AND status = 'ROLLED_BACK'")} AS total_rolled_back,
  ${countWhere("object = 'redemption_rollback' AND result = 'FAILURE'")} AS total_rollback_failed,
  ${countWhere("object = 'redemption_rollback' AND result = 'SUCCESS'")} AS total_rollback_succeeded,
  coalesce(sum(credits) FILTER (WHERE result = 'SUCCESS'), 0) AS redeemed_amount,
  coalesce(sum(points) FILTER (WHERE result = 'SUCCESS'), 0) AS redeemed_points
FROM (
  SELECT doc ->> '$.object' AS object, doc ->> '$.result' AS result, doc ->> '$.status' AS status,
    doc ->> '$.related_object_type' AS about, doc ->> '$.gift.amount' AS credits, doc ->> '$.loyalty_card.points' AS points
  FROM redemptions INDEXED BY "redemptions.customer_id" WHERE project_id = ? AND binned = 0 AND customer_id = ?
) WHERE about <> 'redemption'`

const cardsSql = `SELECT c.doc ->> '$.name' AS campaign, v.campaign_id, v.doc ->> '$.type' AS type,
  sum(coalesce(v.doc ->> '$.gift.balance', v.doc ->> '$.loyalty_card.balance', 0)) AS balance,
  max(v.doc ->> '$.tier.tier_id') AS tier_id
FROM vouchers v INDEXED BY "vouchers.holder_id" LEFT JOIN campaigns c ON c.project_id = v.project_id AND c.id = v.campaign_id
WHERE v.project_id = ? AND v.binned = 0 AND v.holder_id = ? AND v.doc ->> '$.type' <> 'DISCOUNT_VOUCHER'
GROUP BY v.campaign_id, type ORDER BY campaign, type`

const paid = "project_id = ? AND binned = 0 AND customer_id = ? AND doc ->> '$.status' IN ('PAID', 'FULFILLED')"
const due = "coalesce(doc ->> '$.total_amount', doc ->> '$.amount', 0)"

// ASSUMED A1052: only orders that are paid or fulfilled count as bought, each with what was left to pay.
const ordersSql = `SELECT coalesce(sum(${due}), 0) AS total_amount, count(*) AS total_count,
  coalesce((SELECT ${due} FROM orders INDEXED BY "orders.customer_id" WHERE ${paid} ORDER BY created_at DESC, id DESC LIMIT 1), 0) AS last_order_amount,
  max(created_at) AS last_order_date
FROM orders INDEXED BY "orders.customer_id" WHERE ${paid}`

const conversionsBy = (who: 'referrer_id' | 'customer_id') => `SELECT c.doc ->> '$.name' AS campaign,
  r.doc ->> '$.campaign_id' AS campaign_id, r.customer_id, r.referrer_id, r.created_at,
  r.doc ->> '$.related_object_id' AS related_object_id, r.doc ->> '$.related_object_type' AS related_object_type
FROM referral_conversions r INDEXED BY "referral_conversions.${who}" LEFT JOIN campaigns c ON c.project_id = r.project_id AND c.id = r.doc ->> '$.campaign_id'
WHERE r.project_id = ? AND r.binned = 0 AND r.${who} = ? ORDER BY r.created_at, r.id`
