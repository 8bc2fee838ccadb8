// Calls about many objects at once: updates in bulk and imports. Each is answered with a background job that does the work.
// Source: docs/service/async-actions.md#triggers; docs/service/async-actions.md#csv-imports.
import { z } from 'zod'
import { ownValue } from '../base/record.ts'
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
  const unproved = repeat === 'once' ? { unproved: 'the id of the background job is in the lost answer alone' } : {}
  return endpoint(id, summary, { call: `POST ${path}`, body, response: startedAction, repeat, ...unproved, source })
}

const csvFile = z.strictObject({ file: z.string() })

/** Declares the import of a CSV file, of which `what` is in the id. */
function csvImport<const Path extends string, Body extends z.ZodType = typeof csvFile>(
  id: string,
  path: Path,
  what: string,
  { body = csvFile as z.ZodType as Body, repeat }: { body?: Body; repeat?: Repeat } = {},
) {
  const call = inBackground(id, path, body, `Import ${what} from a CSV file`, repeat, csvImports)
  return { ...call, encoding: 'multipart' as const }
}

// ASSUMED A1267: older calls work on at most 100 rows at once, like a page of a listing.
const rowsAtOnce = 100

/** The outcome of each row of an older call, in the order of the request. */
const updatedRows = z.array(z.looseObject({ found: z.boolean(), updated: z.boolean() }))

/**
 * Declares the calls that change many objects: each as its row says, or all by the same metadata; in the background, or as older
 * calls, which work on their rows before they answer.
 */
function inBulk<const Name extends string, Row extends z.ZodType, Key extends 'source_ids' | 'codes'>(
  nouns: Name,
  row: Row,
  key: Key,
) {
  const source = 'docs/service/async-actions.md#older-calls'
  const older = { response: updatedRows, repeat: 'idempotent', source } as const
  return {
    now: endpoint(`${nouns}.bulk.now`, `Update ${nouns} at once (older call)`, {
      ...older,
      call: `POST /v1/${nouns}/bulk`,
      body: z.array(row).min(1).max(rowsAtOnce),
    }),
    metadataNow: endpoint(`${nouns}.bulk.metadata-now`, `Update the metadata of ${nouns} at once (older call)`, {
      ...older,
      call: `POST /v1/${nouns}/metadata`,
      body: metadataOf(key, names.max(rowsAtOnce)),
    }),
    update: inBackground(
      `${nouns}.bulk.update`,
      `/v1/${nouns}/bulk/async`,
      z.array(row).min(1),
      `Update ${nouns} in bulk`,
    ),
    metadata: inBackground(
      `${nouns}.bulk.metadata`,
      `/v1/${nouns}/metadata/async`,
      metadataOf(key),
      `Update the metadata of ${nouns} in bulk`,
    ),
  }
}

/** Change products, or create them. */
export const {
  now: updateProductsNow,
  metadataNow: updateProductsMetadataNow,
  update: updateProducts,
  metadata: updateProductsMetadata,
} = inBulk('products', bulkProduct, 'source_ids')

/** Change customers, or create them. */
export const { update: updateCustomers, metadata: updateCustomersMetadata } = inBulk(
  'customers',
  bulkCustomer,
  'source_ids',
)

/** Change the metadata of vouchers; unknown codes are not created. */
export const {
  now: updateVouchersNow,
  metadataNow: updateVouchersMetadataNow,
  update: updateVouchers,
  metadata: updateVouchersMetadata,
} = inBulk('vouchers', bulkVoucher, 'codes')

/**
 * The columns of a CSV file of products, those that it needs, and the one that says which product a row is: without it, each
 * import would make all of them again. All others are metadata. Source: docs/service/async-actions.md#csv-imports.
 */
export const productCsv = {
  columns: ['name', 'source_id', 'price', 'attributes', 'image_url'],
  required: ['name'],
  key: 'source_id',
  of: 'product',
}

/** The columns of a CSV file of SKUs, and those that it needs; all others are metadata. Source: docs/service/async-actions.md#csv-imports. */
export const skuCsv = {
  columns: ['source_id', 'product_id', 'sku', 'price', 'image_url', 'attributes'],
  required: ['source_id', 'product_id'],
  key: 'source_id',
  of: 'SKU',
}

/** The columns of a CSV file of vouchers, and those that it needs; all others are metadata. Source: docs/service/async-actions.md#csv-imports. */
export const voucherCsv = {
  columns: [
    'Code',
    'Voucher Type',
    'Value',
    'Discount Type',
    'Category',
    'Start Date',
    'Expiration Date',
    'Redemption Limit',
    'Redeemed Quantity',
    'Redeemed Amount',
    'Active',
    'Additional Info',
  ],
  required: ['Code'],
  key: 'Code',
  of: 'voucher',
}

/**
 * The columns of a CSV file of codes of a campaign, and those that it needs; all others are metadata, such as a discount or dates:
 * those are the campaign's. Source: docs/service/campaigns.md#import.
 */
export const campaignVoucherCsv = {
  columns: ['Code', 'Active', 'Category', 'Loyalty Points', 'Gift Amount', 'Redeemed Amount', 'Redeemed Quantity'],
  required: ['Code'],
  key: 'Code',
  of: 'voucher',
}

/** The member of a body that a column of these files gives. Source: docs/service/async-actions.md#csv-imports. */
const csvMembers: Readonly<Record<string, string>> = {
  'Voucher Type': 'type',
  'Discount Type': 'discount.type',
  Category: 'category',
  'Start Date': 'start_date',
  'Expiration Date': 'expiration_date',
  'Redemption Limit': 'redemption.quantity',
  Active: 'active',
  'Additional Info': 'additional_info',
  'Loyalty Points': 'loyalty_card.points',
  'Gift Amount': 'gift.amount',
  price: 'price',
}

/** What `Value` is, by the type of the voucher or of its discount; a discount in units has no column. */
const valueMembers: Readonly<Record<string, string>> = {
  GIFT_VOUCHER: 'gift.amount',
  LOYALTY_CARD: 'loyalty_card.points',
  PERCENT: 'discount.percent_off',
  AMOUNT: 'discount.amount_off',
  FIXED: 'discount.fixed_amount',
}

/**
 * Returns the member of a body that a column of an imported row gives; undefined where there is none, as for metadata. `types`
 * are those of the row's voucher and discount.
 */
export function csvMember(column: string, types: { voucher?: unknown; discount?: unknown }): string | undefined {
  if (column !== 'Value') return ownValue(csvMembers, column)
  const members = [types.discount, types.voucher].map((type) => ownValue(valueMembers, String(type).toUpperCase()))
  return members.find((member) => member !== undefined)
}

/** Returns whether a member is an amount of money, by its path: files say it in major units, bodies in minor ones. */
export function isMoney(member: string): boolean {
  return !member.startsWith('metadata.') && /(?:^|[._])(?:amount|price|credits)(?:_|$)|^gift\.balance$/.test(member)
}

/** The columns of these files that say a member of a voucher, in words of their own. */
export const memberColumns: readonly string[] = [...Object.keys(csvMembers).filter((name) => name !== 'price'), 'Value']

/** Imports products from a CSV file. */
export const importProducts = csvImport('products.import', '/v1/products/importCSV', 'products', { repeat: 'once' })

/** Imports SKUs from a CSV file. */
export const importSkus = csvImport('skus.import', '/v1/skus/importCSV', 'SKUs')

/** Imports customers from a CSV file. */
export const importCustomers = csvImport('customers.import', '/v1/customers/importCSV', 'customers', { repeat: 'once' })

/** Imports vouchers; a code that is taken fails alone. */
export const importVouchers = inBackground(
  'vouchers.import',
  '/v1/vouchers/import',
  z.array(importedVoucher).min(1),
  'Import vouchers',
)

/** Imports vouchers from a CSV file; a code that is taken is changed. */
export const importVouchersCsv = csvImport('vouchers.import-csv', '/v1/vouchers/importCSV', 'vouchers', {
  body: csvFile.extend({ webhooks_enable: z.enum(['true', 'false']).optional() }),
})

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
  'vouchers into a campaign',
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
