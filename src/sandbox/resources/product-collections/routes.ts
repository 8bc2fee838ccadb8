// The product collection calls. Source: docs/service/products.md#product-collections.
import * as contract from '../../../contract/product-collections.ts'
import { notFound } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { type Context, noContent, ok, route } from '../../http/route.ts'
import { buildProductCollection, deleteProductCollection, loadProductCollection } from './lifecycle.ts'
import { membersOf } from './members.ts'
import { productCollections, type StoredProductCollection } from './store.ts'

/** Product collections, by id. */
export const productCollectionResource: Resource = {
  collections: [productCollections],
  load: { product_collections: loadProductCollection },
  routes: [
    route(contract.listProductCollections, ({ query }, context) => {
      // ASSUMED A181: collections are listed newest first, and their content oldest first.
      const { order = '-created_at', limit = 10, page = 1 } = query
      const { items, total } = context.in(productCollections).page([], order, limit, page)
      return ok({ object: 'list', data_ref: 'data', data: items, total })
    }),
    route(contract.createProductCollection, ({ body }, context) => {
      const collection = buildProductCollection(body, context)
      context.in(productCollections).insert(collection)
      return ok(collection)
    }),
    route(contract.getProductCollection, ({ path }, context) => ok(known(path.productCollectionId, context))),
    route(contract.listCollectedProducts, ({ path, query }, context) => {
      const { items, total } = membersOf(known(path.productCollectionId, context), query, context)
      return ok({ object: 'list', data_ref: 'data', data: items, total })
    }),
    route(contract.deleteProductCollection, ({ path }, context) => {
      deleteProductCollection(known(path.productCollectionId, context), context)
      return noContent()
    }),
  ],
}

function known(id: string, context: Context): StoredProductCollection {
  const collection = context.in(productCollections).get(id)
  if (!collection) throw notFound('products_collection', id)
  return collection
}
