// The functions of a formula. Arguments are evaluated lazily, so a branch that is not taken cannot fail.
import { decimal } from '../money.ts'

type Argument = () => unknown

interface FormulaFunction {
  /** Minimum and maximum number of arguments. */
  arity: readonly [number, number]
  /** Returns undefined when the arguments do not fit together. */
  apply: (...args: Argument[]) => unknown
}

/** Every function by its upper-case name. */
export const functions: Readonly<Record<string, FormulaFunction>> = {
  IF: { arity: [3, 3], apply: (condition, yes, no) => branch(condition?.(), yes, no) },
  DEFAULT_TO: { arity: [2, 2], apply: (value, fallback) => value?.() ?? fallback?.() },
  MIN: { arity: [1, 100], apply: numeric((...numbers) => Math.min(...numbers)) },
  MAX: { arity: [1, 100], apply: numeric((...numbers) => Math.max(...numbers)) },
  POW: { arity: [2, 2], apply: numeric((base = 0, exponent = 0) => finite(base ** exponent)) },
  ROUND: { arity: [1, 2], apply: numeric((x = 0, digits = 0) => atDigits(Math.round, x, digits)) },
  FLOOR: { arity: [1, 2], apply: numeric((x = 0, digits = 0) => atDigits(Math.floor, x, digits)) },
  CEIL: { arity: [1, 2], apply: numeric((x = 0, digits = 0) => atDigits(Math.ceil, x, digits)) },
}

function branch(condition: unknown, yes: Argument | undefined, no: Argument | undefined): unknown {
  if (typeof condition !== 'boolean') return undefined
  return condition ? yes?.() : no?.()
}

function numeric(apply: (...numbers: number[]) => number | undefined): FormulaFunction['apply'] {
  return (...args) => {
    const numbers = args.map((argument) => argument())
    return numbers.every((number) => typeof number === 'number') ? apply(...numbers) : undefined
  }
}

/** Shifts the decimal point in the text, because 1.005 * 100 is 100.49999999999999 in binary. */
function atDigits(round: (x: number) => number, x: number, digits: number): number | undefined {
  if (!Number.isInteger(digits) || Math.abs(digits) > 12) return undefined
  return finite(shift(round(shift(decimal(x), digits)), -digits))
}

function finite(x: number): number | undefined {
  return Number.isFinite(x) ? x : undefined
}

function shift(x: number, places: number): number {
  const [mantissa = '', exponent = '0'] = String(x).split('e')
  return Number(`${mantissa}e${Number(exponent) + places}`)
}
