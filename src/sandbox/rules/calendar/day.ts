// Days of a project's calendar, without a time: `2026-05-31`. The project's time zone says when each begins.

import { addDuration, type Duration } from '../../../base/time/calendar-duration.ts'
import { timeZoneOf } from '../../../base/time/time-zone.ts'

/** A calendar unit that begins with a month. */
export type CalendarUnit = 'MONTH' | 'QUARTER' | 'HALF_YEAR' | 'YEAR'

/** The first and the last day of a calendar unit. */
export interface Period {
  first: string
  last: string
}

const monthsOf: Readonly<Record<CalendarUnit, number>> = { MONTH: 1, QUARTER: 3, HALF_YEAR: 6, YEAR: 12 }

const utc = timeZoneOf('UTC')

/** Returns the day that a time zone shows at an instant. */
export function dayAt(instant: string, timeZone: string): string {
  return dayOf(timeZoneOf(timeZone).wallAt(Date.parse(instant)))
}

/** Returns the instant, in ISO 8601 UTC, at which a day begins in a time zone. */
export function startOfDay(day: string, timeZone: string): string {
  return new Date(timeZoneOf(timeZone).instantAt(Date.parse(day))).toISOString()
}

/** Returns the last instant of a day in a time zone. */
export function endOfDay(day: string, timeZone: string): string {
  return new Date(Date.parse(startOfDay(nextDay(day), timeZone)) - 1).toISOString()
}

/** Returns the day after a day. */
function nextDay(day: string): string {
  return addToDay(day, { days: 1 })
}

/** Returns the day that is some months and days later; a day that the month does not have becomes its last. */
export function addToDay(day: string, { months = 0, days = 0 }: Partial<Duration>): string {
  return dayOf(addDuration(Date.parse(day), { months, days, clockMs: 0 }, utc))
}

/** Returns the calendar unit that a day is in, or with `ahead` one that many units later. */
export function periodOf(unit: CalendarUnit, day: string, ahead = 0): Period {
  const length = monthsOf[unit]
  const month = Number(day.slice(5, 7)) - 1
  const since = month - (month % length) + ahead * length
  const year = Number(day.slice(0, 4))
  return { first: dayOf(Date.UTC(year, since, 1)), last: dayOf(Date.UTC(year, since + length, 0)) }
}

/** Returns the next last day of a month (1 is January) that is not before a day. */
export function endOfNextMonth(month: number, day: string): string {
  const year = Number(day.slice(0, 4)) + (Number(day.slice(5, 7)) > month ? 1 : 0)
  return dayOf(Date.UTC(year, month, 0))
}

function dayOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 10)
}
