// The functions and the binary operators of formulas, as signs and words. An undefined operand makes the result undefined: nothing is guessed.
import { decimal } from '../money.ts'

type Operation = (left: unknown, right: unknown) => unknown

/** Arithmetic by sign; `%` is the remainder. */
export const arithmetic: Readonly<Record<string, Operation>> = {
  '+': arithmeticOn((left, right) => left + right),
  '-': arithmeticOn((left, right) => left - right),
  '*': arithmeticOn((left, right) => left * right),
  '/': arithmeticOn((left, right) => left / right),
  '%': arithmeticOn((left, right) => left % right),
}

/** Comparisons by sign or by lower-case word; multi-word operators are joined by `_`. */
export const comparisons: Readonly<Record<string, Operation>> = {
  '<': onNumbers((left, right) => left < right),
  '<=': onNumbers((left, right) => left <= right),
  '>': onNumbers((left, right) => left > right),
  '>=': onNumbers((left, right) => left >= right),
  '=': onPresent((left, right) => left === right),
  '==': onPresent((left, right) => left === right),
  '!=': onPresent((left, right) => left !== right),
  '<>': onPresent((left, right) => left !== right),
  is: onPresent((left, right) => left === right),
  is_not: onPresent((left, right) => left !== right),
  contains: contains,
  not_contains: (left, right) => {
    const found = contains(left, right)
    return found === undefined ? undefined : !found
  },
  starts_with: onTexts((left, right) => left.startsWith(right)),
  ends_with: onTexts((left, right) => left.endsWith(right)),
}

function contains(left: unknown, right: unknown): boolean | undefined {
  if (Array.isArray(left)) return right === undefined ? undefined : left.includes(right)
  return typeof left === 'string' && typeof right === 'string' ? left.includes(right) : undefined
}

/** Infinity ends an evaluation where it occurs: 1 / (1 / 0) is not 0. */
function arithmeticOn(operation: (left: number, right: number) => number): Operation {
  const onFinite = onNumbers(operation)
  return (left, right) => {
    const value = onFinite(left, right)
    return Number.isFinite(value) ? value : undefined
  }
}

function onNumbers<R>(operation: (left: number, right: number) => R): Operation {
  return (left, right) => (typeof left === 'number' && typeof right === 'number' ? operation(left, right) : undefined)
}

function onTexts(operation: (left: string, right: string) => boolean): Operation {
  return (left, right) => (typeof left === 'string' && typeof right === 'string' ? operation(left, right) : undefined)
}

function onPresent(operation: (left: unknown, right: unknown) => boolean): Operation {
  return (left, right) => (left === undefined || right === undefined ? undefined : operation(left, right))
}

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
