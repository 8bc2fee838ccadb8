// The operators of rule conditions. Values are arrays; several operators in one rule must all hold.
// Source: docs/service/validation-rules.md#operators.
import { dayMs } from '../../../base/duration.ts'
import { addDuration } from '../../../base/time/calendar-duration.ts'
import { type TimeZone, timeZoneOf } from '../../../base/time/time-zone.ts'
import type { RuleContext } from './context.ts'

/** The instant of an evaluation: dates are compared with it, by the wall clock of the zone. */
export interface ZonedNow {
  nowMs: number
  zone: TimeZone
}

/** The type of an operator's values: `same` is the type they are compared with. */
export type OperatorValues = 'same' | 'number' | 'text' | 'date' | 'days' | 'weekday' | 'size'

interface Operator {
  values: OperatorValues
  /** `actual` is undefined when the compared value is absent; then only negative operators hold. */
  holds: (actual: unknown, values: readonly unknown[], clock: ZonedNow) => boolean
}

/** Every supported operator by its name. */
export const operators: Readonly<Record<string, Operator>> = {
  $is: { values: 'same', holds: isAny },
  $is_not: { values: 'same', holds: (actual, values) => !isAny(actual, values) },
  $in: { values: 'same', holds: isAny },
  $not_in: { values: 'same', holds: (actual, values) => !isAny(actual, values) },
  $less_than: onNumbers((actual, value) => actual < value),
  $less_than_or_equal: onNumbers((actual, value) => actual <= value),
  $more_than: onNumbers((actual, value) => actual > value),
  $more_than_or_equal: onNumbers((actual, value) => actual >= value),
  // A spelling used in published request samples.
  $greater_than_or_equal: onNumbers((actual, value) => actual >= value),
  $starts_with: onTexts((actual, value) => actual.startsWith(value)),
  $ends_with: onTexts((actual, value) => actual.endsWith(value)),
  $contains: { values: 'same', holds: contains },
  $count: onSize((size, value) => size === value),
  $count_more: onSize((size, value) => size > value),
  $count_less: onSize((size, value) => size < value),
  $after: onDates((actual, value) => actual > value),
  $before: onDates((actual, value) => actual < value),
  // ASSUMED A631: "ago" and "in future" count days; "more" and "less" compare instants, "is" compares calendar days.
  $more_than_ago: onDays((actual, days, clock) => actual < daysFrom(clock, -days)),
  $less_than_ago: onDays((actual, days, clock) => actual > daysFrom(clock, -days) && actual <= clock.nowMs),
  $is_days_ago: onDays((actual, days, clock) => isSameDay(actual, daysFrom(clock, -days), clock)),
  $more_than_future: onDays((actual, days, clock) => actual > daysFrom(clock, days)),
  $less_than_future: onDays((actual, days, clock) => actual < daysFrom(clock, days) && actual >= clock.nowMs),
  $is_days_in_future: onDays((actual, days, clock) => isSameDay(actual, daysFrom(clock, days), clock)),
  $dow: {
    values: 'weekday',
    holds: (actual, values, clock) =>
      onInstant(actual, clock, (ms) => values.includes(new Date(clock.zone.wallAt(ms)).getUTCDay())),
  },
}

/** Returns whether a value meets every condition. An unsupported operator never holds. */
export function meets(actual: unknown, conditions: Record<string, unknown[]>, clock: ZonedNow): boolean {
  return Object.entries(conditions).every(
    ([name, values]) => Object.hasOwn(operators, name) && operators[name]?.holds(actual, values, clock),
  )
}

/** Returns whether a value is a date, or a date-time with a zone: `Date.parse` alone would read `12` as a date. */
export function isDateText(value: unknown): value is string {
  const shape = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2}))?$/
  return typeof value === 'string' && shape.test(value) && !Number.isNaN(Date.parse(value))
}

/** The clock of one evaluation. */
export function clockOf({ now, timeZone }: Pick<RuleContext, 'now' | 'timeZone'>): ZonedNow {
  return { nowMs: Date.parse(now), zone: timeZoneOf(timeZone) }
}

// ASSUMED A632: values are compared strictly, by type and case; a list in metadata matches if any of its members does.
function isAny(actual: unknown, values: readonly unknown[]): boolean {
  return Array.isArray(actual) ? actual.some((member) => values.includes(member)) : values.includes(actual)
}

function contains(actual: unknown, values: readonly unknown[]): boolean {
  if (Array.isArray(actual)) return values.some((value) => actual.includes(value))
  return typeof actual === 'string' && values.some((value) => typeof value === 'string' && actual.includes(value))
}

function onNumbers(holds: (actual: number, value: number) => boolean): Operator {
  return {
    values: 'number',
    holds: (actual, values) =>
      typeof actual === 'number' && values.every((value) => typeof value === 'number' && holds(actual, value)),
  }
}

function onTexts(holds: (actual: string, value: string) => boolean): Operator {
  return {
    values: 'text',
    holds: (actual, values) =>
      typeof actual === 'string' && values.some((value) => typeof value === 'string' && holds(actual, value)),
  }
}

function onSize(holds: (size: number, value: number) => boolean): Operator {
  return {
    values: 'size',
    holds: (actual, values) =>
      Array.isArray(actual) && values.every((value) => typeof value === 'number' && holds(actual.length, value)),
  }
}

function onDates(holds: (actual: number, value: number) => boolean): Operator {
  return {
    values: 'date',
    holds: (actual, values, clock) =>
      onInstant(actual, clock, (ms) => values.every((value) => onInstant(value, clock, (other) => holds(ms, other)))),
  }
}

function onDays(holds: (actual: number, days: number, clock: ZonedNow) => boolean): Operator {
  return {
    values: 'days',
    holds: (actual, values, clock) =>
      onInstant(actual, clock, (ms) => values.every((value) => typeof value === 'number' && holds(ms, value, clock))),
  }
}

function onInstant(value: unknown, { zone }: ZonedNow, holds: (ms: number) => boolean): boolean {
  if (!isDateText(value)) return false
  const ms = Date.parse(value)
  // A date without a time is that day in the zone, not in UTC.
  return holds(value.length === 10 ? zone.instantAt(ms) : ms)
}

function daysFrom({ nowMs, zone }: ZonedNow, days: number): number {
  return addDuration(nowMs, { months: 0, days, clockMs: 0 }, zone)
}

function isSameDay(one: number, other: number, { zone }: ZonedNow): boolean {
  return Math.floor(zone.wallAt(one) / dayMs) === Math.floor(zone.wallAt(other) / dayMs)
}
