// Where the transactions of cards are kept, and how they are listed.
// Source: docs/service/loyalty.md#list-transactions; docs/service/lists.md#cursors-by-id.
import { type Answer, type Context, type CursorQuery, listAnswer } from '../../http/route.ts'
import type { Collection } from '../../storage/collection.ts'
import type { Condition } from '../../storage/conditions.ts'
import { restrictionsOf } from '../../storage/filters.ts'
import { giftTransactions, loyaltyTransactions, type StoredTransaction } from './transaction-store.ts'

/** Where the transactions of a kind of card are kept. */
export function transactionsOf(type: 'LOYALTY_CARD' | 'GIFT_VOUCHER'): Collection<StoredTransaction> {
  return type === 'LOYALTY_CARD' ? loyaltyTransactions : giftTransactions
}

/**
 * Answers with one page of transactions, newest first unless requested otherwise, in the form shared by all listings of transactions.
 * They are sent as they are stored: to read and write a hundred of them takes three times as long.
 */
export function transactionPage(
  collection: Collection<StoredTransaction>,
  conditions: readonly Condition[],
  query: CursorQuery,
  context: Pick<Context, 'in' | 'now'>,
): Answer {
  const { order = '-id', limit = 10, starting_after_id } = query
  const wanted = [...conditions, ...restrictionsOf(collection, query, context.now)]
  const { text, ...rest } = context.in(collection).cursorText(wanted, order, limit, starting_after_id)
  return listAnswer({ object: 'list', data_ref: 'data', data: [], ...rest }, text)
}
