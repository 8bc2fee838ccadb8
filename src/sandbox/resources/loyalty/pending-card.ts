// The pending points of a card: how many there are, which are due, and the sum that the card shows.
// Source: docs/service/pending-points.md#fields.
import type { Context } from '../../http/route.ts'
import { dayAt } from '../../rules/calendar/day.ts'
import { is } from '../../storage/conditions.ts'
import { pendingPoints, type StoredPendingPoints } from '../../stores/pending-points.ts'
import type { StoredVoucher } from '../../stores/vouchers.ts'

/** Restricts a list of pending points to those still pending. */
export const isPending = is(pendingPoints, 'status', 'PENDING')

/** The pending points of a card, oldest first. */
function pendingOn({ id, loyalty_card }: StoredVoucher, context: Pick<Context, 'in'>): StoredPendingPoints[] {
  // Most cards have none, and every change of points asks.
  if (!loyalty_card?.pending_points) return []
  return context.in(pendingPoints).all([is(pendingPoints, 'voucher_id', id), isPending])
}

/** Returns the day on which the next pending points of a card become active. */
export function nextActivation(card: StoredVoucher, context: Pick<Context, 'in'>): string | undefined {
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
