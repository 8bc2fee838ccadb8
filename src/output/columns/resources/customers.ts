// The columns of customers. Source: docs/service/customers.md#fields.
import type { ColumnSet } from '../../column.ts'

/** A customer, with what they redeemed and bought; amounts are in the smallest currency unit, points are whole. */
export const customerColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'source_id', kind: 'identifier', inTable: true },
    { name: 'name', kind: 'text', inTable: true },
    { name: 'email', kind: 'identifier', inTable: true },
    { name: 'phone', kind: 'identifier' },
    { name: 'description', kind: 'text' },
    { name: 'birthdate', kind: 'date' },
    { name: 'address.line_1', kind: 'text' },
    { name: 'address.line_2', kind: 'text' },
    { name: 'address.postal_code', kind: 'text' },
    { name: 'address.city', kind: 'text' },
    { name: 'address.state', kind: 'text' },
    { name: 'address.country', kind: 'text' },
    { name: 'country', kind: 'text' },
    { name: 'metadata', kind: 'text' },
    { name: 'summary.orders.total_amount', kind: 'number', label: 'spent', inTable: true },
    { name: 'summary.orders.total_count', kind: 'number', label: 'orders', inTable: true },
    { name: 'summary.orders.average_amount', kind: 'number' },
    { name: 'summary.orders.last_order_amount', kind: 'number' },
    { name: 'summary.redemptions.total_redeemed', kind: 'number' },
    { name: 'summary.redemptions.total_succeeded', kind: 'number' },
    { name: 'summary.redemptions.total_failed', kind: 'number' },
    { name: 'summary.redemptions.total_rolled_back', kind: 'number' },
    { name: 'summary.redemptions.gift.redeemed_amount', kind: 'number' },
    { name: 'summary.redemptions.gift.amount_to_go', kind: 'number' },
    { name: 'summary.redemptions.loyalty_card.redeemed_points', kind: 'number' },
    { name: 'summary.redemptions.loyalty_card.points_to_go', kind: 'number' },
    { name: 'loyalty.points', kind: 'number' },
    { name: 'loyalty.referred_customers', kind: 'number' },
    { name: 'referrals.total', kind: 'number' },
    { name: 'created_at', kind: 'time' },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}

/** The page about a customer on one line: the customer, and the rest as cells of JSON. */
export const overviewColumns: ColumnSet = {
  columns: [
    ...customerColumns.columns.map((column) => ({ ...column, name: `customer.${column.name}` })),
    { name: 'segments', kind: 'text' },
    { name: 'holdings', kind: 'text' },
    { name: 'redemptions', kind: 'text' },
    { name: 'referrals.referred_by', kind: 'text' },
    { name: 'referrals.referred', kind: 'text' },
    { name: 'more', kind: 'text' },
    { name: 'not_shown', kind: 'text' },
  ],
}
