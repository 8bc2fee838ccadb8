// ISO 8601 durations.
import { dayMs } from '../../../base/duration.ts'
import type { Duration } from '../../../base/time/calendar-duration.ts'

const number = String.raw`(\d+(?:[.,]\d+)?)`
const [date, clock] = ['YMWD', 'HMS'].map((units) => Array.from(units, (unit) => `(?:${number}${unit})?`).join(''))
// ISO 8601 allows a fraction in the last number only, with a comma or a point.
const durationPattern = new RegExp(String.raw`^P(?!.*[.,]\d+[A-Z]T?\d)(?=\d|T\d)${date}(?:T(?=\d)${clock})?$`)

// A million days is about the span of dates with four-digit years.
const longestMs = 1_000_000 * dayMs

/**
 * Parses a duration such as `P1M`, `P1W`, `P1DT12H` or `PT1.5H`.
 *
 * A fraction becomes the next smaller units: `P0.5D` is 12 hours. Returns undefined for anything else, for a zero duration
 * and for one longer than a million days.
 */
export function parseDuration(text: string): Duration | undefined {
  const parts = durationPattern.exec(text)
  if (!parts) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number((part ?? '0').replace(',', '.')))
  // ASSUMED A1058: a fraction of a month is that fraction of 30 days: a month has no length of its own.
  const wholeMonths = split(years * 12 + months)
  const wholeDays = split(weeks * 7 + days + wholeMonths.rest * 30)
  const duration = {
    months: wholeMonths.whole,
    days: wholeDays.whole,
    clockMs: Math.round(wholeDays.rest * dayMs + (hours * 3600 + minutes * 60 + seconds) * 1000),
  }
  const roughMs = (duration.months * 30 + duration.days) * dayMs + duration.clockMs
  return roughMs > 0 && roughMs <= longestMs ? duration : undefined
}

/** Splits a number, which binary arithmetic may have left a trace below the next whole one. */
function split(amount: number): { whole: number; rest: number } {
  const exact = Number(amount.toPrecision(12))
  return { whole: Math.floor(exact), rest: exact - Math.floor(exact) }
}
