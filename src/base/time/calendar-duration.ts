// Calendar arithmetic: durations added to instants by the clock of a time zone.
import type { TimeZone } from './time-zone.ts'

/** A duration in the three units that cannot be converted into each other: a month is not a fixed number of days. */
export interface Duration {
  months: number
  days: number
  clockMs: number
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
