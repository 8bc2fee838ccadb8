// Formulas that compute a discount from the order and from metadata. Source: docs/service/pricing.md#formulas.

import { parseFormula, type Term } from './formula/parse.ts'
import type { FormulaContext } from './formula/values.ts'

/**
 * Evaluates a formula.
 *
 * Takes and returns MAJOR units (20 is $20, not 20 cents). Undefined means that it cannot be evaluated: it is not a
 * formula, names a value that the context does not have, divides by zero or does not result in a number. The caller
 * then uses the discount's static value.
 */
export function evaluateFormula(text: string, context: FormulaContext): number | undefined {
  const { term } = understand(text)
  const value = term?.(context)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Returns why a formula cannot be stored, or undefined when it can: unsupported parts are refused, never ignored. */
export function formulaProblem(text: string): string | undefined {
  return understand(text).problem
}

function understand(text: string): { term?: Term; problem?: string } {
  try {
    return { term: parseFormula(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: error.message }
    throw error
  }
}
