// A context for rules: an order of two lines, a customer, and no redemptions. Tests change what they need.

import type { RuleContext } from '../../../../src/sandbox/rules/conditions/context.ts'
import type { RuleNode, ValidationRule } from '../../../../src/sandbox/rules/conditions/rule.ts'
import type { OrderLine, OrderState } from '../../../../src/sandbox/rules/pricing/order.ts'

export function orderLine(fields: Partial<OrderLine> = {}): OrderLine {
  return {
    source_id: undefined,
    related_object: undefined,
    product: undefined,
    sku: undefined,
    metadata: undefined,
    product_id: 'prod_1',
    quantity: 1,
    initial_quantity: 1,
    discount_quantity: 0,
    price: 1000,
    amount: 1000,
    initial_amount: 1000,
    gotUnits: false,
    discount_amount: 0,
    applied_discount_amount: 0,
    ...fields,
  }
}

export function orderState(fields: Partial<OrderState> = {}): OrderState {
  return {
    id: undefined,
    source_id: undefined,
    status: undefined,
    created_at: undefined,
    amount: 10_500,
    initial_amount: undefined,
    discount_amount: 0,
    applied_discount_amount: 0,
    items: [orderLine()],
    hasItems: true,
    metadata: undefined,
    referrer_id: undefined,
    customer_id: undefined,
    ...fields,
  }
}

export function ruleContext(fields: Partial<RuleContext> = {}): RuleContext {
  return {
    now: '2026-03-18T12:00:00.000Z',
    timeZone: 'UTC',
    weekStartsOn: 1,
    audienceOnly: false,
    redeemable: { object: 'voucher', id: 'v_1', metadata: {} },
    isInSegment: () => false,
    isInTier: () => false,
    isHolder: false,
    metadata: {},
    discountAmount: 0,
    isInCollection: () => false,
    redemptions: () => ({ count: 0, customers_count: 0, orders_amount: 0, orders_amount_discounted: 0 }),
    ...fields,
  }
}

/** A validation rule of one numbered rule. */
export function oneRule(rule: RuleNode, fields: Partial<ValidationRule> = {}): ValidationRule {
  return { id: 'val_1', rules: { '1': rule, logic: '1' }, ...fields }
}
