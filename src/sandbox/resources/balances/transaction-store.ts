// Every change of a loyalty card's points and of a gift card's credits; append-only.
// Source: docs/service/pricing.md#gift-cards; docs/service/vouchers.md#transactions; docs/service/loyalty.md#transaction.

import type { CardTransaction } from '../../rules/balances/balance.ts'
import { collection, type Stored } from '../../storage/collection.ts'

/** Transactions of gift cards; their order by id is the order in which they happened. */
export const giftTransactions = collection<StoredTransaction>('gift_transactions', 'transaction', 'vtx_', {
  indexed: { voucher_id: 'text', campaign_id: 'text' },
  filterable: { type: 'text', source_id: 'text' },
})

/** The change of a card; created by rules/balances/balance.ts. A gift card need not belong to a campaign. */
export interface StoredTransaction extends Stored, Omit<CardTransaction, 'type'> {
  /** `POINTS_ADDITION`, `POINTS_REDEMPTION` and others. */
  type: string
}

/** Transactions of loyalty cards; their order by id is the order in which they happened. */
export const loyaltyTransactions = collection<StoredTransaction>('loyalty_transactions', 'transaction', 'vtx_', {
  indexed: { voucher_id: 'text', campaign_id: 'text' },
  filterable: { type: 'text', source_id: 'text' },
})
