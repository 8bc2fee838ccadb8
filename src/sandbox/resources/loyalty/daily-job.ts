// Does what is due on a loyalty card, in the published order. Source: docs/service/loyalty-tiers.md#at-night.
import { job } from '../../jobs/job.ts'
import { pointsBuckets } from '../../stores/loyalty.ts'
import { vouchers } from '../../stores/vouchers.ts'
import { expireCard } from './balance.ts'
import { dailyKind, duePoints, withNextDue } from './next-due.ts'
import { activate } from './pending-points.ts'
import { settleTier } from './tier-member.ts'

interface DueToday {
  voucher_id: string
  at: string
  /** Pending points have become active: the rest is to be done. */
  isActivated?: boolean
}

/** Runs when something may be due on a card, and again when it runs earlier, as where the clock was put back. */
export const dailyJob = job(({ voucher_id, at, isActivated = false }: DueToday, context) => {
  const card = context.in(vouchers).get(voucher_id)
  // Another job is queued for what became due earlier, and it queues the rest.
  if (card?.night_at !== at) return undefined
  if (at > context.now) return { at }
  const due = isActivated ? [] : duePoints(card, context)
  if (due.length > 0) {
    for (const entry of due) {
      const now = context.in(vouchers).get(voucher_id)
      if (now) activate(entry, now, 'AUTOMATIC', context)
    }
    // The reward that redeems itself is queued by now, and comes before the rest.
    const rest: DueToday = { voucher_id, at, isActivated: true }
    context.later(dailyKind, rest)
    return undefined
  }
  const { night_at: _, ...free } = card
  const done = expireCard(settleTier(free, context), context)
  context.in(vouchers).update(withNextDue(done, context))
  return undefined
})

/** What an earlier promo queued for each bucket of points. */
export const bucketJob = job(({ bucket_id }: { bucket_id: string }, context) => {
  const bucket = context.in(pointsBuckets).get(bucket_id)
  const card = bucket && context.in(vouchers).get(bucket.voucher_id)
  if (card) context.in(vouchers).update(withNextDue(expireCard(card, context), context))
  return undefined
})
