// The days, weeks and months between two days, as a campaign's summary is asked for one after another.
import { dayMs } from '../../../base/duration.ts'
import { usageError } from '../../../errors.ts'
import { timeRangeFrom } from '../../flags/time.ts'

/** How long a period is. */
export type Length = 'day' | 'week' | 'month'

/** A first and a last day, both included: `2026-01-31`. */
export interface Days {
  from: string
  until: string
}

/** The most periods that are asked for: a year of days. */
const mostPeriods = 366

/** How many periods are shown where no first day is named. */
const usual: Readonly<Record<Length, number>> = { day: 30, week: 12, month: 12 }

/** The day on which a period begins; weeks begin on Monday. */
const beginnings: Readonly<Record<Length, (day: Date) => Date>> = {
  day: (day) => day,
  week: (day) => new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * dayMs),
  month: (day) => new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth())),
}

/** The beginning of the period that is so many after the one that begins on this day. */
const shifts: Readonly<Record<Length, (day: Date, count: number) => Date>> = {
  day: (day, count) => new Date(day.getTime() + count * dayMs),
  week: (day, count) => new Date(day.getTime() + count * 7 * dayMs),
  month: (day, count) => new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + count)),
}

/**
 * Reads the first and the last day of a summary: days, or ages like `30d`, in UTC, where the service counts days.
 *
 * Throws `usage` for anything else, and for a beginning after the end.
 */
export function daysFrom(
  { since, until }: { since?: string | undefined; until?: string | undefined },
  nowMs: number,
): Partial<Days> {
  const days = {
    ...(since !== undefined && { from: dayOf(since, nowMs) }),
    ...(until !== undefined && { until: dayOf(until, nowMs) }),
  }
  if (days.from !== undefined && days.until !== undefined && days.from > days.until)
    throw usageError(`"${since}" is after "${until}", so nothing can match`)
  return days
}

/**
 * Returns the days, weeks or months between two days, oldest first; the first and the last one may be cut.
 *
 * Without a last day they end today, without a first one there are 30 days, 12 weeks or 12 months. Throws `usage` for more
 * than 366.
 */
export function periodsOf(length: Length, { from, until }: Partial<Days>, nowMs: number): Days[] {
  const begin = beginnings[length]
  const shift = shifts[length]
  const last = until ?? dayAt(nowMs)
  const first = from ?? dayAt(shift(begin(new Date(last)), 1 - usual[length]))
  if (first > last) throw usageError(`${first} is after today, so nothing can match; name a later day with --until`)
  const periods: Days[] = []
  for (let at = begin(new Date(first)); dayAt(at) <= last; at = shift(at, 1)) {
    if (periods.length === mostPeriods)
      throw usageError(
        `from ${first} until ${last} are more than ${mostPeriods} ${length}s; take a longer period with --by`,
      )
    const end = dayAt(shift(at, 1).getTime() - dayMs)
    periods.push({ from: dayAt(at) < first ? first : dayAt(at), until: end > last ? last : end })
  }
  return periods
}

function dayOf(text: string, nowMs: number): string {
  return dayAt(timeRangeFrom(text, { nowMs, timeZone: 'UTC' }).fromMs)
}

function dayAt(at: number | Date): string {
  return new Date(at).toISOString().slice(0, 10)
}
