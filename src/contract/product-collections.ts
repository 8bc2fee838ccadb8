// Product collections: products listed by hand or found by a filter.
// Source: docs/service/products.md#product-collections.
import { z } from 'zod'
import { callsAbout, filters, pagesBy } from './calls-about.ts'

/** A collection to create: `STATIC` has `products`, `AUTO_UPDATE` a `filter`. */
export const newProductCollection = z.strictObject({
  name: z.string().min(1),
  type: z.enum(['STATIC', 'AUTO_UPDATE']),
  filter: filters.optional(),
  products: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        product_id: z.string().min(1).optional(),
        object: z.enum(['product', 'sku']),
      }),
    )
    .optional(),
})

/** A collection as the service returns it. */
export const productCollection = z.looseObject({ id: z.string(), name: z.string().optional() })

const calls = callsAbout('product-collections', '/v1/product-collections/{productCollectionId}', {
  response: productCollection,
  source: 'docs/service/products.md#product-collections',
})

export const listProductCollections = calls.list(
  pagesBy('created_at', 'updated_at', 'name'),
  'List product collections',
)

export const getProductCollection = calls.get('Get a product collection')
export const listCollectedProducts = calls.listOf(
  'products',
  pagesBy('created_at', 'updated_at'),
  'List the products of a collection',
)

export const createProductCollection = calls.create(
  newProductCollection,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listProductCollections } } },
  'Create a product collection',
)

/** Renames a collection; one of type `AUTO_UPDATE` may get another filter. */
export const updateProductCollection = calls.update(
  newProductCollection.pick({ name: true, filter: true }).partial(),
  'Update a product collection',
)

/** Removes a collection that no rule uses; its products remain. */
export const deleteProductCollection = calls.delete('Delete a product collection')
