// Products and SKUs, many at once: updates in bulk and CSV files.
// Source: docs/service/products.md#many-at-once.
import { readJson } from '../../base/nesting.ts'
import * as contract from '../../contract/bulk.ts'
import { newSku } from '../../contract/skus.ts'
import { findOr404 } from '../answers/existing.ts'
import { checkBody } from '../http/check-input.ts'
import { invalidPayload } from '../http/refusal.ts'
import { type Resource, route } from '../http/route.ts'
import type { CsvRow } from '../resources/async-actions/csv.ts'
import { answerStarted } from '../resources/async-actions/progress.ts'
import { rowWork, sourcedUpdates } from '../resources/async-actions/row-work.ts'
import { anyMetadata, anyRows, centsOf, metadataReader } from '../resources/async-actions/rows.ts'
import { updateProduct, upsertProduct, upsertSku } from '../resources/products/upsert.ts'
import { bySourceId } from '../resources/source-ids.ts'
import { products } from '../stores/products.ts'

// ASSUMED A1156: metadata updates create what they do not find, as the other bulk updates of products and customers do.
const { update, metadataUpdate } = sourcedUpdates('PRODUCTS', 'product', {
  declared: products,
  schema: contract.bulkProduct,
  upsert: upsertProduct,
})

const productImport = rowWork<CsvRow, null>('PRODUCTS.IMPORT_CSV', 'product', {
  key: { name: 'source_id', of: ({ cells }) => cells.source_id },
  begin: (_, context) => {
    const metadataIn = metadataReader('product', context)
    return (row) => {
      const { name, source_id, attributes, image_url } = row.cells
      if (name === undefined) throw invalidPayload('Column name must not be empty')
      const before = source_id === undefined ? undefined : bySourceId(context.in(products), source_id)
      // Published: of products that exist, the file changes nothing but the name.
      if (before) updateProduct(before, { name }, context)
      else
        upsertProduct(
          {
            name,
            source_id,
            price: centsOf(row, 'price'),
            attributes: attributes?.split(',').map((one) => one.trim()),
            image_url,
            metadata: metadataIn(row),
          },
          context,
        )
      return undefined
    }
  },
})

const skuImport = rowWork<CsvRow, null>('SKUS.IMPORT_CSV', 'SKU', {
  key: { name: 'source_id', of: ({ cells }) => cells.source_id },
  begin: (_, context) => {
    const metadataIn = metadataReader('sku', context)
    return (row) => {
      const { source_id, product_id, sku, image_url } = row.cells
      if (source_id === undefined) throw invalidPayload('Column source_id must not be empty')
      if (product_id === undefined) throw invalidPayload('Column product_id must not be empty')
      const product = findOr404(products, product_id, context)
      const facts = { source_id, sku, image_url, price: centsOf(row, 'price'), attributes: attributesOf(row) }
      const given = Object.entries({ ...facts, metadata: metadataIn(row) }).filter(([, value]) => value !== undefined)
      upsertSku(product, checkBody(newSku, Object.fromEntries(given)), context)
      return undefined
    }
  },
})

/** Reads `{'size':'M'}`: JSON with single quotes, so that the cell needs no escaping. */
function attributesOf({ cells: { attributes } }: CsvRow): unknown {
  if (attributes === undefined) return undefined
  for (const text of [attributes, attributes.replaceAll("'", '"')])
    try {
      return readJson(text)
    } catch {
      // The other form is tried, then the row is refused.
    }
  throw invalidPayload("Column attributes must be an object such as {'size':'M'}")
}

/** Updates and imports of products and SKUs; each is an asynchronous action. */
export const productBulkResource: Resource = {
  jobs: Object.fromEntries([update, metadataUpdate, productImport, skuImport].map(({ kind, job }) => [kind, job])),
  routes: [
    route({ ...contract.updateProducts, body: anyRows }, ({ body }, context) =>
      answerStarted(update.start(body ?? [], null, context)),
    ),
    route({ ...contract.updateProductsMetadata, body: anyMetadata('source_ids') }, ({ body }, context) =>
      answerStarted(metadataUpdate.start(body?.source_ids ?? [], { metadata: body?.metadata ?? {} }, context)),
    ),
    {
      ...route(contract.updateProductsNow, ({ body }, context) => update.now(body, null, context)),
      nulls: 'either',
    },
    route(contract.updateProductsMetadataNow, ({ body: { source_ids, metadata } }, context) =>
      metadataUpdate.now(source_ids, { metadata }, context),
    ),
    route(contract.importProducts, ({ body: { file } }, context) =>
      answerStarted(productImport.startCsv(file, contract.productCsv, null, context), 200),
    ),
    route(contract.importSkus, ({ body: { file } }, context) =>
      answerStarted(skuImport.startCsv(file, contract.skuCsv, null, context), 200),
    ),
  ],
}
