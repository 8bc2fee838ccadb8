// Product collections: products listed by hand, or found by a filter.
import { collection, type Stored } from '../../storage/collection.ts'

export interface StoredProductCollection extends Stored {
  name: string
  type: 'STATIC' | 'AUTO_UPDATE'
  /** Of an `AUTO_UPDATE` one: conditions on products; none means every product. */
  filter: Record<string, unknown> | null
  /** Of a `STATIC` one. */
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
export const productCollections = collection<StoredProductCollection>({
  name: 'product_collections',
  prefix: 'pc_',
  type: 'products_collection',
  indexed: { name: 'text' },
})
