// Reads JSON without rounding: a number that JavaScript would change keeps the text the service sent.
import { readJson } from './nesting.ts'

// TypeScript's library has no types yet for this part of ES2026, which every supported Node has.
const json = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): boolean
}

/** A number as an object of `JSON.rawJSON`: `JSON.stringify` prints its text unchanged. */
export interface RawNumber {
  readonly rawJSON: string
}

/** Says whether a value is a number kept as its source text. */
export function isRawNumber(value: unknown): value is RawNumber {
  return json.isRawJSON(value)
}

/** Says whether a value is a number, in either form. */
export function isNumber(value: unknown): boolean {
  return typeof value === 'number' || isRawNumber(value)
}

/** One text, read twice: for display, and with plain numbers for a schema to check. */
export interface LosslessJson {
  /** The value; a number that would change is an object of `JSON.rawJSON`, which prints as its source. */
  exact: unknown
  /** The same, with every such number replaced by the nearest one that a schema for whole numbers accepts. */
  plain: unknown
}

/**
 * Parses JSON. Throws SyntaxError for text that is not JSON and RangeError for more than 64 levels.
 *
 * A member named `__proto__` stays an own member and changes no prototype. `roughly` skips the search for numbers that
 * change, which takes a third of the time: both values are what `JSON.parse` returns.
 */
export function readLosslessJson(text: string, roughly = false): LosslessJson {
  const plain = readJson(text)
  if (roughly || !suspicious.test(text)) return { exact: plain, plain }
  return { exact: json.parse(text, exactly), plain: json.parse(text, plainly) }
}

// A reviver costs ten times a plain parse, so it runs only when a number may have sixteen digits, an exponent, or be -0.
// Digits inside strings can raise a false alarm, which costs only time.
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

/** Normalises the text of a number, so that `1.0`, `1` and `10e-1` compare equal. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  if (whole === '') return text
  const power = trimmed === '' ? 0 : Number(exponent) - fraction.length + digits.length - trimmed.length
  return `${sign}${trimmed}e${power}`
}
