// Products. Their variants are skus.ts. Source: docs/service/products.md#calls.
import { z } from 'zod'
import { callsAbout } from './calls-about.ts'
import { forcible, metadata } from './fields.ts'
import { catalogueListing } from './skus.ts'

/** A product to store. `price` is in the smallest currency unit; `attributes` names those in which its SKUs differ. */
export const newProduct = z.strictObject({
  id: z.string().min(1).nullish(),
  source_id: z.string().min(1).nullish(),
  name: z.string().nullish(),
  price: z.int().nullish(),
  attributes: z.array(z.string()).nullish(),
  image_url: z.string().nullish(),
  metadata: metadata.nullish(),
})

/** A product as the service returns it. */
export const product = z.looseObject({ id: z.string(), object: z.literal('product') })

const calls = callsAbout('products', '/v1/products/{productId}', {
  response: product,
  source: 'docs/service/products.md',
})

/** Lists products, oldest first by default. */
export const listProducts = calls.list(catalogueListing, 'List products', 'list-products')

/** Reads one product with its SKUs, by id or source id. */
export const getProduct = calls.get('Get a product', 'get-a-product', {
  query: z.strictObject({ hide: z.enum(['sku']).optional() }),
})

/** Stores a product; an existing one with the same id or source id is changed instead. */
export const createProduct = calls.create(
  newProduct,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listProducts } } },
  'Create a product',
  'create-a-product',
)

/** Changes a product; omitted fields keep their values. */
export const updateProduct = calls.update(
  newProduct.omit({ id: true, source_id: true }),
  'Update a product',
  'update-a-product',
)

/** Moves a product to the bin, or with `force` removes it permanently. */
export const deleteProduct = calls.delete('Delete a product', 'delete-a-product', forcible)
