// The product and SKU calls. Source: docs/service/products.md#list-skus; docs/service/products.md#calls.
import { byText } from '../../../base/list.ts'
import * as contract from '../../../contract/products.ts'
import * as skuContract from '../../../contract/skus.ts'
import { notFound } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { type Context, noContent, ok, route } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { existing } from '../existing.ts'
import { wholeList } from '../listing.ts'
import { deleteProduct, deleteSku } from './delete.ts'
import { cataloguePage } from './list.ts'
import { type StoredSku, skus } from './sku-store.ts'
import { products, type StoredProduct } from './store.ts'
import { loadProduct, loadSku, updateProduct, updateSku, upsertProduct, upsertSku } from './upsert.ts'

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
    route(contract.getProduct, ({ path, query }, context) => {
      const product = existing(products, path.productId, context)
      // ASSUMED A166: the nested list has all SKUs, oldest first; only this call has it, for a product that has any.
      const nested = query.hide === 'sku' ? wholeList([]) : nestedSkus(product, context)
      return ok(nested.total === 0 ? product : { ...product, skus: nested })
    }),
    route(contract.updateProduct, ({ path, body }, context) =>
      ok(updateProduct(existing(products, path.productId, context), body, context)),
    ),
    route(contract.deleteProduct, ({ path, query }, context) => {
      deleteProduct(existing(products, path.productId, context), query.force ?? false, context)
      return noContent()
    }),
  ],
}

/** SKUs, by id or source id, most calls below their product. */
export const skuResource: Resource = {
  collections: [skus],
  load: { skus: loadSku },
  routes: [
    route(skuContract.listSkus, ({ path, query }, context) => {
      const own = is(skus, 'product_id', existing(products, path.productId, context).id)
      const { items, total } = cataloguePage(skus, 'sku', query, [own], context)
      return ok({ object: 'list', data_ref: 'skus', skus: items, total })
    }),
    route(skuContract.createSku, ({ path, body }, context) =>
      ok(upsertSku(existing(products, path.productId, context), body, context)),
    ),
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
