// Promotion stacks: tiers of one campaign that are applied together, in a fixed order.
import type { PromotionStack } from '../../rules/redeemable.ts'
import { collection, type Stored } from '../../storage/collection.ts'

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
