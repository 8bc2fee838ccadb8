import { describe, expect, test } from 'vitest'
import type { RedemptionQuery, RuleContext } from '../../../../../src/sandbox/rules/conditions/context.ts'
import { evaluateRules } from '../../../../../src/sandbox/rules/conditions/evaluate.ts'
import type { RuleNode, ValidationRule } from '../../../../../src/sandbox/rules/conditions/rule.ts'
import { oneRule, orderLine, orderState, ruleContext } from '../rule-context.ts'

const yes: RuleNode = { name: 'redemption.metadata', property: 'a', conditions: { $is: [1] } }
const no: RuleNode = { name: 'redemption.metadata', property: 'a', conditions: { $is: [2] } }
const asksCustomer: RuleNode = { name: 'customer.metadata', property: 'a', conditions: { $is: [1] } }
const context = ruleContext({ metadata: { a: 1 } })

function holds(rule: RuleNode, fields: Partial<RuleContext> = {}): boolean {
  return evaluateRules([oneRule(rule)], ruleContext(fields)).satisfied
}

function verdictOf(rule: RuleNode, fields: Partial<RuleContext> = {}) {
  return evaluateRules([oneRule(rule)], ruleContext(fields))
}

describe('logic', () => {
  test.each([
    ['1', true],
    ['2', false],
    ['1 and 2', false],
    ['1 or 2', true],
    ['1 AND 1', true],
    ['2 Or 2', false],
    ['1 or 2 and 2', true],
    ['(1 or 2) and 2', false],
    ['1 and (2 or 1)', true],
    ['2 or (1 and (2 or 1))', true],
    ['', true],
    ['  ', true],
    // What cannot be parsed, or names a missing rule, is never satisfied.
    ['1 and', false],
    ['1 and 3', false],
    ['4', false],
  ])('"%s" of a rule 1 that holds and a rule 2 that does not is %s', (logic, expected) => {
    const rule = { id: 'val_1', rules: { '1': yes, '2': no, '4': { name: 'no.such' }, logic } }

    expect(evaluateRules([rule], context).satisfied).toBe(expected)
  })

  test.each<[ValidationRule[]]>([
    [[]],
    [[{ id: 'val_1' }]],
    [[{ id: 'val_1', rules: { logic: '' }, applicable_to: {} }]],
  ])('an empty set of rules is satisfied, and so is a rule that only names products: %j', (rules) => {
    expect(evaluateRules(rules, context)).toEqual({ satisfied: true })
  })

  test('every failed validation rule is named, the others are not', () => {
    const rules = [oneRule(yes, { id: 'val_1' }), oneRule(no, { id: 'val_2' }), oneRule(no, { id: 'val_3' })]

    expect(evaluateRules(rules, context)).toEqual({ satisfied: false, kind: 'redemption', ruleIds: ['val_2', 'val_3'] })
  })

  test("a failed rule's own message takes precedence over the fallback of its validation rule", () => {
    const fallback = { error: { message: 'not today' } }
    const messageOf = (rule: RuleNode) => evaluateRules([oneRule(rule, fallback)], context)

    expect(messageOf({ ...no, error: { message: 'wrong card' } })).toMatchObject({ message: 'wrong card' })
    expect(messageOf(no)).toMatchObject({ message: 'not today' })
  })

  test('missing data is reported before violations', () => {
    const both = { id: 'val_1', rules: { '1': no, '2': asksCustomer, logic: '1 and 2' } }
    const missing = { satisfied: false, kind: 'missing', missing: 'customer', ruleIds: ['val_1'] }

    expect(evaluateRules([both], context)).toEqual(missing)
    const two = [oneRule(no, { id: 'val_2' }), oneRule(asksCustomer)]
    expect(evaluateRules(two, context)).toMatchObject({ kind: 'missing' })
  })

  test('nothing is missing when another alternative holds', () => {
    const either: ValidationRule = { id: 'val_1', rules: { '1': asksCustomer, '2': yes, logic: '1 or 2' } }

    expect(evaluateRules([either], context)).toEqual({ satisfied: true })
    expect(evaluateRules([either], ruleContext())).toMatchObject({ kind: 'missing', missing: 'customer' })
  })
})

describe('customers', () => {
  const gold: RuleNode = { name: 'customer.segment', conditions: { $is: ['seg_gold'] } }
  const inGold = { customer: {}, isInSegment: (id: string) => id === 'seg_gold' }

  test('a segment rule requires membership', () => {
    expect(holds(gold, inGold)).toBe(true)
    expect(verdictOf(gold, { customer: {} })).toEqual({ satisfied: false, kind: 'customer', ruleIds: ['val_1'] })
    expect(verdictOf(gold)).toMatchObject({ kind: 'missing', missing: 'customer' })
  })

  test.each([
    [{ $in: ['seg_silver', 'seg_gold'] }, true],
    [{ $not_in: ['seg_silver', 'seg_gold'] }, false],
    [{ $is_not: ['seg_silver'] }, true],
    [{ $is: ['seg_gold'], $is_not: ['seg_gold'] }, false],
    [{ $is: [{ id: 'seg_gold' }] }, true],
  ])('several segments are alternatives, and a negative rule requires none of them: %j', (conditions, expected) => {
    expect(holds({ ...gold, conditions: conditions as Record<string, unknown[]> }, inGold)).toBe(expected)
  })

  const ofParis = { city: 'Paris' }

  test.each<[Record<string, unknown[]>, Record<string, unknown> | undefined, boolean]>([
    [{ $is: ['Paris'] }, ofParis, true],
    [{ $is: ['Paris'] }, { other: 1 }, false],
    [{ $starts_with: ['P'] }, { other: 1 }, false],
    [{ $less_than: [5] }, { other: 1 }, false],
    [{ $is_not: ['Paris'] }, { other: 1 }, true],
    [{ $not_in: ['Paris'] }, undefined, true],
  ])('an absent metadata key meets only negative conditions: %j of %j is %s', (conditions, metadata, expected) => {
    const rule = { name: 'customer.metadata', property: 'city', conditions }

    expect(holds(rule, { customer: metadata ? { metadata } : {} })).toBe(expected)
  })

  test('a key that every object has is absent, too', () => {
    const rule = { name: 'customer.metadata', property: '__proto__', conditions: { $is_not: ['x'] } }

    expect(holds(rule, { customer: { metadata: {} } })).toBe(true)
  })

  test('a rule for the holder requires the customer to be one', () => {
    const rule = { name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } }

    expect(holds(rule, { customer: { id: 'cust_1' }, isHolder: true })).toBe(true)
    expect(verdictOf(rule, { customer: { id: 'cust_1' } })).toMatchObject({ kind: 'customer' })
    expect(verdictOf(rule)).toMatchObject({ kind: 'missing', missing: 'customer' })
  })

  test('with audience rules only, everything else counts as met, whatever is missing', () => {
    const rules: ValidationRule[] = [
      oneRule({ name: 'order.amount', conditions: { $more_than: [1] } }),
      oneRule({ name: 'order.items.any', conditions: { $is: ['prod_9'] } }),
      oneRule({ name: 'redemption.count.per_customer', conditions: { $less_than: [1] } }),
      oneRule({ name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } }),
    ]
    const failed = { satisfied: false, kind: 'customer', ruleIds: ['val_g'] }

    expect(evaluateRules(rules, ruleContext({ audienceOnly: true }))).toEqual({ satisfied: true })
    const all = [...rules, oneRule(gold, { id: 'val_g' })]
    expect(evaluateRules(all, ruleContext({ audienceOnly: true, customer: {} }))).toEqual(failed)
  })
})

describe('amounts', () => {
  const over100 = (name: string): RuleNode => ({ name, conditions: { $more_than: [10_000] } })

  test('the order amount is what is left before this incentive', () => {
    expect(holds(over100('order.amount'), { order: orderState() })).toBe(true)
    expect(verdictOf(over100('order.amount'), { order: orderState({ discount_amount: 1050 }) })).toEqual({
      satisfied: false,
      kind: 'order',
      ruleIds: ['val_1'],
    })
  })

  test('the initial amount does not change along a stack', () => {
    const discounted = { order: orderState({ discount_amount: 1050 }), initialOrder: orderState() }

    expect(holds(over100('order.initial_amount'), discounted)).toBe(true)
    expect(holds(over100('order.initial_amount'), { order: discounted.order })).toBe(true)
  })

  test('the total amount is what is left after this incentive', () => {
    const context = { order: orderState(), orderAfter: orderState({ discount_amount: 600 }) }

    expect(verdictOf(over100('order.total_amount'), context)).toMatchObject({ kind: 'order' })
    expect(holds({ name: 'order.total_amount', conditions: { $is: [9900] } }, context)).toBe(true)
  })

  test('a total that could not be computed is no violation: the incentive itself was refused', () => {
    expect(holds({ name: 'order.total_amount', conditions: { $is: [1] } }, { order: orderState() })).toBe(true)
  })

  test.each(['order.amount', 'order.total_amount', 'order.initial_amount'])(
    '%s needs an order with an amount',
    (name) => {
      expect(verdictOf(over100(name))).toMatchObject({ kind: 'missing', missing: 'order' })
      expect(verdictOf(over100(name), { order: orderState({ amount: undefined }) })).toMatchObject({
        missing: 'amount',
      })
    },
  )

  test('several operators in one rule must all hold', () => {
    const between = { name: 'order.amount', conditions: { $more_than_or_equal: [10_500], $less_than: [20_000] } }

    expect(holds(between, { order: orderState() })).toBe(true)
    expect(holds(between, { order: orderState({ amount: 20_000 }) })).toBe(false)
  })
})

describe('order lines', () => {
  const shoes = orderLine({ product_id: 'prod_shoes', sku_id: 'sku_red', quantity: 3, price: 5000, amount: 15_000 })
  const socks = orderLine({ product_id: 'prod_socks', quantity: 2, price: 500, amount: 1000, metadata: { size: 'L' } })
  const order = orderState({ items: [shoes, socks] })
  const inClothes = { order, isInCollection: (id: string) => id === 'pc_clothes' }
  const about = (name: string, reference: unknown): RuleNode => ({ name, conditions: { $is: [reference] } })

  test.each([
    ['order.items.any', 'prod_shoes', true],
    ['order.items.any', 'sku_red', true],
    ['order.items.any', 'prod_hat', false],
    ['order.items.every', 'prod_shoes', false],
    ['order.items.every', 'pc_clothes', true],
    ['order.items.none', 'prod_shoes', false],
    ['order.items.none', 'prod_hat', true],
    ['order.items.cheapest', 'prod_socks', true],
    ['order.items.cheapest', 'prod_shoes', false],
    ['order.items.most_expensive', 'prod_shoes', true],
    ['order.items.most_expensive', 'prod_socks', false],
    ['product.id', 'prod_socks', true],
    ['product.id', 'prod_hat', false],
    ['sku.id', 'sku_red', true],
    ['sku.id', 'sku_blue', false],
  ])('%s is %s: %s', (name, id, expected) => {
    expect(holds(about(name, id), inClothes)).toBe(expected)
  })

  test('a reference may state its kind', () => {
    expect(holds(about('order.items.any', { id: 'pc_clothes', object: 'products_collection' }), inClothes)).toBe(true)
    expect(holds(about('order.items.any', { id: 'prod_shoes', object: 'sku' }), inClothes)).toBe(false)
  })

  test('a product that must not be in the order is in no line', () => {
    expect(holds({ name: 'product.id', conditions: { $is_not: ['prod_shoes'] } }, { order })).toBe(false)
    expect(holds({ name: 'product.id', conditions: { $not_in: ['prod_hat'] } }, { order })).toBe(true)
    expect(holds({ name: 'order.items.any', conditions: { $is_not: ['prod_shoes'] } }, { order })).toBe(true)
  })

  test.each<[string, RuleNode, boolean]>([
    ['units of one line', { name: 'order.items.quantity', conditions: { $more_than_or_equal: [3] } }, true],
    ['too few units', { name: 'order.items.quantity', conditions: { $more_than_or_equal: [4] } }, false],
    ['the price of one unit', { name: 'order.items.price', conditions: { $is: [5000] } }, true],
    ['an amount together', { name: 'order.items.aggregated_amount', conditions: { $is: [15_000] } }, true],
    ['a quantity together', { name: 'order.items.aggregated_quantity', conditions: { $is: [3] } }, true],
    ['metadata', { name: 'order.items.metadata', property: 'size', conditions: { $is: ['L'] } }, false],
    ['a name that does not exist', { name: 'order.items.colour', conditions: { $is: ['red'] } }, false],
  ])('a sub-rule about %s is evaluated on the lines that match', (_name, sub, expected) => {
    const rule = { ...about('order.items.any', 'prod_shoes'), rules: { '1': sub, logic: '1' } }

    expect(holds(rule, { order })).toBe(expected)
  })

  test('sub-rules without a product are about every line', () => {
    const five: RuleNode = { name: 'order.items.aggregated_quantity', conditions: { $is: [5] } }
    const large: RuleNode = { name: 'order.items.metadata', property: 'size', conditions: { $is: ['L'] } }

    expect(holds({ name: 'order.items.any', rules: { '1': five, '2': large, logic: '1 and 2' } }, { order })).toBe(true)
    expect(holds({ name: 'order.items.every', rules: { '1': large, logic: '1' } }, { order })).toBe(false)
    expect(holds({ name: 'order.items.none', rules: { '1': large, logic: '1' } }, { order })).toBe(false)
  })

  test('the quantity of a product is that of all its lines', () => {
    const twoLines = orderState({ items: [shoes, { ...shoes, quantity: 4 }, socks] })
    const seven: RuleNode = { name: 'product.quantity', conditions: { $is: [7] } }
    const dear: RuleNode = { name: 'product.price', conditions: { $is: [5000] } }

    const rule = { ...about('product.id', 'prod_shoes'), rules: { '1': seven, '2': dear, logic: '1 and 2' } }

    expect(holds(rule, { order: twoLines })).toBe(true)
    expect(holds(rule, { order })).toBe(false)
  })

  test('items are counted in units', () => {
    expect(holds({ name: 'order.items.count', conditions: { $is: [5] } }, { order })).toBe(true)
  })

  test('one price is enough for "any", and "each" requires all', () => {
    const dear = { $more_than: [1000] }

    expect(holds({ name: 'order.items.price_any', conditions: dear }, { order })).toBe(true)
    expect(holds({ name: 'order.items.price_each', conditions: dear }, { order })).toBe(false)
    expect(holds({ name: 'order.items.price_each', conditions: { $more_than: [400] } }, { order })).toBe(true)
  })

  test('metadata of lines and of products is evaluated in the same way', () => {
    const large = { property: 'size', conditions: { $is: ['L'] } }
    const fromBrand = { property: 'brand', conditions: { $is: ['acme'] } }
    const branded = orderState({
      items: [socks, { ...shoes, product: { id: 'prod_shoes', metadata: { brand: 'acme' } } }],
    })

    expect(holds({ name: 'order.items.metadata_any', ...large }, { order })).toBe(true)
    expect(holds({ name: 'order.items.metadata_each', ...large }, { order })).toBe(false)
    expect(holds({ name: 'product.metadata', ...fromBrand }, { order: branded })).toBe(true)
    expect(holds({ name: 'product.metadata', ...fromBrand }, { order })).toBe(false)
  })

  test.each(['order.items.any', 'order.items.none', 'product.id', 'order.items.count', 'order.items.metadata_any'])(
    '%s needs an order, and lines in it',
    (name) => {
      const rule = { name, property: 'size', conditions: { $is: ['prod_1'] } }

      expect(verdictOf(rule)).toMatchObject({ kind: 'missing', missing: 'order' })
      expect(verdictOf(rule, { order: orderState({ items: [] }) })).toMatchObject({ missing: 'order_items' })
    },
  )

  test("the order's own metadata needs an order", () => {
    const rule = { name: 'order.metadata', property: 'card', conditions: { $is: ['Visa'] } }

    expect(holds(rule, { order: orderState({ metadata: { card: 'Visa' } }) })).toBe(true)
    expect(verdictOf(rule, { order: orderState() })).toMatchObject({ kind: 'order' })
    expect(verdictOf(rule)).toMatchObject({ kind: 'missing', missing: 'order' })
  })
})

describe('counts and budgets', () => {
  /** Past redemptions by the expected query. */
  function past(
    counts: [RedemptionQuery, Partial<ReturnType<RuleContext['redemptions']>>][],
  ): RuleContext['redemptions'] {
    return (query) => {
      const found = counts.find(([asked]) => JSON.stringify(asked) === JSON.stringify(query))
      return { count: 0, customers_count: 0, orders_amount: 0, orders_amount_discounted: 0, ...found?.[1] }
    }
  }
  const campaign = {
    id: 'camp_1',
    name: 'C',
    campaign_type: 'DISCOUNT_COUPONS',
    created_at: '2026-01-01T00:00:00.000Z',
  }
  const customer = { id: 'cust_1' }

  test('this attempt counts as well: two of two are used after the second redemption', () => {
    const twice = { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [2] } }
    const query = { object: 'voucher', id: 'v_1', customer_id: 'cust_1' } as const

    expect(holds(twice, { customer, redemptions: past([[query, { count: 1 }]]) })).toBe(true)
    expect(verdictOf(twice, { customer, redemptions: past([[query, { count: 2 }]]) })).toEqual({
      satisfied: false,
      kind: 'redemption',
      ruleIds: ['val_1'],
    })
  })

  test('a count per customer needs a customer, and one that is new has redeemed nothing', () => {
    const once = { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [1] } }
    const many = () => ({ count: 9, customers_count: 9, orders_amount: 0, orders_amount_discounted: 0 })

    expect(verdictOf(once, { redemptions: many })).toMatchObject({ kind: 'missing', missing: 'customer' })
    expect(holds(once, { customer: { source_id: 'new' }, redemptions: many })).toBe(true)
  })

  test.each([
    ['redemption.count.daily', '2026-03-17T23:00:00.000Z'],
    ['redemption.count.weekly', '2026-03-15T23:00:00.000Z'],
    ['redemption.count.monthly', '2026-02-28T23:00:00.000Z'],
  ])('%s counts from %s, the start of the period in the zone', (name, since) => {
    const rule = { name, conditions: { $is: [4] } }
    const redemptions = past([[{ object: 'voucher', id: 'v_1', since }, { count: 3 }]])

    expect(holds(rule, { redemptions, timeZone: 'Europe/Warsaw' })).toBe(true)
  })

  test('the week begins on the configured day, today included', () => {
    const rule = { name: 'redemption.count.weekly', conditions: { $is: [4] } }
    const from = (since: string) => past([[{ object: 'voucher', id: 'v_1', since }, { count: 3 }]])

    expect(holds(rule, { weekStartsOn: 3, redemptions: from('2026-03-18T00:00:00.000Z') })).toBe(true)
    expect(holds(rule, { weekStartsOn: 4, redemptions: from('2026-03-12T00:00:00.000Z') })).toBe(true)
  })

  test('a campaign counts over all its codes, and a code without a campaign over itself', () => {
    const rule = { name: 'campaign.redemptions.count', conditions: { $is: [6] } }

    expect(holds(rule, { campaign, redemptions: past([[{ campaign_id: 'camp_1' }, { count: 5 }]]) })).toBe(true)
    expect(holds(rule, { redemptions: past([[{ object: 'voucher', id: 'v_1' }, { count: 5 }]]) })).toBe(true)
  })

  test('a campaign in a qualification counts by its own id', () => {
    const rule = { name: 'redemption.count.daily', conditions: { $is: [6] } }
    const redeemable = { object: 'campaign', id: 'camp_1', metadata: {} } as const
    const redemptions = past([[{ campaign_id: 'camp_1', since: '2026-03-18T00:00:00.000Z' }, { count: 5 }]])

    expect(holds(rule, { redeemable, campaign, redemptions })).toBe(true)
  })

  test('a customer who redeemed before is not counted twice', () => {
    const rule = { name: 'campaign.redemptions.customers_count', conditions: { $less_than_or_equal: [5] } }
    const five = [
      { campaign_id: 'camp_1', countsCustomers: true },
      { customers_count: 5, count: 8 },
    ] as const
    const cameBefore = [{ campaign_id: 'camp_1', customer_id: 'cust_1' }, { count: 1 }] as const

    expect(holds(rule, { campaign, customer, redemptions: past([[...five]]) })).toBe(false)
    expect(holds(rule, { campaign, customer, redemptions: past([[...five], [...cameBefore]]) })).toBe(true)
  })

  test('budgets add this order and this discount', () => {
    const spent = past([[{ campaign_id: 'camp_1' }, { orders_amount: 90_000, orders_amount_discounted: 9000 }]])
    const fields = { campaign, order: orderState(), discountAmount: 1000, redemptions: spent }

    expect(holds({ name: 'campaign.orders.amount', conditions: { $is: [100_500] } }, fields)).toBe(true)
    expect(holds({ name: 'campaign.orders.amount_discounted', conditions: { $is: [10_000] } }, fields)).toBe(true)
  })

  test('credits and points are those of this attempt', () => {
    const credits = { name: 'redemption.gift.amount', conditions: { $less_than_or_equal: [500] } }
    const points = { name: 'redemption.reward.pay_with_points.points_used', conditions: { $more_than: [10] } }

    expect(holds(credits, { giftCredits: 500 })).toBe(true)
    expect(verdictOf(credits, { giftCredits: 501 })).toMatchObject({ kind: 'redemption' })
    expect(holds(credits)).toBe(false)
    expect(holds(points, { pointsUsed: 11 })).toBe(true)
    expect(holds(points, { pointsUsed: 10 })).toBe(false)
  })

  test('an API key and the metadata of an event are compared as sent', () => {
    const key = { name: 'redemption.api_key', conditions: { $is: ['key_1'] } }
    const event = { name: 'custom_event.metadata', property: 'stars', conditions: { $more_than: [3] } }

    expect(holds(key, { apiKey: 'key_1' })).toBe(true)
    expect(holds(key, { apiKey: 'key_2' })).toBe(false)
    expect(holds(key)).toBe(false)
    expect(holds({ ...key, conditions: { $is_not: ['key_1'] } })).toBe(true)
    expect(holds(event, { eventMetadata: { stars: 5 } })).toBe(true)
    expect(holds(event)).toBe(false)
  })
})
