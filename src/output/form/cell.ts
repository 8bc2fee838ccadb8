// One value as the text of one cell, the same in a table and in CSV.
import { jsonText } from './json.ts'

/**
 * Gives the text of a value: nothing for null and undefined, `true` or `false`, a number as the service sent it, and
 * compact JSON for an object or an array. Texts are given as they are: the caller sanitises.
 */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : jsonText(value)
}
