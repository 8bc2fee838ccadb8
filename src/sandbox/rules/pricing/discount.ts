// Applies a discount: one function from an order to the order with the discount applied.
// Source: docs/service/pricing.md#discount-types; docs/service/pricing.md#formulas.
import type { Discount } from '../../../contract/discount.ts'
import { missing, type RefusalBody } from '../failures.ts'
import type { LineSelection } from './applicable.ts'
import { evaluateFormula } from './formula/parse.ts'
import type { FormulaContext } from './formula/values.ts'
import { applyUnits, type UnitCatalogue } from './free-units.ts'
import {
  capDiscounts,
  countedSubtotal,
  discountPerLine,
  forCountedUnits,
  type LineDiscount,
  splitByWeight,
} from './item-discount.ts'
import { minorUnits, roundHalfUp } from './money.ts'
import {
  amountDue,
  amountDueOnLines,
  discountLine,
  discountOrder,
  nextStep,
  type OrderLine,
  type OrderState,
  subtotal,
} from './order.ts'

export interface DiscountTerms {
  catalogue: UnitCatalogue
  /** Selects the lines of an order that the discount applies to. */
  select: (lines: readonly OrderLine[]) => LineSelection
  /** Whether a rule includes or excludes products, which determines the effect when none is given. */
  namesProducts: boolean
  /** The order before anything was applied: the base of percentages in INITIAL_AMOUNT mode. */
  initial?: OrderState
  /** ONCE mode: lines that already have a discount are left unchanged. */
  once?: boolean
  formula: FormulaContext
}

export interface Discounted {
  order: OrderState
  /** The discount as applied: with its effect, the value computed by a formula if any, `is_dynamic`. */
  discount: Discount
  /** Units made free by this discount. */
  units: number
}

/**
 * Applies a discount to an order, which is not modified.
 *
 * A discount on items of an order without lines takes nothing off, which is no failure. Returns a refusal when the order
 * has no amount, or free units are of an unknown product. Source: docs/service/pricing.md#what-a-discount-needs.
 */
export function applyDiscount(
  order: OrderState,
  discount: Discount,
  terms: DiscountTerms,
): Discounted | { refusal: RefusalBody } {
  const resolved = withEffect(discount, terms.namesProducts)
  if (resolved.type === 'UNIT') return applyUnits(order, resolved, terms)
  if (resolved.effect === 'APPLY_TO_ORDER')
    return order.amount === undefined ? { refusal: missing('amount') } : onOrder(order, resolved, terms)
  return onItems(order, resolved, terms)
}

/** Returns a discount as answers show it when there is no order to apply it to. */
export function unappliedDiscount(discount: Discount, namesProducts: boolean): Discount {
  return { ...withEffect(discount, namesProducts), is_dynamic: false }
}

/** Fills in the effect of a discount without one. */
function withEffect<D extends Discount>(discount: D, namesProducts: boolean): D & { effect: NonNullable<D['effect']> } {
  const effect =
    discount.effect ??
    (discount.type === 'UNIT'
      ? discount.units
        ? 'ADD_MANY_ITEMS'
        : 'ADD_MISSING_ITEMS'
      : // ASSUMED A06: FIXED follows the rule that is documented for AMOUNT and PERCENT.
        namesProducts
        ? 'APPLY_TO_ITEMS'
        : 'APPLY_TO_ORDER')
  return { ...discount, effect } as D & { effect: NonNullable<D['effect']> }
}

/** Returns whether a discount applies to the entire order, so that its answer lists no products. */
export function isOrderWide(discount: Discount, namesProducts: boolean): boolean {
  return withEffect(discount, namesProducts).effect === 'APPLY_TO_ORDER'
}

function onOrder(order: OrderState, discount: MoneyDiscount, terms: DiscountTerms): Discounted {
  const { value, isDynamic } = discountValue(discount, terms.formula)
  const rest = amountDue(order)
  const amount = Math.min(rest, orderAmount(discount, value, rest, terms.initial?.amount ?? rest))
  return { order: discountOrder(order, Math.max(0, amount)), discount: withValue(discount, value, isDynamic), units: 0 }
}

function orderAmount(discount: MoneyDiscount, value: number, rest: number, base: number): number {
  switch (discount.type) {
    case 'AMOUNT':
      return Math.min(value, discount.aggregated_amount_limit ?? Infinity)
    case 'PERCENT':
      return Math.min(
        roundHalfUp((base * value) / 100),
        discount.amount_limit ?? Infinity,
        discount.aggregated_amount_limit ?? Infinity,
      )
    case 'FIXED':
      return rest - value
  }
}

function onItems(order: OrderState, discount: MoneyDiscount, terms: DiscountTerms): Discounted {
  const next = nextStep(order)
  const { shares, caps } = terms.select(next.items)
  const selection = { caps, shares: terms.once ? shares.filter(({ line }) => line.discount_amount === 0) : shares }
  const whole = discountValue(discount, terms.formula)
  let isDynamic = whole.isDynamic
  const value = (line: OrderLine): number => {
    const own = discountValue(discount, { ...terms.formula, line })
    isDynamic ||= own.isDynamic
    return own.value
  }
  let parts = itemAmounts(discount, selection, whole.value, value, (line) =>
    terms.initial ? (terms.initial.items[next.items.indexOf(line)]?.amount ?? 0) : subtotal(line),
  )
  if (discount.type !== 'FIXED') parts = capDiscounts(parts, discount.aggregated_amount_limit ?? Infinity)
  for (const cap of selection.caps) parts = capDiscounts(parts, cap.amount, cap.lines)
  // ASSUMED A07: after an order-level discount, lines may be discounted by no more than what is left to pay.
  parts = capDiscounts(parts, amountDueOnLines(order))
  for (const { line, amount } of parts) discountLine(line, amount)
  return { order: next, discount: withValue(discount, whole.value, isDynamic), units: 0 }
}

function itemAmounts(
  discount: MoneyDiscount,
  selection: LineSelection,
  whole: number,
  value: (line: OrderLine) => number,
  base: (line: OrderLine) => number,
): LineDiscount[] {
  if (discount.type === 'FIXED') {
    return discountPerLine(
      selection,
      (share) => countedSubtotal(share) - (share.price ?? value(share.line)) * share.units,
    )
  }
  if (discount.type === 'PERCENT') {
    const limit = discount.amount_limit ?? Infinity
    return discountPerLine(
      selection,
      (share) => (forCountedUnits(base(share.line), share) * value(share.line)) / 100,
    ).map(({ line, amount }) => ({ line, amount: Math.min(amount, limit) }))
  }
  const total = Math.min(whole, discount.aggregated_amount_limit ?? Infinity)
  switch (discount.effect) {
    case 'APPLY_TO_ITEMS_PROPORTIONALLY':
      return splitByWeight(selection, total, (share) => forCountedUnits(share.line.amount ?? 0, share))
    case 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY':
      return splitByWeight(selection, total, (share) => share.units)
    case 'APPLY_TO_ITEMS_BY_QUANTITY':
      return discountPerLine(selection, (share) => value(share.line) * share.units)
    default:
      return discountPerLine(selection, (share) => value(share.line))
  }
}

function withValue(discount: MoneyDiscount, value: number, isDynamic: boolean): Discount {
  const name = { AMOUNT: 'amount_off', PERCENT: 'percent_off', FIXED: 'fixed_amount' }[discount.type]
  return { ...discount, [name]: value, is_dynamic: isDynamic }
}

/** A discount that takes off money; UNIT discounts add units instead. */
export type MoneyDiscount = Exclude<Discount, { type: 'UNIT' }>

/** Returns the value of a discount: from its formula, or the static one when there is none or it cannot be evaluated. */
function discountValue(discount: MoneyDiscount, context: FormulaContext): { value: number; isDynamic: boolean } {
  switch (discount.type) {
    case 'AMOUNT': {
      const major = computeFormula(discount.amount_off_formula, context)
      return major === undefined ? fixedValue(discount.amount_off) : computedValue(minorUnits(major))
    }
    case 'FIXED': {
      const major = computeFormula(discount.fixed_amount_formula, context)
      return major === undefined ? fixedValue(discount.fixed_amount) : computedValue(minorUnits(major))
    }
    case 'PERCENT': {
      const percent = computeFormula(discount.percent_off_formula, context)
      return percent === undefined
        ? fixedValue(discount.percent_off)
        : computedValue(Math.min(100, Math.max(0, percent)))
    }
  }
}

function computeFormula(formula: string | undefined, context: FormulaContext): number | undefined {
  return formula ? evaluateFormula(formula, context) : undefined
}

function fixedValue(value: number | undefined) {
  return { value: Math.max(0, value ?? 0), isDynamic: false }
}

function computedValue(value: number) {
  return { value, isDynamic: true }
}
