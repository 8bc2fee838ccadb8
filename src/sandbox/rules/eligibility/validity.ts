// Time limits of vouchers, campaigns and tiers: dates, recurring windows, days and hours.
// Source: docs/service/validations.md#time-windows.

import type { z } from 'zod'
import { addDuration, type Duration } from '../../../base/time/calendar-duration.ts'
import { type TimeZone, timeZoneOf } from '../../../base/time/time-zone.ts'
import type { validity } from '../../../contract/validity.ts'
import { parseDuration } from '../calendar/duration.ts'

/** The time limits shared by vouchers, campaigns and tiers; null and absent mean "no limit". */
export interface ValidityLimits {
  start_date?: string | null
  expiration_date?: string | null
  validity_timeframe?: NonNullable<z.output<typeof validity.validity_timeframe>> | null
  /** 0 is Sunday. */
  validity_day_of_week?: number[] | null
  validity_hours?: NonNullable<z.output<typeof validity.validity_hours>> | null
}

/** The names of the time limits. */
export const validityFields = [
  'start_date',
  'expiration_date',
  'validity_timeframe',
  'validity_day_of_week',
  'validity_hours',
] as const satisfies readonly (keyof ValidityLimits)[]

export type ValidityState = 'open' | 'expired' | 'not_started' | 'outside'

type DailyHours = NonNullable<ValidityLimits['validity_hours']>['daily'][number]

/**
 * Returns whether an object can be used at an instant, by the wall clock of the project's zone.
 *
 * The instants `start_date` and `expiration_date` are inside; recurring windows and hours include their start and
 * exclude their end. `outside` means that the dates allow it, but the recurring windows do not. An empty
 * `expiration_time` is the end of the day. Throws a RangeError for an unknown zone.
 */
export function validityState(limits: ValidityLimits, now: string, timeZone: string): ValidityState {
  const nowMs = Date.parse(now)
  if (limits.expiration_date && nowMs > Date.parse(limits.expiration_date)) return 'expired'
  if (limits.start_date && nowMs < Date.parse(limits.start_date)) return 'not_started'

  const zone = timeZoneOf(timeZone)
  const recurs = inTimeframe(limits, nowMs, zone) && onDay(limits, nowMs, zone) && inHours(limits, nowMs, zone)
  return recurs ? 'open' : 'outside'
}

/** Returns why limits cannot be stored, as the `details` of an `invalid_payload`, or undefined when they can. */
export function validityProblem(limits: ValidityLimits): string | undefined {
  const { validity_timeframe: timeframe, validity_day_of_week: days, validity_hours: hours } = limits
  if (timeframe) {
    if (!limits.start_date) return "Property .validity_timeframe requires property 'start_date'"
    for (const part of ['duration', 'interval'] as const) {
      if (!parseDuration(timeframe[part])) return `Property .validity_timeframe.${part} must be an ISO 8601 duration`
    }
  }
  if (hours && (timeframe || days?.length))
    return 'Property .validity_hours cannot be combined with validity_timeframe or validity_day_of_week'
  return hours ? hoursProblem(hours.daily) : undefined
}

function inTimeframe(limits: ValidityLimits, nowMs: number, zone: TimeZone): boolean {
  if (!limits.validity_timeframe || !limits.start_date) return true
  const duration = parseDuration(limits.validity_timeframe.duration)
  const interval = parseDuration(limits.validity_timeframe.interval)
  if (!duration || !interval) return false
  return nowMs < addDuration(latestStart(Date.parse(limits.start_date), interval, nowMs, zone), duration, zone)
}

/** Returns the last `firstMs + k x interval` not after `nowMs`, by doubling and halving k: months differ in length. */
function latestStart(firstMs: number, interval: Duration, nowMs: number, zone: TimeZone): number {
  const startOf = (k: number) => addDuration(firstMs, interval, zone, k)
  let low = 0
  let high = 1
  while (startOf(high) <= nowMs) [low, high] = [high, high * 2]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (startOf(middle) <= nowMs) low = middle
    else high = middle
  }
  return startOf(low)
}

function onDay(limits: ValidityLimits, nowMs: number, zone: TimeZone): boolean {
  // ASSUMED A601: an empty list of days is no limit, like null; a voucher that can never be used is pointless.
  if (!limits.validity_day_of_week?.length) return true
  return limits.validity_day_of_week.includes(new Date(zone.wallAt(nowMs)).getUTCDay())
}

function inHours(limits: ValidityLimits, nowMs: number, zone: TimeZone): boolean {
  if (!limits.validity_hours?.daily.length) return true
  const wall = new Date(zone.wallAt(nowMs))
  const minute = wall.getUTCHours() * 60 + wall.getUTCMinutes()
  return limits.validity_hours.daily.some(
    (period) => period.days_of_week.includes(wall.getUTCDay()) && startOf(period) <= minute && minute < endOf(period),
  )
}

function hoursProblem(daily: DailyHours[]): string | undefined {
  for (const [index, period] of daily.entries()) {
    const name = `Property .validity_hours.daily[${index}]`
    // ASSUMED A602: a period without days is refused like one that ends before it starts: neither could ever be open.
    if (period.days_of_week.length === 0) return `${name}.days_of_week must NOT have fewer than 1 items`
    if (endOf(period) <= startOf(period)) return `${name}.expiration_time must be after start_time`
    const other = daily.findIndex((earlier, at) => at < index && overlap(earlier, period))
    if (other >= 0) return `${name} overlaps with daily[${other}]`
  }
  return undefined
}

function overlap(one: DailyHours, other: DailyHours): boolean {
  const shareDay = one.days_of_week.some((day) => other.days_of_week.includes(day))
  return shareDay && startOf(one) < endOf(other) && startOf(other) < endOf(one)
}

function startOf(period: DailyHours): number {
  return minuteOf(period.start_time)
}

function endOf(period: DailyHours): number {
  return period.expiration_time === '' ? 24 * 60 : minuteOf(period.expiration_time)
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
