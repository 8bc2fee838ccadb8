import { type EvaluationRequest, evaluationOf } from '../evaluation.ts'
import type { RefusalBody } from '../failures.ts'
import { type OrderAnswer, orderAnswer } from '../pricing/order-answer.ts'
import type { Snapshot } from '../snapshot.ts'
import { echoedRules } from '../stacking/stacking-rules.ts'
import type { EvaluationCall } from '../stacking/validation.ts'
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
  request: EvaluationRequest,
  call: Pick<EvaluationCall, 'id' | 'now'>,
  query: RedeemablesQuery,
): { body: Record<string, unknown>; offers: readonly QualifiedOffer[] } | { refusal: RefusalBody } {
  const judged = evaluationOf(snapshot, request, call.now, {
    audienceOnly: query.scenario === 'AUDIENCE_ONLY',
    ...(query.scenario.startsWith('PRODUCTS') && { products: { byCustomer: query.scenario.endsWith('_BY_CUSTOMER') } }),
  })
  if ('refusal' in judged) return judged
  const { evaluation, tracked } = judged
  const { order } = evaluation
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
      ...tracked,
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
