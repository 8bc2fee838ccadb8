// Pending points from a fixture, in the form the service shows them; their card shows the sum, and they become active on their day.
import { z } from 'zod'
import { checkedBody } from '../../http/check-input.ts'
import { notFound } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/resource.ts'
import { startOfDay } from '../../rules/eligibility/calendar-day.ts'
import { identityOf } from '../../seed/fixture-object.ts'
import { withNight } from '../points-expiry/night.ts'
import { vouchers } from '../vouchers/store.ts'
import { withPending } from './card.ts'
import { pendingPoints, type StoredPendingPoints } from './store.ts'

const wirePending = z.looseObject({
  voucher_id: z.string().min(1),
  order_id: z.string().min(1),
  points: z.int().min(1),
  activates_at: z.iso.date(),
  details: z.looseObject({}).optional(),
})

/** Reads pending points. Throws a refusal that names the problem. */
export function loadPendingPoints(wire: Record<string, unknown>, loading: FixtureContext): StoredPendingPoints {
  const given = checkedBody(wirePending, wire) as z.output<typeof wirePending>
  const card = loading.in(vouchers).get(given.voucher_id)
  if (card?.type !== 'LOYALTY_CARD') throw notFound('voucher', given.voucher_id)
  const { order_id, points, activates_at, details } = given
  const entry: StoredPendingPoints = {
    ...identityOf(pendingPoints, wire, loading),
    voucher_id: card.id,
    campaign_id: card.campaign_id ?? '',
    customer_id: card.holder_id,
    order_id,
    points,
    activates_at,
    status: 'PENDING',
    details: { order: { id: order_id, source_id: null }, ...details },
  }
  const shown = withPending(card, points)
  loading.in(vouchers).update(withNight(shown, loading, startOfDay(activates_at, loading.project.timezone)))
  return entry
}
