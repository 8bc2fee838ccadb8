// The columns of what happened in a campaign. Source: docs/service/campaigns.md#summary.
import { campaignSummary } from '../../../contract/answers/campaigns.ts'
import type { ColumnSet } from '../../column.ts'
import { columnsOf } from '../../columns-of.ts'

/** The counters of a campaign; amounts are in the smallest currency unit. */
export const campaignSummaryColumns = columnsOf(campaignSummary, {
  isBrief: true,
  first: {
    'campaign.id': false,
    'campaign.name': 'campaign',
    redemptions: true,
    redemptions_failed: 'failed',
    rollbacks: true,
    validations: true,
    publications: true,
    vouchers_created: 'created',
    vouchers_deleted: 'deleted',
    discounted_amount: 'discounted',
    orders_amount: 'ordered',
  },
})

const ofPeriods = ['redemptions', 'redemptions_failed', 'rollbacks', 'discounted_amount', 'orders_amount']

/** The same for one of several periods, each with its first and its last day. */
export const campaignPeriodColumns: ColumnSet = {
  columns: [
    { name: 'from', kind: 'date', inTable: true },
    { name: 'until', kind: 'date', inTable: true },
    ...campaignSummaryColumns.columns.map((column) => ({ ...column, inTable: ofPeriods.includes(column.name) })),
  ],
}
