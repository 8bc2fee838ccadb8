// What becomes due on a loyalty card by itself: points that become active or expire, tiers that end or begin. One job for each card is queued,
// for the nearest of them. Source: docs/service/loyalty-tiers.md#at-night; docs/service/loyalty.md#program-rules-of-expiry.
import type { ExpirationRules } from '../../../contract/expiration-rules.ts'
import { settingsOfTiers } from '../../answers/loyalty.ts'
import type { Context, Tables } from '../../http/route.ts'
import { nextDecision } from '../../rules/balances/loyalty-tiers.ts'
import { lastDayOf } from '../../rules/balances/points-expiry.ts'
import { dayAt, endOfDay, startOfDay } from '../../rules/calendar/day.ts'
import { is } from '../../storage/conditions.ts'
import { campaigns } from '../../stores/campaigns.ts'
import { pendingPoints, pointsBuckets, type StoredPendingPoints } from '../../stores/loyalty.ts'
import type { StoredVoucher } from '../../stores/vouchers.ts'

/** The job that does what is due on a card; daily-job.ts. */
export const dailyKind = 'loyalty.card.night'

/** What queueing what is due needs from a context. */
export type DueContext = Pick<Context, 'in' | 'now' | 'at' | 'project'>

/**
 * Queues what becomes due next on a card, unless that is queued already; `added` is the instant of something that is about to
 * be stored. Returns the card, which the caller stores.
 */
export function withNextDue(card: StoredVoucher, context: DueContext, added?: string): StoredVoucher {
  const at = dueNext(card, context, added)
  // What is queued for an earlier instant queues the rest when it runs.
  if (at === undefined || (card.night_at !== undefined && card.night_at <= at)) return card
  context.at(dailyKind, { voucher_id: card.id, at }, at)
  return { ...card, night_at: at }
}

function dueNext(card: StoredVoucher, context: DueContext, added: string | undefined): string | undefined {
  const { timezone } = context.project
  const settings = settingsOfTiers(card, context)
  const days = [
    settings && nextDecision(settings, card.tier, dayAt(context.now, timezone)),
    nextActivation(card, context),
  ]
  const instants = [added, nextExpiryOf(card, context), ...days.map((day) => day && startOfDay(day, timezone))]
  return instants.filter((instant) => instant !== undefined).toSorted()[0]
}

/** Returns the instant at which the next points of a card have expired. */
function nextExpiryOf({ id, loyalty_card }: StoredVoucher, context: Tables): string | undefined {
  // Most cards have none, and every change of points asks.
  if (loyalty_card?.next_expiration_date === undefined) return undefined
  const ofCard = [is(pointsBuckets, 'voucher_id', id), is(pointsBuckets, 'status', 'ACTIVE')]
  const ends = context
    .in(pointsBuckets)
    .all(ofCard)
    .map(({ expires_at }) => expires_at)
  const nearest = ends.toSorted()[0]
  return nearest && afterExpiry(nearest)
}

/** Returns the first instant at which points have expired: at their last one they can still be used. */
export function afterExpiry(lastInstant: string): string {
  return new Date(Date.parse(lastInstant) + 1).toISOString()
}

/**
 * Returns the last instant of points that come onto a card now: by the rules of the earning rule that gives them, else by those of
 * the card's program; null for points that never expire.
 */
export function lastInstantOf(
  { campaign_id }: Pick<StoredVoucher, 'campaign_id'>,
  { in: of, now, project }: Pick<Context, 'in' | 'now' | 'project'>,
  own?: ExpirationRules | null,
): string | null {
  const program = campaign_id == null ? undefined : of(campaigns).get(campaign_id)
  const rules = own ?? program?.voucher?.loyalty_card?.expiration_rules
  return rules ? endOfDay(lastDayOf(rules, dayAt(now, project.timezone)), project.timezone) : null
}

/** Returns the last instant that a date names: a day alone lasts to its end in the project's time zone. */
export function lastInstantAt(date: string, { project }: Pick<Context, 'project'>): string {
  const isDay = date.length === '2026-12-31'.length
  return isDay ? endOfDay(date, project.timezone) : new Date(date).toISOString()
}

// The pending points of a card: how many there are, which are due, and the sum that the card shows.
// Source: docs/service/pending-points.md#fields.

/** Restricts a list of pending points to those still pending. */
export const isPending = is(pendingPoints, 'status', 'PENDING')

/** The pending points of a card, oldest first. */
function pendingOn({ id, loyalty_card }: StoredVoucher, context: Tables): StoredPendingPoints[] {
  // Most cards have none, and every change of points asks.
  if (!loyalty_card?.pending_points) return []
  return context.in(pendingPoints).all([is(pendingPoints, 'voucher_id', id), isPending])
}

/** Returns the day on which the next pending points of a card become active. */
function nextActivation(card: StoredVoucher, context: Tables): string | undefined {
  return pendingOn(card, context)
    .map(({ activates_at }) => activates_at)
    .toSorted()[0]
}

/** The pending points of a card whose day has come. */
export function duePoints(card: StoredVoucher, context: Pick<Context, 'in' | 'now' | 'project'>) {
  const today = dayAt(context.now, context.project.timezone)
  return pendingOn(card, context).filter(({ activates_at }) => activates_at <= today)
}

/** Returns a card with another sum of pending points. */
export function withPending(card: StoredVoucher, change: number): StoredVoucher {
  const { loyalty_card } = card
  if (!loyalty_card) return card
  return {
    ...card,
    loyalty_card: { ...loyalty_card, pending_points: Math.max(0, (loyalty_card.pending_points ?? 0) + change) },
  }
}
