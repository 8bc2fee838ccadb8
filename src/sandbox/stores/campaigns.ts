// Campaigns as they are stored. What is computed for an answer is in answers/campaigns.ts.

import type { Discount } from '../../contract/discount.ts'
import type { ExpirationRules } from '../../contract/expiration-rules.ts'
import type { Metadata } from '../../contract/fields.ts'
import type { TierSettings } from '../../contract/loyalty-tiers.ts'
import type { CompleteCodeConfig } from '../rules/codes.ts'
import type { Campaign } from '../rules/redeemable.ts'
import { collection, type Stored } from '../storage/collection.ts'
import type { Condition } from '../storage/conditions.ts'

/** The properties of a campaign's codes at generation. */
export interface CampaignVoucher {
  type: 'DISCOUNT_VOUCHER' | 'GIFT_VOUCHER' | 'LOYALTY_CARD'
  discount?: Discount
  gift?: { amount: number; effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS' }
  loyalty_card?: { points: number; expiration_rules?: ExpirationRules }
  redemption: { quantity: number | null }
  code_config: CompleteCodeConfig
  is_referral_code: boolean
}

/** The progress of creating something for a campaign. */
export type GenerationStatus = 'DONE' | 'IN_PROGRESS' | 'FAILED'

/** A campaign; members not listed here (`referral_program`…) are kept as on the wire. */
export interface StoredCampaign extends Stored, Campaign {
  created_at: string
  description?: string | null
  campaign_type: 'DISCOUNT_COUPONS' | 'GIFT_VOUCHERS' | 'LOYALTY_PROGRAM' | 'REFERRAL_PROGRAM' | 'PROMOTION'
  /** `STANDALONE` ones take codes one by one; `STATIC` and `AUTO_UPDATE` ones generate their own. */
  type: 'STANDALONE' | 'STATIC' | 'AUTO_UPDATE'
  active: boolean
  /** Absent on promotions, and on campaigns of fixtures without it. */
  voucher?: CampaignVoucher
  /** While codes are generated, their final number; otherwise they are counted. */
  vouchers_count?: number
  /** ISO 8601 duration; null for no limit. */
  activity_duration_after_publishing?: string | null
  auto_join?: boolean
  join_once?: boolean
  use_voucher_metadata_schema?: boolean
  creation_status?: GenerationStatus | 'DRAFT' | 'MODIFYING'
  vouchers_generation_status?: GenerationStatus
  protected?: boolean
  loyalty_tiers_expiration?: TierSettings | null
  metadata: Metadata
  [field: string]: unknown
}

const isOn = "doc ->> '$.active' IS NOT 0"
const hasStarted = "coalesce(doc ->> '$.start_date' <= :now, 1)"
const hasExpired = "coalesce(doc ->> '$.expiration_date' < :now, 0)"
const status = "coalesce(doc ->> '$.creation_status', 'DONE')"

/** Campaigns, by id or name. */
export const campaigns = collection<StoredCampaign>('campaigns', 'campaign', 'camp_', {
  cached: true,
  key: 'name',
  filterable: {
    campaign_type: 'text',
    type: 'text',
    active: 'boolean',
    category: 'text',
    category_id: 'text',
    description: 'text',
    start_date: 'date',
    expiration_date: 'date',
    creation_status: 'text',
    'voucher.type': 'text',
  },
  states: {
    status: {
      // ASSUMED A227: active means usable now: enabled, created, started and not expired.
      $active: `${isOn} AND ${status} = 'DONE' AND ${hasStarted} AND NOT (${hasExpired})`,
      $failed: `${status} = 'FAILED'`,
      $in_progress: `${status} = 'IN_PROGRESS'`,
      $expired: hasExpired,
      // The only name without a dollar sign (docs/service/lists.md#state-filters).
      before_start: `NOT (${hasStarted})`,
    },
  },
})

/** Restricts a listing to campaigns with a creation status; one without is done. */
export function hasCreationStatus(wanted: string): Condition {
  return { sql: `${status} = ?`, values: [wanted] }
}

/** Restricts a listing to referral programs, or to all other campaigns. */
export function isReferralProgram(wanted: boolean): Condition {
  return { sql: `doc ->> '$.campaign_type' ${wanted ? '=' : '<>'} ?`, values: ['REFERRAL_PROGRAM'] }
}
