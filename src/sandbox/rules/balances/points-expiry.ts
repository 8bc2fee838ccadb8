// Expiring points: each accrual is a bucket with its own last day.
// Source: docs/service/pricing.md#expiring-points; docs/service/loyalty.md#points-expiry.
import type { ExpirationRules } from '../../../contract/expiration-rules.ts'
import { addToDay, endOfNextMonth, periodOf } from '../calendar/day.ts'

/** Points that were added together and expire together; null means never. `points` is what is left of them. */
export interface PointsBucket {
  points: number
  expires_at: string | null
}

/**
 * Takes points from the buckets, the nearest expiry first and those that never expire last.
 *
 * Buckets keep their order, emptied ones stay with 0. More points than available empty every bucket: the balance is
 * checked before.
 */
export function spendNearestFirst<B extends PointsBucket>(buckets: readonly B[], points: number): B[] {
  let rest = points
  const spent = new Map<B, number>()
  for (const bucket of buckets.toSorted(byExpiry)) {
    const taken = Math.min(bucket.points, rest)
    rest -= taken
    spent.set(bucket, taken)
  }
  return buckets.map((bucket) => ({ ...bucket, points: bucket.points - (spent.get(bucket) ?? 0) }))
}

/** Empties the expired buckets and returns how many points that removes from the card. */
export function expirePoints<B extends PointsBucket>(
  buckets: readonly B[],
  now: string,
): { expired: number; buckets: B[] } {
  // ASSUMED A681: like a code, points can still be used at the very instant they expire.
  const isOver = ({ expires_at }: B) => expires_at !== null && Date.parse(expires_at) < Date.parse(now)
  return {
    expired: sum(buckets.filter(isOver)),
    buckets: buckets.map((bucket) => (isOver(bucket) ? { ...bucket, points: 0 } : bucket)),
  }
}

/** Returns the next day on which points expire and how many, as a loyalty card shows them; undefined when none will. */
export function nextExpiration(
  buckets: readonly PointsBucket[],
  dayAt: (instant: string) => string,
): { next_expiration_date: string; next_expiration_points: number } | undefined {
  const dayOf = ({ expires_at }: PointsBucket) => (expires_at === null ? undefined : dayAt(expires_at))
  const filled = buckets.filter(({ points, expires_at }) => points > 0 && expires_at !== null).toSorted(byExpiry)
  const day = filled[0] && dayOf(filled[0])
  if (day === undefined) return undefined
  return { next_expiration_date: day, next_expiration_points: sum(filled.filter((bucket) => dayOf(bucket) === day)) }
}

function byExpiry(one: PointsBucket, other: PointsBucket): number {
  const atOf = ({ expires_at }: PointsBucket) =>
    expires_at === null ? Number.MAX_SAFE_INTEGER : Date.parse(expires_at)
  return atOf(one) - atOf(other)
}

function sum(buckets: readonly PointsBucket[]): number {
  return buckets.reduce((total, { points }) => total + points, 0)
}

// Until when points that a program gives can be used. Source: docs/service/loyalty.md#program-rules-of-expiry.

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
