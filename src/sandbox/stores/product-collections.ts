// Product collections: products listed explicitly, or found by a filter.
import { collection, type Stored } from '../storage/collection.ts'

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
