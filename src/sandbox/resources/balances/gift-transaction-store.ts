// Every change of a gift card's credits; append-only.
// Source: docs/service/pricing.md#gift-cards; docs/service/vouchers.md#transactions.
import { collection } from '../../storage/collection.ts'
import type { StoredTransaction } from '../loyalty/transaction-store.ts'

/** Transactions of gift cards; their order by id is the order in which they happened. */
export const giftTransactions = collection<StoredTransaction>('gift_transactions', 'transaction', 'vtx_', {
  indexed: { voucher_id: 'text', campaign_id: 'text' },
  filterable: { type: 'text', source_id: 'text' },
})
