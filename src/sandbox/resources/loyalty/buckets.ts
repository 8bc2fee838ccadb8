// Keeps the buckets of a card consistent with its balance.
// Source: docs/service/pricing.md#expiring-points; docs/service/vouchers.md#loyalty-card.
import { z } from 'zod'
import { dateTime } from '../../../contract/fields.ts'
import { checkWire } from '../../http/check-input.ts'
import { identityOf } from '../../http/fixture-object.ts'
import { notFound } from '../../http/refusal.ts'
import type { Context, FixtureContext, Tables } from '../../http/route.ts'
import type { CardTransaction } from '../../rules/balances/balance.ts'
import { expirePoints, nextExpiration, spendNearestFirst } from '../../rules/balances/points-expiry.ts'
import { dayAt, endOfDay } from '../../rules/calendar/day.ts'
import { is } from '../../storage/conditions.ts'
import { pointsBuckets, type StoredBucket } from '../../stores/loyalty.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { afterExpiry, lastInstantAt, withNextDue } from './next-due.ts'

/**
 * Applies a change of a loyalty card: added points with an expiry date get a bucket, removed points are taken from the
 * buckets, nearest expiry first. Returns the card with the expiry it shows; the caller stores it.
 */
export function applyToBuckets(
  card: StoredVoucher,
  transaction: CardTransaction,
  expiresAt: string | null | undefined,
  context: Context,
): StoredVoucher {
  const change = transaction.details.balance.points ?? 0
  if (change > 0 && expiresAt != null) addBucket(card, change, expiresAt, context)
  // Expired points were taken out of their buckets before.
  else if (change < 0 && transaction.type !== 'POINTS_EXPIRATION')
    update(spendNearestFirst(filledBuckets(card.id, context), -change), 'USED', context)
  return withNextExpiry(card, filledBuckets(card.id, context), context)
}

/** Empties the expired buckets of a card; returns the points in them together, and the buckets as they were. */
export function expireBuckets(cardId: string, context: Context) {
  const filled = filledBuckets(cardId, context)
  const { expired, buckets } = expirePoints(filled, context.now)
  update(buckets, 'EXPIRED', context)
  return { expired, buckets: filled.filter((_, at) => buckets[at]?.points === 0) }
}

/** Shows a bucket. ASSUMED A279: its points are those left in it, which are the ones that expire. */
export function bucketAnswer(
  { points, total_points: _added, expires_at, ...bucket }: StoredBucket,
  { project }: Pick<Context, 'project'>,
) {
  const day = dayAt(expires_at, project.timezone)
  return { ...bucket, expires_at: day, bucket: { total_points: points }, object: 'loyalty_points_bucket' }
}

const wireBucket = z.looseObject({
  voucher_id: z.string().min(1),
  points: z.int().min(0).optional(),
  total_points: z.int().min(0).optional(),
  bucket: z.looseObject({ total_points: z.int().min(0) }).optional(),
  expires_at: dateTime,
  status: z.enum(['ACTIVE', 'USED', 'EXPIRED']).optional(),
})

/**
 * Reads a bucket of a fixture, as it is stored or as the service shows it; a day alone ends with that day. Its card shows
 * the expiry from then on, and its points are taken off before the next change. Throws a refusal that names the problem.
 */
export function loadBucket(wire: Record<string, unknown>, loading: FixtureContext): StoredBucket {
  const given = checkWire(wireBucket, wire)
  const card = loading.in(vouchers).get(given.voucher_id)
  if (card?.type !== 'LOYALTY_CARD') throw notFound('voucher', given.voucher_id)
  const points = given.points ?? given.bucket?.total_points ?? given.total_points ?? 0
  const bucket: StoredBucket = {
    ...identityOf(pointsBuckets, wire, loading),
    voucher_id: card.id,
    campaign_id: card.campaign_id,
    points,
    total_points: given.total_points ?? points,
    expires_at: lastInstantAt(given.expires_at, loading),
    status: given.status ?? (points > 0 ? 'ACTIVE' : 'USED'),
  }
  const filled = filledBuckets(card.id, loading)
  const after = withNextExpiry(card, bucket.status === 'ACTIVE' ? [...filled, bucket] : filled, loading)
  const isFilled = bucket.status === 'ACTIVE'
  loading.in(vouchers).update(isFilled ? withNextDue(after, loading, afterExpiry(bucket.expires_at)) : after)
  return bucket
}

/**
 * Moves the points of a card that last to the end of a day from the time zone that its project had to the end of that day in its
 * own. Returns the card with the expiry it shows; the caller stores it.
 */
export function withBucketsFrom(timeZone: string, card: StoredVoucher, context: Context): StoredVoucher {
  const table = context.in(pointsBuckets)
  for (const bucket of table.all([is(pointsBuckets, 'voucher_id', card.id)])) {
    const day = dayAt(bucket.expires_at, timeZone)
    if (bucket.expires_at !== endOfDay(day, timeZone)) continue
    table.update({ ...bucket, expires_at: endOfDay(day, context.project.timezone) })
  }
  return withNextExpiry(card, filledBuckets(card.id, context), context)
}

function addBucket(card: StoredVoucher, points: number, expires_at: string, context: Context): void {
  context.in(pointsBuckets).insert({
    id: context.id(pointsBuckets.prefix),
    voucher_id: card.id,
    campaign_id: card.campaign_id,
    points,
    total_points: points,
    expires_at,
    status: 'ACTIVE',
    created_at: context.now,
    updated_at: null,
  })
}

function filledBuckets(cardId: string, context: Tables): StoredBucket[] {
  return context.in(pointsBuckets).all([is(pointsBuckets, 'voucher_id', cardId), is(pointsBuckets, 'status', 'ACTIVE')])
}

function update(buckets: readonly StoredBucket[], emptied: StoredBucket['status'], context: Context): void {
  const table = context.in(pointsBuckets)
  for (const bucket of buckets) {
    if (bucket.points === table.get(bucket.id)?.points) continue
    table.update({ ...bucket, status: bucket.points === 0 ? emptied : 'ACTIVE', updated_at: context.now })
  }
}

function withNextExpiry(
  card: StoredVoucher,
  buckets: readonly StoredBucket[],
  { project }: Pick<Context, 'project'>,
): StoredVoucher {
  if (!card.loyalty_card) return card
  const { next_expiration_date: _date, next_expiration_points: _points, ...loyalty_card } = card.loyalty_card
  return {
    ...card,
    loyalty_card: { ...loyalty_card, ...nextExpiration(buckets, (instant) => dayAt(instant, project.timezone)) },
  }
}
