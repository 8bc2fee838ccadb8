// SKUs, the variants of products, by their own id or by the shop's. Source: docs/service/products.md#sku-fields.
import type { Sku } from '../../rules/pricing/product.ts'
import { collection, type Stored } from '../../storage/collection.ts'

export interface StoredSku extends Stored, Required<Sku> {
  currency: string | null
  attributes: Record<string, unknown>
  image_url: string | null
  updated_at: string | null
  object: 'sku'
}

/** SKUs, by id or source id. */
export const skus = collection<StoredSku>({
  name: 'skus',
  prefix: 'sku_',
  type: 'sku',
  cached: true,
  key: 'source_id',
  indexed: { product_id: 'text', sku: 'text' },
  filterable: { price: 'number', currency: 'text', image_url: 'text' },
})
