// What a campaign did, as sums of SQL, and the daily counts of what leaves no document behind.
// Source: docs/service/campaigns.md#summary.
import type { Context, Tables } from '../http/route.ts'
import { collection, type Stored } from '../storage/collection.ts'
import { type Condition, is, isBetween, joinedConditions } from '../storage/conditions.ts'
import { publications } from './publications.ts'
import { redemptions } from './redemptions.ts'
import { vouchers } from './vouchers.ts'

type Counted = 'validations_succeeded' | 'validations_failed' | 'vouchers_deleted' | 'vouchers_removed'

/** One day of a campaign (UTC). `vouchers_removed` counts, on the day of their creation, those that are gone for good. */
interface StoredDay extends Stored, Partial<Record<Counted, number>> {
  campaign_id: string
}

/** The daily counts of campaigns, by campaign and day. */
export const campaignDays = collection<StoredDay>('campaign_days', 'campaign_day', 'campday_', {
  indexed: { campaign_id: 'text' },
})

/** Adds one to a count of a campaign, on the day of an instant. */
export function countForCampaign(campaignId: string, counted: Counted, instant: string, context: Tables) {
  const table = context.in(campaignDays)
  const day = instant.slice(0, 10)
  const id = `${campaignDays.prefix}${campaignId}_${day}`
  const stored = table.get(id)
  if (stored) table.update({ ...stored, [counted]: (stored[counted] ?? 0) + 1 })
  else table.insert({ id, campaign_id: campaignId, created_at: `${day}T00:00:00.000Z`, [counted]: 1 })
}

/** The sums of a campaign between two instants, both included; the daily counts are those of whole days. */
export function campaignTotals(
  campaignId: string,
  { first, last }: { first: string | undefined; last: string | undefined },
  { store, project }: Pick<Context, 'store' | 'project'>,
): Record<string, number> {
  const ofProject: Condition = { sql: 'project_id = ?', values: [project.id] }
  const sumOver = (declared: typeof vouchers | typeof publications | typeof redemptions | typeof campaignDays) => ({
    of: (columns: Readonly<Record<string, string>>, from = first) => {
      const where = joinedConditions([
        ofProject,
        is(declared, 'campaign_id', campaignId),
        isBetween(declared, 'created_at', from, last),
      ])
      const list = Object.entries(columns).map(([name, sql]) => `coalesce(sum(${sql}), 0) AS ${name}`)
      return store.db.get<Record<string, number>>(
        `SELECT ${list.join(', ')} FROM ${declared.name} WHERE ${where.sql}`,
        ...where.values,
      )
    },
  })
  const redeemed = "binned = 0 AND doc ->> '$.object' = 'redemption'"
  const rolledBack = "binned = 0 AND doc ->> '$.object' = 'redemption_rollback'"
  const succeeded = "doc ->> '$.result' = 'SUCCESS'"
  const taken = '$.order.total_applied_discount_amount'
  const spent = '$.order.amount'
  const own = (path: string) => `coalesce(doc ->> '${path}', 0)`
  // A rollback may have canceled the order, which then has no discount left: the redemption still knows.
  const revertedSql = (path: string) =>
    `coalesce((SELECT r.doc ->> '${path}' FROM redemptions AS r
      WHERE r.project_id = redemptions.project_id AND r.id = redemptions.doc ->> '$.redemption'), 0)`
  return {
    ...sumOver(redemptions).of({
      redemptions: redeemed,
      redemptions_succeeded: `${redeemed} AND ${succeeded}`,
      redemptions_failed: `${redeemed} AND NOT (${succeeded})`,
      rollbacks: rolledBack,
      rollbacks_succeeded: `${rolledBack} AND ${succeeded}`,
      rollbacks_failed: `${rolledBack} AND NOT (${succeeded})`,
      discounted_amount: `(${redeemed} AND ${succeeded}) * ${own(taken)}`,
      rolledback_discounted_amount: `(${rolledBack} AND ${succeeded}) * ${revertedSql(taken)}`,
      orders_amount: `(${redeemed} AND ${succeeded}) * ${own(spent)}`,
      orders_rolledback_amount: `(${rolledBack} AND ${succeeded}) * ${revertedSql(spent)}`,
    }),
    ...sumOver(publications).of({
      publications: 'binned = 0',
      publications_succeeded: `binned = 0 AND ${succeeded}`,
      publications_failed: `binned = 0 AND NOT (${succeeded})`,
    }),
    ...addSums(
      sumOver(campaignDays).of(
        {
          validations: "coalesce(doc ->> '$.validations_succeeded', 0) + coalesce(doc ->> '$.validations_failed', 0)",
          validations_succeeded: "coalesce(doc ->> '$.validations_succeeded', 0)",
          validations_failed: "coalesce(doc ->> '$.validations_failed', 0)",
          vouchers_created: "coalesce(doc ->> '$.vouchers_removed', 0)",
          vouchers_deleted: "coalesce(doc ->> '$.vouchers_deleted', 0)",
        },
        first?.slice(0, 10),
      ),
      sumOver(vouchers).of({ vouchers_created: '1' }),
    ),
  }
}

function addSums(...sums: ReadonlyArray<Record<string, number> | undefined>): Record<string, number> {
  const total: Record<string, number> = {}
  for (const sum of sums)
    for (const [name, value] of Object.entries(sum ?? {})) total[name] = (total[name] ?? 0) + value
  return total
}
