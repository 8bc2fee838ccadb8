// Until when points that a program gives can be used. Source: docs/service/loyalty.md#program-rules-of-expiry.

import type { ExpirationRules } from '../../../contract/expiration-rules.ts'
import { addToDay, endOfNextMonth, periodOf } from '../calendar/day.ts'

/** Returns the last day of points that are given on a day. */
export function lastDayOf(rules: ExpirationRules, day: string): string {
  if (rules.period_type === 'FIXED_DAY_OF_YEAR') return nextFixedDay(rules.fixed_month, rules.fixed_day, day)
  const end = addToDay(day, { months: rules.period_value ?? 0 })
  switch (rules.rounding_type ?? undefined) {
    case undefined:
      return end
    case 'PARTICULAR_MONTH':
      return endOfNextMonth(rules.rounding_value ?? 12, end)
    default:
      return periodOf(units[rules.rounding_type as keyof typeof units], end).last
  }
}

const units = {
  END_OF_MONTH: 'MONTH',
  END_OF_QUARTER: 'QUARTER',
  END_OF_HALF_YEAR: 'HALF_YEAR',
  END_OF_YEAR: 'YEAR',
} as const

// ASSUMED A1790: of a fixed day, the next one counts, today included; a day that the month does not have is its last.
function nextFixedDay(month: number, day: number, today: string): string {
  const of = (year: number) => {
    const last = periodOf('MONTH', `${year}-${String(month).padStart(2, '0')}-01`).last
    return `${last.slice(0, 8)}${String(Math.min(day, Number(last.slice(8)))).padStart(2, '0')}`
  }
  const year = Number(today.slice(0, 4))
  return of(year) < today ? of(year + 1) : of(year)
}
