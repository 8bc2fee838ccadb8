// Exports about the balances of cards: transactions, and points that expire.
// Source: docs/service/exports.md#export-card-transactions; docs/service/exports.md#columns.
import { dayAt } from '../../rules/eligibility/calendar-day.ts'
import { giftTransactions } from '../balances/gift-transaction-store.ts'
import { loyaltyTransactions, type StoredTransaction } from '../loyalty/transaction-store.ts'
import { pointsBuckets, type StoredBucket } from '../points-expiry/points-bucket-store.ts'
import { exportKind, majorUnits, orderedBy, plainColumns } from './columns.ts'

/** Transactions of cards. `amount` is the signed change, `balance` the total after it: points, or major currency units. */
export const transactionExports = exportKind<StoredTransaction>({
  from: [loyaltyTransactions, giftTransactions],
  columns: {
    ...plainColumns('id', 'campaign_id', 'voucher_id', 'type', 'source_id', 'reason', 'source'),
    balance: ({ details: { balance } }) =>
      balance.points === undefined ? majorUnits(balance.balance) : balance.balance,
    amount: ({ details: { balance } }) => balance.points ?? majorUnits(balance.amount),
    ...plainColumns('related_transaction_id', 'created_at'),
    details: ({ details }) => JSON.stringify(details),
  },
  // ASSUMED A261: the published default columns name a `status`, which no transaction has; it is left out.
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
export const pointsExports = exportKind<StoredBucket>({
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
