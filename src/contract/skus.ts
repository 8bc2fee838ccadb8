// SKUs, the variants of a product.
// Source: docs/service/products.md#sku-fields; docs/service/products.md#list-skus; docs/service/products.md#calls.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { dateTime, emptyAnswer, metadata } from './fields.ts'
import { bothWays, byPage, filters, listing } from './listing.ts'

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

/** The fields by which listings of products and SKUs can be ordered; most of them mean nothing for either. */
export const catalogueOrder = bothWays('created_at', 'updated_at', 'type', 'code', 'campaign', 'category')

/** The query parameters of a listing of products or SKUs. */
export const catalogueListing = z.strictObject({
  ...byPage,
  order: catalogueOrder.optional(),
  start_date: dateTime.optional(),
  end_date: dateTime.optional(),
  filters: filters.optional(),
})

/** Lists the SKUs of a product, by product id or source id, oldest first by default. */
export const listSkus = endpoint('skus.list', {
  ...listing,
  call: 'GET /v1/products/{productId}/skus',
  query: catalogueListing,
  hasFixedQuery: true,
  paging: { style: 'page', lastPage: 100, dates: { created_at: 'dates', updated_at: 'filters' }, isOldestFirst: true },
  source: 'docs/service/products.md#list-skus',
  summary: 'List the SKUs of a product',
})

/** Reads one SKU, by id or source id. */
export const getSku = endpoint('skus.get', {
  call: 'GET /v1/skus/{skuId}',
  response: sku,
  source: 'docs/service/products.md#get-a-sku',
  summary: 'Get a SKU',
})

/** Reads one SKU below its product, as older clients do. */
export const getProductSku = endpoint('products.sku', {
  call: 'GET /v1/products/{productId}/skus/{skuId}',
  response: sku,
  source: 'docs/service/products.md#get-a-sku',
  summary: 'Get a SKU of a product (older call)',
})

/** Stores a SKU of a product; an existing one with the same id or source id is changed instead. */
export const createSku = endpoint('skus.create', {
  call: 'POST /v1/products/{productId}/skus',
  body: newSku,
  response: sku,
  repeat: 'reconcile',
  source: 'docs/service/products.md#create-a-sku',
  summary: 'Create a SKU',
})

/** Changes a SKU; omitted fields keep their values. */
export const updateSku = endpoint('skus.update', {
  call: 'PUT /v1/products/{productId}/skus/{skuId}',
  body: newSku.omit({ id: true, source_id: true }),
  response: sku,
  repeat: 'idempotent',
  source: 'docs/service/products.md#update-a-sku',
  summary: 'Update a SKU',
})

/** Moves a SKU to the bin, or with `force` removes it permanently. */
export const deleteSku = endpoint('skus.delete', {
  call: 'DELETE /v1/products/{productId}/skus/{skuId}',
  query: z.strictObject({ force: z.boolean().optional() }),
  response: emptyAnswer,
  repeat: 'idempotent',
  source: 'docs/service/products.md#delete-a-sku',
  summary: 'Delete a SKU',
})
