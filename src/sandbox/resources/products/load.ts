// Products and SKUs from a fixture, with the ids and dates they come with.
import { newProduct } from '../../../contract/products.ts'
import { newSku } from '../../../contract/skus.ts'
import { invalidPayload, notFound } from '../../http/refusal.ts'
import type { Loading } from '../../http/resource.ts'
import { identityOf, requestOf } from '../../seed/loaded.ts'
import { productOf, skuOf } from './make.ts'
import { type StoredSku, skus } from './sku-store.ts'
import { products, type StoredProduct } from './store.ts'

/** Reads a product as the service shows it; SKUs nested in it are not read, they have a collection of their own. */
export function loadProduct(wire: Record<string, unknown>, loading: Loading): StoredProduct {
  return { ...productOf(requestOf(newProduct, wire), loading), ...identityOf(products, wire, loading) }
}

/** Reads a SKU as the service shows it. `product_id` may be a source id. Throws a refusal when there is no such product. */
export function loadSku(wire: Record<string, unknown>, loading: Loading): StoredSku {
  if (typeof wire.product_id !== 'string') throw invalidPayload("Payload must have required property 'product_id'")
  const product = loading.in(products).find(wire.product_id)
  if (!product) throw notFound('product', wire.product_id)
  return { ...skuOf(product.id, requestOf(newSku, wire), loading), ...identityOf(skus, wire, loading) }
}
