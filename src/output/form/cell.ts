// One value as the text of one cell, the same in a table and in CSV.
import { jsonText } from './json.ts'

/**
 * Returns the text of a value: empty for null and undefined, `true` or `false`, a number as the service sent it, and
 * compact JSON for an object or an array. Texts are returned unchanged: the caller sanitises them.
 */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : jsonText(value)
}
