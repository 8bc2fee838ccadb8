// The columns of products and orders. Source: docs/service/products.md#product-fields; docs/service/orders.md#fields.
import type { ColumnSet } from '../../column.ts'

/** A product; prices are in the smallest currency unit. */
export const productColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'source_id', kind: 'identifier', inTable: true },
    { name: 'name', kind: 'text', inTable: true },
    { name: 'price', kind: 'number', inTable: true },
    { name: 'attributes', kind: 'text', inTable: true },
    { name: 'image_url', kind: 'identifier' },
    { name: 'metadata', kind: 'text' },
    { name: 'created_at', kind: 'time' },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}

/** An order; amounts are in the smallest currency unit. */
export const orderColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'source_id', kind: 'identifier', inTable: true },
    { name: 'status', kind: 'text', inTable: true },
    { name: 'initial_amount', kind: 'number' },
    { name: 'amount', kind: 'number', inTable: true },
    { name: 'discount_amount', kind: 'number' },
    { name: 'items_discount_amount', kind: 'number' },
    { name: 'total_discount_amount', kind: 'number', label: 'discount', inTable: true },
    { name: 'total_amount', kind: 'number', label: 'total', inTable: true },
    { name: 'applied_discount_amount', kind: 'number' },
    { name: 'items_applied_discount_amount', kind: 'number' },
    { name: 'total_applied_discount_amount', kind: 'number' },
    { name: 'items', kind: 'text' },
    { name: 'customer_id', kind: 'identifier', inTable: true },
    { name: 'referrer_id', kind: 'identifier' },
    { name: 'redemptions', kind: 'text' },
    { name: 'metadata', kind: 'text' },
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}
