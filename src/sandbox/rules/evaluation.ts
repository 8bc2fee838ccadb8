// What a request is evaluated with: its customer, its order, and the state of the project.
import type { Metadata } from '../../contract/fields.ts'
import { type CustomerRequest, resolveCustomer } from './eligibility/customer.ts'
import type { RefusalBody } from './failures.ts'
import type { EvaluationContext } from './pricing/incentive.ts'
import { calculateOrder, type OrderRequest } from './pricing/order.ts'
import type { Snapshot } from './snapshot.ts'

/** The facts of a request that single redeemables are judged by. */
export interface EvaluationRequest {
  customer?: CustomerRequest
  order?: OrderRequest
  metadata?: Metadata
  tracking_id?: string
}

/** Returns the context of a request for redeemables that are each judged alone, and the member that tells the customer. */
export function evaluationOf(
  snapshot: Snapshot,
  request: EvaluationRequest,
  now: string,
  restricted: Pick<EvaluationContext, 'audienceOnly' | 'products'>,
): { evaluation: EvaluationContext; tracked: { tracking_id?: string } } | { refusal: RefusalBody } {
  const person = resolveCustomer(snapshot, request.customer, request.tracking_id)
  if ('refusal' in person) return person
  const order = calculateOrder(snapshot, request.order)
  return {
    evaluation: {
      snapshot,
      now,
      metadata: request.metadata ?? {},
      ...restricted,
      ...(person.customer && { customer: person.customer }),
      ...(order && { order, initialOrder: order }),
    },
    tracked: person.tracking_id === undefined ? {} : { tracking_id: person.tracking_id },
  }
}
