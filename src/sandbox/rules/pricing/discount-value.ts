// The value of a monetary discount: static, or computed by its formula.
// Source: docs/service/pricing.md#discount-types; docs/service/pricing.md#formulas.

import type { Discount } from '../../../contract/discount.ts'
import { evaluateFormula } from './formula/parse.ts'
import type { FormulaContext } from './formula/values.ts'
import { minorUnits } from './money.ts'

/** A discount that takes off money; UNIT discounts add units instead. */
export type MoneyDiscount = Exclude<Discount, { type: 'UNIT' }>

/** Returns the value of a discount: from its formula, or the static one when there is none or it cannot be evaluated. */
export function discountValue(discount: MoneyDiscount, context: FormulaContext): { value: number; isDynamic: boolean } {
  switch (discount.type) {
    case 'AMOUNT': {
      const major = computed(discount.amount_off_formula, context)
      return major === undefined ? fixedValue(discount.amount_off) : computedValue(minorUnits(major))
    }
    case 'FIXED': {
      const major = computed(discount.fixed_amount_formula, context)
      return major === undefined ? fixedValue(discount.fixed_amount) : computedValue(minorUnits(major))
    }
    case 'PERCENT': {
      const percent = computed(discount.percent_off_formula, context)
      return percent === undefined
        ? fixedValue(discount.percent_off)
        : computedValue(Math.min(100, Math.max(0, percent)))
    }
  }
}

function computed(formula: string | undefined, context: FormulaContext): number | undefined {
  return formula ? evaluateFormula(formula, context) : undefined
}

function fixedValue(value: number | undefined) {
  return { value: Math.max(0, value ?? 0), isDynamic: false }
}

function computedValue(value: number) {
  return { value, isDynamic: true }
}
