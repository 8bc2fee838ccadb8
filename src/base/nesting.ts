// How deeply objects and arrays may nest, and reading JSON that nests no deeper.

/** The levels of nesting that a body, an answer or a row may have: `JSON.stringify` overflows near 10,000. */
export const deepestNesting = 64

/** Says whether a value has more than the given number of levels of objects and arrays. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  return typeof value === 'object' && value !== null && nestsDeeper(value, levels)
}

// Every answer passes through here: lists of members, or a call for each plain value, would be most of its garbage.
function nestsDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(item, levels - 1)) return true
    return false
  }
  for (const name in value) {
    const member: unknown = value[name as keyof typeof value]
    if (typeof member === 'object' && member !== null && nestsDeeper(member, levels - 1)) return true
  }
  return false
}

/**
 * Parses JSON that comes from outside. Throws SyntaxError for text that is not JSON, and RangeError for more levels.
 *
 * Numbers are rounded and a repeated member replaces the earlier one: what is sent on is read by strict-json.ts or
 * lossless-json.ts.
 */
export function readJson(text: string, levels = deepestNesting): unknown {
  const value: unknown = isTooDeepToParse(text, levels) ? undefined : JSON.parse(text)
  if (value === undefined || isDeeperThan(value, levels)) throw new RangeError(`nested deeper than ${levels} levels`)
  return value
}

/** Says whether a JSON text has more than so many members and items, without parsing it. */
export function hasMoreItems(text: string, most: number): boolean {
  let items = 0
  for (let at = 0; at < text.length && items < most; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === quote) at = endOfText(text, at)
    else if (unit === comma) items += 1
  }
  return items >= most
}

/** Below this length a text takes little memory to parse, however deeply it nests. */
const harmlessLength = 2 ** 20

/**
 * Says whether a long JSON text nests deeper than a value may, without parsing it: thirty million brackets would become
 * a gigabyte of arrays. A short text is never said to; `isDeeperThan` judges it when it is parsed.
 */
function isTooDeepToParse(text: string, most: number): boolean {
  if (text.length < harmlessLength) return false
  let levels = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === quote) at = endOfText(text, at)
    else if (unit === openBrace || unit === openBracket) levels += 1
    else if (unit === closeBrace || unit === closeBracket) levels -= 1
    if (levels > most) return true
  }
  return false
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

function endOfText(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
}
