import { describe, expect, test } from 'vitest'
import { testSandbox } from '../../../support/sandbox.ts'

const minimum = {
  name: 'Orders of 30 and more',
  rules: { 1: { name: 'order.amount', conditions: { $more_than_or_equal: [3000] } }, logic: '1' },
}

const shop = {
  campaigns: [
    { id: 'camp_1', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STANDALONE', active: true, metadata: {} },
    { id: 'camp_2', name: 'Promo', campaign_type: 'PROMOTION', type: 'STANDALONE', active: true, metadata: {} },
  ],
  vouchers: [{ id: 'v_A', code: 'A', discount: { type: 'AMOUNT', amount_off: 500 }, campaign_id: 'camp_1' }],
  promotion_tiers: [
    { id: 'promo_1', name: 'T', campaign_id: 'camp_2', action: { discount: { type: 'AMOUNT', amount_off: 100 } } },
  ],
}

function withRule() {
  const sandbox = testSandbox({ fixture: shop })
  const created = sandbox.post('/v1/validation-rules', minimum).body
  const rule = sandbox.get(`/v1/validation-rules/${created.id}`).body
  sandbox.clock.now = '2026-05-07T00:00:00.000Z'
  const assign = (body: object) => sandbox.post(`/v1/validation-rules/${rule.id}/assignments`, body)
  return { ...sandbox, created, rule, assign }
}

test('a rule is stored with defaults for omitted members, and its creation tells nothing that is not set', () => {
  const { created, rule, events } = withRule()

  expect(created).toEqual({
    id: expect.stringMatching(/^val_[0-9a-f]{18}$/),
    name: 'Orders of 30 and more',
    rules: { ...minimum.rules, 1: { ...minimum.rules[1], rules: {} } },
    bundle_rules: {},
    applicable_to: null,
    type: 'expression',
    context_type: 'global',
    created_at: '2026-05-06T07:08:09.123Z',
    object: 'validation_rules',
  })
  expect(rule).toEqual({ ...created, error: null, updated_at: null, assignments_count: 0 })
  expect(events()).toEqual([['business_validation_rule.created', rule.id]])
})

const beans = { object: 'product', id: 'prod_1' }
const cheapest = { ...beans, effect: 'APPLY_TO_CHEAPEST' }

test.each([
  [
    'concerns its products alone',
    { included: [beans] },
    { included: [{ ...beans, strict: false, effect: 'APPLY_TO_EVERY' }], included_all: false },
  ],
  [
    'keeps the effect of a product',
    { included: [cheapest] },
    { included: [{ ...cheapest, strict: false }], included_all: false },
  ],
  ['is about all others where it only excludes', { excluded: [beans] }, { excluded: [beans], included_all: true }],
])('a rule without conditions %s', (_, applicable_to, shown) => {
  const body = testSandbox().ask('POST /v1/validation-rules', { name: 'Beans', applicable_to })

  expect([body.rules, body.applicable_to]).toEqual([{}, shown])
})

test.each([
  ['one condition', { 1: { name: 'order.amount', conditions: { $is: [1] } } }, '1'],
  [
    'several conditions, which must all hold',
    { 1: { name: 'order.amount', conditions: { $is: [1] } }, 2: { name: 'order.amount', conditions: { $is: [2] } } },
    '1 and 2',
  ],
])('logic is completed for %s', (_, rules, logic) =>
  testSandbox().ask('POST /v1/validation-rules', { name: 'X', rules }, { rules: { ...rules, logic } }),
)

test('a condition at any level has an empty tree of sub-rules when it was sent without', () => {
  const { ask } = testSandbox()
  const quantity = { name: 'product.quantity', conditions: { $more_than: [1] } }
  const line = { name: 'product.id', conditions: { $is: ['prod_1'] }, rules: { 1: quantity } }
  const path = `/v1/validation-rules/${ask('POST /v1/validation-rules', { name: 'X', rules: { 1: line } }).id}`

  const { rules } = ask(`PUT ${path}`, { rules: { 1: line, 2: { ...line, rules: null } } })

  const one = { ...line, rules: { 1: { ...quantity, rules: {} }, logic: '1' } }
  expect(rules).toEqual({ 1: one, 2: { ...line, rules: {} }, logic: '1 and 2' })
  expect(ask(`GET ${path}`).rules).toEqual(rules)
})

test('conditions and sub-rules that are null are those that were left out', () => {
  const dear = { name: 'product.price', conditions: { $more_than: [100] } }
  const any = { name: 'order.items.any', property: null, error: null }
  const named = { name: 'product.id', property: null, error: null, conditions: { $is: [{ id: 'prod_1' }] } }
  const rules = {
    1: { ...any, conditions: null, rules: { 1: { ...dear, rules: null } } },
    2: { ...named, rules: null },
    logic: null,
  }

  expect(testSandbox({ fixture: shop }).ask('POST /v1/validation-rules', { name: 'Typed', rules }).rules).toEqual({
    1: { ...any, rules: { 1: { ...dear, rules: {} }, logic: '1' } },
    2: { ...named, rules: {} },
    logic: '1 and 2',
  })
})

test.each([
  ["Rule 'order.moon' is not supported by the embedded service", 'order.moon', 1, '1'],
  ["Rules must have required property 'logic'", 'order.amount', 1, 1],
  ['Logic names rule 2, which does not exist', 'order.amount', 1, '1 and 2'],
  ["Operator '$is' of rule 'order.amount' has a value of the wrong type", 'order.amount', 'x', '1'],
])('a rule that would be ignored is refused, on creation and on update: %s', (details, name, value, logic) => {
  const { ask, rule } = withRule()
  const body = { name: 'X', rules: { 1: { name, conditions: { $is: [value] } }, logic } }
  const error = { key: 'invalid_validation_rules', message: 'Invalid Validation Rule Definition', details }

  ask('POST /v1/validation-rules', body, error)
  ask(`PUT /v1/validation-rules/${rule.id}`, body, error)
  expect(ask(`GET /v1/validation-rules/${rule.id}`)).toEqual(rule)
})

test('an update changes the named members and keeps the rest; repeated, it changes nothing', () => {
  const { ask, rule, events } = withRule()
  const update = { name: 'Big orders', error: { message: 'Too small' } }
  const changed = { ...rule, ...update, updated_at: '2026-05-07T00:00:00.000Z' }

  for (const _ of ['once', 'again']) expect(ask(`PUT /v1/validation-rules/${rule.id}`, update)).toEqual(changed)
  const types = ['created', 'updated'].map((act) => `business_validation_rule.${act}`)
  expect(events().map(([type]) => type)).toEqual(types)
})

test('rules are listed newest first, by page and by day', () => {
  const { ask, rule } = withRule()
  const [first, second] = [rule, ask('POST /v1/validation-rules', { name: 'Second' })].map(({ id }) => ({ id }))

  ask('GET /v1/validation-rules', { data: [second, first], total: 2 })
  ask('GET /v1/validation-rules?limit=1&page=2', { data: [first], total: 2 })
  ask('GET /v1/validation-rules?order=created_at', { data: [first, second], total: 2 })
  ask('GET /v1/validation-rules?start_date=2026-05-07', { data: [second], total: 1 })
  ask('GET /v1/validation-rules?end_date=2026-05-06T23:00:00Z', { data: [first], total: 1 })
})

test.each([
  ['voucher', 'A', 'v_A'],
  ['voucher', 'v_A', 'v_A'],
  ['campaign', 'Codes', 'camp_1'],
  ['promotion_tier', 'promo_1', 'promo_1'],
])('a rule is assigned once to a %s named by %s', (related_object_type, named, related_object_id) => {
  const { ask, rule, assign, events } = withRule()
  const thing = { related_object_id, related_object_type }

  const first = assign({ [related_object_type]: named })

  expect(first.body).toEqual({
    id: expect.stringMatching(/^asgm_/),
    rule_id: rule.id,
    ...thing,
    created_at: '2026-05-07T00:00:00.000Z',
    updated_at: null,
    object: 'validation_rules_assignment',
  })
  const details = `Duplicated validation_rules_assignment exists with id ${first.body.id}`
  for (const again of [{ [related_object_type]: related_object_id }, thing])
    expect(assign(again).body).toMatchObject({ code: 409, details, resource_type: 'validation_rules_assignment' })
  ask(`GET /v1/validation-rules/${rule.id}`, { assignments_count: 1 })
  expect(events().at(-1)).toEqual(['business_validation_rule.assignment.created', first.body.id])
})

test('an update of a thing adds the rules that it does not have, and tells nothing where it has them', () => {
  const { ask, assign, events } = withRule()
  assign({ campaign: 'Codes' })
  const [second, third] = ['Second', 'Third'].map((name) => ask('POST /v1/validation-rules', { name }).id)
  const rulesAfter = (...validation_rules: string[]) => {
    ask('PUT /v1/campaigns/camp_1', { validation_rules }, 200)
    return ask('GET /v1/validation-rules-assignments?related_object_id=camp_1').total
  }

  expect([rulesAfter(second), rulesAfter(second, third)]).toEqual([2, 3])
  const before = events()
  expect(rulesAfter(third)).toBe(3)
  expect(events()).toEqual(before)
})

test('a rule on a campaign does not prevent one on a voucher with the same id', () => {
  const campaigns = [...shop.campaigns, { ...shop.campaigns[0], id: 'v_A', name: 'Same' }]
  const { ask } = testSandbox({ fixture: { ...shop, campaigns } })
  const path = `/v1/validation-rules/${ask('POST /v1/validation-rules', minimum).id}/assignments`

  ask(`POST ${path}`, { campaign: 'v_A' }, 200)
  ask(`POST ${path}`, { voucher: 'v_A' }, 200)
  ask(`POST ${path}`, { voucher: 'v_A' }, 409)
})

test('an event about an assignment contains the rule and the thing', () => {
  const { assign, rule, store } = withRule()
  const assignment = assign({ voucher: 'A' }).body

  const [event] = store.outbox.after(0, 10).slice(-1)

  expect(event?.data).toMatchObject({ rule: { id: rule.id, assignments_count: 1 }, assignment, voucher: { code: 'A' } })
})

const oneOf =
  'Payload must have exactly one of the properties related_object_id, voucher, campaign, promotion_tier, earning_rule, reward_assignment'

test.each([
  [{ voucher: 'nope' }, 404, 'Cannot find voucher with id nope'],
  [{ campaign: 'nope' }, 404, 'Cannot find campaign with id nope'],
  [{ promotion_tier: 'nope' }, 404, 'Cannot find promotion_tier with id nope'],
  [{}, 400, oneOf],
  [{ voucher: 'A', campaign: 'Codes' }, 400, oneOf],
  [{ related_object_type: 'voucher', related_object_id: 'v_A', voucher: 'B' }, 400, oneOf],
  [{ related_object_type: 'voucher' }, 400, "Payload must have required property 'related_object_id'"],
  [{ related_object_id: 'v_A' }, 400, "Payload must have required property 'related_object_type'"],
  [{ distribution: 'd' }, 400, 'Validation rules of a distribution are not supported by the embedded service'],
])('an assignment to %j is refused', (body, status, details) => {
  expect(withRule().assign(body)).toMatchObject({ status, body: { details } })
})

test('a voucher shows its own rules, then those of its campaign', () => {
  const { ask, assign } = withRule()
  const inherited = assign({ campaign: 'Codes' }).body
  const own = assign({ voucher: 'A' }).body

  const list = { object: 'list', data_ref: 'data', data: [own, inherited], total: 2 }
  expect(ask('GET /v1/vouchers/A').validation_rules_assignments).toEqual(list)
})

test('assignments are listed by rule, by thing, or all', () => {
  const { ask, rule, assign } = withRule()
  const other = ask('POST /v1/validation-rules', { name: 'Other' })
  const one = assign({ voucher: 'A' }).body
  const two = assign({ campaign: 'camp_1' }).body
  const three = ask(`POST /v1/validation-rules/${other.id}/assignments`, { voucher: 'A' })

  const ofRule = { object: 'list', data_ref: 'data', data: [two, one], total: 2 }
  expect(ask(`GET /v1/validation-rules/${rule.id}/assignments`)).toEqual(ofRule)
  const path = '/v1/validation-rules-assignments'
  ask(`GET ${path}`, { data: [three, two, one] })
  ask(`GET ${path}?related_object_id=v_A`, { data: [three, one] })
  ask(`GET ${path}?rule=${rule.id}&limit=1&order=created_at`, { data: [one], total: 2 })
})

test('an assignment is removed through its own rule only', () => {
  const { ask, rule, assign, events } = withRule()
  const other = ask('POST /v1/validation-rules', { name: 'Other' })
  const { id } = assign({ voucher: 'A' }).body
  const pathOf = (ruleId: string) => `/v1/validation-rules/${ruleId}/assignments/${id}`

  ask(`DELETE ${pathOf(other.id)}`, { code: 404, resource_type: 'validation_rules_assignment' })
  expect(ask(`DELETE ${pathOf(rule.id)}`, 204)).toBeUndefined()
  ask(`DELETE ${pathOf(rule.id)}`, 404)
  expect(events().at(-1)).toEqual(['business_validation_rule.assignment.deleted', id])
  ask('GET /v1/vouchers/A', { validation_rules_assignments: { total: 0 } })
})

test('a deleted rule is removed from everything it was assigned to', () => {
  const { ask, rule, assign, events } = withRule()
  assign({ voucher: 'A' })

  ask(`DELETE /v1/validation-rules/${rule.id}`, 204)
  ask('GET /v1/vouchers/A', { validation_rules_assignments: { data: [] } })
  expect(events().at(-1)).toEqual(['business_validation_rule.deleted', rule.id])
})

const one = { id: 'val_1', name: 'X' }
const ofOne = { rule_id: 'val_1', related_object_id: 'v_A', related_object_type: 'voucher' }
const onMoon = { ...one, rules: { 1: { name: 'moon' }, logic: '1' } }
const notSupported = 'not supported by the embedded service'

test.each<[message: string, rule: object, assignment?: object]>([
  [`validation_rules[0]: Rule 'moon' is ${notSupported}`, onMoon],
  ["validation_rules[0]: Payload must have required property 'name'", { id: 'val_1' }],
  ['assignments[0]: Cannot find validation_rules with id val_x', one, { ...ofOne, rule_id: 'val_x' }],
  ['assignments[0]: Cannot find voucher with id v_X', one, { ...ofOne, related_object_id: 'v_X' }],
  [`assignments[0]: Validation rules of a moon are ${notSupported}`, one, { ...ofOne, related_object_type: 'moon' }],
  ["assignments[0]: Payload must have required property 'rule_id'", one, {}],
])('a fixture is refused: %s', (message, rule, assignment) => {
  const validation_rules_assignments = assignment ? [assignment] : []

  expect(() => testSandbox({ fixture: { ...shop, validation_rules: [rule], validation_rules_assignments } })).toThrow(
    message,
  )
})

test('a rule and an assignment that the service shows can be loaded as they are', () => {
  const { ask, rule, assign } = withRule()
  const assignment = assign({ voucher: 'A' }).body
  const shown = ask(`GET /v1/validation-rules/${rule.id}`)

  const loaded = { validation_rules: [shown], validation_rules_assignments: [assignment] }
  const copy = testSandbox({ fixture: { ...shop, ...loaded } })

  expect(copy.ask(`GET /v1/validation-rules/${rule.id}`)).toEqual(shown)
  expect(copy.ask('GET /v1/validation-rules-assignments').data).toEqual([assignment])
})

test.each([
  ['voucher', 'v_A'],
  ['campaign', 'camp_1'],
  ['promotion_tier', 'promo_1'],
])('a rule is assigned to a %s by type and id', (related_object_type, related_object_id) => {
  const thing = { related_object_type, related_object_id }

  expect(withRule().assign(thing)).toMatchObject({ status: 200, body: thing })
})

test('with force a second assignment replaces the first', () => {
  const { ask, rule, assign } = withRule()
  const first = assign({ voucher: 'A' }).body

  const again = ask(`POST /v1/validation-rules/${rule.id}/assignments?force=true`, { voucher: 'A' }, 200)

  expect(again.id).not.toBe(first.id)
  expect(ask('GET /v1/validation-rules-assignments').data).toEqual([again])
})

describe('a rule judged by itself', () => {
  const cart = { items: [{ product_id: 'prod_1', quantity: 2, price: 500 }] }
  const part = (id: string) => ({
    name: 'order.items.any',
    conditions: { $is: [{ id, type: 'product_or_sku', object: 'product' }] },
    rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [2] }, rules: {} }, logic: '1' },
  })

  test.each([
    ['an order that meets it', { rules: minimum.rules }, { order: { amount: 10_000 } }, true],
    ['an order that does not', { rules: minimum.rules }, { order: { amount: 10 } }, false],
    ['no order, where it needs one', { rules: minimum.rules }, undefined, false],
    ['any order, without conditions', {}, {}, true],
    ['the order after a discount that is none', total(1000), { order: cart }, true],
    ['the metadata of the request', about('redemption.metadata'), { metadata: { club: 'gold' } }, true],
    ['a customer who is not stored', about('customer.metadata'), { customer: { metadata: { club: 'gold' } } }, true],
    ['no customer, where it needs one', about('customer.metadata'), { order: cart }, false],
    ['the bundle in the order', { bundle_rules: { 1: part('prod_1') } }, { order: cart }, true],
    ['another bundle', { bundle_rules: { 1: part('prod_2') } }, { order: cart }, false],
  ])('for %s says so', (_, rule, body, valid) => {
    const { call, post } = testSandbox()
    const { id } = post('/v1/validation-rules', { name: 'X', ...rule }).body

    const answer = call('POST', `/v1/validation-rules/${id}/validation`, body && { body })

    expect([answer.status, answer.body.valid, answer.body.rule_id]).toEqual([200, valid, id])
  })

  test('lists the products of the order that it is about, and an unknown rule or customer is not found', () => {
    const { post } = testSandbox()
    const applicable_to = { included: [{ object: 'product', id: 'prod_1' }] }
    const { id } = post('/v1/validation-rules', { name: 'X', applicable_to }).body
    const path = `/v1/validation-rules/${id}/validation`

    const { body } = post(path, { order: cart })

    expect(body.applicable_to).toMatchObject({ total: 1, data: [{ id: 'prod_1', order_item_indices: [0] }] })
    expect(post(path, { customer: { id: 'cust_x' } }).body.resource_type).toBe('customer')
    expect(post('/v1/validation-rules/val_x/validation').body.resource_type).toBe('validation_rules')
  })

  function total(is: number) {
    return { rules: { 1: { name: 'order.total_amount', conditions: { $is: [is] } }, logic: '1' } }
  }

  function about(name: string) {
    return { rules: { 1: { name, property: 'club', conditions: { $is: ['gold'] } }, logic: '1' } }
  }
})
