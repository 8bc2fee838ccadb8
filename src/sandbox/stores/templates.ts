// Campaign templates: what was copied from a campaign or a tier when the template was created.
// Source: docs/service/templates.md#contents.

import type { Discount } from '../../contract/discount.ts'
import type { ValidityLimits } from '../rules/eligibility/validity.ts'
import { collection, type Stored } from '../storage/collection.ts'
import type { CampaignVoucher } from './campaigns.ts'

/** What is created from a template; without its names, category and number of codes. */
export interface TemplateContent extends ValidityLimits {
  object: 'campaign' | 'promotion_tier'
  description?: string | null
  /** For a campaign. */
  type?: 'AUTO_UPDATE' | 'STATIC' | 'STANDALONE'
  voucher?: CampaignVoucher
  auto_join?: boolean
  join_once?: boolean
  use_voucher_metadata_schema?: boolean
  activity_duration_after_publishing?: string | null
  /** For a tier. */
  banner?: string | null
  action?: { discount: Discount }
  active: boolean
  metadata: Record<string, unknown>
  /** Copies of the rules, in the form of a request that creates them. */
  validation_rules: Record<string, unknown>[]
}

export interface StoredTemplate extends Stored {
  name: string
  description: string | null
  campaign_type: 'DISCOUNT_COUPONS' | 'GIFT_VOUCHERS'
  json_template: TemplateContent
  object: 'campaign_template'
}

/** Templates, by id. Names are unique within a project. */
export const templates = collection<StoredTemplate>('templates', 'campaign_template', 'camp_tpl_', {
  key: 'name',
  filterable: { campaign_type: 'text', description: 'text' },
})
