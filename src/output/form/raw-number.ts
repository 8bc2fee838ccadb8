// Numbers that JavaScript would round travel as the text the service sent. Source: reliability.md B-56.

/** A number as an object of `JSON.rawJSON`: `JSON.stringify` prints its text unchanged. */
export interface RawNumber {
  readonly rawJSON: string
}

// TypeScript's library has no types yet for this part of ES2026, which every supported Node has.
const json = JSON as unknown as { isRawJSON(value: unknown): boolean }

/** Says whether a value is a number kept as its source text. */
export function isRawNumber(value: unknown): value is RawNumber {
  return json.isRawJSON(value)
}

/** Says whether a value is a number, in either form. */
export function isNumber(value: unknown): boolean {
  return typeof value === 'number' || isRawNumber(value)
}
