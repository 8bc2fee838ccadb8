// The binary operators, as signs and words. An undefined operand makes the result undefined: nothing is guessed.

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
