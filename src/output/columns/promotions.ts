// The columns of validated promotions. Source: docs/service/validations.md#promotions-in-answers.
import type { ColumnSet } from '../column.ts'

/** One promotion tier that applies; each is evaluated on its own, so amounts must not be added across rows. */
export const promotionColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'name', kind: 'text', inTable: true },
    { name: 'banner', kind: 'text' },
    { name: 'hierarchy', kind: 'number', inTable: true },
    { name: 'discount.type', kind: 'text', label: 'type', inTable: true },
    { name: 'discount.effect', kind: 'text' },
    { name: 'discount.percent_off', kind: 'number', label: 'percent_off', inTable: true },
    { name: 'discount.amount_off', kind: 'number', label: 'amount_off', inTable: true },
    { name: 'discount.fixed_amount', kind: 'number' },
    { name: 'discount.unit_off', kind: 'number' },
    { name: 'discount.unit_type', kind: 'identifier' },
    { name: 'discount_amount', kind: 'number', label: 'discount', inTable: true },
    { name: 'applied_discount_amount', kind: 'number' },
    { name: 'order.amount', kind: 'number' },
    { name: 'order.total_discount_amount', kind: 'number' },
    { name: 'order.total_amount', kind: 'number', label: 'total', inTable: true },
    { name: 'campaign.id', kind: 'identifier' },
    { name: 'campaign.start_date', kind: 'time' },
    { name: 'campaign.expiration_date', kind: 'time' },
    { name: 'campaign.active', kind: 'flag' },
    { name: 'category_id', kind: 'identifier' },
    { name: 'metadata', kind: 'text' },
    { name: 'valid', kind: 'flag' },
    { name: 'object', kind: 'text' },
  ],
}
