// The answer to POST /v1/qualifications: everything a customer and an order could use, of every kind.
// Source: docs/service/qualifications.md#redeemables-qualification.
import { resolveCustomer } from '../eligibility/customer.ts'
import type { RefusalBody } from '../failures.ts'
import type { EvaluationContext } from '../pricing/incentive.ts'
import { calculateOrder } from '../pricing/order.ts'
import { orderAnswer } from '../pricing/order-answer.ts'
import type { Snapshot } from '../snapshot.ts'
import { echoedRules } from '../stacking/stacking-rules.ts'
import type { EvaluationCall } from '../stacking/validation.ts'
import type { QualificationRequest } from './campaigns.ts'
import { findOffers, type Offers, type QualifiedOffer, type Scenario } from './offers.ts'

export interface RedeemablesQuery {
  scenario: Scenario
  limit: number
  /** Only what was created before this instant. */
  startingAfter?: string
  expand: readonly string[]
  sorting: 'DEFAULT' | 'BEST_DEAL' | 'LEAST_DEAL'
}

/**
 * Lists the matches, newest first or by discount, each alone on the order as it was sent.
 *
 * Like the qualification of campaigns it never fails for missing data, and discloses only codes that the customer holds.
 */
export function qualifyRedeemables(
  snapshot: Snapshot,
  offers: Offers,
  request: QualificationRequest & { tracking_id?: string },
  call: Pick<EvaluationCall, 'id' | 'now'>,
  query: RedeemablesQuery,
): { body: Record<string, unknown> } | { refusal: RefusalBody } {
  const person = resolveCustomer(snapshot, request.customer, request.tracking_id)
  if ('refusal' in person) return person
  const order = calculateOrder(snapshot, request.order)
  const evaluation: EvaluationContext = {
    snapshot,
    now: call.now,
    metadata: request.metadata ?? {},
    audienceOnly: query.scenario === 'AUDIENCE_ONLY',
    ...(person.customer && { customer: person.customer }),
    ...(order && { order, initialOrder: order }),
  }
  const found = findOffers(query.scenario, evaluation, offers, query.expand)
    .filter(({ created_at }) => query.startingAfter === undefined || created_at < query.startingAfter)
    .toSorted(sorter(query.sorting))
  const shown = found.slice(0, query.limit)
  const last = found.length > shown.length ? shown.at(-1) : undefined
  return {
    body: {
      id: call.id,
      created_at: call.now,
      redeemables: {
        object: 'list',
        data_ref: 'data',
        data: shown.map(({ answer }) => answer),
        total: shown.length,
        has_more: last !== undefined,
        ...(last && { more_starting_after: last.created_at }),
      },
      ...(person.tracking_id !== undefined && { tracking_id: person.tracking_id }),
      ...(order && { order: orderAnswer(order) }),
      stacking_rules: echoedRules(snapshot.stackingRules),
    },
  }
}

function sorter(sorting: RedeemablesQuery['sorting']): (a: QualifiedOffer, b: QualifiedOffer) => number {
  const newest = (a: QualifiedOffer, b: QualifiedOffer) =>
    a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0
  if (sorting === 'DEFAULT') return newest
  const sign = sorting === 'BEST_DEAL' ? -1 : 1
  return (a, b) => sign * (a.amount - b.amount) || newest(a, b)
}
