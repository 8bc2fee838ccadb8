// The product and SKU calls.
// Source: docs/service/products.md#list-skus; docs/service/products.md#calls; docs/service/products.md#delete-a-product.

import type { z } from 'zod'
import { byText } from '../../base/list.ts'
import { readJson } from '../../base/nesting.ts'
import * as bulk from '../../contract/bulk.ts'
import * as contract from '../../contract/products.ts'
import * as skuContract from '../../contract/skus.ts'
import { type catalogueListing, newSku } from '../../contract/skus.ts'
import { findOr404, routesFor, routesOf } from '../answers/existing.ts'
import { checkBody } from '../http/check-input.ts'
import { invalidPayload, notFound } from '../http/refusal.ts'
import { type Context, pageAnswer, type Resource, route, wholeList } from '../http/route.ts'
import { answerStarted } from '../resources/async-actions/progress.ts'
import { rowWork, sourcedUpdates } from '../resources/async-actions/row-work.ts'
import { anyMetadata, anyRows, type CsvRow, centsOf, metadataReader } from '../resources/async-actions/rows.ts'
import {
  loadProduct,
  loadSku,
  updateProduct,
  updateSku,
  upsertProduct,
  upsertSku,
} from '../resources/products/upsert.ts'
import { bySourceId } from '../resources/update.ts'
import { is } from '../storage/conditions.ts'
import { products, type StoredProduct, type StoredSku, skus } from '../stores/products.ts'
import { moveToBin } from '../stores/trash-bin.ts'

const routeFor = routesFor('productId', (id, context) => findOr404(products, id, context))

const aboutSku = routesOf(ownSku)

/** Products, by id or source id. */
export const productResource: Resource = {
  collections: [products],
  load: { products: loadProduct },
  routes: [
    route(contract.listProducts, ({ query }, context) =>
      pageAnswer(products, { ...query, order: orderOf(query, 'name') }, context, { ref: 'products' }),
    ),
    route(contract.createProduct, ({ body }, context) => upsertProduct(body, context)),
    routeFor(contract.getProduct, (product, context, { query }) => {
      // ASSUMED A166: the nested list has all SKUs, oldest first; only this call has it, for a product that has any.
      const nested = query.hide === 'sku' ? wholeList([]) : nestedSkus(product, context)
      return nested.total === 0 ? product : { ...product, skus: nested }
    }),
    routeFor(contract.updateProduct, (product, context, { body }) => updateProduct(product, body, context)),
    routeFor(contract.deleteProduct, (product, context, { query }) =>
      deleteProduct(product, query.force ?? false, context),
    ),
  ],
}

/** SKUs, by id or source id, most calls below their product. */
export const skuResource: Resource = {
  collections: [skus],
  load: { skus: loadSku },
  routes: [
    routeFor(skuContract.listSkus, ({ id }, context, { query }) => {
      const where = [is(skus, 'product_id', id)]
      return pageAnswer(skus, { ...query, order: orderOf(query, 'sku') }, context, { where, ref: 'skus' })
    }),
    routeFor(skuContract.createSku, (product, context, { body }) => upsertSku(product, body, context)),
    route(skuContract.getSku, ({ path }, context) => findOr404(skus, path.skuId, context)),
    aboutSku(skuContract.getProductSku, (sku) => sku),
    aboutSku(skuContract.updateSku, (sku, context, { body }) => updateSku(sku, body, context)),
    aboutSku(skuContract.deleteSku, (sku, context, { query }) => deleteSku(sku, query.force ?? false, context)),
  ],
}

/** Finds a SKU of a product; a SKU of another product is not found. */
function ownSku(path: { productId: string; skuId: string }, context: Context): StoredSku {
  const product = findOr404(products, path.productId, context)
  const sku = findOr404(skus, path.skuId, context)
  if (sku.product_id !== product.id) throw notFound('sku', path.skuId)
  return sku
}

function nestedSkus(product: StoredProduct, context: Context) {
  const data = context
    .in(skus)
    .all([is(skus, 'product_id', product.id)])
    .toSorted((a, b) => byText(a.created_at, b.created_at))
  return wholeList(data)
}

/** Deletes a product together with its SKUs. */
function deleteProduct(product: StoredProduct, force: boolean, context: Context): void {
  // ASSUMED A165: the SKUs of a deleted product are deleted the same way, each with its own entry in the bin.
  for (const sku of context.in(skus).all([is(skus, 'product_id', product.id)])) deleteSku(sku, force, context)
  const { id, name, source_id } = product
  if (force) context.in(products).remove(id)
  else moveToBin(products, { id, name: name ?? source_id ?? id }, context)
}

/** Deletes one SKU. */
function deleteSku(sku: StoredSku, force: boolean, context: Context): void {
  const { id, sku: name, source_id, product_id: parentId } = sku
  if (force) context.in(skus).remove(id)
  else moveToBin(skus, { id, name: name ?? source_id ?? id, parentId }, context)
}

// ASSUMED A164: `code` orders by name; type, campaign and category have no meaning here and order by created_at.
/** The order of products or SKUs, by default oldest first. */
function orderOf({ order = 'created_at' }: z.output<typeof catalogueListing.query>, nameField: string): string {
  const sign = order.startsWith('-') ? '-' : ''
  const field = order.slice(sign.length)
  if (field === 'code') return sign + nameField
  return sign + (field === 'updated_at' ? field : 'created_at')
}

// Products and SKUs, many at once: updates in bulk and CSV files.
// Source: docs/service/products.md#many-at-once.

// ASSUMED A1156: metadata updates create what they do not find, as the other bulk updates of products and customers do.
const { update, metadataUpdate } = sourcedUpdates('PRODUCTS', 'product', {
  declared: products,
  schema: bulk.bulkProduct,
  upsert: upsertProduct,
})

const productImport = rowWork<CsvRow, null>('PRODUCTS.IMPORT_CSV', 'product', {
  key: { name: 'source_id', of: ({ cells }) => cells.source_id },
  begin: (_, context) => {
    const metadataIn = metadataReader('product', context)
    return (row) => {
      const { name, source_id, attributes, image_url } = row.cells
      if (name === undefined) throw invalidPayload('Column name must not be empty')
      const before = source_id === undefined ? undefined : bySourceId(context.in(products), source_id)
      // Published: of products that exist, the file changes nothing but the name.
      if (before) updateProduct(before, { name }, context)
      else
        upsertProduct(
          {
            name,
            source_id,
            price: centsOf(row, 'price'),
            attributes: attributes?.split(',').map((one) => one.trim()),
            image_url,
            metadata: metadataIn(row),
          },
          context,
        )
      return undefined
    }
  },
})

const skuImport = rowWork<CsvRow, null>('SKUS.IMPORT_CSV', 'SKU', {
  key: { name: 'source_id', of: ({ cells }) => cells.source_id },
  begin: (_, context) => {
    const metadataIn = metadataReader('sku', context)
    return (row) => {
      const { source_id, product_id, sku, image_url } = row.cells
      if (source_id === undefined) throw invalidPayload('Column source_id must not be empty')
      if (product_id === undefined) throw invalidPayload('Column product_id must not be empty')
      const product = findOr404(products, product_id, context)
      const facts = { source_id, sku, image_url, price: centsOf(row, 'price'), attributes: attributesOf(row) }
      const given = Object.entries({ ...facts, metadata: metadataIn(row) }).filter(([, value]) => value !== undefined)
      upsertSku(product, checkBody(newSku, Object.fromEntries(given)), context)
      return undefined
    }
  },
})

/** Reads `{'size':'M'}`: JSON with single quotes, so that the cell needs no escaping. */
function attributesOf({ cells: { attributes } }: CsvRow): unknown {
  if (attributes === undefined) return undefined
  for (const text of [attributes, attributes.replaceAll("'", '"')])
    try {
      return readJson(text)
    } catch {
      // The other form is tried, then the row is refused.
    }
  throw invalidPayload("Column attributes must be an object such as {'size':'M'}")
}

/** Updates and imports of products and SKUs; each is an asynchronous action. */
export const productBulkResource: Resource = {
  jobs: Object.fromEntries([update, metadataUpdate, productImport, skuImport].map(({ kind, job }) => [kind, job])),
  routes: [
    route({ ...bulk.updateProducts, body: anyRows }, ({ body }, context) =>
      answerStarted(update.start(body ?? [], null, context)),
    ),
    route({ ...bulk.updateProductsMetadata, body: anyMetadata('source_ids') }, ({ body }, context) =>
      answerStarted(metadataUpdate.start(body?.source_ids ?? [], { metadata: body?.metadata ?? {} }, context)),
    ),
    {
      ...route(bulk.updateProductsNow, ({ body }, context) => update.now(body, null, context)),
      nulls: 'either',
    },
    route(bulk.updateProductsMetadataNow, ({ body: { source_ids, metadata } }, context) =>
      metadataUpdate.now(source_ids, { metadata }, context),
    ),
    route(bulk.importProducts, ({ body: { file } }, context) =>
      answerStarted(productImport.startCsv(file, bulk.productCsv, null, context), 200),
    ),
    route(bulk.importSkus, ({ body: { file } }, context) =>
      answerStarted(skuImport.startCsv(file, bulk.skuCsv, null, context), 200),
    ),
  ],
}
