// ISO 8601 durations and calendar arithmetic with them.
import type { TimeZone } from './time-zone.ts'

/** A duration in the three units that cannot be converted into each other: a month is not a fixed number of days. */
export interface Duration {
  months: number
  days: number
  clockMs: number
}

const durationPattern =
  /^P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

// A million days is about the span of dates with four-digit years.
const longestMs = 1_000_000 * 86_400_000

/**
 * Parses a duration such as `P1M`, `P1W` or `P1DT12H`.
 *
 * Returns undefined for anything else, for fractions, for a zero duration and for one longer than a million days.
 */
export function parseDuration(text: string): Duration | undefined {
  const parts = durationPattern.exec(text)
  if (!parts) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0))
  const duration = {
    months: years * 12 + months,
    days: weeks * 7 + days,
    clockMs: (hours * 3600 + minutes * 60 + seconds) * 1000,
  }
  const roughMs = (duration.months * 30 + duration.days) * 86_400_000 + duration.clockMs
  return roughMs > 0 && roughMs <= longestMs ? duration : undefined
}

/**
 * Adds a duration `times` times at once to an instant in milliseconds since 1970.
 *
 * Months and days move the wall clock of the zone, so a day that loses an hour still ends at the same hour; hours are
 * exact. A day that the month does not have becomes its last day. Adding three months at once differs from adding one
 * month three times (31 January is followed by 28 February and then 31 March), which is why `times` exists.
 */
export function addDuration(instantMs: number, duration: Duration, zone: TimeZone, times = 1): number {
  const { months, days, clockMs } = duration
  if (months === 0 && days === 0) return instantMs + clockMs * times
  return zone.instantAt(addToCalendar(zone.wallAt(instantMs), months * times, days * times)) + clockMs * times
}

function addToCalendar(wallMs: number, months: number, days: number): number {
  const wall = new Date(wallMs)
  const day = wall.getUTCDate()
  wall.setUTCDate(1)
  wall.setUTCMonth(wall.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate()
  wall.setUTCDate(Math.min(day, lastDay) + days)
  return wall.getTime()
}
