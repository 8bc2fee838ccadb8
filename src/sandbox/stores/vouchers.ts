// Discount codes, gift cards and loyalty cards as they are stored. What is computed for an answer is in answers/vouchers.ts.

import type { ValidityLimits } from '../rules/eligibility/validity.ts'
import type { Voucher } from '../rules/redeemable.ts'
import { collection, type Stored } from '../storage/collection.ts'
import type { Condition } from '../storage/conditions.ts'
import type { StoredStay } from './loyalty.ts'

export interface StoredVoucher extends Stored, ValidityLimits, Required<VoucherFields> {
  active: boolean
  is_referral_code: boolean
  /** Cents; `balance` is what remains. */
  gift:
    | (NonNullable<Voucher['gift']> & {
        /** Removed by hand. */
        subtracted_amount?: number
      })
    | null
  /** Points ever added, and the remaining ones. */
  loyalty_card:
    | (NonNullable<Voucher['loyalty_card']> & {
        subtracted_points?: number
        expired_points?: number
        /** The sum of what is still pending; absent on cards that never had any. */
        pending_points?: number
        /** The next day (YYYY-MM-DD) on which points expire, and how many; absent when none will. */
        next_expiration_date?: string
        next_expiration_points?: number
      })
    | null
  /** The tier that the holder of a loyalty card is in, with the days on which that began and ends. */
  tier?: StoredStay
  /** The instant for which the job is queued that does what is due on a loyalty card. */
  night_at?: string
  additional_info: string | null
  publish: { count: number }
  /** `quantity` null means unlimited. */
  redemption: {
    quantity: number | null
    redeemed_quantity: number
    redeemed_amount?: number
    redeemed_points?: number
  }
}

// A `category` is kept as given, because a name need not belong to a category object; with a `category_id`, the name
// of that object applies.
type VoucherFields = Omit<Voucher, keyof ValidityLimits | 'id' | 'object' | 'campaign' | 'tier'>

// ASSUMED A107: the states depend on the voucher's own `active` and dates, not on those of its campaign.
const isEnabled = "doc ->> '$.active' IS NOT 0"
const hasStarted = "coalesce(doc ->> '$.start_date' <= :now, 1)"
const hasExpired = "coalesce(doc ->> '$.expiration_date' < :now, 0)"

/** Vouchers, by id or code. */
export const vouchers = collection<StoredVoucher>('vouchers', 'voucher', 'v_', {
  key: 'code',
  keyMayIgnoreCase: true,
  indexed: { campaign_id: 'text', holder_id: 'text' },
  many: ['campaign_id'],
  tallied: 'campaign_id',
  filterable: {
    type: 'text',
    category: 'text',
    category_id: 'text',
    start_date: 'date',
    expiration_date: 'date',
    is_referral_code: 'boolean',
    referrer_id: 'text',
    additional_info: 'text',
    'redemption.quantity': 'number',
    'redemption.redeemed_quantity': 'number',
    'gift.balance': 'number',
    'loyalty_card.balance': 'number',
    'publish.count': 'number',
  },
  // Clients filter by the plural, too.
  computed: { campaign_ids: { sql: 'campaign_id', kind: 'text' } },
  states: {
    active: {
      $enabled: isEnabled,
      $disabled: `NOT (${isEnabled})`,
      $expired: hasExpired,
      $active: `${isEnabled} AND ${hasStarted} AND NOT (${hasExpired})`,
    },
  },
})

/** Restricts a listing to vouchers that were never published. */
export const neverPublished: Condition = { sql: "coalesce(doc ->> '$.publish.count', 0) = 0", values: [] }
