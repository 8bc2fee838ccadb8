// The columns of a validation: one row per redeemable. Source: docs/service/validations.md#redeemable-results.
import type { ColumnSet } from '../column.ts'

/** The result of each redeemable. Amounts are those of this redeemable alone; `why` is composed by promo. */
export const redeemableColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'object', kind: 'text', inTable: true },
    { name: 'status', kind: 'identifier', inTable: true },
    { name: 'order.total_applied_discount_amount', kind: 'number', label: 'applied', inTable: true },
    { name: 'order.total_amount', kind: 'number', label: 'left', inTable: true },
    { name: 'result.discount.type', kind: 'text' },
    { name: 'result.discount.effect', kind: 'text' },
    { name: 'result.discount.percent_off', kind: 'number' },
    { name: 'result.discount.amount_off', kind: 'number' },
    { name: 'result.discount.fixed_amount', kind: 'number' },
    { name: 'result.discount.unit_type', kind: 'identifier' },
    { name: 'result.discount.unit_off', kind: 'number' },
    { name: 'result.gift.credits', kind: 'number' },
    { name: 'result.gift.balance', kind: 'number' },
    { name: 'result.loyalty_card.points', kind: 'number' },
    { name: 'result.error.code', kind: 'number' },
    { name: 'result.error.key', kind: 'identifier' },
    { name: 'result.error.message', kind: 'reason' },
    { name: 'result.error.details', kind: 'text' },
    { name: 'result.details.key', kind: 'identifier' },
    { name: 'result.details.message', kind: 'reason' },
    { name: 'name', kind: 'text' },
    { name: 'campaign_name', kind: 'text' },
    { name: 'campaign_id', kind: 'identifier' },
    { name: 'why', kind: 'reason', inTable: true },
  ],
}
