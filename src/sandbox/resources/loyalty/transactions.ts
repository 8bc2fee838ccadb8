// Where the transactions of cards are kept, how they are listed, and those of a fixture.
// Source: docs/service/loyalty.md#list-transactions; docs/service/lists.md#cursors-by-id.

import { z } from 'zod'
import { dateTime } from '../../../contract/fields.ts'
import { checkWire } from '../../http/check-input.ts'
import { notFound } from '../../http/refusal.ts'
import { type Context, type CursorQuery, type FixtureContext, listAnswer } from '../../http/route.ts'
import type { Collection } from '../../storage/collection.ts'
import type { Condition } from '../../storage/conditions.ts'
import { restrictionsOf } from '../../storage/filters.ts'
import { giftTransactions, loyaltyTransactions, type StoredTransaction } from '../../stores/transactions.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'

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
): string {
  const { order = '-id', limit = 10, starting_after_id } = query
  const wanted = [...conditions, ...restrictionsOf(collection, query, context.now)]
  const { text, ...rest } = context.in(collection).cursorText(wanted, order, limit, starting_after_id)
  return listAnswer({ object: 'list', data_ref: 'data', data: [], ...rest }, text)
}

/** Answers for a campaign that has no cards. Source: docs/service/loyalty.md#list-transactions. */
export function noTransactions() {
  return { object: 'list', data_ref: 'data', data: [], total: 0, has_more: false }
}

const wireTransaction = z.looseObject({
  id: z.string().min(1),
  voucher_id: z.string().min(1),
  type: z.string().min(1),
  details: z.looseObject({ balance: z.looseObject({ balance: z.int() }) }),
  created_at: dateTime.optional(),
})

/** Reads a transaction of one kind of card. Its id is required: the order of the ids is the order of the transactions. */
export function transactionLoader(type: StoredVoucher['type']) {
  return (wire: Record<string, unknown>, loading: FixtureContext): StoredTransaction => {
    const given = checkWire(wireTransaction, wire)
    const card = loading.in(vouchers).get(given.voucher_id)
    if (card?.type !== type) throw notFound('voucher', given.voucher_id)
    const blank = { source_id: null, source: null, reason: null, related_transaction_id: null }
    const created_at = given.created_at === undefined ? loading.now : new Date(given.created_at).toISOString()
    // The other members are not checked: a transaction is never changed, only shown.
    const { id, voucher_id, ...told } = given
    const owner = { voucher_id, campaign_id: card.campaign_id }
    return { id, ...blank, ...owner, ...told, created_at } as unknown as StoredTransaction
  }
}
