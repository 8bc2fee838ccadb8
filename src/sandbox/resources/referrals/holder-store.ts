// The customers of a referral code: its referrer, and the referees.
// Source: docs/service/referrals.md#holders.
import { collection, type Stored } from '../../storage/collection.ts'

export interface StoredRedeemableHolder extends Stored {
  /** Voucher id. */
  redeemable_id: string
  redeemable_object: 'voucher'
  campaign_id: string | null
  campaign_type: 'REFERRAL_PROGRAM'
  voucher_type: string
  customer_id: string
  /** Publication creates the `REFERRER`, the holder calls create `REFEREE`s. */
  holder_role: 'REFERRER' | 'REFEREE'
  metadata: Record<string, unknown>
  object: 'redeemable_holder'
}

/** Holders of referral codes. */
export const redeemableHolders = collection<StoredRedeemableHolder>('redeemable_holders', 'redeemable_holder', 'rh_', {
  indexed: { redeemable_id: 'text', customer_id: 'text' },
  filterable: { holder_role: 'text', campaign_id: 'text' },
})
