// Removes expired points from a card.
// Source: docs/service/pricing.md#expiring-points; docs/service/loyalty.md#points-expiry.

import { campaignOf } from '../../answers/campaign-facts.ts'
import { holderAnswer } from '../../answers/customers.ts'
import { memberTierAnswer } from '../../answers/loyalty-tiers.ts'
import { voucherAnswer } from '../../answers/vouchers.ts'
import type { Context } from '../../http/route.ts'
import type { StoredVoucher } from '../../stores/vouchers.ts'
import { applyBalanceChange } from './balance.ts'
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
