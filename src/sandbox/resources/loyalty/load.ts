// Transactions and holders from a fixture, accepted as they happened, but required to belong to something.
import { z } from 'zod'
import { dateTime, metadata } from '../../../contract/fields.ts'
import { checkedBody } from '../../http/check-input.ts'
import { notFound } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/resource.ts'
import { identityOf } from '../../seed/fixture-object.ts'
import { customers } from '../customers/store.ts'
import { redeemableHolders, type StoredRedeemableHolder } from '../referrals/holder-store.ts'
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
    const given = checkedBody(wireTransaction, wire) as z.output<typeof wireTransaction>
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

const wireHolder = z.looseObject({
  redeemable_id: z.string().min(1),
  customer_id: z.string().min(1),
  holder_role: z.enum(['REFERRER', 'REFEREE']),
  metadata: metadata.optional(),
})

/** Reads a holder of a referral code. Throws the refusal of one whose code or customer does not exist. */
export function loadHolder(wire: Record<string, unknown>, loading: FixtureContext): StoredRedeemableHolder {
  const { redeemable_id, customer_id, holder_role, ...given } = checkedBody(wireHolder, wire) as z.output<
    typeof wireHolder
  >
  const voucher = loading.in(vouchers).get(redeemable_id)
  if (!voucher?.is_referral_code) throw notFound('voucher', redeemable_id)
  if (!loading.in(customers).get(customer_id)) throw notFound('customer', customer_id)
  const { id, created_at } = identityOf(redeemableHolders, wire, loading)
  return {
    id,
    created_at,
    redeemable_id,
    redeemable_object: 'voucher',
    campaign_id: voucher.campaign_id,
    campaign_type: 'REFERRAL_PROGRAM',
    voucher_type: voucher.type,
    customer_id,
    holder_role,
    metadata: given.metadata ?? {},
    object: 'redeemable_holder',
  }
}
