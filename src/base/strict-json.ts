// Reads JSON exactly: where JSON.parse would silently drop, round or override something, this reader reports it.
import { deepestNesting } from './nesting.ts'

const whiteSpace = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const literals = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** A value, or the problem and the offset of its character in the text, counted from 0. */
export type JsonReading = { value: unknown } | { problem: string; at: number }

/**
 * Reads one JSON value strictly.
 *
 * Objects have no prototype, so `__proto__` is a member like any other. In addition to what JSON.parse refuses, it refuses
 * a member named twice, more than 64 levels, and a number that a double cannot represent.
 * Source: docs/reliability.md#bodies.
 */
export function readStrictJson(text: string): JsonReading {
  const reader = { text, at: 0 }
  try {
    const value = readValue(reader, 1)
    skipSpace(reader)
    if (reader.at < text.length) throw new JsonProblem('unexpected text after the value', reader.at)
    return { value }
  } catch (error) {
    if (error instanceof JsonProblem) return { problem: error.message, at: error.at }
    throw error
  }
}

interface Reader {
  readonly text: string
  at: number
}

/** Ends the recursion; never thrown out of this file. */
class JsonProblem extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

function readValue(reader: Reader, depth: number): unknown {
  skipSpace(reader)
  const first = reader.text[reader.at]
  if (first === undefined) throw new JsonProblem('the text ends where a value is expected', reader.at)
  if (first === '"') return readString(reader)
  if (first === '{' || first === '[') {
    if (depth > deepestNesting) throw new JsonProblem(`nested deeper than ${deepestNesting} levels`, reader.at)
    return first === '{' ? readObject(reader, depth) : readArray(reader, depth)
  }
  if (first === '-' || (first >= '0' && first <= '9')) return readNumber(reader)
  for (const [word, value] of literals) {
    if (reader.text.startsWith(word, reader.at)) {
      reader.at += word.length
      return value
    }
  }
  throw new JsonProblem('a value is expected here', reader.at)
}

function readObject(reader: Reader, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null)
  reader.at += 1
  if (accepts(reader, '}')) return object
  do {
    skipSpace(reader)
    const at = reader.at
    if (reader.text[at] !== '"') throw new JsonProblem('a member name in double quotes is expected here', at)
    const name = readString(reader)
    if (name in object) throw new JsonProblem(`the member ${JSON.stringify(name)} is given twice`, at)
    if (!accepts(reader, ':')) throw new JsonProblem('a colon is expected here', reader.at)
    object[name] = readValue(reader, depth + 1)
  } while (accepts(reader, ','))
  if (!accepts(reader, '}')) throw new JsonProblem('a comma or a closing brace is expected here', reader.at)
  return object
}

function readArray(reader: Reader, depth: number): unknown[] {
  const array: unknown[] = []
  reader.at += 1
  if (accepts(reader, ']')) return array
  do array.push(readValue(reader, depth + 1))
  while (accepts(reader, ','))
  if (!accepts(reader, ']')) throw new JsonProblem('a comma or a closing bracket is expected here', reader.at)
  return array
}

function readString(reader: Reader): string {
  const start = reader.at
  let end = start
  do {
    end = reader.text.indexOf('"', end + 1)
    if (end === -1) throw new JsonProblem('this text has no closing quote', start)
  } while (isEscaped(reader.text, end))
  reader.at = end + 1
  try {
    return JSON.parse(reader.text.slice(start, end + 1)) as string
  } catch {
    throw new JsonProblem('this text holds a raw control character or an unknown escape', start)
  }
}

function readNumber(reader: Reader): number {
  number.lastIndex = reader.at
  const token = number.exec(reader.text)?.[0]
  if (token === undefined) throw new JsonProblem('this is not a number', reader.at)
  const value = Number(token)
  // Rounding would silently change what the user asked for.
  if (!isKept(value)) throw new JsonProblem('this number is too large to be kept exactly', reader.at)
  reader.at += token.length
  return value
}

/**
 * Says whether a number that was read is the number that was written.
 *
 * ASSUMED A491: 1.0 and -0 are the whole numbers 1 and 0; what is too large for a double is refused, in every body.
 */
export function isKept(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
}

function isEscaped(text: string, quoteAt: number): boolean {
  let backslashes = 0
  while (text[quoteAt - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

function accepts(reader: Reader, character: string): boolean {
  skipSpace(reader)
  if (reader.text[reader.at] !== character) return false
  reader.at += 1
  return true
}

function skipSpace(reader: Reader): void {
  whiteSpace.lastIndex = reader.at
  whiteSpace.test(reader.text)
  reader.at = whiteSpace.lastIndex
}
