// Removes expired points from a card.
// Source: docs/service/pricing.md#expiring-points; docs/service/loyalty.md#points-expiry.

import type { Context } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { applyBalanceChange } from '../balances/apply.ts'
import { campaignOf } from '../campaigns/facts.ts'
import { holderAnswer } from '../customers/answer.ts'
import { voucherAnswer } from '../vouchers/answer.ts'
import { type StoredVoucher, vouchers } from '../vouchers/store.ts'
import { expireBuckets, expiredAt } from './buckets.ts'
import { pointsBuckets } from './points-bucket-store.ts'

/** Runs when the points of a bucket have expired, and again when it runs earlier, as where the clock was put back. */
export const expirePointsJob = job(({ bucket_id }: { bucket_id: string }, context) => {
  const bucket = context.in(pointsBuckets).get(bucket_id)
  const card = bucket && context.in(vouchers).get(bucket.voucher_id)
  if (!bucket || !card) return undefined
  expireCard(card, context)
  const at = expiredAt(bucket.expires_at)
  return at <= context.now ? undefined : { at }
})

/**
 * Removes the expired points of a card as one `POINTS_EXPIRATION`; returns the card after that.
 *
 * Records `voucher.loyalty_card.points_expired` in addition to the events of every change.
 */
export function expireCard(card: StoredVoucher, context: Context): StoredVoucher {
  const { expired, buckets } = expireBuckets(card.id, context)
  // Points spent before their expiry have left the bucket, so a card always has the points that expire.
  if (expired === 0) return card
  const { voucher, transaction } = applyBalanceChange(context, card, {
    type: 'POINTS_EXPIRATION',
    units: expired,
    source: 'Automation',
  })
  const { balance } = transaction.details
  const customer = holderAnswer(voucher, context)
  context.emit('voucher.loyalty_card.points_expired', card.id, {
    voucher: voucherAnswer(voucher, context),
    ...campaignOf(card, context),
    ...(customer && { customer }),
    points: expired,
    buckets,
    balance,
    transaction,
  })
  return voucher
}
