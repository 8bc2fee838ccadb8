// What a loyalty program awards points for, the rewards that they are spent on, and which programs offer these.
import type { ExpirationRules } from '../../contract/expiration-rules.ts'
import type { TierMapping } from '../../contract/loyalty-tiers.ts'
import type { TierRange, TierStay } from '../rules/balances/loyalty-tiers.ts'
import type { Earning } from '../rules/balances/points-earning.ts'
import type { PointsBucket } from '../rules/balances/points-expiry.ts'
import type { ValidityLimits } from '../rules/eligibility/validity.ts'
import type { Reward } from '../rules/pricing/payment.ts'
import { collection, type Stored } from '../storage/collection.ts'

export interface StoredEarningRule extends Stored, Required<ValidityLimits> {
  /** Given by a fixture; other rules have one of their own (earning-rules.ts). */
  automation_id?: string
  campaign_id: string
  /** `order.paid`, an event of a segment or of a tier, or the name of a custom event. */
  event: string
  custom_event: { schema_id: string } | null
  /** Of a rule about a segment: which one the customer comes into. */
  segment?: { id: string } | null
  /** Of an event of a member's tier: which one; absent in rules that an earlier promo stored. */
  loyalty_tier?: { id: string } | null
  /** After how many days the points of an order become active; at once in rules without it. */
  pending_points?: { period_type: 'DAY'; period_value: number } | null
  /** Until when its points can be used; by the rules of the program in rules without them. */
  expiration_rules?: ExpirationRules | null
  loyalty: Earning
  source: { banner: string | null; object_id: string; object_type: 'campaign' }
  validation_rule_id: string | null
  active: boolean
  metadata: Record<string, unknown>
  updated_at: string | null
  object: 'earning_rule'
}

/** Any tier of the program. */
export const anyTier = '__ANY__'

/** Earning rules, by id. */
export const earningRules = collection<StoredEarningRule>('earning_rules', 'earning_rule', 'ern_', {
  indexed: { campaign_id: 'text', event: 'text' },
})

/** A reward as on the wire; members not listed here are kept as they are. */
export interface StoredReward extends Stored, Reward {
  [field: string]: unknown
}

/** Rewards, by id. */
export const rewards = collection<StoredReward>('rewards', 'reward', 'rew_', { indexed: { name: 'text' } })

export interface StoredRewardAssignment extends Stored {
  reward_id: string
  /** Campaign id. */
  related_object_id: string
  related_object_type: 'campaign'
  /** The price of one piece; a COIN reward has its price in its ratio. */
  parameters?: { loyalty: { points: number; auto_redeem?: boolean } }
  updated_at: string | null
  object: 'reward_assignment'
}

/** Assignments of rewards. */
export const rewardAssignments = collection<StoredRewardAssignment>(
  'reward_assignments',
  'reward_assignment',
  'rewa_',
  { indexed: { reward_id: 'text', related_object_id: 'text' } },
)

// The tiers of loyalty programs. Which of them a member is in is kept with the card (stores/vouchers.ts).

export interface StoredLoyaltyTier extends Stored, TierRange {
  campaign_id: string
  name: string
  /** By id of the earning rule. */
  earning_rules: Record<string, TierMapping>
  /** By id of the offer of a reward. */
  rewards: Record<string, TierMapping>
  metadata: Record<string, unknown> | null
  updated_at: string | null
}

/** A member's time in a tier, as the card keeps it. */
export interface StoredStay extends TierStay {
  created_at: string
  updated_at: string | null
}

/** Tiers of loyalty programs, by id. */
export const loyaltyTiers = collection<StoredLoyaltyTier>('loyalty_tiers', 'loyalty_tier', 'ltr_', {
  cached: true,
  indexed: { campaign_id: 'text' },
})

// Points that come onto a card some days after they were earned.

export interface StoredPendingPoints extends Stored {
  voucher_id: string
  campaign_id: string
  customer_id: string | null
  order_id: string
  points: number
  /** The day of the project's time zone on which they become active. */
  activates_at: string
  status: 'PENDING' | 'ACTIVATED' | 'CANCELED'
  /** The order, the event, the earning rule, and the tiers at the time of the order. */
  details: { order: { id: string; source_id: string | null } } & Record<string, unknown>
}

/** Pending points, by id; those that were activated or canceled are kept, and no longer listed. */
export const pendingPoints = collection<StoredPendingPoints>('pending_points', 'pending_points', 'lopp_', {
  indexed: { voucher_id: 'text', campaign_id: 'text' },
  filterable: { status: 'text' },
})

// Points that expire, by expiry time. Points that never expire are in no bucket: they are the rest of the balance.

export interface StoredBucket extends Stored, PointsBucket {
  voucher_id: string
  campaign_id: string | null
  /** `points` is the remaining amount; this is the amount added. */
  total_points: number
  expires_at: string
  status: 'ACTIVE' | 'USED' | 'EXPIRED'
}

/** Buckets of points, by id. */
export const pointsBuckets = collection<StoredBucket>('points_buckets', 'loyalty_points_bucket', 'lopb_', {
  indexed: { voucher_id: 'text', campaign_id: 'text', expires_at: 'date' },
  filterable: { status: 'text', points: 'number' },
})
