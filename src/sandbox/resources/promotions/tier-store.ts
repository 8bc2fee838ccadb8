// Promotion tiers as they are stored. What an answer adds is in promotions/answer.ts.
import type { Discount } from '../../../contract/discount.ts'
import type { WindowLimits } from '../../rules/eligibility/windows.ts'
import { collection, type Stored } from '../../storage/collection.ts'

export interface StoredTier extends Stored, Required<WindowLimits> {
  name: string
  banner: string | null
  campaign_id: string
  action: { discount: Discount }
  hierarchy: number
  active: boolean
  category: string | null
  category_id: string | null
  metadata: Record<string, unknown>
  updated_at: string | null
  object: 'promotion_tier'
}

/** Promotion tiers, by id. */
export const promotionTiers = collection<StoredTier>({
  name: 'promotion_tiers',
  prefix: 'promo_',
  type: 'promotion_tier',
  indexed: { campaign_id: 'text', hierarchy: 'number' },
})
