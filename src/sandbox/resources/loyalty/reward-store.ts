// Rewards that points are spent on, and which loyalty programs offer them.
import type { Reward } from '../../rules/balances/points-payment.ts'
import { collection, type Stored } from '../../storage/collection.ts'

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
