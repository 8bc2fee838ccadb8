// The product and SKU calls.
// Source: docs/service/products.md#list-skus; docs/service/products.md#calls; docs/service/products.md#delete-a-product.
import type { z } from 'zod'
import { byText } from '../../../base/list.ts'
import * as contract from '../../../contract/products.ts'
import type { catalogueListing } from '../../../contract/skus.ts'
import * as skuContract from '../../../contract/skus.ts'
import { notFound } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { type Context, noContent, ok, route, wholeList } from '../../http/route.ts'
import type { Collection, Stored } from '../../storage/collection.ts'
import { type Condition, is, isBetween } from '../../storage/conditions.ts'
import { compileFilters } from '../../storage/filters.ts'
import type { Page } from '../../storage/table.ts'
import { existing, routesAbout } from '../existing.ts'
import { binEntries, moveToBin } from '../trash-bin/store.ts'
import { products, type StoredProduct, type StoredSku, skus } from './store.ts'
import { loadProduct, loadSku, updateProduct, updateSku, upsertProduct, upsertSku } from './upsert.ts'

const about = routesAbout('productId', (id, context) => existing(products, id, context))

/** Products, by id or source id. */
export const productResource: Resource = {
  collections: [products],
  load: { products: loadProduct },
  routes: [
    route(contract.listProducts, ({ query }, context) => {
      const { items, total } = cataloguePage(products, 'name', query, [], context)
      return ok({ object: 'list', data_ref: 'products', products: items, total })
    }),
    route(contract.createProduct, ({ body }, context) => ok(upsertProduct(body, context))),
    about(contract.getProduct, (product, context, { query }) => {
      // ASSUMED A166: the nested list has all SKUs, oldest first; only this call has it, for a product that has any.
      const nested = query.hide === 'sku' ? wholeList([]) : nestedSkus(product, context)
      return ok(nested.total === 0 ? product : { ...product, skus: nested })
    }),
    about(contract.updateProduct, (product, context, { body }) => ok(updateProduct(product, body, context))),
    about(contract.deleteProduct, (product, context, { query }) =>
      deleteProduct(product, query.force ?? false, context),
    ),
  ],
}

/** SKUs, by id or source id, most calls below their product. */
export const skuResource: Resource = {
  collections: [skus],
  load: { skus: loadSku },
  routes: [
    about(skuContract.listSkus, (product, context, { query }) => {
      const own = is(skus, 'product_id', product.id)
      const { items, total } = cataloguePage(skus, 'sku', query, [own], context)
      return ok({ object: 'list', data_ref: 'skus', skus: items, total })
    }),
    about(skuContract.createSku, (product, context, { body }) => ok(upsertSku(product, body, context))),
    route(skuContract.getSku, ({ path }, context) => ok(existing(skus, path.skuId, context))),
    route(skuContract.getProductSku, ({ path }, context) => ok(ownSku(path, context))),
    route(skuContract.updateSku, ({ path, body }, context) => ok(updateSku(ownSku(path, context), body, context))),
    route(skuContract.deleteSku, ({ path, query }, context) => {
      deleteSku(ownSku(path, context), query.force ?? false, context)
      return noContent()
    }),
  ],
}

/** Finds a SKU of a product; a SKU of another product is not found. */
function ownSku(path: { productId: string; skuId: string }, context: Context): StoredSku {
  const product = existing(products, path.productId, context)
  const sku = existing(skus, path.skuId, context)
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
  if (force) context.in(products).remove(product.id)
  else {
    const table = context.in(products)
    const name = product.name ?? product.source_id ?? product.id
    moveToBin({ declared: products, table, id: product.id, name }, context.in(binEntries), entry(context))
  }
}

/** Deletes one SKU. */
function deleteSku(sku: StoredSku, force: boolean, context: Context): void {
  const table = context.in(skus)
  if (force) {
    table.remove(sku.id)
    return
  }
  const name = sku.sku ?? sku.source_id ?? sku.id
  moveToBin(
    { declared: skus, table, id: sku.id, name, parentId: sku.product_id },
    context.in(binEntries),
    entry(context),
  )
}

function entry(context: Context) {
  return { id: context.id(binEntries.prefix), now: context.now }
}

type Query = z.output<typeof catalogueListing.query>

/** Lists products or SKUs, by default oldest first. `nameField` is the field of the order `code`. Throws BadFilter. */
function cataloguePage<Doc extends Stored>(
  declared: Collection<Doc>,
  nameField: string,
  query: Query,
  where: readonly Condition[],
  context: Pick<Context, 'in' | 'now'>,
): Page<Doc> {
  const { limit = 10, page = 1, order = 'created_at', start_date, end_date, filters } = query
  const conditions = [
    ...where,
    // ASSUMED A163: start_date and end_date bound created_at, both included; a bare date is its first instant in UTC.
    isBetween(declared, 'created_at', instantOf(start_date), instantOf(end_date)),
    ...(filters ? [compileFilters(declared, filters, context.now)] : []),
  ]
  return context.in(declared).page(conditions, orderOf(order, nameField), limit, page)
}

// ASSUMED A164: `code` orders by name; type, campaign and category have no meaning here and order by created_at.
function orderOf(order: NonNullable<Query['order']>, nameField: string): string {
  const sign = order.startsWith('-') ? '-' : ''
  const field = order.slice(sign.length)
  if (field === 'code') return sign + nameField
  return sign + (field === 'updated_at' ? field : 'created_at')
}

function instantOf(given: string | undefined): string | undefined {
  return given === undefined ? undefined : new Date(given).toISOString()
}
