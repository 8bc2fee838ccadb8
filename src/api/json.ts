// Reads JSON without rounding: a number that JavaScript would change stays the text the service sent.

/** Levels of nesting a body or an answer may have. `JSON.stringify` overflows near 10,000. Source: reliability.md §0.3. */
export const deepest = 64

// TypeScript's library has no types yet for this part of ES2026, which every supported Node has.
const json = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

/** One text, read twice: as it is to be shown, and in plain numbers for a schema to check. */
export interface ReadJson {
  /** The value; a number that would change is an object of `JSON.rawJSON`, which prints as its source. */
  exact: unknown
  /** The same with every such number as the nearest one a schema for whole numbers accepts. */
  plain: unknown
}

/**
 * Parses JSON. Throws SyntaxError for text that is not JSON and RangeError for more than 64 levels.
 *
 * A member named `__proto__` stays an own member and changes no prototype. `roughly` does not look for numbers that change,
 * which takes a third of the time: both values are what `JSON.parse` gives.
 */
export function readJson(text: string, roughly = false): ReadJson {
  const plain: unknown = JSON.parse(text)
  if (isDeeperThan(plain, deepest)) throw new RangeError('nested deeper than 64 levels')
  if (roughly || !suspicious.test(text)) return { exact: plain, plain }
  return { exact: json.parse(text, exactly), plain: json.parse(text, plainly) }
}

/** Says whether a value nests more than so many levels of objects and arrays. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  return typeof value === 'object' && value !== null && nestsDeeper(value, levels)
}

// Every answer comes through here: lists of members, or a call for each plain value, would be most of its garbage.
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

// A reviver costs ten times a plain parse, so it runs only when a number may have sixteen digits, an exponent, or be -0.
// Digits inside strings can raise a false alarm, which costs time and nothing else.
const suspicious = /[:[,]\s*(?:-0|-?\d(?:[\d.]{15}|[\d.]*[eE]))/

function exactly(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return changes(value, source) ? json.rawJSON(source as string) : value
}

function plainly(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (!changes(value, source)) return value
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value as number))
}

function changes(value: unknown, source: string | undefined): boolean {
  if (typeof value !== 'number' || source === undefined) return false
  const printed = String(value)
  return printed !== source && decimal(printed) !== decimal(source)
}

/** Writes a number's text in one way only, so that `1.0`, `1` and `10e-1` compare equal. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  if (whole === '') return text
  const power = trimmed === '' ? 0 : Number(exponent) - fraction.length + digits.length - trimmed.length
  return `${sign}${trimmed}e${power}`
}
