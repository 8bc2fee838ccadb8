// The figure of a discount that takes off money: static, or computed by its formula.
// Source: docs/service/pricing.md#discount-types; docs/service/pricing.md#formulas.

import type { AmountDiscount, FixedDiscount, FormulaContext, PercentDiscount } from '../model.ts'
import { evaluateFormula } from './formula.ts'
import { minorUnits } from './money.ts'

/** A discount that takes off money; UNIT discounts give units instead. */
export type MoneyDiscount = AmountDiscount | PercentDiscount | FixedDiscount

/** The figure of a discount: from its formula, or the static one where there is none or it cannot be evaluated. */
export function figureOf(discount: MoneyDiscount, context: FormulaContext): { figure: number; isDynamic: boolean } {
  switch (discount.type) {
    case 'AMOUNT': {
      const major = computed(discount.amount_off_formula, context)
      return major === undefined ? still(discount.amount_off) : moving(minorUnits(major))
    }
    case 'FIXED': {
      const major = computed(discount.fixed_amount_formula, context)
      return major === undefined ? still(discount.fixed_amount) : moving(minorUnits(major))
    }
    case 'PERCENT': {
      const percent = computed(discount.percent_off_formula, context)
      return percent === undefined ? still(discount.percent_off) : moving(Math.min(100, Math.max(0, percent)))
    }
  }
}

function computed(formula: string | undefined, context: FormulaContext): number | undefined {
  return formula ? evaluateFormula(formula, context) : undefined
}

function still(figure: number | undefined) {
  return { figure: Math.max(0, figure ?? 0), isDynamic: false }
}

function moving(figure: number) {
  return { figure, isDynamic: true }
}
