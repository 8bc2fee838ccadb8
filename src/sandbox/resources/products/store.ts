// Products of the catalogue, by their own id or by the shop's.
import type { Product } from '../../rules/pricing/product.ts'
import { collection, type Stored } from '../../storage/collection.ts'

export interface StoredProduct extends Stored, Required<Product> {
  object: 'product'
  /** What the product's SKUs differ in, such as `weight`. */
  attributes: string[]
  image_url: string | null
  updated_at: string | null
}

/** Products, by id or source id. */
export const products = collection<StoredProduct>({
  name: 'products',
  prefix: 'prod_',
  type: 'product',
  cached: true,
  key: 'source_id',
  indexed: { name: 'text' },
  filterable: { price: 'number', image_url: 'text' },
})
