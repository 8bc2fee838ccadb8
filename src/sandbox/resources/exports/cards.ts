// Exports about the balances of cards: transactions, and points that expire.
// Source: docs/service/exports.md#export-card-transactions; docs/service/exports.md#columns.
import { giftTransactions } from '../balances/gift-transaction-store.ts'
import { pointsBuckets, type StoredBucket } from '../loyalty/points-bucket-store.ts'
import { loyaltyTransactions, type StoredTransaction } from '../loyalty/transaction-store.ts'
import { exportKind, major, member, plain } from './kind.ts'

const points = "doc ->> '$.details.balance.points'"
const amount = "doc ->> '$.details.balance.amount'"

/** Transactions of loyalty and gift cards. `amount` is the signed change, `balance` what it left: points, or major currency units. */
export const transactionExports = exportKind<StoredTransaction>({
  from: [loyaltyTransactions, giftTransactions],
  columns: {
    ...plain('id', 'campaign_id', 'voucher_id', 'type', 'source_id', 'reason', 'source'),
    balance: ({ details: { balance } }) => (balance.points === undefined ? major(balance.balance) : balance.balance),
    amount: ({ details: { balance } }) => balance.points ?? major(balance.amount),
    ...plain('related_transaction_id', 'created_at'),
    details: ({ details }) => JSON.stringify(details),
  },
  // ASSUMED A261: the published default columns name a `status`, which no transaction has; it is left out.
  defaults: ['id', 'type', 'source_id', 'reason', 'source', 'balance', 'amount', 'created_at'],
  orders: {
    id: 'id',
    type: "doc ->> '$.type'",
    source_id: "doc ->> '$.source_id'",
    reason: "doc ->> '$.reason'",
    source: "doc ->> '$.source'",
    balance: "doc ->> '$.details.balance.balance'",
    amount: `coalesce(${points}, ${amount})`,
    created_at: 'created_at',
    voucher_id: 'voucher_id',
    campaign_id: 'campaign_id',
    details: "doc ->> '$.details'",
    related_transaction_id: "doc ->> '$.related_transaction_id'",
  },
  namesCodes: true,
})

/** Points by the time they expire. Points that never expire are in no row. */
export const pointsExports = exportKind<StoredBucket>({
  from: [pointsBuckets],
  columns: {
    ...plain('id', 'campaign_id', 'voucher_id'),
    points: (bucket) => (bucket.status === 'ACTIVE' ? bucket.points : bucket.total_points),
    status: (bucket) => bucket.status,
    expires_at: (bucket) => member(bucket, 'expires_at'),
  },
  defaults: ['id', 'campaign_id', 'voucher_id', 'status', 'expires_at', 'points'],
  orders: { expires_at: 'expires_at' },
  order: 'expires_at',
  namesCodes: true,
})
