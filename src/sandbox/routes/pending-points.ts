// Pending points of programs and cards. Source: docs/service/pending-points.md#calls.
import { z } from 'zod'
import * as contract from '../../contract/pending-points.ts'
import { existingPart, routesOf } from '../answers/existing.ts'
import { findCard, findLoyaltyProgram } from '../answers/loyalty-programs.ts'
import { checkWire } from '../http/check-input.ts'
import { identityOf } from '../http/fixture-object.ts'
import { notFound } from '../http/refusal.ts'
import {
  type Context,
  type CursorQuery,
  cursorAnswer,
  type FixtureContext,
  type Resource,
  route,
} from '../http/route.ts'
import { expireCard } from '../resources/loyalty/expire.ts'
import { withNextDue } from '../resources/loyalty/next-due.ts'
import { isPending, withPending } from '../resources/loyalty/pending-card.ts'
import { activate, adjust, cancel, pendingAnswer } from '../resources/loyalty/pending-points.ts'
import { startOfDay } from '../rules/calendar/day.ts'
import { type Condition, is } from '../storage/conditions.ts'
import { pendingPoints, type StoredPendingPoints } from '../stores/pending-points.ts'
import { vouchers } from '../stores/vouchers.ts'

const about = routesOf((path: { memberId: string; pendingPointsId: string; campaignId?: string }, context) => {
  const card = findCard(path, context)
  return { card, entry: existingPart(pendingPoints, path.pendingPointsId, { voucher_id: card.id }, context) }
})

/** Pending points by id, below their card. */
export const pendingPointsResource: Resource = {
  collections: [pendingPoints],
  load: { pending_points: loadPendingPoints },
  routes: [
    route(contract.listPendingPoints, ({ path, query }, context) =>
      listPending(is(pendingPoints, 'campaign_id', findLoyaltyProgram(path.campaignId, context).id), query, context),
    ),
    ...routesOf(findCard)(
      [contract.listMemberPendingPoints, contract.listCampaignMemberPendingPoints],
      ({ id }, context, { query }) => listPending(is(pendingPoints, 'voucher_id', id), query, context),
    ),
    ...about(
      [contract.activatePendingPoints, contract.activateCampaignPendingPoints],
      ({ entry, card }, context) => activate(entry, expireCard(card, context), 'MANUAL', context).balance,
    ),
    ...about(
      [contract.adjustPendingPoints, contract.adjustCampaignPendingPoints],
      ({ entry, card }, context, { body }) => adjust(entry, card, body.points, context),
    ),
    ...about([contract.cancelPendingPoints, contract.cancelCampaignPendingPoints], ({ entry, card }, context) =>
      cancel(entry, card, context),
    ),
  ],
}

// ASSUMED A1782: newest first unless ordered, as transactions are.
function listPending(owner: Condition, query: CursorQuery, context: Context) {
  const show = (items: StoredPendingPoints[]) => items.map(pendingAnswer)
  return cursorAnswer(pendingPoints, query, context, { where: [owner, isPending], show, isCounted: false })
}

const wirePending = z.looseObject({
  voucher_id: z.string().min(1),
  order_id: z.string().min(1),
  points: z.int().min(1),
  activates_at: z.iso.date(),
  details: z.looseObject({}).optional(),
})

/** Reads pending points. Throws a refusal that names the problem. */
function loadPendingPoints(wire: Record<string, unknown>, loading: FixtureContext): StoredPendingPoints {
  const given = checkWire(wirePending, wire)
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
  loading.in(vouchers).update(withNextDue(shown, loading, startOfDay(activates_at, loading.project.timezone)))
  return entry
}
