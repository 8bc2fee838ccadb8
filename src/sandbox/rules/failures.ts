// The failures with which a redeemable or an entire request is refused; refusal.ts ends a request with them.
// Source: docs/service/validations.md#request-checks; docs/service/validations.md#eligibility-checks.
import type { Failure } from '../../contract/failure.ts'
import type { RulesResult } from './conditions/rule.ts'

/** A failure as a value: the route or the redeemable's result adds the request id. */
export type RefusalBody = Failure & { error?: { message: string } }

/** Returns the failure for an object that does not exist; `code` is 404 also inside an answer with HTTP 200. */
export function notFound(type: string, id: string): RefusalBody {
  return {
    code: 404,
    key: 'not_found',
    message: 'Resource not found',
    details: `Cannot find ${type} with id ${id}`,
    resource_id: id,
    resource_type: type,
  }
}

/** Returns a refusal with HTTP code 400. */
export function refused(key: string, message: string, details?: string): RefusalBody {
  return { code: 400, key, message, ...(details !== undefined && { details }) }
}

/** Returns the failure for a body without the documented shape. */
export function invalidPayload(details: string): RefusalBody {
  return refused('invalid_payload', 'Invalid payload', details)
}

type Missing = 'customer' | 'order' | 'order_items' | 'amount' | 'order_items_amount'

const missingThings: Record<Missing, [message: string, details: string]> = {
  customer: ['Missing customer', 'Customer is required to validate rules'],
  order: ['Missing order', 'Order is required to validate rules'],
  order_items: ['Missing order items', 'Order items are required to validate rules'],
  amount: ['Missing amount', 'Amount is required to validate rules'],
  order_items_amount: ['Missing applicable order items', 'Applicable order items with an amount are required'],
}

/** Returns the failure for data that the discount or a rule needs and the request lacks. */
export function missing(what: Missing): RefusalBody {
  const [message, details] = missingThings[what]
  return refused(`missing_${what}`, message, details)
}

/**
 * Returns the failure for a violated rule; `kind` is the redeemable's name in it: `Discount Coupon`, `Promotion Tier`…
 *
 * A message configured on the rule goes to `error.message`, the generic message stays.
 */
export function violated(verdict: Extract<RulesResult, { satisfied: false }>, kind: string): RefusalBody {
  if (verdict.kind === 'missing') return missing(verdict.missing ?? 'customer')
  return {
    ...refused(
      `${verdict.kind}_rules_violated`,
      `${verdict.kind} does not match validation rules`,
      `${kind} cannot be redeemed because of violated validation rules: ${verdict.ruleIds.join(', ')}`,
    ),
    ...(verdict.message !== undefined && { error: { message: verdict.message } }),
  }
}
