// Every change of a gift card's credits, never altered. Source: evaluation.md §1.13, §5.9; wire-facts.md §11, Campaigns.
import { collection } from '../../storage/collection.ts'
import type { StoredTransaction } from '../loyalty/transaction-store.ts'

/** Transactions of gift cards; their order by id is the order in which they happened. */
export const giftTransactions = collection<StoredTransaction>({
  name: 'gift_transactions',
  prefix: 'vtx_',
  type: 'transaction',
  indexed: { voucher_id: 'text', campaign_id: 'text' },
  filterable: { type: 'text', source_id: 'text' },
})
