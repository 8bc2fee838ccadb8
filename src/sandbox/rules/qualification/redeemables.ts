// The answer to POST /v1/qualifications: everything a customer and an order could use, of every kind.
// Source: docs/service/qualifications.md#redeemables-qualification.
import { resolveCustomer } from '../eligibility/customer.ts'
import type { RefusalBody } from '../failures.ts'
import type { EvaluationContext } from '../pricing/incentive.ts'
import { calculateOrder } from '../pricing/order.ts'
import { type OrderAnswer, orderAnswer } from '../pricing/order-answer.ts'
import type { Snapshot } from '../snapshot.ts'
import { echoedRules } from '../stacking/stacking-rules.ts'
import type { EvaluationCall } from '../stacking/validation.ts'
import type { QualificationRequest } from './campaigns.ts'
import type { OfferFacts } from './filters.ts'
import { findOffers, type Offers, type QualifiedOffer, type Scenario } from './offers.ts'

export interface RedeemablesQuery {
  scenario: Scenario
  limit: number
  /** Only what was created before this instant. */
  startingAfter?: string
  expand: readonly string[]
  sorting: 'DEFAULT' | 'BEST_DEAL' | 'LEAST_DEAL'
  /** What the filters of the request let through. */
  isWanted: (facts: OfferFacts) => boolean
  /** Returns the assignments of rules to objects, for `expand` of validation rules. */
  assignmentsOf: (owners: readonly string[]) => { data: readonly { rule_id: string }[] }
}

/**
 * Lists the matches, newest first or by discount, each alone on the order as it was sent.
 *
 * Like the qualification of campaigns it never fails for missing data. Of codes it discloses those that the customer holds,
 * and standalone ones that nobody else holds.
 */
export function qualifyRedeemables(
  snapshot: Snapshot,
  offers: Offers,
  request: QualificationRequest & { tracking_id?: string },
  call: Pick<EvaluationCall, 'id' | 'now'>,
  query: RedeemablesQuery,
): { body: Record<string, unknown>; offers: readonly QualifiedOffer[] } | { refusal: RefusalBody } {
  const person = resolveCustomer(snapshot, request.customer, request.tracking_id)
  if ('refusal' in person) return person
  const order = calculateOrder(snapshot, request.order)
  const evaluation: EvaluationContext = {
    snapshot,
    now: call.now,
    metadata: request.metadata ?? {},
    audienceOnly: query.scenario === 'AUDIENCE_ONLY',
    ...(query.scenario.startsWith('PRODUCTS') && { products: { byCustomer: query.scenario.endsWith('_BY_CUSTOMER') } }),
    ...(person.customer && { customer: person.customer }),
    ...(order && { order, initialOrder: order }),
  }
  const found = findOffers(query.scenario, evaluation, offers, query.expand)
    .filter(({ facts }) => query.isWanted(facts))
    .filter(({ created_at }) => query.startingAfter === undefined || created_at < query.startingAfter)
    .toSorted(sorter(query.sorting))
  const shown = found.slice(0, query.limit)
  const withRules = query.expand.includes('validation_rules')
  const last = found.length > shown.length ? shown.at(-1) : undefined
  return {
    offers: shown,
    body: {
      id: call.id,
      created_at: call.now,
      redeemables: {
        object: 'list',
        data_ref: 'data',
        data: shown.map((offer) => ({ ...offer.answer, ...(withRules && { ...rulesAnswer(offer, query) }) })),
        total: shown.length,
        has_more: last !== undefined,
        ...(last && { more_starting_after: last.created_at }),
      },
      ...(person.tracking_id !== undefined && { tracking_id: person.tracking_id }),
      ...(order && { order: withoutTotal(orderAnswer(order)) }),
      stacking_rules: echoedRules(snapshot.stackingRules),
    },
  }
}

/** Only the orders of the redeemables tell what is left to pay. */
function withoutTotal({ total_amount: _, ...order }: OrderAnswer): OrderAnswer {
  return order
}

/** Says of each rule which of its conditions were not judged in this scenario. */
function rulesAnswer({ owners, omitted }: QualifiedOffer, { assignmentsOf }: RedeemablesQuery) {
  const list = assignmentsOf(owners)
  const data = list.data.map((assignment) => {
    const names = omitted.get(assignment.rule_id) ?? []
    // ASSUMED A1107: omitted rules are told by the names of their conditions, and make a rule partially valid.
    const validation_status = names.length > 0 ? 'PARTIALLY_VALID' : 'VALID'
    return { ...assignment, validation_status, validation_omitted_rules: names }
  })
  return { validation_rules_assignments: { ...list, data } }
}

function sorter(sorting: RedeemablesQuery['sorting']): (a: QualifiedOffer, b: QualifiedOffer) => number {
  const newest = (a: QualifiedOffer, b: QualifiedOffer) =>
    a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0
  if (sorting === 'DEFAULT') return newest
  const sign = sorting === 'BEST_DEAL' ? -1 : 1
  return (a, b) => sign * (a.amount - b.amount) || newest(a, b)
}
