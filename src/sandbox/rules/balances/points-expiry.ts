// Expiring points: each accrual is a bucket with its own last day.
// Source: docs/service/pricing.md#expiring-points; docs/service/loyalty.md#points-expiry.

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
