// The words in which one redeemable, or a whole request, is refused; refusal.ts ends a request with them.
// Source: docs/service/validations.md#request-checks; docs/service/validations.md#eligibility-checks.
import type { Failure } from '../../contract/failure.ts'
import type { RulesResult } from './conditions/rule.ts'

/** A failure as a value: the route, or the redeemable's result, adds the request id. */
export type RefusalBody = Failure & { error?: { message: string } }

/** A missing thing; `code` 404 also inside an answer that is HTTP 200 itself. */
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

/** A refusal with HTTP code 400. */
export function refused(key: string, message: string, details?: string): RefusalBody {
  return { code: 400, key, message, ...(details !== undefined && { details }) }
}

/** A body that does not have the documented shape. */
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

/** Something the discount or a rule needs was not sent. */
export function missing(what: Missing): RefusalBody {
  const [message, details] = missingThings[what]
  return refused(`missing_${what}`, message, details)
}

/**
 * A violated rule; `kind` is how the redeemable is called there: `Discount Coupon`, `Promotion Tier`…
 *
 * A message configured on the rule travels in `error.message`, the generic one stays.
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
