// Every kind of export that the sandbox has data for.
// Source: docs/service/exports.md#columns; docs/service/exports.md#export-card-transactions.
import { dayAt } from '../../rules/calendar/day.ts'
import { pointsBuckets, type StoredBucket } from '../../stores/loyalty.ts'
import { products, type StoredProduct, type StoredSku, skus } from '../../stores/products.ts'
import { giftTransactions, loyaltyTransactions, type StoredTransaction } from '../../stores/transactions.ts'
import { type ExportKind, exportKind, majorUnits, orderedBy, plainColumns } from './columns.ts'
import { customerExports, orderExports, publicationExports, redemptionExports } from './customers.ts'
import { voucherExports } from './vouchers.ts'

/** Transactions of cards. `amount` is the signed change, `balance` the total after it: points, or major currency units. */
const transactionExports = exportKind<StoredTransaction>({
  from: [loyaltyTransactions, giftTransactions],
  columns: {
    // The published default names a status, and no transaction has one: the column is empty.
    ...plainColumns('id', 'campaign_id', 'voucher_id', 'type', 'source_id', 'status', 'reason', 'source'),
    balance: ({ details: { balance } }) =>
      balance.points === undefined ? majorUnits(balance.balance) : balance.balance,
    amount: ({ details: { balance } }) => balance.points ?? majorUnits(balance.amount),
    ...plainColumns('related_transaction_id', 'created_at'),
    details: ({ details }) => JSON.stringify(details),
  },
  // ASSUMED A261: the published default has the empty `status`, too; here it is a column only where it is asked for.
  defaults: ['id', 'type', 'source_id', 'reason', 'source', 'balance', 'amount', 'created_at'],
  orders: {
    ...orderedBy('id', 'type', 'source_id', 'reason', 'source'),
    balance: ['details.balance.balance'],
    amount: ['details.balance.points', 'details.balance.amount'],
    ...orderedBy('created_at', 'voucher_id', 'campaign_id', 'details', 'related_transaction_id'),
  },
  namesCodes: true,
})

/** Points by expiry time. Points that never expire have no row. */
const pointsExports = exportKind<StoredBucket>({
  from: [pointsBuckets],
  columns: {
    ...plainColumns('id', 'campaign_id', 'voucher_id'),
    points: (bucket) => (bucket.status === 'ACTIVE' ? bucket.points : bucket.total_points),
    status: (bucket) => bucket.status,
    expires_at: ({ expires_at }, { project }) => dayAt(expires_at, project.timezone),
  },
  defaults: ['id', 'campaign_id', 'voucher_id', 'status', 'expires_at', 'points'],
  orders: orderedBy('expires_at'),
  order: 'expires_at',
  namesCodes: true,
})

/** Products. Prices are in major currency units; `attributes` are names separated by commas. */
const productExports = exportKind<StoredProduct>({
  from: [products],
  columns: {
    ...plainColumns('id', 'name'),
    price: ({ price }) => majorUnits(price),
    ...plainColumns('image_url', 'source_id'),
    attributes: ({ attributes }) => attributes.join(','),
    ...plainColumns('created_at', 'updated_at'),
  },
  hasMetadata: true,
  defaults: ['id', 'name', 'price', 'image_url', 'source_id', 'attributes', 'created_at'],
  // ASSUMED A263: the possible orders of products and SKUs are not published.
  orders: orderedBy('created_at', 'updated_at', 'name'),
})

/** SKUs. Prices are in major currency units; `attributes` are JSON. */
const skuExports = exportKind<StoredSku>({
  from: [skus],
  columns: {
    ...plainColumns('id', 'sku', 'product_id', 'currency'),
    price: ({ price }) => majorUnits(price),
    ...plainColumns('image_url', 'source_id'),
    attributes: ({ attributes }) => JSON.stringify(attributes),
    ...plainColumns('created_at', 'updated_at'),
  },
  hasMetadata: true,
  defaults: ['id', 'sku', 'product_id', 'currency', 'price', 'image_url', 'source_id', 'attributes', 'created_at'],
  orders: orderedBy('created_at', 'updated_at', 'sku'),
})

/** Kinds by `exported_object`. */
export const exportKinds: Readonly<Record<string, ExportKind>> = {
  voucher: voucherExports,
  redemption: redemptionExports,
  publication: publicationExports,
  customer: customerExports,
  order: orderExports,
  points_expiration: pointsExports,
  voucher_transactions: transactionExports,
  product: productExports,
  sku: skuExports,
}
