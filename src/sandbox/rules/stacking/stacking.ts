// Several redeemables on one order: which come first, which are skipped, which fail.
// Source: docs/service/validations.md#order-of-application.

import { checkEligibility } from '../eligibility/eligibility.ts'
import type { EvaluationContext, Incentive } from '../pricing/incentive.ts'
import { nextStep, type OrderState } from '../pricing/order.ts'
import { withApplied } from './applied-counts.ts'
import type { RedeemableCandidate } from './candidates.ts'
import type { EvaluatedEntry } from './entry.ts'
import { isExclusive, isJoint, limitExceeded, type SkipKey } from './limits.ts'
import type { StackingRules } from './stacking-rules.ts'

export interface StackingResult {
  /** In the order of application. */
  entries: EvaluatedEntry[]
  valid: boolean
  /** The order with everything applied; its `applied_*` are the totals of the entire request. */
  order?: OrderState
}

/** Evaluates redeemables one after another, each on the order that results from the previous ones. */
export function stack(
  candidates: readonly RedeemableCandidate[],
  evaluation: EvaluationContext,
  rules: StackingRules,
): StackingResult {
  const sequence = applicationOrder(candidates, rules)
  const entries = withExclusion(sequence, evaluation, rules)
  const applied = entries.filter((entry) => entry.status === 'APPLICABLE')
  const failed = entries.some(({ status }) => status === 'INAPPLICABLE')
  const last = applied.at(-1)?.incentive.order ?? evaluation.order
  const order = last && summed(last, evaluation.order)
  return {
    entries,
    valid: rules.redeemables_application_mode === 'ALL' ? !failed : applied.length > 0,
    ...(order && { order }),
  }
}

/** Sorts redeemables into the order of application. */
function applicationOrder(candidates: readonly RedeemableCandidate[], rules: StackingRules): RedeemableCandidate[] {
  // A redeemable without a category has hierarchy 1, the documented default. The sort is stable.
  const hierarchy = ({ category }: RedeemableCandidate) => category?.hierarchy ?? 1
  const sorted =
    rules.redeemables_sorting_rule === 'CATEGORY_HIERARCHY'
      ? candidates.toSorted((a, b) => hierarchy(a) - hierarchy(b))
      : [...candidates]
  const isGrouped =
    rules.grouped_redeemables_sorting_rule === 'JOINT_ALWAYS_LAST' &&
    sorted.some((one) => isExclusive(one, rules)) &&
    sorted.some((one) => isJoint(one, rules))
  if (!isGrouped) return sorted
  return [...sorted.filter((one) => !isJoint(one, rules)), ...sorted.filter((one) => isJoint(one, rules))]
}

/** One valid exclusive redeemable displaces every common one, including those before it. */
function withExclusion(
  sequence: readonly RedeemableCandidate[],
  evaluation: EvaluationContext,
  rules: StackingRules,
): EvaluatedEntry[] {
  const common = new Set(sequence.filter((one) => !isExclusive(one, rules) && !isJoint(one, rules)))
  const hasExclusive = sequence.some((one) => isExclusive(one, rules))
  if (hasExclusive && common.size > 0) {
    // Evaluated without the common ones: if an exclusive one applies, they are displaced anyway.
    const alone = evaluate(sequence, evaluation, rules, common)
    if (alone.some((entry) => entry.status === 'APPLICABLE' && isExclusive(entry.candidate, rules))) return alone
  }
  return evaluate(sequence, evaluation, rules, new Set())
}

function evaluate(
  sequence: readonly RedeemableCandidate[],
  evaluation: EvaluationContext,
  rules: StackingRules,
  pushedOut: ReadonlySet<RedeemableCandidate>,
): EvaluatedEntry[] {
  const entries: EvaluatedEntry[] = []
  const applied: RedeemableCandidate[] = []
  let order = evaluation.order && nextStep(evaluation.order)
  let hasFailed = false
  for (const candidate of sequence) {
    const skipped = (reason: SkipKey): EvaluatedEntry => ({ status: 'SKIPPED', candidate, reason })
    const limit = limitExceeded(candidate, applied, rules)
    if (pushedOut.has(candidate)) {
      entries.push(skipped('exclusion_rules_not_met'))
    } else if (hasFailed && rules.redeemables_application_mode === 'ALL') {
      entries.push(skipped('preceding_validation_failed'))
    } else if (limit) {
      entries.push(skipped(limit))
    } else {
      const before = entries.filter((entry) => entry.status === 'APPLICABLE')
      const snapshot = withApplied(evaluation.snapshot, before, evaluation.customer?.id)
      const verdict = checkEligibility(candidate, stepOf(candidate, { ...evaluation, snapshot }, order, rules))
      if (!verdict.applicable) {
        const { refusal, bundle } = verdict
        entries.push({ status: 'INAPPLICABLE', candidate, refusal, ...(bundle && { bundle }) })
        hasFailed = true
      } else if (hasNoEffect(verdict.incentive) && skipsNoEffect(candidate, rules)) {
        entries.push(skipped('no_effect'))
      } else {
        entries.push({ status: 'APPLICABLE', candidate, incentive: verdict.incentive })
        applied.push(candidate)
        order = verdict.incentive.order ?? order
      }
    }
  }
  return entries
}

function stepOf(
  { category }: RedeemableCandidate,
  evaluation: EvaluationContext,
  order: OrderState | undefined,
  rules: StackingRules,
): EvaluationContext {
  const isListed = (ids: readonly string[] | undefined) => category !== undefined && (ids ?? []).includes(category.id)
  const ofInitial = isListed(rules.initial_amount_mode_categories)
    ? true
    : isListed(rules.discounted_amount_mode_categories)
      ? false
      : rules.discount_calculation_mode === 'INITIAL_AMOUNT'
  return {
    ...evaluation,
    ...(order && { order }),
    ...(evaluation.order && { initialOrder: evaluation.order }),
    ofInitial,
    once: rules.redeemables_products_application_mode === 'ONCE',
  }
}

/** Returns whether nothing is taken off or added. A reward other than paying with points works outside the order. */
function hasNoEffect({ amount, units, result, points }: Incentive): boolean {
  return amount === 0 && units === 0 && !('loyalty_card' in result && points > 0)
}

function skipsNoEffect({ category }: RedeemableCandidate, rules: StackingRules): boolean {
  if (category && rules.no_effect_skip_categories.includes(category.id)) return true
  if (category && rules.no_effect_redeem_anyway_categories.includes(category.id)) return false
  return rules.redeemables_no_effect_rule === 'SKIP'
}

/** Returns the last state of the order, with everything the request added as applied. */
function summed(last: OrderState, before: OrderState | undefined): OrderState {
  return {
    ...last,
    applied_discount_amount: last.discount_amount - (before?.discount_amount ?? 0),
    // Lines are only appended, so a line keeps its index.
    items: last.items.map((line, at) => ({
      ...line,
      applied_discount_amount: line.discount_amount - (before?.items[at]?.discount_amount ?? 0),
    })),
  }
}
