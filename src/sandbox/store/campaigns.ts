// Campaigns, as far as every other resource needs them.
import type { WindowLimits } from '../rules/model.ts'
import { collection, type Stored } from './collection.ts'

/** A campaign as on the wire; members not named here are kept as they are. */
export interface StoredCampaign extends Stored, WindowLimits {
  name: string
  campaign_type: 'DISCOUNT_COUPONS' | 'GIFT_VOUCHERS' | 'LOYALTY_PROGRAM' | 'REFERRAL_PROGRAM' | 'PROMOTION'
  /** `STANDALONE` ones take codes one by one; `STATIC` and `AUTO_UPDATE` ones make their own. */
  type: 'STANDALONE' | 'STATIC' | 'AUTO_UPDATE'
  active: boolean
  metadata: Record<string, unknown>
  [field: string]: unknown
}

/** Campaigns, by id or name. */
export const campaigns = collection<StoredCampaign>({
  name: 'campaigns',
  prefix: 'camp_',
  type: 'campaign',
  key: 'name',
  filterable: { campaign_type: 'text', type: 'text', active: 'boolean', category_id: 'text' },
})
