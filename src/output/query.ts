// `--query`: JMESPath over the result that would have been written. Source: docs/command-line.md#formats.
import type { compile as Compile, JSONValue } from '@jmespath-community/jmespath'
import { isNumber } from '../base/lossless-json.ts'
import { isRecord } from '../base/record.ts'
import { usageError } from '../errors.ts'

/** Characters of an expression that show a place in it. */
const shownLength = 20

/** Evaluates the expression on one value; null when nothing matches. */
export type CompiledQuery = (value: unknown) => unknown

/**
 * Compiles a JMESPath expression.
 *
 * Throws `usage` with the position of the syntax error, or the name of a function that does not exist; the compiled query
 * throws `usage` where a function receives a value of the wrong type.
 */
export async function queryFor(expression: string): Promise<CompiledQuery> {
  const { compile, tokenize, isRegistered, TreeInterpreter } = await import('@jmespath-community/jmespath')
  const tree = compileQuery()
  for (const name of namesOf('Function', tree)) {
    if (!isRegistered(name)) throw wrong(`there is no function "${name}"`)
  }
  // The library reads a field as `value[name]`, which finds what every object inherits.
  const isInherited = namesOf('Field', tree).some((name) => name in Object.prototype)
  return (value) => {
    try {
      if (!isInherited) return TreeInterpreter.search(tree, value as JSONValue)
      return withoutInherited(TreeInterpreter.search(tree, withoutInherited(value) as JSONValue))
    } catch (error) {
      throw wrong((error as Error).message)
    }
  }

  function compileQuery() {
    try {
      return compile(expression)
    } catch (error) {
      const at = positionOfError(expression, compile, (text) => tokenize(text).map(({ start }) => start))
      if (expression.trim() === '') throw wrong('it is empty')
      if (at >= expression.length)
        throw wrong(`it ends too early, at position ${at + 1}, after "${expression.slice(-shownLength)}"`)
      const near = `at position ${at + 1}, near "${expression.slice(at, at + shownLength)}"`
      throw wrong(`${(error as Error).message.replace(/^syntax(?: error)?[:,]? */i, '')}, ${near}`)
    }
  }

  function wrong(reason: string) {
    return usageError(`the query "${expression}" cannot be used: ${reason}`, `promo help formats`)
  }
}

/**
 * Finds the position of a syntax error, which the library does not report: the first token whose addition fails for
 * another reason than an unexpected end. Counted from 0; the length of the expression when only its end is missing.
 */
function positionOfError(expression: string, compile: typeof Compile, startsOf: (text: string) => number[]): number {
  const starts = attempt(() => startsOf(expression))
  if (!starts) {
    let at = expression.length
    while (at > 0 && !attempt(() => startsOf(expression.slice(0, at)))) at -= 1
    return at
  }
  for (const [index, start] of starts.entries()) {
    try {
      compile(expression.slice(0, starts[index + 1] ?? expression.length))
    } catch (error) {
      if (!/\bEOF\b/.test((error as Error).message)) return start
    }
  }
  return expression.length
}

function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

function namesOf(wanted: 'Function' | 'Field', node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => namesOf(wanted, one))
  if (typeof node !== 'object' || node === null) return []
  const { type, name } = node as { type?: unknown; name?: unknown }
  const own = type === wanted && typeof name === 'string' ? [name] : []
  return [...own, ...Object.values(node).flatMap((one) => namesOf(wanted, one))]
}

/** Copies a value into objects that inherit nothing; a function, which no JSON has, is null. */
function withoutInherited(value: unknown): unknown {
  if (typeof value === 'function') return null
  if (Array.isArray(value)) return value.map(withoutInherited)
  if (!isRecord(value) || isNumber(value)) return value
  const copy = Object.create(null) as Record<string, unknown>
  for (const [name, member] of Object.entries(value)) copy[name] = withoutInherited(member)
  return copy
}
