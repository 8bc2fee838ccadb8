// Keeps the buckets of a card consistent with its balance.
// Source: docs/service/pricing.md#expiring-points; docs/service/vouchers.md#loyalty-card.
import type { Context } from '../../http/route.ts'
import type { CardTransaction } from '../../rules/balances/balance.ts'
import { expirePoints, nextExpiration, spendNearestFirst } from '../../rules/balances/points-expiry.ts'
import { is } from '../../storage/conditions.ts'
import type { StoredVoucher } from '../vouchers/store.ts'
import { pointsBuckets, type StoredBucket } from './points-bucket-store.ts'

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
  return shown(card, filledBuckets(card.id, context))
}

/** Empties the expired buckets of a card; returns the points in them, together and for each bucket. */
export function expireBuckets(cardId: string, context: Context) {
  const filled = filledBuckets(cardId, context)
  const { expired, buckets } = expirePoints(filled, context.now)
  update(buckets, 'EXPIRED', context)
  const emptied = filled.filter((_, at) => buckets[at]?.points === 0)
  return { expired, buckets: emptied.map(({ id, points }) => ({ id, total_points: points })) }
}

/** The job that takes expired points off a card; loyalty/expire.ts. */
export const expiryKind = 'loyalty.points.expire'

function addBucket(card: StoredVoucher, points: number, expires_at: string, context: Context): void {
  const id = context.id(pointsBuckets.prefix)
  context.in(pointsBuckets).insert({
    id,
    voucher_id: card.id,
    campaign_id: card.campaign_id,
    points,
    total_points: points,
    expires_at,
    status: 'ACTIVE',
    created_at: context.now,
    updated_at: null,
  })
  context.later(expiryKind, { bucket_id: id }, msUntilExpired(expires_at, context.now))
}

/** Milliseconds until points that expire at an instant have expired: at that very instant they can still be used. */
export function msUntilExpired(expiresAt: string, now: string): number {
  return Math.max(0, Date.parse(expiresAt) + 1 - Date.parse(now))
}

function filledBuckets(cardId: string, context: Context): StoredBucket[] {
  return context.in(pointsBuckets).all([is(pointsBuckets, 'voucher_id', cardId), is(pointsBuckets, 'status', 'ACTIVE')])
}

function update(buckets: readonly StoredBucket[], emptied: StoredBucket['status'], context: Context): void {
  const table = context.in(pointsBuckets)
  for (const bucket of buckets) {
    if (bucket.points === table.get(bucket.id)?.points) continue
    table.update({ ...bucket, status: bucket.points === 0 ? emptied : 'ACTIVE', updated_at: context.now })
  }
}

function shown(card: StoredVoucher, buckets: readonly StoredBucket[]): StoredVoucher {
  if (!card.loyalty_card) return card
  const { next_expiration_date: _date, next_expiration_points: _points, ...loyalty_card } = card.loyalty_card
  return { ...card, loyalty_card: { ...loyalty_card, ...nextExpiration(buckets) } }
}
