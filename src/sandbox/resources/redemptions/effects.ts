// The effects of a redemption after its answer: points for a paid order, and rewards for referrals.
// Source: docs/service/redemptions.md#what-follows; docs/service/loyalty.md#when-points-are-earned.

import { tierAnswer } from '../../answers/promotions.ts'
import { redemptionAnswer } from '../../answers/redemptions.ts'
import type { Context } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { customers, type StoredCustomer } from '../../stores/customers.ts'
import { redemptions, type StoredRedemption } from '../../stores/redemptions.ts'
import { vouchers } from '../../stores/vouchers.ts'
import { earnForPaidOrder } from '../loyalty/paid-order.ts'
import type { SavedOrder } from '../orders/save.ts'
import { convertReferral } from '../referrals/convert.ts'

/** The job that converts the referral of a redeemed code. */
export const redeemedReferralKind = 'redemption.referral'

/** Enqueues all later effects. Without a customer there is no recipient for any of them. */
export function scheduleEffects(
  redeemed: readonly StoredRedemption[],
  customer: StoredCustomer | undefined,
  kept: SavedOrder | undefined,
  context: Context,
): void {
  if (!customer) return
  if (kept?.isNewlyPaid) earnForPaidOrder(context, kept.order, customer)
  for (const { id, related_object_type, related_object_id } of redeemed) {
    const isReferral =
      related_object_type === 'voucher' && context.in(vouchers).get(related_object_id)?.is_referral_code
    if (isReferral) context.later(redeemedReferralKind, { redemption_id: id })
  }
}

/** Converts the referral, unless the redemption was rolled back in the meantime. */
export const redeemedReferralJob = job(({ redemption_id }: { redemption_id: string }, context) => {
  const redemption = context.in(redemptions).get(redemption_id)
  if (redemption?.status !== 'SUCCEEDED' || redemption.customer_id === null) return undefined
  const voucher = context.in(vouchers).get(redemption.related_object_id)
  const friend = context.in(customers).get(redemption.customer_id)
  if (voucher && friend)
    convertReferral(
      voucher,
      friend,
      { type: 'redemption' },
      { redemption: redemptionAnswer(redemption, context, tierAnswer) },
      context,
    )
  return undefined
})
