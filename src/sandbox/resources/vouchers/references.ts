// The references of a voucher: campaign, category, validation rules. Each may be named by id or by its natural key.

import { existingById, findOr404 } from '../../answers/existing.ts'
import { notFound, refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import { categories } from '../../stores/categories.ts'
import { validationRules } from '../../stores/validation-rules.ts'
import type { StoredVoucher } from '../../stores/vouchers.ts'

type Collections = Pick<Context, 'in'>

/** Finds the campaign a request names in either field. Throws 404. */
export function findReferencedCampaign(
  named: { campaign?: string | null | undefined; campaign_id?: string | null | undefined },
  context: Collections,
): StoredCampaign | undefined {
  // ASSUMED A108: `campaign_id` takes precedence when both fields are sent and disagree.
  const asked = named.campaign_id ?? named.campaign
  if (asked === undefined || asked === null) return undefined
  const campaign = findOr404(campaigns, asked, context)
  return campaign
}

// ASSUMED A109: a campaign accepts only its own kind of voucher; a referral code may be a discount or a gift card.
const kindsOf: Record<StoredCampaign['campaign_type'], ReadonlyArray<StoredVoucher['type']>> = {
  DISCOUNT_COUPONS: ['DISCOUNT_VOUCHER'],
  GIFT_VOUCHERS: ['GIFT_VOUCHER'],
  LOYALTY_PROGRAM: ['LOYALTY_CARD'],
  REFERRAL_PROGRAM: ['DISCOUNT_VOUCHER', 'GIFT_VOUCHER'],
  PROMOTION: [],
}

/** Refuses a kind of voucher that does not fit the type of campaign. Throws 400 `invalid_campaign`. */
export function checkVoucherType(campaignType: StoredCampaign['campaign_type'], type: StoredVoucher['type']): void {
  if (!kindsOf[campaignType].includes(type))
    throw refused('invalid_campaign', `A ${campaignType} campaign cannot hold a ${type}`)
}

/** Finds the category a request names. A name without a category object is kept as a bare name; an unknown id is a 404. */
export function findReferencedCategory(
  named: { category?: string | null | undefined; category_id?: string | null | undefined },
  context: Collections,
): { category: string | null; category_id: string | null } {
  if (named.category_id != null) {
    const found = existingById(categories, named.category_id, context)
    return { category: found.name, category_id: found.id }
  }
  if (named.category == null) return { category: null, category_id: null }
  const found = context.in(categories).find(named.category)
  return { category: found?.name ?? named.category, category_id: found?.id ?? null }
}

/** Checks that validation rules exist; returns each once. Throws 404. */
export function findReferencedRules(ids: readonly string[], context: Collections): string[] {
  for (const id of ids) if (!context.in(validationRules).get(id)) throw notFound('validation_rules', id)
  return [...new Set(ids)]
}
