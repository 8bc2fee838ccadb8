// The answer to POST /v1/validations, and the evaluation that a redemption uses.
// Source: docs/service/validations.md#response; docs/service/validations.md#validate.

import type { Metadata } from '../../../contract/fields.ts'
import { type Customer, type CustomerRequest, resolveCustomer } from '../eligibility/customer.ts'
import {
  expiresAt,
  type SessionLock,
  type SessionRequest,
  sessionOf,
  type ValidationSession,
} from '../eligibility/session.ts'
import { notFound, type RefusalBody } from '../failures.ts'
import { calculateOrder, type OrderRequest } from '../pricing/order.ts'
import { orderAnswer } from '../pricing/order-answer.ts'
import type { RedeemableRequest } from '../redeemable.ts'
import type { Snapshot } from '../snapshot.ts'
import { candidatesOf, redeemablesProblem } from './candidates.ts'
import { appliedEntries, type EvaluatedEntry } from './entry.ts'
import { type StackingResult, stack } from './stacking.ts'
import { echoedRules } from './stacking-rules.ts'
import { type Expansion, redeemableAnswer } from './validation-entry.ts'

export interface ValidationRequest {
  redeemables: RedeemableRequest[]
  order?: OrderRequest
  customer?: CustomerRequest
  tracking_id?: string
  session?: SessionRequest
  metadata?: Metadata
  options?: { expand?: Expansion[] }
}

/** What the caller provides for one call: generated ids and the instant, so that the rules stay pure. */
export interface EvaluationCall {
  /** Id of the validation (`valid_…`) or qualification (`qfl_…`). */
  id: string
  request_id: string
  now: string
  /** The key of a session that is asked for without one. */
  session_key: string
}

/** One evaluation, before it becomes an answer. */
export interface Evaluation extends StackingResult {
  customer?: Customer
  tracking_id?: string
}

/** A request that cannot be evaluated. A validation answers with `entries`, where they say the same of each redeemable. */
interface RefusedEvaluation {
  refusal: RefusalBody
  entries?: EvaluatedEntry[]
}

export interface ValidationResult extends Evaluation {
  body: Record<string, unknown>
  /** What the request's session holds from now on; empty without a session and when not valid. */
  locks: SessionLock[]
}

/**
 * Evaluates the redeemables of a request together, without building an answer; redemptions use it.
 *
 * A refusal concerns the entire request (HTTP status = its `code`); failures of single redeemables are in `entries`.
 */
export function evaluateRedeemables(
  snapshot: Snapshot,
  request: ValidationRequest,
  now: string,
): Evaluation | RefusedEvaluation {
  const problem = redeemablesProblem(snapshot, request.redeemables)
  if (problem) return { refusal: problem }
  const person = resolveCustomer(snapshot, request.customer, request.tracking_id)
  if ('refusal' in person) {
    const failed = candidatesOf(snapshot, request.redeemables)
    return { ...person, entries: failed.map((candidate) => ({ status: 'INAPPLICABLE', candidate, ...person })) }
  }
  // ASSUMED A16: an order id that is not stored is refused like an unknown customer id; an unknown source id is a new order.
  if (request.order?.id !== undefined && !snapshot.order(request.order.id))
    return { refusal: notFound('order', request.order.id) }
  const order = calculateOrder(snapshot, request.order)
  const candidates = candidatesOf(snapshot, request.redeemables)
  snapshot.prefetch?.(
    'voucher',
    candidates.flatMap(({ voucher }) => voucher ?? []),
  )
  const stacked = stack(
    candidates,
    {
      snapshot,
      now,
      metadata: request.metadata ?? {},
      customer: person.customer,
      order,
      sessionKey: request.session?.key,
    },
    snapshot.stackingRules,
  )
  return { ...stacked, ...person }
}

/** Validates redeemables and returns the answer, which is HTTP 200 whether valid or not. */
export function validateRedeemables(
  snapshot: Snapshot,
  request: ValidationRequest,
  call: EvaluationCall,
): ValidationResult | { refusal: RefusalBody } {
  const evaluated = evaluateRedeemables(snapshot, request, call.now)
  if ('refusal' in evaluated && !evaluated.entries) return evaluated
  const evaluation = 'refusal' in evaluated ? { entries: evaluated.entries ?? [], valid: false } : evaluated
  const rules = snapshot.stackingRules
  const session = request.session && sessionOf(request.session, () => call.session_key)
  const asked = { ...call, stackingRules: rules }
  const answersOf = (entries: readonly EvaluatedEntry[]) =>
    entries.map((entry) => redeemableAnswer(entry, request.options?.expand, asked))
  const groups = groupEntries(evaluation, rules.redeemables_application_mode)
  return {
    ...evaluation,
    locks: session ? newLocks(evaluation, session, call.now) : [],
    body: {
      id: call.id,
      valid: evaluation.valid,
      redeemables: answersOf(groups.main),
      ...(groups.skipped.length > 0 && { skipped_redeemables: answersOf(groups.skipped) }),
      ...(groups.inapplicable.length > 0 && { inapplicable_redeemables: answersOf(groups.inapplicable) }),
      ...(evaluation.valid && evaluation.order && { order: orderAnswer(evaluation.order) }),
      ...(evaluation.tracking_id !== undefined && { tracking_id: evaluation.tracking_id }),
      ...(session && { session }),
      stacking_rules: echoedRules(rules),
    },
  }
}

/** Groups the entries: with ALL every entry, and those that do not apply again on their own; with PARTIAL those that apply, and apart the others. */
function groupEntries({ entries }: Evaluation, mode: 'ALL' | 'PARTIAL') {
  const inapplicable = entries.filter(({ status }) => status === 'INAPPLICABLE')
  // ASSUMED A1102: in the mode ALL, skipped redeemables have no list of their own.
  if (mode === 'ALL') return { main: entries, skipped: [], inapplicable }
  return {
    main: appliedEntries(entries),
    skipped: entries.filter(({ status }) => status === 'SKIPPED'),
    inapplicable,
  }
}

/**
 * Returns what a session locks after a validation: one redemption, the credits and the points of every applicable voucher.
 *
 * Nothing when the validation is not valid; promotion tiers are never locked.
 */
export function newLocks(
  stacked: Pick<StackingResult, 'entries' | 'valid'>,
  session: ValidationSession,
  now: string,
): SessionLock[] {
  if (!stacked.valid) return []
  const expires_at = expiresAt(session, now)
  return stacked.entries.flatMap((entry) => {
    if (entry.status !== 'APPLICABLE' || !entry.candidate.voucher) return []
    const { credits, points } = entry.incentive
    return [{ key: session.key, voucher_id: entry.candidate.voucher.id, quantity: 1, credits, points, expires_at }]
  })
}
