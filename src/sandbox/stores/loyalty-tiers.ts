// The tiers of loyalty programs. Which of them a member is in is kept with the card (stores/vouchers.ts).
import type { TierMapping } from '../../contract/loyalty-tiers.ts'
import type { TierRange, TierStay } from '../rules/balances/loyalty-tiers.ts'
import { collection, type Stored } from '../storage/collection.ts'

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
