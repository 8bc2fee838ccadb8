// Pending points of programs and cards. Source: docs/service/pending-points.md#calls.
import { z } from 'zod'
import * as contract from '../../../contract/pending-points.ts'
import { checkedBody } from '../../http/check-input.ts'
import { notFound } from '../../http/refusal.ts'
import type { FixtureContext, Resource } from '../../http/resource.ts'
import { type Answer, type Context, noContent, ok, route } from '../../http/route.ts'
import { startOfDay } from '../../rules/eligibility/calendar-day.ts'
import { identityOf } from '../../seed/fixture-object.ts'
import { type Condition, is } from '../../storage/conditions.ts'
import { findCard, findLoyaltyProgram } from '../loyalty/program.ts'
import { expireCard } from '../points-expiry/expire.ts'
import { withNight } from '../points-expiry/night.ts'
import { vouchers } from '../vouchers/store.ts'
import { isPending, withPending } from './card.ts'
import { activate, adjust, cancel, pendingAnswer } from './points.ts'
import { pendingPoints, type StoredPendingPoints } from './store.ts'

/** Pending points by id, below their card. */
export const pendingPointsResource: Resource = {
  collections: [pendingPoints],
  load: { pending_points: loadPendingPoints },
  routes: [
    route(contract.listPendingPoints, ({ path, query }, context) =>
      listed(is(pendingPoints, 'campaign_id', findLoyaltyProgram(path.campaignId, context).id), query, context),
    ),
    ...[contract.listMemberPendingPoints, contract.listCampaignMemberPendingPoints].map((endpoint) =>
      route(endpoint, ({ path, query }, context) =>
        listed(is(pendingPoints, 'voucher_id', findCard(path, context).id), query, context),
      ),
    ),
    ...[contract.activatePendingPoints, contract.activateCampaignPendingPoints].map((endpoint) =>
      route(endpoint, ({ path }, context) => {
        const { entry, card } = known(path, context)
        return ok(activate(entry, expireCard(card, context), 'MANUAL', context).balance)
      }),
    ),
    ...[contract.adjustPendingPoints, contract.adjustCampaignPendingPoints].map((endpoint) =>
      route(endpoint, ({ path, body }, context) => {
        const { entry, card } = known(path, context)
        return ok(adjust(entry, card, body.points, context))
      }),
    ),
    ...[contract.cancelPendingPoints, contract.cancelCampaignPendingPoints].map((endpoint) =>
      route(endpoint, ({ path }, context) => {
        const { entry, card } = known(path, context)
        cancel(entry, card, context)
        return noContent()
      }),
    ),
  ],
}

type Query = z.output<NonNullable<(typeof contract.listPendingPoints)['query']>>

// ASSUMED A1782: newest first unless ordered, as transactions are.
function listed(owner: Condition, { order = '-id', limit = 10, starting_after_id }: Query, context: Context): Answer {
  const where = [owner, isPending]
  const { items, ...rest } = context.in(pendingPoints).cursor(where, order, limit, starting_after_id)
  return ok({ object: 'list', data_ref: 'data', data: items.map(pendingAnswer), ...rest })
}

function known(path: { memberId: string; pendingPointsId: string; campaignId?: string }, context: Context) {
  const card = findCard(path, context)
  const entry = context.in(pendingPoints).get(path.pendingPointsId)
  if (entry?.voucher_id !== card.id) throw notFound('pending_points', path.pendingPointsId)
  return { card, entry }
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
