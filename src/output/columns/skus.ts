// The columns of a SKU. Source: docs/service/products.md#sku-fields.
import type { ColumnSet } from '../column.ts'

/** Every scalar of a SKU. `price` is in the smallest currency unit, exactly as the service sends it. */
export const skuColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'source_id', kind: 'identifier', inTable: true },
    { name: 'product_id', kind: 'identifier' },
    { name: 'sku', kind: 'text', inTable: true },
    { name: 'price', kind: 'number', inTable: true },
    { name: 'currency', kind: 'text', inTable: true },
    // Names inside attributes and metadata are the customer's own, so each of the two is one cell of JSON.
    { name: 'attributes', kind: 'text', inTable: true },
    { name: 'image_url', kind: 'text' },
    { name: 'metadata', kind: 'text' },
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}
