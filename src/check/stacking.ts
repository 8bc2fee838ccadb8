// Which discounts may apply to one order together, by the stacking rules of the project.
// Source: docs/service/validations.md#stacking-rules; docs/service/validations.md#exclusive-and-joint.
import { isRecord } from '../base/record.ts'
import { kindNamed } from '../model/kinds.ts'
import type { Offer } from './discounts.ts'
import { memberAt, objectsOf, type Shop } from './shop.ts'

/** Returns a member of the stacking rules, or its standard value. */
function stackingRule(shop: Shop, name: string): unknown {
  const [rules] = objectsOf(shop, 'stacking-rules')
  const own = rules === undefined ? undefined : memberAt(rules, name)
  return own ?? kindNamed('stacking-rules').members[name]?.standard
}

/** Returns the address of the category of an offer: its own, else that of its campaign. */
export function categoryOf({ object, campaign }: Offer): string | undefined {
  const category = memberAt(object, 'category_id') ?? memberAt(campaign, 'category_id')
  return typeof category === 'string' ? category : undefined
}

/** Returns the limits for some offers together: of all, and of one category. */
export function limitsOf(shop: Shop) {
  const limits = stackingRule(shop, 'applicable_redeemables_category_limits')
  const perCategory = Number(stackingRule(shop, 'applicable_redeemables_per_category_limit'))
  return {
    all: Number(stackingRule(shop, 'applicable_redeemables_limit')),
    inCategory: (category: string) =>
      isRecord(limits) && typeof limits[category] === 'number' ? Number(limits[category]) : perCategory,
  }
}

/** Says whether a list of categories of the stacking rules has that of an offer. */
function isListed(shop: Shop, list: string, offer: Offer): boolean {
  const categories = stackingRule(shop, list)
  const category = categoryOf(offer)
  return Array.isArray(categories) && category !== undefined && categories.includes(category)
}

/** Returns why two offers never apply to one order; undefined where they may. */
export function apart(shop: Shop, one: Offer, other: Offer): string | undefined {
  const { all, inCategory } = limitsOf(shop)
  if (all < 2) return 'one discount applies to an order'
  const category = categoryOf(one)
  if (category !== undefined && category === categoryOf(other) && inCategory(category) < 2)
    return `one discount of the category ${JSON.stringify(shop.objects.get(category)?.name ?? category)} applies to an order`
  const [first, second] = [one, other].map((offer) => isListed(shop, 'exclusive_categories', offer))
  const isJoint = [one, other].some((offer) => isListed(shop, 'joint_categories', offer))
  if (first && second && Number(stackingRule(shop, 'applicable_exclusive_redeemables_limit')) < 2)
    return 'one exclusive discount applies to an order'
  return first !== second && !isJoint ? 'an exclusive discount applies alone' : undefined
}

/** Says whether percentages are of the amount before all discounts. */
export function isOfInitialAmount(shop: Shop): boolean {
  return stackingRule(shop, 'discount_calculation_mode') === 'INITIAL_AMOUNT'
}
