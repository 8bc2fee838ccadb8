// When and how a voucher may be used, checked before it is stored: dates, recurring windows, discounts.
import { pathText } from '../../../base/schema.ts'
import { type Discount, unitProblem } from '../../../contract/discount.ts'
import { existingById, findOr404 } from '../../answers/existing.ts'
import { invalidPayload, notFound, refused } from '../../http/refusal.ts'
import type { Tables } from '../../http/route.ts'
import { type ValidityLimits, validityProblem } from '../../rules/eligibility/validity.ts'
import { formulaProblem } from '../../rules/pricing/formula/parse.ts'
import { campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import { categories } from '../../stores/categories.ts'
import { validationRules } from '../../stores/validation-rules.ts'
import type { StoredVoucher } from '../../stores/vouchers.ts'

/** The five fields that limit a voucher in time, null where a request omits them, dates in UTC with milliseconds. */
export function validityLimitsOf(
  given: { [Name in keyof ValidityLimits]: ValidityLimits[Name] | undefined },
): Required<ValidityLimits> {
  return {
    start_date: instantOf(given.start_date),
    expiration_date: instantOf(given.expiration_date),
    validity_timeframe: given.validity_timeframe ?? null,
    validity_day_of_week: given.validity_day_of_week ?? null,
    validity_hours: given.validity_hours ?? null,
  }
}

/** Refuses limits that contradict each other. Throws 400 `invalid_payload`. */
export function checkValidity(limits: ValidityLimits): void {
  const problem = validityProblem(limits)
  if (problem) throw invalidPayload(problem)
  // ASSUMED A110: a voucher that expires before or when it starts is refused.
  if (limits.start_date && limits.expiration_date && limits.expiration_date <= limits.start_date)
    throw invalidPayload("Property .expiration_date must be after property 'start_date'")
}

/** Checks what the schema of a discount does not cover. Throws 400: a formula that cannot be computed is never stored. */
export function checkedDiscount(given: Discount): Discount {
  if (given.type === 'UNIT') {
    const problem = unitProblem(given)
    if (problem) throw invalidPayload(describeProblem(problem))
  }
  for (const [name, value] of formulasIn(given)) {
    const problem = formulaProblem(value)
    if (problem) throw refused('invalid_voucher', `${name}: ${problem}`)
  }
  return given
}

/** Words a problem as the service does; what is missing is a property of the object around it (A101). */
function describeProblem({ path, message }: { path: readonly (string | number)[]; message: string }): string {
  if (!message.startsWith('is required')) return `Property ${pathText(['discount', ...path])} ${message}`
  return `Property ${pathText(['discount', ...path.slice(0, -1)])} should have required property '${path.at(-1)}'`
}

function formulasIn(given: object): Array<[string, string]> {
  return Object.entries(given).flatMap(([name, value]): Array<[string, string]> => {
    if (name.endsWith('_formula') && typeof value === 'string') return [[name, value]]
    return Array.isArray(value) ? value.flatMap((item: object) => formulasIn(item)) : []
  })
}

function instantOf(given: string | null | undefined): string | null {
  return given == null ? null : new Date(given).toISOString()
}

// The references of a voucher: campaign, category, validation rules. Each may be named by id or by its natural key.

/** Finds the campaign a request names in either field. Throws 404. */
export function findReferencedCampaign(
  named: { campaign?: string | null | undefined; campaign_id?: string | null | undefined },
  context: Tables,
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
  context: Tables,
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
export function findReferencedRules(ids: readonly string[], context: Tables): string[] {
  for (const id of ids) if (!context.in(validationRules).get(id)) throw notFound('validation_rules', id)
  return [...new Set(ids)]
}
