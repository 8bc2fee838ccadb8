// Earning rules, rewards and expiring points as answered. Source: docs/service/loyalty.md#earning-rules.
import { z } from 'zod'
import { count, dates, maybeText, metadata, namedForm, storedForm, text, validity } from './form.ts'

/** What a program gives points for. Source: docs/service/loyalty.md#earning-rules. */
export const earningRule = storedForm('EarningRule', 'earning_rule', {
  automation_id: text,
  campaign_id: text,
  event: text,
  custom_event: z.object({ schema_id: text }).nullish(),
  segment: z.object({ id: text }).nullish(),
  loyalty: z.looseObject({ type: text, points: z.number().optional() }),
  source: z.object({ banner: maybeText, object_id: text.optional(), object_type: text.optional() }).nullish(),
  loyalty_tier: z.object({ id: text }).nullish(),
  validation_rule_id: maybeText,
  ...validity,
  expiration_rules: z.looseObject({}).nullish(),
  pending_points: z.object({ period_type: text, period_value: count }).nullish(),
  active: z.boolean(),
  metadata,
})

/** What points buy. Source: docs/service/loyalty.md#rewards. */
export const reward = storedForm('Reward', 'reward', {
  name: text,
  type: z.enum(['CAMPAIGN', 'COIN', 'MATERIAL']),
  parameters: z.looseObject({}).nullish(),
  stock: count.nullish(),
  redeemed: count.nullish(),
  attributes: z.object({ description: maybeText, image_url: maybeText }).nullish(),
  metadata,
})

/** A reward that a program offers. Source: docs/service/loyalty.md#rewards-of-a-program. */
export const rewardAssignment = storedForm('RewardAssignment', 'reward_assignment', {
  reward_id: text,
  related_object_id: text,
  related_object_type: text,
  parameters: z.object({ loyalty: z.object({ points: count, auto_redeem: z.boolean().optional() }) }).nullish(),
  validation_rule_id: maybeText,
})

/** A reward of a program in lists: the assignment alone, or beside its reward. */
export const programReward = z.union([
  rewardAssignment,
  z.object({ reward, assignment: rewardAssignment, object: z.literal('loyalty_reward') }),
])

/** Points that expire together. Source: docs/service/loyalty.md#list-expiring-points. */
export const pointsBucket = storedForm('LoyaltyPointsBucket', 'loyalty_points_bucket', {
  voucher_id: text,
  campaign_id: text,
  bucket: z.object({ total_points: count, points: count.optional() }),
  status: text,
  expires_at: text,
})

const mapping = z.object({
  type: z.enum(['MULTIPLY', 'CUSTOM']),
  multiplier: z.number().optional(),
  points: count.optional(),
})
const range = z.object({ from: count, to: count.optional() })

const tierShape = {
  id: text,
  name: text,
  campaign_id: text,
  metadata,
  ...dates,
  earning_rules: z.record(text, mapping),
  rewards: z.record(text, mapping),
  config: z.object({ points: range }),
  points: range,
  object: z.literal('loyalty_tier'),
}

/** A tier of a program. Source: docs/service/loyalty-tiers.md#fields. */
export const loyaltyTier = namedForm('LoyaltyTier', tierShape)

/** A tier with the days on which a member's time in it began and ends. Source: docs/service/loyalty-tiers.md#the-tier-of-a-member. */
export const memberTier = namedForm('MemberLoyaltyTier', {
  ...tierShape,
  expiration: z.object({
    customer_id: maybeText,
    campaign_id: maybeText,
    tier_id: text,
    start_date: text.meta({ format: 'date' }),
    expiration_date: text.meta({ format: 'date' }).optional(),
    ...dates,
  }),
})

/** What a program offers to the members of a tier. */
export const tierReward = z.object({ reward, assignment: rewardAssignment, object: z.literal('loyalty_tier_reward') })

/** The sum of the pending points of a card after a change. Source: docs/service/pending-points.md#adjust. */
export const pendingBalance = z.object({
  points: count,
  total: count,
  object: z.literal('balance'),
  related_object: z.object({ id: text, type: text }),
  operation_type: text,
})

/** What an order would earn. Source: docs/service/loyalty.md#estimate-points. */
export const pointsEstimate = namedForm('PointsEstimate', {
  campaign: z.object({ id: text, name: text, object: z.literal('campaign') }),
  points_estimation: count,
})
