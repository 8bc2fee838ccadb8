// The one place where codes, ids and names become part of an address.
import { breaksLines, isTooLong } from '../../base/path-key.ts'
import { usageError } from '../../errors.ts'

/**
 * Fills the braces of a path with percent-encoded values, one segment each.
 *
 * Throws `usage` for a value that cannot be a segment: `.` and `..` (a URL parser would turn
 * `POST /v1/vouchers/./disable` into "create the voucher `disable`"), white space around it, more than 1,024 characters,
 * a tab, a line break or a NUL, and half of a surrogate pair. Source: docs/reliability.md#paths.
 */
export function pathOf(template: string, values: Readonly<Record<string, string>> = {}): string {
  let path = ''
  let done = 0
  for (let open = template.indexOf('{'); open !== -1; open = template.indexOf('{', done)) {
    const close = template.indexOf('}', open)
    const name = template.slice(open + 1, close)
    path += template.slice(done, open) + segment(name, values[name])
    done = close + 1
  }
  return path + template.slice(done)
}

function segment(name: string, value: string | undefined): string {
  // Most are, and this one check is cheaper than all that follow.
  if (typeof value === 'string' && /^[\w-]{1,1024}$/.test(value)) return value
  const inWords = () => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  if (typeof value !== 'string' || value.trim() === '') throw usageError(`the ${inWords()} is empty`)
  const [flaw, hint] = flawOf(value) ?? []
  if (flaw !== undefined) throw usageError(`the ${inWords()} ${flaw}`, hint)
  return encodeURIComponent(value)
}

/** Says whether a text can be a segment of a path. */
export function isSegment(value: string): boolean {
  return value.trim() !== '' && flawOf(value) === undefined
}

function flawOf(value: string): [flaw: string, hint?: string] | undefined {
  if (value === '.' || value === '..') {
    return [`"${value}" cannot be part of an address`, 'use the id instead of the name']
  }
  if (isTooLong(value)) return ['is longer than 1,024 characters']
  if (breaksLines(value)) return ['has a tab, a line break or a NUL in it']
  if (value.trim() !== value) {
    return [`${JSON.stringify(value)} has white space around it`, 'leave it out, or use the id']
  }
  return value.isWellFormed() ? undefined : ['is not valid Unicode: it holds half of a surrogate pair']
}
