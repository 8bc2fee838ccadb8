// Promotion tiers and their stacks, in which tiers of one campaign are applied together, as they are stored. What an answer adds
// is in promotions/answer.ts.
import type { PromotionStack, PromotionTier } from '../../rules/redeemable.ts'
import { collection, type Stored } from '../../storage/collection.ts'

export interface StoredTier extends Stored, Required<PromotionTier> {
  active: boolean
  category: string | null
  updated_at: string | null
  object: 'promotion_tier'
}

/** Promotion tiers, by id. */
export const promotionTiers = collection<StoredTier>({
  name: 'promotion_tiers',
  prefix: 'promo_',
  type: 'promotion_tier',
  cached: true,
  indexed: { campaign_id: 'text', hierarchy: 'number' },
})

export interface StoredStack extends Stored, Required<PromotionStack> {
  tiers: PromotionStack['tiers'] & { hierarchy_mode: 'MANUAL' }
  updated_at: string | null
  object: 'promotion_stack'
}

/** Promotion stacks, by id. */
export const promotionStacks = collection<StoredStack>({
  name: 'promotion_stacks',
  prefix: 'stack_',
  type: 'promotion_stack',
  cached: true,
  indexed: { campaign_id: 'text' },
})
