// Products, SKUs and collections as answered. Source: docs/service/products.md#calls.
import { z } from 'zod'
import { count, instant, listOf, maybeInstant, maybeText, metadata, namedForm, storedForm, text } from './form.ts'

/** A variant of a product. */
export const sku = storedForm('Sku', 'sku', {
  source_id: maybeText,
  product_id: text,
  sku: maybeText,
  price: count.nullish(),
  currency: maybeText,
  attributes: z.record(text, z.unknown()).nullish(),
  image_url: maybeText,
  metadata,
})

/** A product; with its SKUs where it is read alone. */
export const product = namedForm('Product', {
  id: text,
  source_id: maybeText,
  object: z.literal('product'),
  name: maybeText,
  price: count.nullish(),
  attributes: z.array(text).nullish(),
  metadata,
  image_url: maybeText,
  created_at: instant,
  updated_at: maybeInstant,
  skus: listOf('data', sku).optional(),
})

/** Products and SKUs, listed or found by a filter. */
export const productCollection = storedForm('ProductCollection', 'products_collection', {
  name: text,
  type: z.enum(['STATIC', 'AUTO_UPDATE']),
  filter: z.record(text, z.unknown()).nullish(),
  products: z.array(z.object({ id: text, product_id: maybeText, object: z.enum(['product', 'sku']) })).nullish(),
})
