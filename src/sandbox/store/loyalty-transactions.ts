// Every change of a loyalty card's points, never altered. Source: specification, Loyalty card transaction.
import { collection, type Stored } from './collection.ts'

export interface StoredTransaction extends Stored {
  source_id: string | null
  voucher_id: string
  campaign_id: string
  source: string | null
  reason: string | null
  /** `POINTS_ADDITION`, `POINTS_REDEMPTION` and others. */
  type: string
  details: {
    balance: {
      type: 'loyalty_card'
      object: 'balance'
      total: number
      /** Signed change. */
      points: number
      /** After the change. */
      balance: number
      operation_type: 'AUTOMATIC' | 'MANUAL'
      related_object: { id: string; type: string }
    }
    redemption?: { id: string }
    reward?: { id: string; name: string }
    [member: string]: unknown
  }
  related_transaction_id: string | null
}

/** Transactions of loyalty cards; their order by id is the order in which they happened. */
export const loyaltyTransactions = collection<StoredTransaction>({
  name: 'loyalty_transactions',
  prefix: 'vtx_',
  type: 'transaction',
  indexed: { voucher_id: 'text', campaign_id: 'text' },
  filterable: { type: 'text', source_id: 'text' },
})
