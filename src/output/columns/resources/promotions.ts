// The columns of promotion tiers and stacks. Source: docs/service/promotions.md#tier-fields; docs/service/promotions.md#stacks.
import type { ColumnSet } from '../../column.ts'

/** A promotion tier as it is stored; amounts are in the smallest currency unit. */
export const tierColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'name', kind: 'text', inTable: true },
    { name: 'banner', kind: 'text' },
    { name: 'campaign.name', kind: 'text', label: 'campaign', inTable: true },
    { name: 'campaign_id', kind: 'identifier' },
    { name: 'hierarchy', kind: 'number', inTable: true },
    { name: 'action.discount.type', kind: 'text', label: 'discount', inTable: true },
    { name: 'action.discount.effect', kind: 'text' },
    { name: 'action.discount.percent_off', kind: 'number', label: 'percent_off', inTable: true },
    { name: 'action.discount.amount_off', kind: 'number', label: 'amount_off', inTable: true },
    { name: 'action.discount.fixed_amount', kind: 'number' },
    { name: 'action.discount.unit_off', kind: 'number' },
    { name: 'action.discount.unit_type', kind: 'identifier' },
    { name: 'active', kind: 'flag', inTable: true },
    { name: 'start_date', kind: 'time' },
    { name: 'expiration_date', kind: 'time', label: 'expires', inTable: true },
    { name: 'validity_timeframe.duration', kind: 'text' },
    { name: 'validity_timeframe.interval', kind: 'text' },
    { name: 'category', kind: 'text' },
    { name: 'category_id', kind: 'identifier' },
    { name: 'summary.redemptions.total_redeemed', kind: 'number' },
    { name: 'summary.orders.total_amount', kind: 'number' },
    { name: 'summary.orders.total_discount_amount', kind: 'number' },
    { name: 'validation_rule_assignments.total', kind: 'number' },
    { name: 'metadata', kind: 'text' },
    { name: 'created_at', kind: 'time' },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}

/** A promotion stack: tiers that apply together, in this order. */
export const stackColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'name', kind: 'text', inTable: true },
    { name: 'campaign_id', kind: 'identifier', inTable: true },
    { name: 'tiers.ids', kind: 'text', label: 'tiers', inTable: true },
    { name: 'tiers.hierarchy_mode', kind: 'text' },
    { name: 'category_id', kind: 'identifier' },
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}
