// Holders of referral codes from a fixture, required to belong to a code and a customer.
import { z } from 'zod'
import { metadata } from '../../../contract/fields.ts'
import { checkedBody } from '../../http/check-input.ts'
import { notFound } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/resource.ts'
import { identityOf } from '../../seed/fixture-object.ts'
import { customers } from '../customers/store.ts'
import { existingById } from '../existing.ts'
import { vouchers } from '../vouchers/store.ts'
import { redeemableHolders, type StoredRedeemableHolder } from './holder-store.ts'

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
  existingById(customers, customer_id, loading)
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
