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

/** The messages of the keys that always have the same; docs/service/errors.md#catalogue-of-keys lists them. */
export const messages = {
  already_rolled_back: 'Already rolled back',
  campaign_not_active: 'Campaign not active',
  campaign_not_allow_auto_join: 'Campaign does not allow auto join',
  campaign_type_is_not_supported_by_campaign_template:
    'Campaign of the given type is not supported by campaign template',
  duplicate_key: 'Duplicate codes',
  duplicate_source_id: 'Duplicate source_id',
  duplicated_redeemables: 'Duplicated redeemables detected',
  gift_amount_exceeded: 'gift amount exceeded',
  invalid_add_balance_params: 'Invalid add balance params',
  invalid_amount: 'Invalid Amount',
  invalid_balance: 'Invalid balance',
  invalid_campaign: 'Invalid Campaign',
  invalid_campaign_params: 'Invalid campaign params',
  invalid_code_config: 'Invalid code config',
  invalid_expiration_date: 'Invalid Expiration Date',
  invalid_export_fields: 'Invalid Export',
  invalid_export_params: 'Invalid Export',
  invalid_grant_type: 'Invalid grant_type',
  invalid_customer: 'Invalid customer',
  invalid_order: 'Invalid order',
  invalid_payload: 'Invalid payload',
  invalid_pending_points_state: 'Invalid pending points state',
  invalid_publish_params: 'Invalid publish params',
  invalid_query_params: 'Invalid query params',
  invalid_redeemables: 'Invalid redeemables',
  invalid_redemption: 'Invalid redemption',
  invalid_redemption_parent: 'Invalid redemption parent',
  invalid_rollback_params: 'Invalid rollback params',
  invalid_validation_rules: 'Invalid Validation Rule Definition',
  invalid_voucher: 'Invalid Voucher',
  loyalty_card_not_active: 'Loyalty card not active',
  loyalty_card_points_exceeded: 'loyalty card points exceeded',
  metadata_validation_failed: 'Metadata validation failed',
  missing_customer: 'Missing customer',
  missing_parameters: 'Missing parameters',
  missing_reward: 'Missing reward',
  missing_vouchers: 'Missing vouchers',
  no_voucher_suitable_for_publication: "Couldn't find any voucher suitable for publication",
  not_published: 'Voucher is not published',
  promotion_inactive: 'Inactive Promotion',
  promotion_not_active_now: 'promotion not active now',
  quantity_exceeded: 'quantity exceeded',
  query_too_large: 'Query too large',
  referrer_not_permitted_to_redeem: 'voucher cannot be redeemed by referrer',
  resource_in_use: 'Resource in use',
  resource_protected: 'Resource is protected',
  reward_out_of_stock: 'Reward out of stock',
  too_many_vouchers_requested: 'Too many vouchers requested',
  voucher_already_published: 'Voucher already published',
  voucher_cannot_be_published: 'Voucher cannot be published',
  voucher_disabled: 'voucher is disabled',
  voucher_expired: 'voucher expired',
  voucher_not_active: 'voucher is not active yet',
  voucher_not_active_now: 'voucher not active now',
} as const satisfies Record<string, string>

export type RefusalKey = keyof typeof messages

/** Returns a refusal with HTTP code 400. */
export function refuse(key: RefusalKey, details?: string): RefusalBody {
  return refusedAs(key, messages[key], details)
}

/** The same for a key whose message depends on the request. */
export function refusedAs(key: string, message: string, details?: string): RefusalBody {
  return { code: 400, key, message, ...(details !== undefined && { details }) }
}

/** Returns the failure for a natural key that is taken; `by` names the key in the details. */
export function duplicate(type: string, value: string, by: 'id' | 'name' = 'id'): RefusalBody {
  return {
    code: 409,
    key: 'duplicate_found',
    message: 'Duplicated resource found',
    details: `Duplicated ${type} exists with ${by} ${value}`,
    resource_id: value,
    resource_type: type,
  }
}

/** Returns the failure for a body without the documented shape. */
export function invalidPayload(details: string): RefusalBody {
  return refuse('invalid_payload', details)
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
  return refusedAs(`missing_${what}`, message, details)
}

/**
 * Returns the failure for a violated rule; `kind` is the redeemable's name in it: `Discount Coupon`, `Promotion Tier`…
 *
 * A message configured on the rule goes to `error.message`, the generic message stays.
 */
export function violationRefusal(verdict: Extract<RulesResult, { satisfied: false }>, kind: string): RefusalBody {
  if (verdict.kind === 'missing') return missing(verdict.missing ?? 'customer')
  return {
    ...refusedAs(
      `${verdict.kind}_rules_violated`,
      `${verdict.kind} does not match validation rules`,
      `${kind} cannot be redeemed because of violated validation rules: ${verdict.ruleIds.join(', ')}`,
    ),
    ...(verdict.message !== undefined && { error: { message: verdict.message } }),
  }
}
