// The `logic` of a rule: numbers joined by "and" and "or" in any case, with parentheses.
// Source: docs/service/validation-rules.md#conditions.

/** Parsed logic. "and" binds more tightly than "or", as usual. */
export type Logic = { rule: string } | { join: 'and' | 'or'; parts: Logic[] }

// ASSUMED A621: as in formulas, more than a hundred nested brackets are refused.
const deepest = 100

const pieces = /\s*(?:(\d+)(?![\da-z])|(and|or)(?![\da-z])|([()]))/iy

/**
 * Parses logic such as `1 and (2 or 3)`.
 *
 * Returns undefined for empty logic, which names no rule. Throws a SyntaxError, worded for the author of the logic, for
 * invalid logic.
 */
export function parseLogic(text: string): Logic | undefined {
  const words = wordsOf(text)
  if (words.length === 0) return undefined
  let index = 0

  function parseJoined(join: 'and' | 'or', part: () => Logic): Logic {
    const first = part()
    const parts = [first]
    while (words[index] === join) {
      index += 1
      parts.push(part())
    }
    return parts.length === 1 ? first : { join, parts }
  }

  function anyOf(depth: number): Logic {
    if (depth > deepest) throw new SyntaxError(`logic has more than ${deepest} nested brackets`)
    return parseJoined('or', () => parseJoined('and', () => single(depth)))
  }

  function single(depth: number): Logic {
    const word = words[index]
    index += 1
    if (word !== undefined && /^\d/.test(word)) return { rule: word }
    if (word !== '(') throw unexpectedWord(word)
    const inner = anyOf(depth + 1)
    if (words[index] !== ')') throw unexpectedWord(words[index])
    index += 1
    return inner
  }

  const logic = anyOf(0)
  if (index < words.length) throw unexpectedWord(words[index])
  return logic
}

/** Returns every rule number that the logic names. */
export function ruleNumbersIn(logic: Logic): string[] {
  return 'rule' in logic ? [logic.rule] : logic.parts.flatMap(ruleNumbersIn)
}

function wordsOf(text: string): string[] {
  const scanner = new RegExp(pieces)
  const length = text.trimEnd().length
  const words: string[] = []
  while (scanner.lastIndex < length) {
    const from = scanner.lastIndex
    const match = scanner.exec(text)
    if (!match) throw new SyntaxError(`logic has something unexpected at ${from}`)
    words.push(match[0].trimStart().toLowerCase())
  }
  return words
}

function unexpectedWord(word: string | undefined): SyntaxError {
  return new SyntaxError(word === undefined ? 'logic ends too early' : `logic has an unexpected '${word}'`)
}
