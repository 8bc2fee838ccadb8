import { expect, test } from 'vitest'
import { testSandbox } from '../../../../support/sandbox.ts'

const coupon = (code: string, amount_off: number, more: object = {}) => ({
  id: `v_${code}`,
  code,
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' },
  ...more,
})

const named = (...ids: string[]) => ids.map((id) => ({ object: 'voucher', id }))

const unitOf = (unit_type: string) => ({ type: 'UNIT', unit_off: 1, unit_type, effect: 'ADD_NEW_ITEMS' })
const on = (related_object_id: string) => [{ rule_id: 'val_1', related_object_id, related_object_type: 'voucher' }]
const rulesOf = (name: string, conditions: object) => ({ 1: { name, conditions }, logic: '1' })

function validating(fixture: object, options: object = {}) {
  const sandbox = testSandbox({ fixture })
  return {
    ...sandbox,
    validate: (redeemables: unknown, more: object = {}) =>
      sandbox.post('/v1/validations', { redeemables, order: { amount: 5000 }, ...options, ...more }),
  }
}

test('a validation answers with the order after the discount, and records nothing', () => {
  const { ask, events } = validating({ vouchers: [coupon('TEN', 1000)] })

  const body = ask('POST /v1/validations', { redeemables: named('TEN'), order: { amount: 5000 } }, 200)

  const order = {
    amount: 5000,
    discount_amount: 1000,
    total_discount_amount: 1000,
    total_amount: 4000,
    applied_discount_amount: 1000,
    total_applied_discount_amount: 1000,
    metadata: {},
    customer_id: null,
    referrer_id: null,
    object: 'order',
  }
  const none = { data: [], total: 0, data_ref: 'data', object: 'list' }
  const discount = { type: 'AMOUNT', amount_off: 1000, effect: 'APPLY_TO_ORDER', is_dynamic: false }
  const ten = { status: 'APPLICABLE', id: 'TEN', object: 'voucher', order, metadata: {}, result: { discount } }
  expect(body).toEqual({
    id: expect.stringMatching(/^valid_[0-9a-f]{18}$/),
    valid: true,
    redeemables: [{ ...ten, applicable_to: none, inapplicable_to: none }],
    order,
    stacking_rules: {
      redeemables_limit: 30,
      applicable_redeemables_limit: 5,
      applicable_redeemables_per_category_limit: 1,
      applicable_redeemables_category_limits: {},
      applicable_exclusive_redeemables_limit: 1,
      applicable_exclusive_redeemables_per_category_limit: 1,
      exclusive_categories: [],
      joint_categories: [],
      redeemables_application_mode: 'ALL',
      redeemables_sorting_rule: 'REQUESTED_ORDER',
      redeemables_products_application_mode: 'STACK',
      redeemables_no_effect_rule: 'REDEEM_ANYWAY',
      no_effect_skip_categories: [],
      no_effect_redeem_anyway_categories: [],
      redeemables_rollback_order_mode: 'WITH_ORDER',
      grouped_redeemables_sorting_rule: 'JOINT_ALWAYS_LAST',
    },
  })
  expect(events()).toEqual([])
})

test('an unknown code is a failure of that code alone, with the id of the request', () => {
  const { validate } = validating({ vouchers: [coupon('TEN', 1000)] })

  const { status, body, headers } = validate(named('TEN', 'nope', 'late'))

  expect(status).toBe(200)
  const statuses = ['APPLICABLE', 'INAPPLICABLE', 'SKIPPED'].map((each) => ({ status: each }))
  expect(body).toMatchObject({ valid: false, redeemables: statuses })
  expect(body.redeemables[1].result.error).toEqual({
    code: 404,
    key: 'not_found',
    message: 'Resource not found',
    details: 'Cannot find voucher with id nope',
    request_id: headers['x-request-id'],
    resource_id: 'nope',
    resource_type: 'voucher',
  })
  expect(body.redeemables[2].result).toEqual({})
  expect(body.inapplicable_redeemables).toEqual([body.redeemables[1]])
  for (const name of ['order', 'skipped_redeemables']) expect(body).not.toHaveProperty(name)
})

test('a failure names its redeemable, one that lacks a product the product', () => {
  const { validate } = validating({
    vouchers: [coupon('OFF', 100, { active: false }), coupon('MUG', 0, { discount: unitOf('prod_x') })],
    stacking_rules: { redeemables_application_mode: 'PARTIAL' },
  })

  const { body } = validate(named('OFF', 'MUG'))

  expect(body.redeemables).toEqual([])
  expect(body.inapplicable_redeemables).toMatchObject([
    { result: { error: { key: 'voucher_disabled', resource_id: 'OFF', resource_type: 'voucher' } }, metadata: {} },
    { result: { error: { key: 'not_found', resource_id: 'prod_x', resource_type: 'product' } } },
  ])
})

test.each([
  ['redemption', { metadata: { till: 'x' } }],
  ['order', { order: { amount: 500, metadata: { till: 'x' } } }],
  ['order_item', { order: { items: [{ product_id: 'p', price: 500, metadata: { till: 'x' } }] } }],
  ['customer', { customer: { source_id: 'jo', metadata: { till: 'x' } } }],
])('metadata of the %s that a redemption would refuse is refused by the validation', (related_object, more) => {
  const properties = { till: { type: 'number', optional: true } }
  const { ask } = validating({ vouchers: [coupon('A', 100)], metadata_schemas: [{ related_object, properties }] })
  const asked = { redeemables: named('A'), order: { amount: 5000 } }

  ask('POST /v1/validations', asked, 200)
  ask('POST /v1/validations', { ...asked, ...more }, 'metadata_validation_failed')
})

test('the order names the stored customer that was named inside it, and no other', () => {
  const { validate } = validating({
    vouchers: [coupon('A', 100)],
    customers: [{ id: 'cust_1', source_id: 'jo', name: 'Jo', metadata: {} }],
  })
  const jo = { customer_id: 'cust_1', customer: { id: 'cust_1', object: 'customer' } }
  const outside = { customer: { source_id: 'jo' } }
  const inside = (customer: object) => ({ order: { amount: 500, customer } })

  const both = validate(named('A'), { ...outside, ...inside({ id: 'cust_1' }) }).body
  expect(both).toMatchObject({ order: jo, redeemables: [{ order: jo }] })
  expect(validate(named('A'), inside({ source_id: 'jo' })).body.order).toMatchObject(jo)
  for (const more of [outside, inside({ source_id: 'al' })]) {
    const { order } = validate(named('A'), more).body
    expect(order.customer_id).toBeNull()
    expect(order).not.toHaveProperty('customer')
  }
})

test('a tracking id is stable per stored or sent source id, and absent without one', () => {
  const { validate } = validating({
    vouchers: [coupon('A', 100)],
    customers: [
      { id: 'cust_1', source_id: 'jo', metadata: {} },
      { id: 'cust_2', source_id: null, metadata: {} },
    ],
  })
  const tracked = (customer: object) => validate(named('A'), { customer }).body.tracking_id

  const one = tracked({ source_id: 'jo' })
  expect(one).toMatch(/^track_[A-Za-z0-9+/]{22}==$/)
  expect([tracked({ source_id: 'jo' }), tracked({ id: 'cust_1' })]).toEqual([one, one])
  expect(tracked({ source_id: 'al' })).not.toBe(one)
  expect([tracked({ id: 'cust_2' }), tracked({ name: 'Jo' })]).toEqual([undefined, undefined])
})

test('what a discount on items applies to tells the lines by their position in the order', () => {
  const product = (id: string) => ({ object: 'product', id })
  const applicable_to = { included: [product('prod_a')], excluded: [product('prod_c')] }
  const { validate } = validating({
    vouchers: [coupon('A', 0, { discount: { type: 'PERCENT', percent_off: 10 } })],
    products: [{ id: 'prod_a', source_id: 'apple', name: 'Apple', price: 100 }],
    validation_rules: [{ id: 'val_1', name: 'R', rules: {}, applicable_to }],
    validation_rules_assignments: on('v_A'),
  })
  const items = ['prod_b', 'prod_a', 'prod_c', 'prod_a'].map((product_id) => ({ product_id, quantity: 1, price: 100 }))

  const [one] = validate(named('A'), { order: { items } }).body.redeemables

  const stated = { strict: false, effect: 'APPLY_TO_EVERY' }
  expect(one.applicable_to.data).toEqual([{ ...product('prod_a'), ...stated, order_item_indices: [1, 3] }])
  expect(one.inapplicable_to.data).toEqual([{ ...product('prod_c'), ...stated }])
})

test('a line shows what it was before free units only when units were given to it', () => {
  const { validate } = validating({
    products: [
      { id: 'prod_mug', name: 'Mug', price: 900 },
      { id: 'prod_tip', name: 'Tip' },
    ],
    vouchers: ['prod_mug', 'prod_tip'].map((id) => coupon(id, 0, { discount: unitOf(id) })),
  })

  const { items } = validate(named('prod_mug', 'prod_tip'), {
    order: { items: [{ product_id: 'p', quantity: 2, price: 100, discount_quantity: 1 }] },
  }).body.order

  expect(items[0]).toMatchObject({ quantity: 2, discount_quantity: 1 })
  expect(items[0]).not.toHaveProperty('initial_quantity')
  expect(items[0]).not.toHaveProperty('initial_amount')
  expect(items[1]).toMatchObject({ product_id: 'prod_mug', quantity: 1, initial_quantity: 0, initial_amount: 0 })
  expect(items[2]).toMatchObject({ product_id: 'prod_tip', quantity: 1, initial_quantity: 0 })
  expect(items[2]).not.toHaveProperty('initial_amount')
})

const stack = { object: 'promotion_stack', id: 's' }

test.each([
  ['payload', "Payload must have required property 'redeemables'", undefined],
  ['payload', 'Property .redeemables must NOT have fewer than 1 items', []],
  ['payload', 'Property .redeemables must NOT have more than 30 items', named(...Array.from({ length: 31 }, String))],
  ['payload', "Property .redeemables[1] should have required property 'id'", [...named('A'), { object: 'voucher' }]],
  ['payload', "Property .redeemables[0] should have required property 'object'", [{ id: 'A' }]],
  [
    'payload',
    'Property .redeemables[0].object must be equal to one of the allowed values: voucher, promotion_tier, promotion_stack',
    [{ object: 'gift_card', id: 'A' }],
  ],
  ['redeemables', 'Promotion Stack cannot be use with other redeemables', [stack, ...named('A')]],
])('a request that cannot be evaluated is refused entirely: invalid_%s, %s', (key, details, redeemables) => {
  const answer = validating({ vouchers: [coupon('A', 100)] }).post('/v1/validations', { redeemables })

  const request_id = answer.headers['x-request-id']
  expect(answer.body).toMatchObject({ code: 400, key: `invalid_${key}`, details, request_id })
})

test.each([[['A', 'B', 'A']], [['A', 'v_A']]])('one voucher twice is refused entirely: %j', (ids) => {
  const { ask } = validating({ vouchers: [coupon('A', 100)] })

  const details = 'Duplicated redeemables detected in one redemption'
  ask('POST /v1/validations', { redeemables: named(...ids) }, { key: 'duplicated_redeemables', details })
})

test.each(['ALL', 'PARTIAL'])('for an unknown customer id nothing applies, with %s', (redeemables_application_mode) => {
  const { ask } = validating({
    vouchers: [coupon('A', 100), coupon('B', 100)],
    stacking_rules: { redeemables_application_mode },
  })
  const unknown = { customer: { id: 'cust_x' }, session: { type: 'LOCK', key: 'till' } }
  const error = { code: 404, key: 'not_found', details: 'Cannot find customer with id cust_x' }
  const refused = ['A', 'B'].map((id) => ({ status: 'INAPPLICABLE', id, result: { error } }))
  const asked = { redeemables: named('A', 'B'), order: { amount: 5000 } }

  ask('POST /v1/validations', { ...asked, ...unknown }, { valid: false, inapplicable_redeemables: refused })
  ask('POST /v1/vouchers/A/validate', unknown, { valid: false, error })
  ask('POST /v1/redemptions', { redeemables: named('A'), ...unknown }, error)
  ask('POST /v1/validations', asked, { valid: true })
})

test('an unknown order id is a 404, an unknown source id is a new customer', () => {
  const { ask } = validating({ vouchers: [coupon('A', 100)] })
  const redeemables = named('A')

  const error = { code: 404, details: 'Cannot find order with id ord_x' }
  ask('POST /v1/validations', { redeemables, order: { id: 'ord_x' } }, error)
  const asked = { redeemables, order: { amount: 5000 }, customer: { source_id: 'new' } }
  ask('POST /v1/validations', asked, { valid: true })
})

test('quantities may be text, and null counts as absent', () => {
  const line = { source_id: null, product_id: 'p', quantity: '3', price: 200, metadata: { a: null } }
  const { order } = validating({ vouchers: [coupon('A', 100)] }).validate(named('A'), {
    customer: { id: null, source_id: 'jo', name: null },
    order: { id: null, items: [line] },
  }).body

  const items = [{ quantity: 3, amount: 600, metadata: { a: null } }]
  expect(order).toMatchObject({ amount: 600, total_amount: 500, items })
})

test('a validation starts from the stored order', () => {
  const stored = { id: 'ord_1', source_id: 'cart', status: 'CREATED', amount: 4000, discount_amount: 500 }
  const { validate } = validating({ vouchers: [coupon('A', 100)], orders: [stored] })

  const { order } = validate(named('A'), { order: { source_id: 'cart' } }).body
  const amounts = { discount_amount: 600, applied_discount_amount: 100, total_amount: 3400 }
  expect(order).toMatchObject({ id: 'ord_1', amount: 4000, ...amounts })
})

test('$105 with 10 % off first no longer fits a coupon for orders over $100; in reverse order both apply', () => {
  const percent = (percent_off: number) => ({ discount: { type: 'PERCENT', percent_off, effect: 'APPLY_TO_ORDER' } })
  const { ask } = validating({
    vouchers: [coupon('TEN', 0, percent(10)), coupon('TWENTY', 0, percent(20))],
    validation_rules: [{ id: 'val_1', name: 'over', rules: rulesOf('order.amount', { $more_than: [10000] }) }],
    validation_rules_assignments: on('v_TWENTY'),
  })
  const order = { amount: 10500 }

  const violated = { result: { error: { key: 'order_rules_violated' } } }
  const first = { valid: false, redeemables: [{ order: { total_amount: 9450 } }, violated] }
  ask('POST /v1/validations', { redeemables: named('TEN', 'TWENTY'), order }, first)
  const second = { valid: true, order: { total_amount: 7560 } }
  ask('POST /v1/validations', { redeemables: named('TWENTY', 'TEN'), order }, second)
})

test('the stacking rules of the project decide, and are returned', () => {
  const stacking_rules = { redeemables_application_mode: 'PARTIAL', exclusive_categories: ['cat_1'] }
  const { validate } = validating({
    categories: [{ id: 'cat_1', name: 'A', hierarchy: 1, object: 'category' }],
    vouchers: ['A', 'B', 'C'].map((code) => coupon(code, 100, code === 'C' ? {} : { category_id: 'cat_1' })),
    stacking_rules,
  })

  const { body } = validate(named('A', 'B', 'C', 'nope'), { options: { expand: ['category'] } })

  expect(body).toMatchObject({
    valid: true,
    redeemables: [{ id: 'A', categories: [{ id: 'cat_1', stacking_rules_type: 'EXCLUSIVE' }] }],
    skipped_redeemables: ['B', 'C', 'nope'].map((id) => ({ id, result: {} })),
    stacking_rules: { ...stacking_rules, applicable_redeemables_limit: 5 },
  })
})

test.each([
  [{ amount: '11095.00' }, 11095],
  [{ items: [{ product_id: 'p', quantity: '2', price: '26.99', id: 17, colour: 'red' }] }, 54],
  [{ items: [{ product_id: 'p', quantity: 1, amount: '700', product: { price: '9' } }] }, 700],
  [{ items: [{ product_id: 'p', quantity: 3, product: { price: '150.5' } }] }, 453],
])('amounts may be text, and a cart line may have members that the service does not know: %j', (order, amount) => {
  const { body } = validating({ vouchers: [coupon('A', 100)] }).validate(named('A'), { order })

  expect(body.order).toMatchObject({ amount, total_amount: amount - (body.order.discount_amount as number) })
})

test.each(['', 'ten', '1e3', '1,5'])('the text %j is no amount', (amount) => {
  const { ask } = validating({ vouchers: [coupon('A', 100)] })

  ask('POST /v1/validations', { redeemables: named('A'), order: { amount } }, 'invalid_payload')
})

test('a discount of free units shows their product and SKU', () => {
  const units = [{ unit_off: 1, unit_type: 'prod_mug', effect: 'ADD_NEW_ITEMS' }]
  const { validate } = validating({
    products: [{ id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 900 }],
    skus: [{ id: 'sku_red', product_id: 'prod_mug', source_id: 'mug-red', sku: 'Red', price: 950 }],
    vouchers: [
      coupon('ONE', 0, { discount: unitOf('sku_red') }),
      coupon('MANY', 0, { discount: { type: 'UNIT', effect: 'ADD_MANY_ITEMS', units } }),
    ],
  })
  const product = { id: 'prod_mug', source_id: 'mug', name: 'Mug' }

  const [one, many] = validate(named('ONE', 'MANY')).body.redeemables

  expect(one.result.discount).toMatchObject({ product, sku: { id: 'sku_red', source_id: 'mug-red', sku: 'Red' } })
  expect(many.result.discount.units).toMatchObject([{ unit_type: 'prod_mug', product }])
  expect(many.result.discount).not.toHaveProperty('product')
})

test('a rule on the application key is judged by the key that the request was sent with', () => {
  const { validate, ask, credentials } = validating({
    vouchers: [coupon('A', 100)],
    validation_rules: [{ id: 'val_1', name: 'K', rules: rulesOf('redemption.api_key', { $is: ['other'] }) }],
    validation_rules_assignments: on('v_A'),
  })

  expect(validate(named('A')).body.redeemables[0].result.error.key).toBe('redemption_rules_violated')
  ask('PUT /v1/validation-rules/val_1', { rules: rulesOf('redemption.api_key', { $is: [credentials.app_id] }) })
  expect(validate(named('A')).body.valid).toBe(true)
})

// Discounts of zero are told where one could have been (docs/service/pricing.md#order-in-answers).
const cart = { items: [{ product_id: 'prod_1', quantity: 2, price: 500 }] }
const giftCard = { id: 'v_GIFT', code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 5000, balance: 5000 } }
const gift = (credits: number) => ({ object: 'voucher', id: 'GIFT', gift: { credits } })

test('a gift card beside lines tells that it took nothing off them', () => {
  const { validate } = validating({ vouchers: [giftCard] })

  const { redeemables, order } = validate([gift(100)], { order: cart }).body

  for (const told of [redeemables[0].order, order]) {
    expect(told).toMatchObject({ applied_discount_amount: 100, items_applied_discount_amount: 0 })
    expect(told.items).toMatchObject([{ applied_discount_amount: 0, subtotal_amount: 1000 }])
    expect(told).not.toHaveProperty('items_discount_amount')
  }
  expect(validate([gift(100)]).body.order).not.toHaveProperty('items_applied_discount_amount')
})

const freeTea = { type: 'UNIT', effect: 'ADD_MISSING_ITEMS', unit_off: 1, unit_type: 'prod_1' }

test.each([
  ['with nothing left to discount', [gift(1000)], coupon('TEN', 1000)],
  ['for what is in the cart and paid for', [gift(1000)], coupon('TEN', 0, { discount: freeTea })],
  ['of nothing', [], coupon('TEN', 0)],
])('a code %s tells that it took nothing off', (_, before, code) => {
  const products = [{ id: 'prod_1', name: 'Tea', price: 900 }]
  const { validate } = validating({ vouchers: [giftCard, code], products })

  const { order } = validate([...before, ...named('TEN')], { order: cart }).body.redeemables.at(-1)

  const none = { items_applied_discount_amount: 0, total_applied_discount_amount: 0 }
  expect(order).toMatchObject({ ...none, items: [{ applied_discount_amount: 0 }] })
  expect(order).not.toHaveProperty('initial_amount')
})

test('an order that is stored tells no discounts of zero', () => {
  const { ask } = validating({ vouchers: [giftCard] })

  const { order } = ask('POST /v1/redemptions', { redeemables: [gift(100)], order: cart })

  expect(order).toMatchObject({ items_applied_discount_amount: 0 })
  expect(ask(`GET /v1/orders/${order.id}`)).not.toHaveProperty('items_applied_discount_amount')
})
