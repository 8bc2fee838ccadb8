// Calls about many objects at once: updates in bulk and imports. Each is answered with a background job that does the work.
// Source: docs/service/async-actions.md#triggers; docs/service/async-actions.md#csv-imports.
import { z } from 'zod'
import { startedAction } from './async-actions.ts'
import { customer } from './customer.ts'
import { endpoint, type Repeat } from './endpoint.ts'
import { metadata } from './fields.ts'
import { newCampaignVoucher } from './new-campaign.ts'
import { newVoucher } from './new-voucher.ts'
import { newOrder } from './orders.ts'
import { newProduct } from './products.ts'

const sourceId = z.string().min(1)
const triggers = 'docs/service/async-actions.md#triggers'
const csvImports = 'docs/service/async-actions.md#csv-imports'

/** A product of an update in bulk; one that does not exist is created. */
export const bulkProduct = newProduct.extend({ source_id: sourceId })

/** A customer of an update in bulk; one that does not exist is created. */
export const bulkCustomer = customer.extend({ source_id: sourceId })

/** A voucher of an update in bulk; only its metadata changes. */
export const bulkVoucher = z.strictObject({ code: z.string().min(1), metadata })

/** A voucher to import. */
export const importedVoucher = newVoucher.extend({ code: z.string().min(1) })

/** A code to import into a campaign, with what differs from the campaign. */
export const importedCode = newCampaignVoucher
  .unwrap()
  .omit({ code_config: true })
  .extend({ code: z.string().min(1) })

const names = z.array(z.string()).min(1)

function metadataOf<Key extends 'source_ids' | 'codes'>(key: Key, named = names) {
  return z.strictObject({ ...({ [key]: named } as Record<Key, typeof named>), metadata })
}

/** Declares a call that starts a background job. */
function inBackground<const Path extends string, Body extends z.ZodType>(
  id: string,
  path: Path,
  body: Body,
  summary: string,
  repeat: Repeat = 'idempotent',
  source = triggers,
) {
  return endpoint(id, { call: `POST ${path}`, body, response: startedAction, repeat, source, summary })
}

const csvFile = z.strictObject({ file: z.string() })

/** Declares the import of a CSV file. */
function csvImport<const Path extends string, Body extends z.ZodType>(
  id: string,
  path: Path,
  body: Body,
  summary: string,
  repeat?: Repeat,
) {
  return { ...inBackground(id, path, body, summary, repeat, csvImports), encoding: 'multipart' as const }
}

// ASSUMED A1267: older calls work on at most 100 rows at once, like a page of a listing.
const rowsAtOnce = 100

/** What became of each row of an older call, in the order of the request. */
const updatedRows = z.array(z.looseObject({ found: z.boolean(), updated: z.boolean() }))

/** Declares an older call, which works on its rows before it answers. */
function atOnce<const Path extends string, Body extends z.ZodType>(
  id: string,
  path: Path,
  body: Body,
  summary: string,
) {
  const source = 'docs/service/async-actions.md#older-calls'
  return endpoint(id, { call: `POST ${path}`, body, response: updatedRows, repeat: 'idempotent', source, summary })
}

/** Changes a few products, or creates them, before it answers. */
export const updateProductsNow = atOnce(
  'products.bulk.now',
  '/v1/products/bulk',
  z.array(bulkProduct).min(1).max(rowsAtOnce),
  'Update products at once (older call)',
)

/** Adds the same metadata to a few products before it answers. */
export const updateProductsMetadataNow = atOnce(
  'products.bulk.metadata-now',
  '/v1/products/metadata',
  metadataOf('source_ids', names.max(rowsAtOnce)),
  'Update the metadata of products at once (older call)',
)

/** Changes the metadata of a few vouchers before it answers. */
export const updateVouchersNow = atOnce(
  'vouchers.bulk.now',
  '/v1/vouchers/bulk',
  z.array(bulkVoucher).min(1).max(rowsAtOnce),
  'Update vouchers at once (older call)',
)

/** Adds the same metadata to a few vouchers before it answers. */
export const updateVouchersMetadataNow = atOnce(
  'vouchers.bulk.metadata-now',
  '/v1/vouchers/metadata',
  metadataOf('codes', names.max(rowsAtOnce)),
  'Update the metadata of vouchers at once (older call)',
)

/** Changes many products, or creates them. */
export const updateProducts = inBackground(
  'products.bulk.update',
  '/v1/products/bulk/async',
  z.array(bulkProduct).min(1),
  'Update products in bulk',
)

/** Adds the same metadata to many products. */
export const updateProductsMetadata = inBackground(
  'products.bulk.metadata',
  '/v1/products/metadata/async',
  metadataOf('source_ids'),
  'Update the metadata of products in bulk',
)

/** Imports products from a CSV file. */
export const importProducts = csvImport(
  'products.import',
  '/v1/products/importCSV',
  csvFile,
  'Import products from a CSV file',
  'once',
)

/** Imports SKUs from a CSV file. */
export const importSkus = csvImport('skus.import', '/v1/skus/importCSV', csvFile, 'Import SKUs from a CSV file')

/** Changes many customers, or creates them. */
export const updateCustomers = inBackground(
  'customers.bulk.update',
  '/v1/customers/bulk/async',
  z.array(bulkCustomer).min(1),
  'Update customers in bulk',
)

/** Adds the same metadata to many customers. */
export const updateCustomersMetadata = inBackground(
  'customers.bulk.metadata',
  '/v1/customers/metadata/async',
  metadataOf('source_ids'),
  'Update the metadata of customers in bulk',
)

/** Imports customers from a CSV file. */
export const importCustomers = csvImport(
  'customers.import',
  '/v1/customers/importCSV',
  csvFile,
  'Import customers from a CSV file',
  'once',
)

/** Changes the metadata of many vouchers, each its own; unknown codes are not created. */
export const updateVouchers = inBackground(
  'vouchers.bulk.update',
  '/v1/vouchers/bulk/async',
  z.array(bulkVoucher).min(1),
  'Update vouchers in bulk',
)

/** Adds the same metadata to many vouchers; unknown codes are not created. */
export const updateVouchersMetadata = inBackground(
  'vouchers.bulk.metadata',
  '/v1/vouchers/metadata/async',
  metadataOf('codes'),
  'Update the metadata of vouchers in bulk',
)

/** Imports vouchers; a code that is taken fails alone. */
export const importVouchers = inBackground(
  'vouchers.import',
  '/v1/vouchers/import',
  z.array(importedVoucher).min(1),
  'Import vouchers',
)

/** Imports vouchers from a CSV file; a code that is taken is changed. */
export const importVouchersCsv = csvImport(
  'vouchers.import-csv',
  '/v1/vouchers/importCSV',
  csvFile.extend({ webhooks_enable: z.enum(['true', 'false']).optional() }),
  'Import vouchers from a CSV file',
)

/** Imports codes into a campaign. */
export const importCampaignVouchers = inBackground(
  'campaigns.vouchers.import',
  '/v1/campaigns/{campaignId}/import',
  z.array(importedCode).min(1),
  'Import vouchers into a campaign',
  'key',
)

/** Imports codes into a campaign from a CSV file. */
export const importCampaignVouchersCsv = csvImport(
  'campaigns.vouchers.import-csv',
  '/v1/campaigns/{campaignId}/importCSV',
  csvFile,
  'Import vouchers into a campaign from a CSV file',
)

/** Imports orders, as history. */
export const importOrders = inBackground(
  'orders.import',
  '/v1/orders/import',
  z.array(newOrder).min(1),
  'Import orders',
  'once',
  'docs/service/orders.md#import',
)
