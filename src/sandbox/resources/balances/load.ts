// Transactions of cards from a fixture, accepted as they happened, but required to belong to a card.
import { z } from 'zod'
import { dateTime } from '../../../contract/fields.ts'
import { checkedBody } from '../../http/check-input.ts'
import { notFound } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/route.ts'
import { type StoredVoucher, vouchers } from '../vouchers/store.ts'
import type { StoredTransaction } from './transaction-store.ts'

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
    const given = checkedBody(wireTransaction, wire)
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
