// The form of codes, and drawing new ones: a pattern whose marks are replaced by characters of a charset.
// Source: docs/service/campaigns.md#code-patterns.
import { defaultCharset } from '../../contract/new-voucher.ts'

/** The form of codes as a request specifies it. */
export interface CodeConfig {
  length?: number | undefined
  charset?: string | undefined
  prefix?: string | undefined
  postfix?: string | undefined
  pattern?: string | undefined
}

export type CompleteCodeConfig = CodeConfig & { length: number; charset: string; pattern: string }

/** The position of a walk through all codes: one index into the charset per mark, and how many codes are left to try. */
export interface CodeSequence {
  indexes: number[]
  left: number
}

/** The dependencies of drawing codes. */
export interface CodeDraw {
  count: number
  /** Returns an integer from 0 to below its argument. */
  random: (below: number) => number
  isTaken: (code: string) => boolean
  /** Returns the key by which two codes are equal; the code itself by default. */
  keyOf?: ((code: string) => string) | undefined
  /** How many codes may be tried. */
  effort: number
  /** Where an earlier draw stopped. */
  walk?: CodeSequence | undefined
}

const defaultLength = 8
const longestCode = 1024
const randomTries = 20
// A number that JSON represents exactly, and more codes than any walk will visit.
const mostCounted = Number.MAX_SAFE_INTEGER

/** Completes a form with its defaults and the resulting pattern. */
export function completeCodeConfig(config: CodeConfig): CompleteCodeConfig {
  const { length = defaultLength, charset = defaultCharset, prefix = '', postfix = '' } = config
  const free = config.pattern ?? '#'.repeat(length)
  // ASSUMED A226: a pattern that begins with the prefix, as in answers, does not get it a second time; likewise the postfix.
  const begun = free.startsWith(prefix) ? free : prefix + free
  const pattern = begun.endsWith(postfix) ? begun : begun + postfix
  return { ...config, length: marksIn(pattern), charset, pattern }
}

/** Returns why a form yields no codes, as the `details` of `invalid_code_config`, or undefined when it does. */
export function codeConfigProblem(config: CodeConfig): string | undefined {
  // Checked first: a length of a million would be a pattern of a million marks.
  if ((config.length ?? 0) > longestCode) return `Codes must NOT have more than ${longestCode} characters`
  // ASSUMED A1732: so is a charset, whose characters every draw tells apart.
  if ((config.charset?.length ?? 0) > longestCode)
    return `The charset must NOT have more than ${longestCode} characters`
  const { pattern, charset } = completeCodeConfig(config)
  if (pattern.length > longestCode) return `Codes must NOT have more than ${longestCode} characters`
  if (/\p{Cc}/u.test(pattern)) return 'Codes must NOT have control characters'
  if (/[\p{Cc}\s]/u.test(charset)) return 'The charset must NOT have control characters or blanks'
  if (`${config.prefix ?? ''}${config.postfix ?? ''}`.includes('#')) return "Prefix and postfix must NOT contain '#'"
  return pattern.trim() === '' ? 'Codes must have a visible character' : undefined
}

/** Returns how many codes a form allows; Infinity when there are too many to count. */
export function countOfCodes(config: CodeConfig): number {
  const { pattern, charset } = completeCodeConfig(config)
  return charactersOf(charset).length ** marksIn(pattern)
}

/**
 * Draws distinct codes that are not taken.
 *
 * Draws at random while that finds free codes; where most are taken, it walks through all of them from a random start.
 * Returns fewer codes than requested when the effort is used up (`walk` says where to resume) or when no code is left
 * (`isExhausted`).
 */
export function drawCodes(
  config: CodeConfig,
  draw: CodeDraw,
): { codes: string[]; walk?: CodeSequence; isExhausted: boolean } {
  const { pattern, charset } = completeCodeConfig(config)
  const characters = charactersOf(charset)
  const drawn = new Map<string, string>()
  const keyOf = draw.keyOf ?? ((code: string) => code)
  let { effort, walk } = draw
  const anywhere = () => Array.from({ length: marksIn(pattern) }, () => draw.random(characters.length))

  let misses = 0
  while (drawn.size < draw.count && effort > 0) {
    effort -= 1
    if (walk?.left === 0) return { codes: [...drawn.values()], walk, isExhausted: true }
    const indexes: number[] = walk ? walk.indexes : anywhere()
    const code = fillPattern(pattern, characters, indexes)
    const isFree = !drawn.has(keyOf(code)) && !draw.isTaken(code)
    if (isFree) drawn.set(keyOf(code), code)
    misses = isFree ? 0 : misses + 1
    if (walk) walk = { indexes: next(walk.indexes, characters.length), left: walk.left - 1 }
    else if (misses === randomTries) walk = { indexes: anywhere(), left: Math.min(countOfCodes(config), mostCounted) }
  }
  return { codes: [...drawn.values()], ...(walk && { walk }), isExhausted: false }
}

function fillPattern(pattern: string, characters: readonly string[], indexes: readonly number[]): string {
  let at = 0
  return pattern.replaceAll('#', () => {
    const character = characters[indexes[at] ?? 0] ?? ''
    at += 1
    return character
  })
}

/** Increments the position, last index first; after the last code comes the first. */
function next(indexes: readonly number[], base: number): number[] {
  const counted = [...indexes]
  for (let at = counted.length - 1; at >= 0; at -= 1) {
    const up = (counted[at] ?? 0) + 1
    counted[at] = up % base
    if (up < base) break
  }
  return counted
}

function charactersOf(charset: string): string[] {
  return [...new Set(charset)]
}

function marksIn(pattern: string): number {
  return pattern.split('#').length - 1
}
