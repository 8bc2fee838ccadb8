// Products and SKUs from requests and fixtures: created, or updated if they exist.
// Source: docs/service/products.md#create-a-product.
import type { z } from 'zod'
import { withoutUndefined } from '../../../base/record.ts'
import { newProduct } from '../../../contract/products.ts'
import { newSku } from '../../../contract/skus.ts'
import { findOr404 } from '../../answers/existing.ts'
import { identityOf, requestOf } from '../../http/fixture-object.ts'
import { duplicate, invalidPayload } from '../../http/refusal.ts'
import type { Context, FixtureContext } from '../../http/route.ts'
import { products, type StoredProduct, type StoredSku, skus } from '../../stores/products.ts'
import { checkMetadata } from '../metadata/check.ts'
import { findByIds, insertUnique, mergeMetadata, storeUpdate } from '../update.ts'

export type ProductBody = z.output<typeof newProduct>
export type SkuBody = z.output<typeof newSku>

/** Stores a product; changes one with the same id, or without an id the same source id. Throws 409 or 400 (metadata). */
export function upsertProduct(body: ProductBody, context: Context): StoredProduct {
  const before = findByIds(context.in(products), body)
  if (before) return updateProduct(before, body, context)
  const product = buildProduct(body, context)
  checkMetadata(context, 'product', product.metadata)
  return insertUnique(products, product, context)
}

/** Changes a product; omitted members keep their value, null clears, the ids cannot change. */
export function updateProduct(before: StoredProduct, body: ProductBody, context: Context): StoredProduct {
  const after = productWith(before, body)
  if (body.metadata !== undefined) checkMetadata(context, 'product', after.metadata)
  return storeUpdate(products, before, after, context).doc
}

/** Builds a new product; stores nothing. */
function buildProduct(body: ProductBody, context: Pick<Context, 'id' | 'now'>): StoredProduct {
  const blank: StoredProduct = {
    // ASSUMED A160: an unknown id in the body becomes the id of the new product or SKU.
    id: body.id ?? context.id(products.prefix),
    source_id: body.source_id ?? null,
    object: 'product',
    name: null,
    price: null,
    attributes: [],
    metadata: {},
    image_url: null,
    created_at: context.now,
    updated_at: null,
  }
  return productWith(blank, body)
}

/** Stores a SKU of a product; changes one with the same id, or without an id the same source id. Throws 409. */
export function upsertSku(product: StoredProduct, body: SkuBody, context: Context): StoredSku {
  const before = findByIds(context.in(skus), body)
  if (!before) {
    const sku = buildSku(product.id, body, context)
    checkMetadata(context, 'sku', sku.metadata)
    return insertUnique(skus, sku, context)
  }
  // ASSUMED A161: a SKU does not move: an id that belongs to another product's SKU is taken.
  if (before.product_id !== product.id) throw duplicate('sku', body.id ?? body.source_id ?? before.id)
  return updateSku(before, body, context)
}

/** Changes a SKU, as `updateProduct` does a product. */
export function updateSku(before: StoredSku, body: SkuBody, context: Context): StoredSku {
  const after = skuWith(before, body)
  if (body.metadata !== undefined) checkMetadata(context, 'sku', after.metadata)
  return storeUpdate(skus, before, after, context).doc
}

/** Builds a new SKU; stores nothing. */
function buildSku(productId: string, body: SkuBody, context: Pick<Context, 'id' | 'now'>): StoredSku {
  const blank: StoredSku = {
    id: body.id ?? context.id(skus.prefix),
    source_id: body.source_id ?? null,
    product_id: productId,
    sku: null,
    price: null,
    currency: null,
    attributes: {},
    image_url: null,
    metadata: {},
    created_at: context.now,
    updated_at: null,
    object: 'sku',
  }
  return skuWith(blank, body)
}

// ASSUMED A162: attributes are replaced entirely, metadata is merged.
function productWith(before: StoredProduct, body: ProductBody): StoredProduct {
  const { name, price, attributes, image_url, metadata } = body
  return {
    ...before,
    ...withoutUndefined({ name, price, image_url }),
    ...(attributes !== undefined && { attributes: [...new Set(attributes ?? [])] }),
    metadata: mergeMetadata(before.metadata, metadata),
  }
}

function skuWith(before: StoredSku, body: SkuBody): StoredSku {
  const { sku, price, currency, attributes, image_url, metadata } = body
  return {
    ...before,
    ...withoutUndefined({ sku, price, currency, image_url }),
    ...(attributes !== undefined && { attributes: attributes ?? {} }),
    metadata: mergeMetadata(before.metadata, metadata),
  }
}

/** Reads a product as the service shows it; nested SKUs are not read, because they have a collection of their own. */
export function loadProduct(wire: Record<string, unknown>, loading: FixtureContext): StoredProduct {
  return { ...buildProduct(requestOf(newProduct, wire), loading), ...identityOf(products, wire, loading) }
}

/** Reads a SKU as the service shows it. `product_id` may be a source id. Throws a refusal when there is no such product. */
export function loadSku(wire: Record<string, unknown>, loading: FixtureContext): StoredSku {
  if (typeof wire.product_id !== 'string') throw invalidPayload("Payload must have required property 'product_id'")
  const product = findOr404(products, wire.product_id, loading)
  return { ...buildSku(product.id, requestOf(newSku, wire), loading), ...identityOf(skus, wire, loading) }
}
