// Promotion stacks: tiers of one campaign that are applied together, in a fixed order.
import { collection, type Stored } from '../../storage/collection.ts'

export interface StoredStack extends Stored {
  name: string
  campaign_id: string
  /** Tier ids in the order they are applied. */
  tiers: { ids: string[]; hierarchy_mode: 'MANUAL' }
  category_id: string | null
  updated_at: string | null
  object: 'promotion_stack'
}

/** Promotion stacks, by id. */
export const promotionStacks = collection<StoredStack>({
  name: 'promotion_stacks',
  prefix: 'stack_',
  type: 'promotion_stack',
  indexed: { campaign_id: 'text' },
})
