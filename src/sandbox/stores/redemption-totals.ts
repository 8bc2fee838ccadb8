// What redemptions add up to, kept as they come and go: rules on counts and budgets, and the summaries of tiers, ask for it at
// every call. Source: docs/service/validation-rules.md#counts-and-budgets.
import type { RedemptionQuery, RedemptionTotals } from '../rules/conditions/context.ts'
import type { Derived } from '../storage/collection.ts'
import type { Database } from '../storage/database.ts'

/**
 * By what was redeemed, or by its campaign: in all, for each customer, and for each quarter of an hour. No time zone begins a day
 * within a quarter of an hour, so that those of a day, a week or a month can be added up.
 */
const table = `CREATE TABLE IF NOT EXISTS redemption_totals (
  project_id TEXT NOT NULL, scope TEXT NOT NULL, customer TEXT NOT NULL, quarter TEXT NOT NULL,
  count INTEGER NOT NULL, customers_count INTEGER NOT NULL, orders_amount ANY NOT NULL, orders_amount_discounted ANY NOT NULL,
  PRIMARY KEY (project_id, scope, customer, quarter)
) STRICT, WITHOUT ROWID`

/** Successful redemptions that were not rolled back, once for each scope; the parent of several is none that a rule counts. */
const countedIn = (docs: string) => `SELECT each.value AS scope, coalesce(doc ->> '$.customer_id', '') AS customer,
    substr(doc ->> '$.created_at', 1, 14) || printf('%02d', substr(doc ->> '$.created_at', 15, 2) / 15 * 15) AS quarter,
    coalesce(doc ->> '$.order.amount', 0) AS amount, coalesce(doc ->> '$.order.total_applied_discount_amount', 0) AS discounted
  FROM (${docs}), json_each(json_array((doc ->> '$.related_object_type') || ' ' || (doc ->> '$.related_object_id'),
    'campaign ' || (doc ->> '$.campaign_id'))) AS each
  WHERE each.value IS NOT NULL AND doc ->> '$.object' = 'redemption' AND doc ->> '$.result' = 'SUCCESS'
    AND doc ->> '$.status' IS NOT 'ROLLED_BACK' AND doc ->> '$.related_object_type' <> 'redemption'`

const adding = (docs: string, sign: 1 | -1) => `INSERT INTO redemption_totals
  WITH one AS MATERIALIZED (${countedIn(docs)})
  SELECT ?1, scope, customer, quarter, ${sign} * count(*), 0, ${sign} * sum(amount), ${sign} * sum(discounted)
  FROM (SELECT scope, '' AS customer, '' AS quarter, amount, discounted FROM one
    UNION ALL SELECT scope, customer, '', amount, discounted FROM one WHERE customer <> ''
    UNION ALL SELECT scope, '', quarter, amount, discounted FROM one)
  WHERE true GROUP BY scope, customer, quarter
  ON CONFLICT DO UPDATE SET count = count + excluded.count, orders_amount = orders_amount + excluded.orders_amount,
    orders_amount_discounted = orders_amount_discounted + excluded.orders_amount_discounted`

/**
 * A customer counts from the first redemption to the last one that is taken off. Each total is found by its key (CROSS JOIN keeps
 * the order): the planner would search all totals of the project.
 */
const countingCustomers = (docs: string, sign: 1 | -1) => `INSERT INTO redemption_totals
  SELECT ?1, own.scope, '', '', 0, ${sign} * count(*), 0, 0
  FROM (SELECT scope, customer, count(*) AS count FROM (${countedIn(docs)}) WHERE customer <> '' GROUP BY 1, 2) AS own
  CROSS JOIN redemption_totals AS kept
    ON kept.project_id = ?1 AND kept.scope = own.scope AND kept.customer = own.customer AND kept.quarter = ''
  WHERE kept.count = ${sign === 1 ? 'own.count' : '0'} GROUP BY own.scope
  ON CONFLICT DO UPDATE SET customers_count = customers_count + excluded.customers_count`

const given = 'SELECT value AS doc FROM json_each(?2)'
const stored = 'SELECT doc FROM redemptions WHERE project_id = ?1 AND binned = 0'
const statements = (docs: string, sign: 1 | -1) => [adding(docs, sign), countingCustomers(docs, sign)]
const changes = { '1': statements(given, 1), '-1': statements(given, -1) }
const allStored = statements(stored, 1)

/** The totals of `redemptions`. */
export const redemptionSums: Derived = {
  table,
  add: (db, projectId, docs, sign) => {
    for (const sql of changes[sign]) db.run(sql, projectId, docs)
  },
  fill: (db) => {
    db.run('DELETE FROM redemption_totals')
    for (const { id } of db.all<{ id: string }>('SELECT DISTINCT project_id AS id FROM redemptions'))
      for (const sql of allStored) db.run(sql, id)
  },
}

const inAll = `SELECT count, CASE customer WHEN '' THEN customers_count ELSE count > 0 END AS customers_count,
    orders_amount, orders_amount_discounted
  FROM redemption_totals WHERE project_id = ? AND scope = ? AND customer = ? AND quarter = ''`
const inQuarters = `SELECT sum(count) AS count, 0 AS customers_count, sum(orders_amount) AS orders_amount,
    sum(orders_amount_discounted) AS orders_amount_discounted
  FROM redemption_totals WHERE project_id = ? AND scope = ? AND customer = '' AND quarter >= ? HAVING count(*) > 0`

const none: RedemptionTotals = { count: 0, customers_count: 0, orders_amount: 0, orders_amount_discounted: 0 }

/** Returns what is kept of a query; undefined where only the redemptions themselves tell it. */
export function keptTotals(
  db: Database,
  projectId: string,
  { object, id, campaign_id, customer_id = '', since, countsCustomers }: RedemptionQuery,
): RedemptionTotals | undefined {
  const scope = campaign_id === undefined ? `${object} ${id}` : `campaign ${campaign_id}`
  if (since === undefined) return db.get<RedemptionTotals>(inAll, projectId, scope, customer_id) ?? none
  if (customer_id !== '' || countsCustomers || !startsQuarter.test(since)) return undefined
  return db.get<RedemptionTotals>(inQuarters, projectId, scope, since.slice(0, 16)) ?? none
}

const startsQuarter = /:(?:00|15|30|45):00\.000Z$/
