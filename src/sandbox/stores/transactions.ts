// Every change of a loyalty card's points and of a gift card's credits; append-only.
// Source: docs/service/pricing.md#gift-cards; docs/service/vouchers.md#transactions; docs/service/loyalty.md#transaction.

import type { CardTransaction } from '../rules/balances/balance.ts'
import { collection, type Stored } from '../storage/collection.ts'

/** The change of a card; created by rules/balances/balance.ts. A gift card need not belong to a campaign. */
export interface StoredTransaction extends Stored, Omit<CardTransaction, 'type'> {
  /** `POINTS_ADDITION`, `POINTS_REDEMPTION` and others. */
  type: string
}

/** Their order by id is the order in which they happened. */
const transactions = (name: string) =>
  collection<StoredTransaction>(name, 'transaction', 'vtx_', {
    indexed: { voucher_id: 'text', campaign_id: 'text' },
    filterable: { type: 'text', source_id: 'text' },
  })

/** Transactions of loyalty cards. */
export const loyaltyTransactions = transactions('loyalty_transactions')

/** Transactions of gift cards. */
export const giftTransactions = transactions('gift_transactions')
