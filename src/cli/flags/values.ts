// The syntax of flag values: whole numbers, durations, rates, lists of names. Strict, to catch typing errors here
// instead of guessing (JavaScript reads '' as 0, '0x10' as 16 and '1_000' as 1).

import { durationFrom } from '../../base/duration.ts'
import { rateForm, rateFrom } from '../../base/rate.ts'
import { usageError } from '../../errors.ts'

/** Reads a whole number between two bounds, both allowed. Throws `usage` naming the bounds. */
export function wholeNumber(text: string, least: number, most: number): number {
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw usageError(`"${text}" is not a whole number from ${least} to ${most}`)
}

/** Reads a duration such as `500ms`, `30s`, `2m`, `1h` or `30d` into milliseconds. Throws `usage`. */
export function durationMs(text: string): number {
  const milliseconds = durationFrom(text)
  if (milliseconds !== undefined) return milliseconds
  throw usageError(`"${text}" is not a duration; write it like 500ms, 30s or 2m`)
}

/** Reads `a,b.c` into its names. Throws `usage` for an empty list or an empty name. */
export function nameList(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => name !== '')) return names
  throw usageError(`"${text}" contains an empty name; write it like a,b.c`)
}

/** Reads a time zone that the computer knows, such as `UTC` or `Europe/Warsaw`. Throws `usage`. */
export function timeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    throw usageError(`"${text}" is not a time zone; write it like UTC or Europe/Warsaw`)
  }
}

/** A limit of rows that did not end well: as a number, or as a percentage. */
export type ErrorLimit = { rows: number } | { percent: number }

/** Reads `100` or `5%`. Throws `usage`. */
export function errorLimit(text: string): ErrorLimit {
  if (text.endsWith('%')) return { percent: wholeNumber(text.slice(0, -1), 0, 100) }
  return { rows: wholeNumber(text, 0, 1_000_000_000) }
}

/** A number of calls per period. */
export interface CallLimit {
  calls: number
  periodMs: number
}

/** Reads a limit of calls such as `100/m`, `10/s` or `5000/h`. Throws `usage`. */
export function callLimit(text: string): CallLimit {
  const rate = rateFrom(text)
  if (rate === undefined || !Number.isInteger(rate.requests)) {
    throw usageError(`"${text}" is not a limit of calls; write it ${rateForm}`)
  }
  return { calls: rate.requests, periodMs: rate.perMs }
}
