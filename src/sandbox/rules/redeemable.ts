// Redeemables with their campaign and category, as far as the rules use them. Wire names.
import type { z } from 'zod'
import type { Discount } from '../../contract/discount.ts'
import type { Metadata } from '../../contract/fields.ts'
import type { redeemable } from '../../contract/validations.ts'
import type { TierStay } from './balances/loyalty-tiers.ts'
import type { ValidityLimits } from './eligibility/validity.ts'

export interface Category {
  id: string
  name: string
  hierarchy: number
  object: 'category'
  created_at?: string
  updated_at?: string | null
}

export interface Voucher extends ValidityLimits {
  id: string
  code: string
  type: 'DISCOUNT_VOUCHER' | 'GIFT_VOUCHER' | 'LOYALTY_CARD'
  object?: 'voucher'
  discount?: Discount | null
  gift?: { amount: number; balance: number; effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS' } | null
  loyalty_card?: { points: number; balance: number } | null
  campaign?: string | null
  campaign_id?: string | null
  category?: string | null
  category_id?: string | null
  active?: boolean | null
  is_referral_code?: boolean | null
  /** The holder; of a referral code, the referrer. */
  holder_id?: string | null
  referrer_id?: string | null
  redemption?: { quantity?: number | null; redeemed_quantity: number }
  metadata?: Metadata
  /** The tier of the program that the holder of a loyalty card is in. */
  tier?: TierStay
}

export interface Campaign extends ValidityLimits {
  id: string
  name: string
  campaign_type: string
  type?: string
  active?: boolean | null
  category?: string | null
  category_id?: string | null
  creation_status?: string
  created_at: string
  updated_at?: string | null
  /** The type of its codes. */
  voucher?: { type?: string; discount?: Discount | null }
  metadata?: Metadata
}

export interface PromotionTier extends ValidityLimits {
  id: string
  name: string
  campaign_id: string
  hierarchy: number
  active?: boolean | null
  banner?: string | null
  action: { discount: Discount }
  category_id?: string | null
  metadata?: Metadata
  created_at: string
}

export interface PromotionStack {
  id: string
  name: string
  campaign_id: string
  /** Tier ids in the order they are applied. */
  tiers: { ids: string[] }
  category_id?: string | null
}

/** A redeemable as a request names it. */
export type RedeemableRequest = z.output<typeof redeemable>

/** Shows the campaign of a tier, wherever the tier is shown. Source: docs/service/promotions.md#tier-fields. */
export function tierCampaign({ id, name, active, category_id, start_date, expiration_date, ...limits }: Campaign) {
  const { validity_timeframe, validity_day_of_week, validity_hours } = limits
  return {
    id,
    name,
    start_date: start_date ?? null,
    expiration_date: expiration_date ?? null,
    ...(validity_timeframe && { validity_timeframe }),
    ...(validity_day_of_week?.length && { validity_day_of_week }),
    ...(validity_hours && { validity_hours }),
    active: active ?? true,
    category_id: category_id ?? null,
    object: 'campaign' as const,
  }
}
