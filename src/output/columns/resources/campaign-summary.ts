// The columns of what happened in a campaign. Source: docs/service/campaigns.md#summary.
import type { ColumnSet } from '../../column.ts'

/** The counters of a campaign; amounts are in the smallest currency unit. */
export const campaignSummaryColumns: ColumnSet = {
  isBrief: true,
  columns: [
    { name: 'campaign.id', kind: 'identifier' },
    { name: 'campaign.name', kind: 'text', label: 'campaign', inTable: true },
    { name: 'redemptions', kind: 'number', inTable: true },
    { name: 'redemptions_succeeded', kind: 'number' },
    { name: 'redemptions_failed', kind: 'number', label: 'failed', inTable: true },
    { name: 'rollbacks', kind: 'number', inTable: true },
    { name: 'rollbacks_succeeded', kind: 'number' },
    { name: 'rollbacks_failed', kind: 'number' },
    { name: 'validations', kind: 'number', inTable: true },
    { name: 'validations_succeeded', kind: 'number' },
    { name: 'validations_failed', kind: 'number' },
    { name: 'publications', kind: 'number', inTable: true },
    { name: 'publications_succeeded', kind: 'number' },
    { name: 'publications_failed', kind: 'number' },
    { name: 'vouchers_created', kind: 'number', label: 'created', inTable: true },
    { name: 'vouchers_deleted', kind: 'number', label: 'deleted', inTable: true },
    { name: 'discounted_amount', kind: 'number', label: 'discounted', inTable: true },
    { name: 'rolledback_discounted_amount', kind: 'number' },
    { name: 'orders_amount', kind: 'number', label: 'orders', inTable: true },
    { name: 'orders_rolledback_amount', kind: 'number' },
    { name: 'object', kind: 'text' },
  ],
}
