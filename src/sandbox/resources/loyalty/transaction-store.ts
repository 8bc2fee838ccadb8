// Every change of a loyalty card's points; append-only. Source: docs/service/loyalty.md#transaction.
import type { CardTransaction } from '../../rules/balances/balance.ts'
import { collection, type Stored } from '../../storage/collection.ts'

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
