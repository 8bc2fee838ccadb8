// SKUs, the variants of a product.
// Source: docs/service/products.md#sku-fields; docs/service/products.md#list-skus; docs/service/products.md#calls.
import { z } from 'zod'
import { bothWays, byPage, callsAbout, filters, listing, pages } from './calls-about.ts'
import { endpoint } from './endpoint.ts'
import { dateTime, forcible, metadata } from './fields.ts'

/** A SKU to store. `price` is in the smallest currency unit. */
export const newSku = z.strictObject({
  id: z.string().min(1).nullish(),
  source_id: z.string().min(1).nullish(),
  sku: z.string().nullish(),
  price: z.int().nullish(),
  currency: z.string().nullish(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
  image_url: z.string().nullish(),
  metadata: metadata.nullish(),
})

/** A SKU as the service returns it. */
export const sku = z.looseObject({ id: z.string(), object: z.literal('sku') })

/** What listings of products and SKUs have in common. */
export const catalogueListing = {
  ...listing,
  query: z.strictObject({
    ...byPage,
    // Most of these mean nothing for either.
    order: bothWays('created_at', 'updated_at', 'type', 'code', 'campaign', 'category').optional(),
    start_date: dateTime.optional(),
    end_date: dateTime.optional(),
    filters: filters.optional(),
  }),
  paging: pages(100, { dates: { created_at: 'dates', updated_at: 'filters' }, isOldestFirst: true }),
} as const

const calls = callsAbout('skus', '/v1/products/{productId}/skus/{skuId}', {
  response: sku,
  source: 'docs/service/products.md',
})

/** Lists the SKUs of a product, by product id or source id, oldest first by default. */
export const listSkus = calls.list(
  { ...catalogueListing, hasFixedQuery: true },
  'List the SKUs of a product',
  'list-skus',
)

/** Reads one SKU, by id or source id. */
export const getSku = endpoint('skus.get', 'Get a SKU', {
  call: 'GET /v1/skus/{skuId}',
  response: sku,
  source: 'docs/service/products.md#get-a-sku',
})

/** Reads one SKU below its product, as older clients do. */
export const getProductSku = endpoint('products.sku', 'Get a SKU of a product (older call)', {
  call: 'GET /v1/products/{productId}/skus/{skuId}',
  response: sku,
  source: 'docs/service/products.md#get-a-sku',
})

/** Stores a SKU of a product; an existing one with the same id or source id is changed instead. */
export const createSku = calls.create(
  newSku,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listSkus } } },
  'Create a SKU',
  'create-a-sku',
)

/** Changes a SKU; omitted fields keep their values. */
export const updateSku = calls.update(newSku.omit({ id: true, source_id: true }), 'Update a SKU', 'update-a-sku')

/** Moves a SKU to the bin, or with `force` removes it permanently. */
export const deleteSku = calls.delete('Delete a SKU', 'delete-a-sku', forcible)
