// The columns of what happened in a campaign. Source: docs/service/campaigns.md#summary.
import { campaignSummary } from '../../../contract/answers/campaigns.ts'
import { type Column, type ColumnSet, csvColumns } from '../../column.ts'
import { columnsOf } from '../../columns-of.ts'

const summary = columnsOf(campaignSummary, {
  first: `
    campaign.id campaign.name=campaign* redemptions* redemptions_failed=failed* rollbacks* validations* publications*
    vouchers_created=created* vouchers_deleted=deleted* discounted_amount=discounted* orders_amount=ordered*
  `,
})

/** The counters of a campaign; amounts are in the smallest currency unit. */
export const campaignSummaryColumns: ColumnSet = { ...summary, brief: csvColumns(summary).map(({ name }) => name) }

const counters = ['redemptions', 'redemptions_failed', 'rollbacks', 'discounted_amount', 'orders_amount']

/** The same of several campaigns side by side: a table has the counters that fit 80 columns. */
export const campaignsSummaryColumns: ColumnSet = {
  columns: campaignSummaryColumns.columns.map((column) => ({
    ...column,
    inTable: column.name === 'campaign.name' || counters.includes(column.name),
  })),
}

const period: readonly Column[] = [
  { name: 'from', kind: 'date', inTable: true },
  { name: 'until', kind: 'date', inTable: true },
]

/** The same for one of several periods, each with its first and its last day; of several campaigns with their names. */
export const campaignsPeriodColumns: ColumnSet = { columns: [...period, ...campaignsSummaryColumns.columns] }

/** The same of one campaign. */
export const campaignPeriodColumns: ColumnSet = {
  columns: campaignsPeriodColumns.columns.map((column) =>
    column.name === 'campaign.name' ? { ...column, inTable: false } : column,
  ),
}
