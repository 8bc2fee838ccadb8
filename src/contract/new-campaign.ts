// The fields of a campaign to create.
// Source: docs/service/campaigns.md#fields; docs/service/campaigns.md#create.
import { z } from 'zod'
import { expirationRules } from './expiration-rules.ts'
import { dateTime, metadata } from './fields.ts'
import { tierSettings } from './loyalty-tiers.ts'
import { codeConfig, newVoucher } from './new-voucher.ts'
import { validity } from './validity.ts'

/** The campaign types a request may name. */
export const campaignTypes = [
  'DISCOUNT_COUPONS',
  'GIFT_VOUCHERS',
  'LOYALTY_PROGRAM',
  'REFERRAL_PROGRAM',
  'PROMOTION',
] as const

const { type, discount, gift, loyalty_card, redemption } = newVoucher.shape

// Expiration rules for points belong to the program, so only a campaign has them, not its individual cards.
const cards = loyalty_card.unwrap().extend({ expiration_rules: expirationRules.nullish() })

/** A campaign to create. The rewards of referral, loyalty and promotion campaigns pass unchecked. */
export const newCampaign = z.strictObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  // Left out by published clients: it then follows from the type of the voucher (docs/service/campaigns.md#types).
  campaign_type: z.enum(campaignTypes).optional(),
  type: z.enum(['AUTO_UPDATE', 'STATIC', 'STANDALONE']).optional(),
  voucher: z
    .strictObject({
      type,
      discount,
      gift,
      loyalty_card: cards.optional(),
      redemption,
      code_config: codeConfig.optional(),
      is_referral_code: z.boolean().optional(),
    })
    .optional(),
  vouchers_count: z.int().min(0).optional(),
  ...validity,
  activity_duration_after_publishing: z.string().nullish(),
  active: z.boolean().optional(),
  auto_join: z.boolean().optional(),
  join_once: z.boolean().optional(),
  use_voucher_metadata_schema: z.boolean().optional(),
  category: z.string().nullish(),
  category_id: z.string().nullish(),
  validation_rules: z.array(z.string()).optional(),
  referral_program: z.looseObject({}).optional(),
  promotion: z.looseObject({}).optional(),
  loyalty_tiers_expiration: tierSettings.nullish(),
  options: z.strictObject({ recalculate_tiers: z.boolean().optional() }).optional(),
  metadata: metadata.nullish(),
})

/** The fields in which a voucher added to a campaign may differ from the campaign. */
export const newCampaignVoucher = z
  .strictObject({
    category: z.string().nullish(),
    category_id: z.string().nullish(),
    redemption,
    additional_info: z.string().nullish(),
    start_date: dateTime.nullish(),
    expiration_date: dateTime.nullish(),
    active: z.boolean().optional(),
    gift,
    loyalty_card,
    code_config: codeConfig.optional(),
    metadata: metadata.optional(),
  })
  .optional()
