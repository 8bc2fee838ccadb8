// Finds what a customer and an order could use: held vouchers, promotion tiers, stacks, campaigns.
// Source: docs/service/qualifications.md#scenarios.
import type { qualificationScenarios } from '../../../contract/qualifications.ts'
import { numberedRules, type RuleContext } from '../conditions/context.ts'
import { evaluateRules, isOmitted, isRelaxed } from '../conditions/evaluate.ts'
import { matchesLine, quantifierOf } from '../conditions/order-lines.ts'
import type { RuleNode, ValidationRule } from '../conditions/rule.ts'
import { applicableRules, isLacking, ruleContext } from '../eligibility/eligibility.ts'
import { lockedBy } from '../eligibility/session.ts'
import { usabilityRefusal } from '../eligibility/usability.ts'
import { type ApplicableTo, namesProducts, selectLines } from '../pricing/applicable.ts'
import { bundleOf, type EvaluationContext, type Incentive, incentiveOf, noIncentive } from '../pricing/incentive.ts'
import { totals } from '../pricing/order.ts'
import { orderAnswer } from '../pricing/order-answer.ts'
import type { PromotionStack, Voucher } from '../redeemable.ts'
import { candidateOf, candidatesOf, type RedeemableCandidate } from '../stacking/candidates.ts'
import { stack } from '../stacking/stacking.ts'
import { categoriesAnswer } from '../stacking/validation-entry.ts'
import { campaignIncentive, isOffered } from './campaigns.ts'
import type { OfferFacts } from './filters.ts'

/** What a qualification asks for. */
export type Scenario = (typeof qualificationScenarios)[number]

/** Queries that a snapshot does not have. */
export interface Offers {
  /** Returns what a customer holds. */
  wallet: (customerId: string) => readonly Voucher[]
  /** Returns codes that belong to no campaign and to nobody. */
  standalone: () => readonly Voucher[]
  stacks: () => readonly (PromotionStack & { created_at: string })[]
}

/** A matching object, with the values that lists are ordered and filtered by. `amount` is its discount. */
export interface QualifiedOffer {
  object: 'campaign' | 'voucher' | 'promotion_tier' | 'promotion_stack'
  id: string
  created_at: string
  amount: number
  facts: OfferFacts
  /** What its rules are assigned to. */
  owners: readonly string[]
  /** The names of the conditions that were not judged, by the id of their rule. */
  omitted: ReadonlyMap<string, string[]>
  /** Whether its rules name a product of the order, and whether its discount is on lines. */
  touches: { products: boolean; discounted: boolean }
  answer: Record<string, unknown>
}

/** Returns all matches of a scenario, each alone on the order of the evaluation; in no particular order. */
export function findOffers(
  scenario: Scenario,
  evaluation: EvaluationContext,
  offers: Offers,
  expand: readonly string[],
): QualifiedOffer[] {
  const { snapshot, customer } = evaluation
  const vouchersOf = (found: readonly Voucher[], role?: 'held') => {
    snapshot.prefetch?.('voucher', found)
    return found.flatMap((voucher) => {
      const candidate = candidateOf(snapshot, { object: 'voucher', id: voucher.code })
      const holder_role = role && (voucher.is_referral_code ? 'REFERRER' : 'OWNER')
      return single('voucher', candidate, evaluation, expand).map((offer) => ({
        ...offer,
        facts: { ...offer.facts, holder_role },
      }))
    })
  }
  const wallet = () => (customer?.id === undefined ? [] : vouchersOf(offers.wallet(customer.id), 'held'))
  const tiers = () =>
    snapshot
      .promotionTiers()
      .flatMap(({ id }) =>
        single('promotion_tier', candidateOf(snapshot, { object: 'promotion_tier', id }), evaluation, expand),
      )
  const stacks = () => offers.stacks().flatMap((one) => wholeStack(one, evaluation))
  const everybody = () => [...vouchersOf(offers.standalone()), ...tiers(), ...campaigns(evaluation, expand)]
  switch (scenario) {
    case 'CUSTOMER_WALLET':
      return wallet()
    case 'PROMOTION_STACKS':
      return stacks()
    case 'PRODUCTS':
      return everybody().filter((offer) => concernsProducts(offer, scenario))
    case 'PRODUCTS_DISCOUNT':
    case 'PRODUCTS_BY_CUSTOMER':
    case 'PRODUCTS_DISCOUNT_BY_CUSTOMER':
      return [...wallet(), ...everybody()].filter((offer) => concernsProducts(offer, scenario))
    case 'ALL':
    case 'AUDIENCE_ONLY':
      return [...wallet(), ...stacks(), ...everybody()]
  }
}

function campaigns(evaluation: EvaluationContext, expand: readonly string[]): QualifiedOffer[] {
  return evaluation.snapshot.campaigns().flatMap((campaign) => {
    const incentive = isOffered(campaign, evaluation) ? campaignIncentive(campaign, evaluation) : undefined
    if (!incentive) return []
    const reference = campaign.category_id ?? campaign.category
    const category = reference ? evaluation.snapshot.category(reference) : undefined
    const candidate = { request: { object: 'voucher' as const, id: campaign.id }, campaign, category }
    const { id, created_at } = campaign
    const rules = applicableRules(candidate, evaluation)
    return [offerOf({ object: 'campaign', id, created_at, incentive, candidate, rules }, evaluation, expand)]
  })
}

function single(
  object: 'voucher' | 'promotion_tier',
  candidate: RedeemableCandidate,
  evaluation: EvaluationContext,
  expand: readonly string[],
): QualifiedOffer[] {
  const { voucher, tier, request } = candidate
  const held = lockedBy(voucher ? evaluation.snapshot.locks(voucher.id) : [], undefined, evaluation.now)
  if (candidate.unknown || usabilityRefusal(candidate, evaluation, held)) return []
  const rules = applicableRules(candidate, evaluation)
  const computed = incentiveOf(candidate, evaluation, rules, held)
  if ('refusal' in computed && !computed.refusal.key?.startsWith('missing_')) return []
  // Without an order there is nothing to discount yet; the incentive is returned nevertheless.
  const promise = { ...noIncentive(evaluation.order), result: resultOf(candidate) }
  const bundle = bundleOf(rules, evaluation)
  if (isLacking(bundle, evaluation)) return []
  const incentive = { ...('refusal' in computed ? promise : computed), ...(bundle && { bundle }) }
  if (!evaluateRules(rules, ruleContext(candidate, evaluation, incentive)).satisfied) return []
  const created_at = tier?.created_at ?? (voucher as { created_at?: string } | undefined)?.created_at ?? ''
  return [offerOf({ object, id: request.id, created_at, incentive, candidate, rules }, evaluation, expand)]
}

function wholeStack(
  { id, name, campaign_id, created_at }: PromotionStack & { created_at: string },
  evaluation: EvaluationContext,
): QualifiedOffer[] {
  const { snapshot } = evaluation
  const stacked = stack(candidatesOf(snapshot, [{ object: 'promotion_stack', id }]), evaluation, snapshot.stackingRules)
  if (!stacked.valid) return []
  const order = stacked.order && { order: orderAnswer(stacked.order) }
  const amount = stacked.order ? totals(stacked.order).total_applied_discount_amount : 0
  return [
    {
      object: 'promotion_stack',
      id,
      created_at,
      amount,
      facts: { resource_type: 'promotion_stack', resource_id: id, campaign_id },
      owners: [],
      omitted: new Map(),
      touches: { products: false, discounted: false },
      answer: { id, object: 'promotion_stack', created_at, name, campaign_id, result: {}, ...order },
    },
  ]
}

/** What was found, its effect, and the rules that were judged. */
interface Match extends Pick<QualifiedOffer, 'object' | 'id' | 'created_at'> {
  incentive: Incentive
  candidate: RedeemableCandidate
  rules: readonly ValidationRule[]
}

function offerOf(
  { object, id, created_at, incentive, candidate, rules }: Match,
  evaluation: EvaluationContext,
  expand: readonly string[],
): QualifiedOffer {
  const { snapshot } = evaluation
  const { voucher, tier, campaign, category } = candidate
  const context = ruleContext({ voucher, campaign }, evaluation, incentive)
  const { order, applicable_to, inapplicable_to, result, amount } = incentive
  const metadata = (voucher ?? tier ?? campaign)?.metadata ?? {}
  const answer = {
    id,
    object,
    created_at,
    result: { ...result, ...(incentive.bundle && { bundle: incentive.bundle }) },
    ...(order && { order: orderAnswer(order) }),
    applicable_to,
    inapplicable_to,
    ...(expand.includes('redeemable') && {
      ...((tier ?? (object === 'campaign' ? campaign : undefined)) && { name: (tier ?? campaign)?.name }),
      ...(campaign && object !== 'campaign' && { campaign_name: campaign.name, campaign_id: campaign.id }),
      metadata,
    }),
    ...(expand.includes('category') && { categories: categoriesAnswer(category, snapshot.stackingRules) }),
  }
  const [isForAll, ids] = [object === 'campaign', object === 'voucher' ? [id, voucher?.id ?? id] : id]
  return {
    object,
    id,
    created_at,
    amount,
    facts: {
      resource_type: object,
      resource_id: ids,
      campaign_id: campaign?.id,
      campaign_type: campaign?.campaign_type,
      category_id: category?.id,
      voucher_type: voucher?.type ?? (isForAll ? campaign?.voucher?.type : undefined),
      code: voucher?.code,
    },
    owners: [voucher?.id, tier?.id, campaign?.id].filter((owner) => owner !== undefined),
    omitted: new Map(
      rules.map((rule) => [rule.id, numberedRules(rule.rules).flatMap(([, one]) => notJudged(one, context))]),
    ),
    touches: {
      products: namesProductOf(rules, context) || Boolean(incentive.bundle?.identified.length),
      discounted: isOnItems(incentive),
    },
    answer,
  }
}

function notJudged(rule: RuleNode, context: RuleContext): string[] {
  if (isOmitted(rule, context)) return [rule.name]
  return isRelaxed(rule, context) ? numberedRules(rule.rules).map(([, { name }]) => name) : []
}

/**
 * ASSUMED A1106: the scenarios about products list what names a product of the order; those about discounts what takes
 * something off a line, or would off one without a price, or adds units. Limits are judged, conditions on the order are not, and those on the customer only
 * for a customer.
 */
function concernsProducts({ touches }: QualifiedOffer, scenario: Scenario): boolean {
  return scenario.startsWith('PRODUCTS_DISCOUNT') ? touches.discounted : touches.products
}

function isOnItems({ result, amount, units, applicable_to, order }: Incentive): boolean {
  if (!('discount' in result)) return false
  // What a line without a price would get less for is a deal as well.
  const isUnpriced = applicable_to.data.some(({ order_item_indices = [] }) =>
    order_item_indices.some((at) => order?.items[at]?.amount === undefined),
  )
  if (amount + units === 0 && !isUnpriced) return false
  return result.discount.type === 'UNIT' || result.discount.effect?.startsWith('APPLY_TO_ITEMS') === true
}

function namesProductOf(rules: readonly ValidationRule[], context: RuleContext): boolean {
  const lines = context.order?.items ?? []
  return rules.some(({ applicable_to, rules: tree }) => {
    const part = namesProducts(applicable_to ?? undefined) ? [applicable_to as ApplicableTo] : []
    if (part.length > 0 && selectLines(context, part, lines).shares.length > 0) return true
    return numberedRules(tree).some(
      ([, one]) =>
        quantifierOf(one) !== undefined &&
        Object.keys(one.conditions ?? {}).length > 0 &&
        lines.some((line) => matchesLine(one.conditions ?? {}, line, context)),
    )
  })
}

function resultOf({ voucher, tier }: RedeemableCandidate): Incentive['result'] {
  if (voucher?.gift) return { gift: { credits: 0, balance: voucher.gift.balance } }
  if (voucher?.loyalty_card) return { loyalty_card: { points: voucher.loyalty_card.balance } }
  return { discount: tier?.action.discount ?? voucher?.discount ?? { type: 'AMOUNT', amount_off: 0 } }
}
