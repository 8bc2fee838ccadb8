// Redeems the reward of a program that redeems itself. Source: docs/service/loyalty.md#rewards-that-redeem-themselves.

import { automaticOffer } from '../../answers/loyalty.ts'
import { Refusal } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { is } from '../../storage/conditions.ts'
import { redemptions } from '../../stores/redemptions.ts'
import { vouchers } from '../../stores/vouchers.ts'
import { redeem } from './redeem.ts'

/** How often a day a customer gets a reward by itself. Source: docs/service/loyalty.md#rewards-that-redeem-themselves. */
const timesADay = 10

/** Redeems the reward once, and again while the points last. */
export const automaticRewardJob = job(({ voucher_id }: { voucher_id: string }, context) => {
  const card = context.in(vouchers).get(voucher_id)
  const offer = card?.campaign_id ? automaticOffer(card.campaign_id, context) : undefined
  const points = offer?.parameters?.loyalty.points
  if (!card?.holder_id || !offer || points === undefined) return undefined
  if ((card.loyalty_card?.balance ?? 0) < points) return undefined
  if (timesToday(card.holder_id, offer.reward_id, context) >= timesADay) return undefined
  return isRedeemed(card.code, card.holder_id, offer.reward_id, context) ? { again: 0 } : undefined
})

function timesToday(customerId: string, rewardId: string, context: Context): number {
  const today = context.now.slice(0, 10)
  return context
    .in(redemptions)
    .all([is(redemptions, 'customer_id', customerId)])
    .filter(({ object, result, created_at }) => object === 'redemption' && result === 'SUCCESS' && created_at >= today)
    .filter(({ reward }) => reward?.id === rewardId).length
}

/** Redeems as a request would; what is refused stores no failed attempt, because nobody asked for it. */
function isRedeemed(code: string, customerId: string, rewardId: string, context: Context): boolean {
  try {
    context.store.savepoint(() => {
      const redeemables = [{ object: 'voucher' as const, id: code, reward: { id: rewardId } }]
      const { status, body } = redeem({ redeemables, customer: { id: customerId } }, context)
      if (status !== 200) throw new Refusal(body as ConstructorParameters<typeof Refusal>[0])
    })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
