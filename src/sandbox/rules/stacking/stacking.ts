// Several redeemables on one order: which come first, which are skipped, which fail.
// Source: docs/service/validations.md#order-of-application; docs/service/validation-rules.md#counts-and-budgets.

import type { RedemptionQuery, RedemptionTotals } from '../conditions/context.ts'
import { checkEligibility } from '../eligibility/eligibility.ts'
import type { EvaluationContext, Incentive } from '../pricing/incentive.ts'
import { nextStep, type OrderState } from '../pricing/order.ts'
import type { Snapshot } from '../snapshot.ts'
import type { RedeemableCandidate } from './candidates.ts'
import { type AppliedEntry, type EvaluatedEntry, isExclusive, isJoint, limitExceeded, type SkipKey } from './entry.ts'
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
  const order = last && sumOrder(last, evaluation.order)
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
    const skip = (reason: SkipKey): EvaluatedEntry => ({ status: 'SKIPPED', candidate, reason })
    const limit = limitExceeded(candidate, applied, rules)
    if (pushedOut.has(candidate)) {
      entries.push(skip('exclusion_rules_not_met'))
    } else if (hasFailed && rules.redeemables_application_mode === 'ALL') {
      entries.push(skip('preceding_validation_failed'))
    } else if (limit) {
      entries.push(skip(limit))
    } else {
      const before = entries.filter((entry) => entry.status === 'APPLICABLE')
      const snapshot = withApplied(evaluation.snapshot, before, evaluation.customer?.id)
      const verdict = checkEligibility(candidate, stepOf(candidate, { ...evaluation, snapshot }, order, rules))
      if (!verdict.applicable) {
        const { refusal, bundle } = verdict
        entries.push({ status: 'INAPPLICABLE', candidate, refusal, ...(bundle && { bundle }) })
        hasFailed = true
      } else if (hasNoEffect(verdict.incentive) && skipsNoEffect(candidate, rules)) {
        entries.push(skip('no_effect'))
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
function sumOrder(last: OrderState, before: OrderState | undefined): OrderState {
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

/**
 * Adds the redeemables applied so far to the snapshot's past redemptions, as if they were redeemed.
 *
 * Without this, two codes of one campaign could both be the last one within the campaign's budget.
 */
function withApplied(snapshot: Snapshot, applied: readonly AppliedEntry[], customerId: string | undefined): Snapshot {
  if (applied.length === 0) return snapshot
  return {
    ...snapshot,
    redemptions: (query) => {
      const past = snapshot.redemptions(query)
      const own = applied.filter((entry) => isMeant(query, entry, customerId))
      return own.length === 0 ? past : addTotals(past, own, isNewcomer(snapshot, query, customerId))
    },
  }
}

function isMeant({ object, id, campaign_id, customer_id }: RedemptionQuery, entry: AppliedEntry, customerId?: string) {
  const { voucher, tier, campaign } = entry.candidate
  return (
    (object === undefined || object === entry.candidate.request.object) &&
    (id === undefined || id === (voucher ?? tier)?.id) &&
    (campaign_id === undefined || campaign_id === campaign?.id) &&
    (customer_id === undefined || customer_id === customerId)
  )
}

/** A customer new to the service is counted by the rule itself. */
function isNewcomer(snapshot: Snapshot, query: RedemptionQuery, customerId: string | undefined): boolean {
  return customerId !== undefined && snapshot.redemptions({ ...query, customer_id: customerId }).count === 0
}

function addTotals(past: RedemptionTotals, own: readonly AppliedEntry[], isNew: boolean): RedemptionTotals {
  const sum = (of: (entry: AppliedEntry) => number) => own.reduce((total, entry) => total + of(entry), 0)
  return {
    count: past.count + own.length,
    customers_count: past.customers_count + (isNew ? 1 : 0),
    orders_amount: past.orders_amount + sum(({ incentive }) => incentive.order?.amount ?? 0),
    orders_amount_discounted: past.orders_amount_discounted + sum(({ incentive }) => incentive.amount),
  }
}
