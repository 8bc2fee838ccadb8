// The one place where codes, ids and names become part of an address.
import { usageError } from '../errors.ts'

const longest = 1024

/**
 * Fills the braces of a path with percent-encoded values, one segment each.
 *
 * Throws `usage` for a value that cannot be a segment: `.` and `..` (a URL parser would turn
 * `POST /v1/vouchers/./disable` into "create the voucher `disable`"), nothing but blanks, more than 1,024 characters,
 * control characters, and half of a surrogate pair. Source: reliability.md §3.2.
 */
export function pathOf(template: string, values: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{([^}]*)\}/g, (_, name: string) => segment(name, values[name]))
}

function segment(name: string, value: string | undefined): string {
  if (typeof value !== 'string' || value.trim() === '') throw usageError(`the ${name} is empty`)
  if (value === '.' || value === '..') {
    throw usageError(`the ${name} "${value}" cannot be part of an address`, 'use the id instead of the name')
  }
  if (value.length > longest) throw usageError(`the ${name} is longer than 1,024 characters`)
  // The value is not repeated: what it holds could take over a terminal.
  if (/\p{Cc}/u.test(value)) throw usageError(`the ${name} has a control character in it`)
  if (!value.isWellFormed()) throw usageError(`the ${name} is not valid Unicode: it holds half of a surrogate pair`)
  return encodeURIComponent(value)
}
