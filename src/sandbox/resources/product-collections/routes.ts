// The product collection calls. Source: docs/service/products.md#product-collections.
import * as contract from '../../../contract/product-collections.ts'
import type { Resource } from '../../http/resource.ts'
import { noContent, ok, route } from '../../http/route.ts'
import { existingById } from '../existing.ts'
import { pageAnswer } from '../listing.ts'
import {
  buildProductCollection,
  deleteProductCollection,
  loadProductCollection,
  updateProductCollection,
} from './lifecycle.ts'
import { membersOf } from './members.ts'
import { productCollections } from './store.ts'

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
    route(contract.getProductCollection, ({ path }, context) =>
      ok(existingById(productCollections, path.productCollectionId, context)),
    ),
    route(contract.listCollectedProducts, ({ path, query }, context) => {
      const { items, total } = membersOf(
        existingById(productCollections, path.productCollectionId, context),
        query,
        context,
      )
      return ok({ object: 'list', data_ref: 'data', data: items, total })
    }),
    route(contract.updateProductCollection, ({ path, body }, context) => {
      const collection = existingById(productCollections, path.productCollectionId, context)
      return ok(updateProductCollection(collection, body, context))
    }),
    route(contract.deleteProductCollection, ({ path }, context) => {
      deleteProductCollection(existingById(productCollections, path.productCollectionId, context), context)
      return noContent()
    }),
  ],
}
