// Promotion tiers and their stacks, in which tiers of one campaign are applied together, as they are stored. What an answer adds
// is in answers/promotions.ts.
import type { PromotionStack, PromotionTier } from '../rules/redeemable.ts'
import { collection, type Stored } from '../storage/collection.ts'

export interface StoredTier extends Stored, Required<PromotionTier> {
  active: boolean
  category: string | null
  updated_at: string | null
  object: 'promotion_tier'
}

/** Promotion tiers, by id. */
export const promotionTiers = collection<StoredTier>('promotion_tiers', 'promotion_tier', 'promo_', {
  cached: true,
  indexed: { campaign_id: 'text', hierarchy: 'number' },
})

export interface StoredStack extends Stored, Required<PromotionStack> {
  tiers: PromotionStack['tiers'] & { hierarchy_mode: 'MANUAL' }
  updated_at: string | null
  object: 'promotion_stack'
}

/** Promotion stacks, by id. */
export const promotionStacks = collection<StoredStack>('promotion_stacks', 'promotion_stack', 'stack_', {
  cached: true,
  indexed: { campaign_id: 'text' },
})
