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

// Product collections: products listed explicitly, or found by a filter.

export interface StoredProductCollection extends Stored {
  name: string
  type: 'STATIC' | 'AUTO_UPDATE'
  /** For `AUTO_UPDATE`: conditions on products; none means every product. */
  filter: Record<string, unknown> | null
  /** For `STATIC`. */
  products: CollectedProduct[]
  updated_at: string | null
  object: 'products_collection'
}

/** A product, or one SKU of it, by id. */
export interface CollectedProduct {
  id: string
  product_id: string | null
  object: 'product' | 'sku'
}

/** Product collections, by id. */
export const productCollections = collection<StoredProductCollection>(
  'product_collections',
  'products_collection',
  'pc_',
  { indexed: { name: 'text' } },
)
