// Formulas in place of an amount. Recursive descent from tokens to a function of the context: chains such as 1+1+1 are loops, so only brackets recurse.
import { ownValue } from '../../../../base/record.ts'
import { type Cursor, cursorOver, expectSign, type FormulaToken, tokensOf, unexpectedToken } from './cursor.ts'
import { arithmetic, comparisons, functions } from './operators.ts'
import { type FormulaContext, metadataValues, values } from './values.ts'

/** A parsed formula: returns its value in a context, undefined when the context lacks what it names. */
export type Term = (context: FormulaContext) => unknown

// ASSUMED A612: more than a hundred nested brackets are refused; no real formula needs as many.
const deepest = 100

// ASSUMED A1302: a formula of more than 2,000 characters is refused. An evaluation visits each of its parts at most once,
// so this bounds the time as well.
const longest = 2000

/** Parses a formula. Throws a SyntaxError, worded for the author of the formula, when it is invalid. */
function parseFormula(formula: string): Term {
  if (formula.length > longest) throw new SyntaxError(`the formula has more than ${longest} characters`)
  const cursor = cursorOver(tokensOf(formula))
  const term = anyOf(cursor, 0)
  if (cursor.peek().kind !== 'end') throw unexpectedToken(cursor.peek())
  return term
}

function anyOf(cursor: Cursor, depth: number): Term {
  if (depth > deepest) throw new SyntaxError(`more than ${deepest} nested brackets`)
  const terms = [allOf(cursor, depth)]
  while (cursor.takeWord('or')) terms.push(allOf(cursor, depth))
  return decidedBy(terms, true)
}

function allOf(cursor: Cursor, depth: number): Term {
  const terms = [negation(cursor, depth)]
  while (cursor.takeWord('and')) terms.push(negation(cursor, depth))
  return decidedBy(terms, false)
}

/** Returns the first term that is not a boolean, or that decides (true for "or", false for "and"). */
function decidedBy(terms: Term[], decisive: boolean): Term {
  const [only] = terms
  if (only && terms.length === 1) return only
  return (context) => {
    for (const term of terms) {
      const value = term(context)
      if (typeof value !== 'boolean') return undefined
      if (value === decisive) return decisive
    }
    return !decisive
  }
}

function negation(cursor: Cursor, depth: number): Term {
  let nots = 0
  while (cursor.takeWord('not')) nots += 1
  const term = comparison(cursor, depth)
  if (nots === 0) return term
  return (context) => {
    const value = term(context)
    return typeof value === 'boolean' ? value === (nots % 2 === 0) : undefined
  }
}

function comparison(cursor: Cursor, depth: number): Term {
  const left = sum(cursor, depth)
  const operation = ownValue(comparisons, comparisonName(cursor) ?? '')
  if (!operation) return left
  const right = sum(cursor, depth)
  return (context) => operation(left(context), right(context))
}

/** Takes the comparison that comes next, if any: `is not`, `is_not`, `does not contain`, `starts with`… */
function comparisonName(cursor: Cursor): string | undefined {
  const { kind, text } = cursor.peek()
  if (kind === 'sign' && Object.hasOwn(comparisons, text)) return cursor.take().text
  if (kind !== 'word') return undefined
  if (cursor.takeWord('is')) return cursor.takeWord('not') ? 'is_not' : 'is'
  for (const start of ['starts', 'ends']) {
    if (cursor.takeWord(start)) return cursor.takeWord('with') ? `${start}_with` : refuse(cursor)
  }
  if (cursor.takeWord('does'))
    return cursor.takeWord('not') && cursor.takeWord('contain') ? 'not_contains' : refuse(cursor)
  const word = text.toLowerCase()
  return Object.hasOwn(comparisons, word) ? cursor.take().text.toLowerCase() : undefined
}

function sum(cursor: Cursor, depth: number): Term {
  return chain(cursor, ['+', '-'], () => product(cursor, depth))
}

function product(cursor: Cursor, depth: number): Term {
  return chain(cursor, ['*', '/', '%'], () => parseSigned(cursor, depth))
}

function chain(cursor: Cursor, signs: string[], operand: () => Term): Term {
  const first = operand()
  const rest: { sign: string; term: Term }[] = []
  while (cursor.peek().kind === 'sign' && signs.includes(cursor.peek().text))
    rest.push({ sign: cursor.take().text, term: operand() })
  if (rest.length === 0) return first
  return (context) =>
    rest.reduce<unknown>((value, { sign, term }) => ownValue(arithmetic, sign)?.(value, term(context)), first(context))
}

function parseSigned(cursor: Cursor, depth: number): Term {
  let minuses = 0
  while (cursor.peek().kind === 'sign' && ['-', '+'].includes(cursor.peek().text)) {
    if (cursor.take().text === '-') minuses += 1
  }
  const term = primary(cursor, depth)
  return minuses % 2 === 0 ? term : (context) => arithmetic['-']?.(0, term(context))
}

function primary(cursor: Cursor, depth: number): Term {
  const token = cursor.take()
  if (token.kind === 'number') return constant(Number(token.text))
  if (token.kind === 'text') return constant(token.text)
  if (token.kind === 'word') return parseNamed(token, cursor, depth)
  if (token.kind !== 'sign' || token.text !== '(') throw unexpectedToken(token)
  const inner = anyOf(cursor, depth + 1)
  expectSign(cursor, ')')
  return inner
}

function parseNamed(token: FormulaToken, cursor: Cursor, depth: number): Term {
  const name = token.text.toUpperCase()
  if (name === 'TRUE' || name === 'FALSE') return constant(name === 'TRUE')
  if (Object.hasOwn(values, name)) return values[name] as Term
  if (Object.hasOwn(metadataValues, name)) return metadataTerm(name, cursor)
  if (Object.hasOwn(functions, name)) return call(name, cursor, depth)
  throw new SyntaxError(`'${token.text}' at ${token.at} is not supported by the embedded service`)
}

function metadataTerm(name: string, cursor: Cursor): Term {
  expectSign(cursor, '(')
  const key = cursor.take()
  if (key.kind !== 'text') throw new SyntaxError(`${name} needs a key in quotes at ${key.at}`)
  expectSign(cursor, ')')
  return (context) => ownValue(ownValue(metadataValues, name)?.(context), key.text)
}
function call(name: string, cursor: Cursor, depth: number): Term {
  expectSign(cursor, '(')
  const args = [anyOf(cursor, depth + 1)]
  while (cursor.takeSign(';')) args.push(anyOf(cursor, depth + 1))
  expectSign(cursor, ')')
  const known = ownValue(functions, name)
  const [fewest, most] = known?.arity ?? [0, 0]
  if (args.length < fewest || args.length > most) {
    throw new SyntaxError(
      `${name} takes ${fewest === most ? fewest : `${fewest} to ${most}`} arguments, not ${args.length}`,
    )
  }
  return (context) => known?.apply(...args.map((argument) => () => argument(context)))
}

function refuse(cursor: Cursor): never {
  throw unexpectedToken(cursor.peek())
}

function constant(value: number | string | boolean): Term {
  return () => value
}

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
