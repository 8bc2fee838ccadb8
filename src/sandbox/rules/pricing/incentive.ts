// Computes what one redeemable of any kind would do to an order: a discount, gift credits or points.
// Source: docs/service/pricing.md#discount-types.
import type { Discount } from '../../../contract/discount.ts'
import type { Metadata } from '../../../contract/fields.ts'
import type { ProductScope } from '../conditions/context.ts'
import type { ValidationRule } from '../conditions/rule.ts'
import type { Customer } from '../eligibility/customer.ts'
import type { LockedAmounts } from '../eligibility/session.ts'
import type { RefusalBody } from '../failures.ts'
import type { Voucher } from '../redeemable.ts'
import type { Snapshot } from '../snapshot.ts'
import type { RedeemableCandidate } from '../stacking/candidates.ts'
import { type ApplicableTo, namesProducts, selectLines } from './applicable.ts'
import { type ApplicabilityLists, applicabilityLists, noEntries } from './applicable-lists.ts'
import { type Bundle, bundleIn, discountTimes, hasBundle } from './bundle.ts'
import { applyDiscount, isOrderWide, unappliedDiscount } from './discount.ts'
import { amountDue, nextStep, type OrderLine, type OrderState, totals } from './order.ts'
import { payWithGift, type Reward, spendPoints } from './payment.ts'

/** The data of one evaluation. */
export interface EvaluationContext {
  snapshot: Snapshot
  now: string
  /** The request's own metadata. */
  metadata: Metadata
  customer?: Customer | undefined
  /** The order after the preceding redeemables. */
  order?: OrderState | undefined
  /** The order before any redeemable. */
  initialOrder?: OrderState | undefined
  /** The session of the request, which its own locks never block. */
  sessionKey?: string | undefined
  /** Only segment and customer-metadata rules count. */
  audienceOnly?: boolean | undefined
  /** Only rules that a fuller cart cannot change count. */
  products?: ProductScope | undefined
  /** Percentages are of the initial amount. */
  ofInitial?: boolean | undefined
  /** Lines that have a discount are not discounted again. */
  once?: boolean | undefined
}

export interface Incentive extends ApplicabilityLists {
  /** The order with the incentive applied. */
  order?: OrderState
  /** The wire form: what is taken off, paid or spent. */
  result: { discount: Discount } | { gift: { credits: number; balance: number } } | { loyalty_card: { points: number } }
  /** What this step takes off the order, lines included. */
  amount: number
  /** Free units. */
  units: number
  credits: number
  points: number
  reward?: Reward
  /** What the order has of the bundle that the rules ask for. */
  bundle?: Bundle
}

/** Computes the incentive of a redeemable, without checking whether its rules allow it. */
export function incentiveOf(
  candidate: RedeemableCandidate,
  evaluation: EvaluationContext,
  rules: readonly ValidationRule[],
  locked: LockedAmounts,
): Incentive | { refusal: RefusalBody } {
  const { voucher, tier, request } = candidate
  if (voucher?.type === 'GIFT_VOUCHER') return giftIncentive(candidate, evaluation, rules, locked)
  if (voucher?.type === 'LOYALTY_CARD') {
    const { snapshot, order } = evaluation
    const spent = spendPoints(order, voucher, request.reward, locked.points, snapshot.reward)
    if ('refusal' in spent) return spent
    const { points, reward } = spent
    return { ...incentive(spent.order, { loyalty_card: { points } }, noEntries()), points, reward }
  }
  const discount = tier?.action.discount ?? voucher?.discount ?? { type: 'AMOUNT', amount_off: 0 }
  const given = discountIncentive(discount, tier?.metadata ?? voucher?.metadata ?? {}, evaluation, rules)
  const referrer = voucher && referrerOf(voucher)
  if ('refusal' in given || !given.order || !referrer) return given
  return { ...given, order: { ...given.order, referrer_id: referrer } }
}

/** Returns the holder of a referral code; undefined for other vouchers and for a code without a holder. */
export function referrerOf(voucher: Voucher): string | undefined {
  if (!voucher.is_referral_code) return undefined
  return voucher.referrer_id ?? voucher.holder_id ?? undefined
}

/** Computes what a discount does to the order of an evaluation, within the product part of the rules. */
export function discountIncentive(
  given: Discount,
  redeemableMetadata: Metadata,
  evaluation: EvaluationContext,
  rules: readonly ValidationRule[],
): Incentive | { refusal: RefusalBody } {
  const { snapshot, order, initialOrder, customer } = evaluation
  const bundle = bundleOf(rules, evaluation)
  const times = discountTimes(given, productParts(rules), bundle?.quantity ?? 1)
  const { discount, applicableTo } = times
  const naming = applicableTo.some(namesProducts)
  const lists = (lines: readonly OrderLine[]) =>
    isOrderWide(discount, naming)
      ? noEntries()
      : // Free units are not selected by the rule: only the rule's own entries are listed.
        applicabilityLists(snapshot, applicableTo, discount.type === 'UNIT' ? [] : lines)
  if (!order) return incentive(undefined, { discount: unappliedDiscount(discount, naming) }, lists([]))
  const discounted = applyDiscount(order, discount, {
    catalogue: snapshot,
    namesProducts: naming,
    select: (lines) => selectLines(snapshot, applicableTo, lines),
    ...(evaluation.ofInitial && initialOrder && { initial: initialOrder }),
    once: evaluation.once ?? false,
    formula: { order, customer, metadata: evaluation.metadata, redeemableMetadata },
  })
  if ('refusal' in discounted) return discounted
  const next = takesNothing(order, discounted)
    ? { ...discounted.order, initial_amount: order.initial_amount, zeros: 'all' as const }
    : discounted.order
  return {
    ...incentive(next, { discount: discounted.discount }, lists(next.items)),
    units: discounted.units,
    ...(bundle && { bundle }),
  }
}

/** What the order has of the bundle that the rules ask for; undefined when they ask for none. */
export function bundleOf(
  rules: readonly ValidationRule[],
  { snapshot, initialOrder, order }: Pick<EvaluationContext, 'snapshot' | 'initialOrder' | 'order'>,
): Bundle | undefined {
  const bundles = rules.flatMap(({ bundle_rules }) => (hasBundle(bundle_rules) ? [bundle_rules] : []))
  // Units that another redeemable added do not make a bundle.
  return bundles.length === 0 ? undefined : bundleIn(snapshot, bundles, (initialOrder ?? order)?.items ?? [])
}

function giftIncentive(
  { voucher, request }: RedeemableCandidate,
  { snapshot, order: before }: EvaluationContext,
  rules: readonly ValidationRule[],
  locked: LockedAmounts,
): Incentive | { refusal: RefusalBody } {
  if (!voucher) return noIncentive(before)
  const applicableTo = productParts(rules)
  const select = (lines: readonly OrderLine[]) => selectLines(snapshot, applicableTo, lines)
  const paid = payWithGift(before, voucher, request.gift?.credits, locked.credits, select)
  if ('refusal' in paid) return paid
  const { credits, balance } = paid
  const onItems = voucher.gift?.effect === 'APPLY_TO_ITEMS'
  const lists = onItems ? applicabilityLists(snapshot, applicableTo, paid.order.items) : noEntries()
  // A gift for the order says so of each line, which it could have paid.
  const order = paid.order.items.length > 0 ? { ...paid.order, zeros: 'lines' as const } : paid.order
  return { ...incentive(order, { gift: { balance, credits } }, lists), credits }
}

/** Whether a discount changes nothing of an order with lines, or gives units that were paid for already. */
function takesNothing(before: OrderState, { order, units }: { order: OrderState; units: number }): boolean {
  const isEmpty = totals(order).total_applied_discount_amount === 0
  return before.items.length > 0 && isEmpty && (units === 0 || amountDue(before) === 0)
}

/** Returns an incentive that leaves the order unchanged. */
export function noIncentive(order: OrderState | undefined): Incentive {
  const nothing: Discount = { type: 'AMOUNT', amount_off: 0, effect: 'APPLY_TO_ORDER', is_dynamic: false }
  return incentive(order && nextStep(order), { discount: nothing }, noEntries())
}

function incentive(order: OrderState | undefined, result: Incentive['result'], lists: ApplicabilityLists): Incentive {
  return {
    ...lists,
    ...(order && { order }),
    result,
    amount: order ? totals(order).total_applied_discount_amount : 0,
    units: 0,
    credits: 0,
    points: 0,
  }
}

function productParts(rules: readonly ValidationRule[]): ApplicableTo[] {
  return rules.flatMap(({ applicable_to }) => (applicable_to ? [applicable_to] : []))
}
