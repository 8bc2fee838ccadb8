// Decides whether one redeemable may be used now, by this customer, on this order; the first failure is reported.
// Source: docs/service/validations.md#eligibility-checks.

import type { RuleContext } from '../conditions/context.ts'
import { evaluateRules } from '../conditions/evaluate.ts'
import type { ValidationRule } from '../conditions/rule.ts'
import { missing, type RefusalBody, refuse, refusedAs, violationRefusal } from '../failures.ts'
import { type Bundle, hasBundle } from '../pricing/bundle.ts'
import { bundleOf, type EvaluationContext, type Incentive, incentiveOf, noIncentive } from '../pricing/incentive.ts'
import type { RedeemableCandidate } from '../stacking/candidates.ts'
import { type LockedAmounts, lockedBy } from './session.ts'
import { usabilityRefusal } from './usability.ts'

export type Eligibility =
  | { applicable: true; incentive: Incentive }
  | { applicable: false; refusal: RefusalBody; bundle?: Bundle }

/**
 * Evaluates one redeemable on the order of the evaluation.
 *
 * The checks run in a fixed order and the first failure is returned. The rules see the order before and after the
 * incentive, so the incentive is computed first and discarded when a rule fails.
 */
export function checkEligibility(candidate: RedeemableCandidate, evaluation: EvaluationContext): Eligibility {
  const held = locksOn(candidate, evaluation)
  const early = candidate.unknown ?? usabilityRefusal(candidate, evaluation, held)
  if (early) return { applicable: false, refusal: early }

  const rules = applicableRules(candidate, evaluation)
  const computed = incentiveOrNothing(candidate, evaluation, rules, held)
  const incentive = 'refusal' in computed ? undefined : computed
  const verdict = evaluateRules(rules, ruleContext(candidate, evaluation, incentive))
  const impossible = 'refusal' in computed ? computed.refusal : undefined
  const bundle = bundleOf(rules, evaluation)
  const broken = verdict.satisfied ? undefined : violationRefusal(verdict, kindOf(candidate))
  const refusal =
    (isMissing(broken) ? broken : undefined) ??
    (isMissing(impossible) || impossible?.key === 'missing_reward' ? impossible : undefined) ??
    cardHolderRefusal(candidate, evaluation) ??
    broken ??
    bundleRefusal(bundle, rules, candidate, evaluation) ??
    impossible ??
    amountRefusal(evaluation)
  if (refusal) return { applicable: false, refusal, ...(bundle && { bundle }) }
  return { applicable: true, incentive: { ...(incentive ?? noIncentive(evaluation.order)), ...(bundle && { bundle }) } }
}

/** Refuses what needs a bundle that the order does not have; where only the audience or the product is asked for, nothing does. */
function bundleRefusal(
  bundle: Bundle | undefined,
  rules: readonly ValidationRule[],
  candidate: RedeemableCandidate,
  evaluation: EvaluationContext,
): RefusalBody | undefined {
  if (!isLacking(bundle, evaluation)) return undefined
  if (!evaluation.order) return missing('order')
  const ruleIds = rules.filter(({ bundle_rules }) => hasBundle(bundle_rules)).map(({ id }) => id)
  // ASSUMED A1800: an order without the bundle violates the rule, as an order that does not meet a condition does.
  return violationRefusal({ satisfied: false, kind: 'order', ruleIds }, kindOf(candidate))
}

/** Returns whether a bundle is needed and not complete. */
export function isLacking(
  bundle: Bundle | undefined,
  { audienceOnly, products }: Pick<EvaluationContext, 'audienceOnly' | 'products'>,
): boolean {
  return bundle?.quantity === 0 && !audienceOnly && !products
}

/** Returns the rules of a redeemable: its own, its campaign's and those of the reward it pays for, without duplicates. */
export function applicableRules(
  { voucher, tier, campaign, request }: RedeemableCandidate,
  { snapshot }: EvaluationContext,
): ValidationRule[] {
  const isPaying = voucher?.type === 'LOYALTY_CARD' && request.reward?.id !== undefined
  const offer = isPaying ? snapshot.reward(request.reward?.id ?? '', voucher)?.assignment_id : undefined
  const rules = [
    ...(voucher ? snapshot.rulesOf('voucher', voucher.id) : []),
    ...(tier ? snapshot.rulesOf('promotion_tier', tier.id) : []),
    ...(campaign ? snapshot.rulesOf('campaign', campaign.id) : []),
    ...(offer === undefined ? [] : snapshot.rulesOf('reward_assignment', offer)),
  ]
  return rules.filter(({ id }, at) => rules.findIndex((rule) => rule.id === id) === at)
}

/** What every evaluation of rules needs, whatever they are assigned to. */
export function ruleContext(
  { voucher, tier, campaign }: Pick<RedeemableCandidate, 'voucher' | 'tier' | 'campaign'>,
  evaluation: EvaluationContext,
  incentive: Incentive | undefined,
): RuleContext {
  const { snapshot, customer, order, initialOrder } = evaluation
  return {
    now: evaluation.now,
    timeZone: snapshot.timeZone,
    weekStartsOn: snapshot.weekStartsOn,
    audienceOnly: evaluation.audienceOnly ?? false,
    products: evaluation.products,
    redeemable: voucher
      ? { object: 'voucher', id: voucher.id, metadata: voucher.metadata ?? {} }
      : tier
        ? { object: 'promotion_tier', id: tier.id, metadata: tier.metadata ?? {} }
        : { object: 'campaign', id: campaign?.id ?? '', metadata: campaign?.metadata ?? {} },
    voucher,
    campaign,
    customer,
    isInSegment: (segmentId) => customer !== undefined && snapshot.isInSegment(segmentId, customer),
    isInTier: (tierId) => customer !== undefined && snapshot.isInTier(tierId, customer),
    isHolder: holds({ voucher }, evaluation),
    order,
    orderAfter: incentive?.order,
    initialOrder,
    metadata: evaluation.metadata,
    giftCredits: incentive && 'gift' in incentive.result ? incentive.credits : undefined,
    pointsUsed: incentive && 'loyalty_card' in incentive.result ? incentive.points : undefined,
    discountAmount: incentive?.amount ?? 0,
    isInCollection: snapshot.isInCollection,
    redemptions: snapshot.redemptions,
    apiKey: snapshot.apiKey,
    onCondition: snapshot.onCondition,
  }
}

function cardHolderRefusal(candidate: RedeemableCandidate, evaluation: EvaluationContext): RefusalBody | undefined {
  const { voucher } = candidate
  // Only when a customer is given: the documents validate a card without a customer.
  if (voucher?.type !== 'LOYALTY_CARD' || !evaluation.customer || holds(candidate, evaluation)) return undefined
  return refusedAs('invalid_customer', 'Customer must be a holder of a loyalty card.', voucher.code)
}

function amountRefusal({ initialOrder }: EvaluationContext): RefusalBody | undefined {
  const amount = initialOrder?.amount
  if (amount === undefined || (Number.isInteger(amount) && amount > 0)) return undefined
  // ASSUMED A19: a cart of free products has the amount 0 and is valid.
  if (amount === 0 && initialOrder?.items.length) return undefined
  return refuse('invalid_amount', 'Amount has to be a valid positive number')
}

function incentiveOrNothing(
  candidate: RedeemableCandidate,
  evaluation: EvaluationContext,
  rules: readonly ValidationRule[],
  held: LockedAmounts,
) {
  const computed = incentiveOf(candidate, evaluation, rules, held)
  // With audience rules only, a missing order is no failure.
  const isForgiven = evaluation.audienceOnly && 'refusal' in computed && isMissing(computed.refusal)
  return isForgiven ? noIncentive(evaluation.order) : computed
}

function locksOn({ voucher }: RedeemableCandidate, { snapshot, sessionKey, now }: EvaluationContext): LockedAmounts {
  if (!voucher) return { quantity: 0, credits: 0, points: 0 }
  return lockedBy(snapshot.locks(voucher.id), sessionKey, now)
}

function holds({ voucher }: Pick<RedeemableCandidate, 'voucher'>, { customer, snapshot }: EvaluationContext): boolean {
  if (!voucher || customer?.id === undefined) return false
  return voucher.holder_id === customer.id || snapshot.holdsVoucher(customer.id, voucher.id)
}

function isMissing(refusal: RefusalBody | undefined): boolean {
  return refusal?.key?.startsWith('missing_') === true && refusal.key !== 'missing_reward'
}

function kindOf({ voucher }: RedeemableCandidate): string {
  if (!voucher) return 'Promotion Tier'
  return { DISCOUNT_VOUCHER: 'Discount Coupon', GIFT_VOUCHER: 'Gift Card', LOYALTY_CARD: 'Loyalty Card' }[voucher.type]
}
