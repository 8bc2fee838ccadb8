// What becomes due on a loyalty card by itself: points that become active or expire, tiers that end or begin. One job for each card is queued,
// for the nearest of them. Source: docs/service/loyalty-tiers.md#at-night.
import type { Context } from '../../http/route.ts'
import { nextDecision } from '../../rules/balances/loyalty-tiers.ts'
import { dayAt, startOfDay } from '../../rules/eligibility/calendar-day.ts'
import { settingsOfTiers } from '../loyalty-tiers/settings.ts'
import { nextActivation } from '../pending-points/card.ts'
import type { StoredVoucher } from '../vouchers/store.ts'
import { nextExpiryOf } from './buckets.ts'

/** The job that does what is due on a card; night-job.ts. */
export const nightKind = 'loyalty.card.night'

/** What queueing what is due needs from a context. */
export type NightContext = Pick<Context, 'in' | 'now' | 'later' | 'project'>

/** Queues what becomes due next on a card, unless that is queued already. Returns the card, which the caller stores. */
export function withNight(card: StoredVoucher, context: NightContext): StoredVoucher {
  const at = dueNext(card, context)
  // What is queued for an earlier instant queues the rest when it runs.
  if (at === undefined || (card.night_at !== undefined && card.night_at <= at)) return card
  context.later(nightKind, { voucher_id: card.id, at }, msUntil(at, context.now))
  return { ...card, night_at: at }
}

/** Milliseconds until an instant; 0 when it has passed. */
export function msUntil(instant: string, now: string): number {
  return Math.max(0, Date.parse(instant) - Date.parse(now))
}

function dueNext(card: StoredVoucher, context: NightContext): string | undefined {
  const { timezone } = context.project
  const settings = settingsOfTiers(card, context)
  const days = [
    settings && nextDecision(settings, card.tier, dayAt(context.now, timezone)),
    nextActivation(card, context),
  ]
  const instants = [nextExpiryOf(card, context), ...days.map((day) => day && startOfDay(day, timezone))]
  return instants.filter((instant) => instant !== undefined).toSorted()[0]
}
