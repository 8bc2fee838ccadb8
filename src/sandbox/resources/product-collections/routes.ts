// The product collection calls. Source: docs/service/products.md#product-collections.
import * as contract from '../../../contract/product-collections.ts'
import type { Resource } from '../../http/resource.ts'
import { ok, pageAnswer, route } from '../../http/route.ts'
import { existingById, routesAbout } from '../existing.ts'
import {
  buildProductCollection,
  deleteProductCollection,
  loadProductCollection,
  updateProductCollection,
} from './lifecycle.ts'
import { membersOf } from './members.ts'
import { productCollections } from './store.ts'

const about = routesAbout('productCollectionId', (id, context) => existingById(productCollections, id, context))

/** Product collections, by id. */
export const productCollectionResource: Resource = {
  collections: [productCollections],
  load: { product_collections: loadProductCollection },
  routes: [
    // ASSUMED A181: collections are listed newest first, and their content oldest first.
    route(contract.listProductCollections, ({ query }, context) => pageAnswer(productCollections, query, context)),
    route(contract.createProductCollection, ({ body }, context) => {
      const collection = buildProductCollection(body, context)
      context.in(productCollections).insert(collection)
      return ok(collection)
    }),
    about(contract.getProductCollection, (collection) => ok(collection)),
    about(contract.listCollectedProducts, (collection, context, { query }) => {
      const { items, total } = membersOf(collection, query, context)
      return ok({ object: 'list', data_ref: 'data', data: items, total })
    }),
    about(contract.updateProductCollection, (collection, context, { body }) => {
      return ok(updateProductCollection(collection, body, context))
    }),
    about(contract.deleteProductCollection, deleteProductCollection),
  ],
}
