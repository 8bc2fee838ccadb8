// Removes expired points from a card.
// Source: docs/service/pricing.md#expiring-points; docs/service/loyalty.md#points-expiry.

import type { Context } from '../../http/route.ts'
import { applyBalanceChange } from '../balances/apply.ts'
import { campaignOf } from '../campaigns/facts.ts'
import { holderAnswer } from '../customers/answer.ts'
import { memberTierAnswer } from '../loyalty-tiers/answer.ts'
import { voucherAnswer } from '../vouchers/answer.ts'
import type { StoredVoucher } from '../vouchers/store.ts'
import { bucketAnswer, expireBuckets } from './buckets.ts'

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
  const tier = memberTierAnswer(voucher, context)
  context.emit('voucher.loyalty_card.points_expired', card.id, {
    voucher: voucherAnswer(voucher, context),
    ...campaignOf(card, context),
    ...(customer && { customer }),
    ...(tier && { holder_loyalty_tier: tier }),
    points: expired,
    buckets: buckets.map((bucket) => bucketAnswer(bucket, context)),
    balance,
    transaction,
  })
  return voucher
}
