// Calls about many objects at once: updates in bulk and imports. Each is answered with a background job that does the work.
// Source: docs/service/async-actions.md#triggers; docs/service/async-actions.md#csv-imports.
import { z } from 'zod'
import { startedAction } from './async-actions.ts'
import { customer } from './customer.ts'
import { endpoint } from './endpoint.ts'
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

const csvFile = z.strictObject({ file: z.string() })

// ASSUMED A1267: older calls work on at most 100 rows at once, like a page of a listing.
const rowsAtOnce = 100

/** What became of each row of an older call, in the order of the request. */
const updatedRows = z.array(z.looseObject({ found: z.boolean(), updated: z.boolean() }))

const olderCalls = 'docs/service/async-actions.md#older-calls'

/** Changes a few products, or creates them, before it answers. */
export const updateProductsNow = endpoint({
  id: 'products.bulk.now',
  method: 'POST',
  path: '/v1/products/bulk',
  body: z.array(bulkProduct).min(1).max(rowsAtOnce),
  response: updatedRows,
  repeat: 'idempotent',
  source: olderCalls,
  summary: 'Update products at once (older call)',
})

/** Adds the same metadata to a few products before it answers. */
export const updateProductsMetadataNow = endpoint({
  id: 'products.bulk.metadata-now',
  method: 'POST',
  path: '/v1/products/metadata',
  body: metadataOf('source_ids', names.max(rowsAtOnce)),
  response: updatedRows,
  repeat: 'idempotent',
  source: olderCalls,
  summary: 'Update the metadata of products at once (older call)',
})

/** Changes the metadata of a few vouchers before it answers. */
export const updateVouchersNow = endpoint({
  id: 'vouchers.bulk.now',
  method: 'POST',
  path: '/v1/vouchers/bulk',
  body: z.array(bulkVoucher).min(1).max(rowsAtOnce),
  response: updatedRows,
  repeat: 'idempotent',
  source: olderCalls,
  summary: 'Update vouchers at once (older call)',
})

/** Adds the same metadata to a few vouchers before it answers. */
export const updateVouchersMetadataNow = endpoint({
  id: 'vouchers.bulk.metadata-now',
  method: 'POST',
  path: '/v1/vouchers/metadata',
  body: metadataOf('codes', names.max(rowsAtOnce)),
  response: updatedRows,
  repeat: 'idempotent',
  source: olderCalls,
  summary: 'Update the metadata of vouchers at once (older call)',
})

/** Changes many products, or creates them. */
export const updateProducts = endpoint({
  id: 'products.bulk.update',
  method: 'POST',
  path: '/v1/products/bulk/async',
  body: z.array(bulkProduct).min(1),
  response: startedAction,
  repeat: 'idempotent',
  source: triggers,
  summary: 'Update products in bulk',
})

/** Adds the same metadata to many products. */
export const updateProductsMetadata = endpoint({
  id: 'products.bulk.metadata',
  method: 'POST',
  path: '/v1/products/metadata/async',
  body: metadataOf('source_ids'),
  response: startedAction,
  repeat: 'idempotent',
  source: triggers,
  summary: 'Update the metadata of products in bulk',
})

/** Imports products from a CSV file. */
export const importProducts = endpoint({
  id: 'products.import',
  method: 'POST',
  path: '/v1/products/importCSV',
  encoding: 'multipart',
  body: csvFile,
  response: startedAction,
  repeat: 'once',
  source: csvImports,
  summary: 'Import products from a CSV file',
})

/** Imports SKUs from a CSV file. */
export const importSkus = endpoint({
  id: 'skus.import',
  method: 'POST',
  path: '/v1/skus/importCSV',
  encoding: 'multipart',
  body: csvFile,
  response: startedAction,
  repeat: 'idempotent',
  source: csvImports,
  summary: 'Import SKUs from a CSV file',
})

/** Changes many customers, or creates them. */
export const updateCustomers = endpoint({
  id: 'customers.bulk.update',
  method: 'POST',
  path: '/v1/customers/bulk/async',
  body: z.array(bulkCustomer).min(1),
  response: startedAction,
  repeat: 'idempotent',
  source: triggers,
  summary: 'Update customers in bulk',
})

/** Adds the same metadata to many customers. */
export const updateCustomersMetadata = endpoint({
  id: 'customers.bulk.metadata',
  method: 'POST',
  path: '/v1/customers/metadata/async',
  body: metadataOf('source_ids'),
  response: startedAction,
  repeat: 'idempotent',
  source: triggers,
  summary: 'Update the metadata of customers in bulk',
})

/** Imports customers from a CSV file. */
export const importCustomers = endpoint({
  id: 'customers.import',
  method: 'POST',
  path: '/v1/customers/importCSV',
  encoding: 'multipart',
  body: csvFile,
  response: startedAction,
  repeat: 'once',
  source: csvImports,
  summary: 'Import customers from a CSV file',
})

/** Changes the metadata of many vouchers, each its own; unknown codes are not created. */
export const updateVouchers = endpoint({
  id: 'vouchers.bulk.update',
  method: 'POST',
  path: '/v1/vouchers/bulk/async',
  body: z.array(bulkVoucher).min(1),
  response: startedAction,
  repeat: 'idempotent',
  source: triggers,
  summary: 'Update vouchers in bulk',
})

/** Adds the same metadata to many vouchers; unknown codes are not created. */
export const updateVouchersMetadata = endpoint({
  id: 'vouchers.bulk.metadata',
  method: 'POST',
  path: '/v1/vouchers/metadata/async',
  body: metadataOf('codes'),
  response: startedAction,
  repeat: 'idempotent',
  source: triggers,
  summary: 'Update the metadata of vouchers in bulk',
})

/** Imports vouchers; a code that is taken fails alone. */
export const importVouchers = endpoint({
  id: 'vouchers.import',
  method: 'POST',
  path: '/v1/vouchers/import',
  body: z.array(importedVoucher).min(1),
  response: startedAction,
  repeat: 'idempotent',
  source: triggers,
  summary: 'Import vouchers',
})

/** Imports vouchers from a CSV file; a code that is taken is changed. */
export const importVouchersCsv = endpoint({
  id: 'vouchers.import-csv',
  method: 'POST',
  path: '/v1/vouchers/importCSV',
  encoding: 'multipart',
  body: csvFile.extend({ webhooks_enable: z.enum(['true', 'false']).optional() }),
  response: startedAction,
  repeat: 'idempotent',
  source: csvImports,
  summary: 'Import vouchers from a CSV file',
})

/** Imports codes into a campaign. */
export const importCampaignVouchers = endpoint({
  id: 'campaigns.vouchers.import',
  method: 'POST',
  path: '/v1/campaigns/{campaignId}/import',
  body: z.array(importedCode).min(1),
  response: startedAction,
  repeat: 'key',
  source: triggers,
  summary: 'Import vouchers into a campaign',
})

/** Imports codes into a campaign from a CSV file. */
export const importCampaignVouchersCsv = endpoint({
  id: 'campaigns.vouchers.import-csv',
  method: 'POST',
  path: '/v1/campaigns/{campaignId}/importCSV',
  encoding: 'multipart',
  body: csvFile,
  response: startedAction,
  repeat: 'idempotent',
  source: csvImports,
  summary: 'Import vouchers into a campaign from a CSV file',
})

/** Imports orders, as history. */
export const importOrders = endpoint({
  id: 'orders.import',
  method: 'POST',
  path: '/v1/orders/import',
  body: z.array(newOrder).min(1),
  response: startedAction,
  repeat: 'once',
  source: 'docs/service/orders.md#import',
  summary: 'Import orders',
})
