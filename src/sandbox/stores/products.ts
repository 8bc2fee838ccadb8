// Products of the catalogue and SKUs, their variants, by their own id or by the shop's. Source: docs/service/products.md#sku-fields.
import type { Product, Sku } from '../rules/pricing/product.ts'
import { collection, type Stored } from '../storage/collection.ts'

export interface StoredProduct extends Stored, Required<Product> {
  object: 'product'
  /** What the product's SKUs differ in, such as `weight`. */
  attributes: string[]
  image_url: string | null
  updated_at: string | null
}

/** Products, by id or source id. */
export const products = collection<StoredProduct>('products', 'product', 'prod_', {
  cached: true,
  key: 'source_id',
  indexed: { name: 'text' },
  filterable: { price: 'number', image_url: 'text' },
})

export interface StoredSku extends Stored, Required<Sku> {
  currency: string | null
  attributes: Record<string, unknown>
  image_url: string | null
  updated_at: string | null
  object: 'sku'
}

/** SKUs, by id or source id. */
export const skus = collection<StoredSku>('skus', 'sku', 'sku_', {
  cached: true,
  key: 'source_id',
  indexed: { product_id: 'text', sku: 'text' },
  filterable: { price: 'number', currency: 'text', image_url: 'text' },
})
