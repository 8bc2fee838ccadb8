// Exports of the catalogue. Source: docs/service/exports.md#columns.

import { type StoredSku, skus } from '../products/sku-store.ts'
import { products, type StoredProduct } from '../products/store.ts'
import { exportKind, majorUnits, orderedBy, plainColumns } from './columns.ts'

/** Products. Prices are in major currency units; `attributes` are names separated by commas. */
export const productExports = exportKind<StoredProduct>({
  from: [products],
  columns: {
    ...plainColumns('id', 'name'),
    price: ({ price }) => majorUnits(price),
    ...plainColumns('image_url', 'source_id'),
    attributes: ({ attributes }) => attributes.join(','),
    ...plainColumns('created_at', 'updated_at'),
  },
  hasMetadata: true,
  defaults: ['id', 'name', 'price', 'image_url', 'source_id', 'attributes', 'created_at'],
  // ASSUMED A263: the possible orders of products and SKUs are not published.
  orders: orderedBy('created_at', 'updated_at', 'name'),
})

/** SKUs. Prices are in major currency units; `attributes` are JSON. */
export const skuExports = exportKind<StoredSku>({
  from: [skus],
  columns: {
    ...plainColumns('id', 'sku', 'product_id', 'currency'),
    price: ({ price }) => majorUnits(price),
    ...plainColumns('image_url', 'source_id'),
    attributes: ({ attributes }) => JSON.stringify(attributes),
    ...plainColumns('created_at', 'updated_at'),
  },
  hasMetadata: true,
  defaults: ['id', 'sku', 'product_id', 'currency', 'price', 'image_url', 'source_id', 'attributes', 'created_at'],
  orders: orderedBy('created_at', 'updated_at', 'sku'),
})
