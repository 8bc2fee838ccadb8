// Rewards that points are spent on.

import type { Reward } from '../../rules/balances/points-payment.ts'
import { collection, type Stored } from '../../storage/collection.ts'

/** A reward as on the wire; members not listed here are kept as they are. */
export interface StoredReward extends Stored, Reward {
  [field: string]: unknown
}

/** Rewards, by id. */
export const rewards = collection<StoredReward>({
  name: 'rewards',
  prefix: 'rew_',
  type: 'reward',
  indexed: { name: 'text' },
})
