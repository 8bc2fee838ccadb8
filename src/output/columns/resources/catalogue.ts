// The columns of products and orders. Source: docs/service/products.md#product-fields.
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
