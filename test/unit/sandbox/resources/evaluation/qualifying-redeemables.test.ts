import { describe, expect, test } from 'vitest'
import { assigned } from '../../../../support/rules.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const off = (amount_off: number) => ({ discount: { type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' } })
const at = (day: number) => ({ created_at: `2026-01-0${day}T00:00:00.000Z` })

const kept = { type: 'STANDALONE', active: true, metadata: {} }
const shop = {
  categories: [{ id: 'cat_1', name: 'Seasonal', hierarchy: 1, object: 'category' }],
  customers: [
    { id: 'cust_1', source_id: 'jo', metadata: { vip: true } },
    { id: 'cust_2', source_id: 'al', metadata: {} },
  ],
  campaigns: [
    { ...kept, id: 'camp_p', name: 'Promo', campaign_type: 'PROMOTION', ...at(1) },
    {
      ...kept,
      id: 'camp_c',
      name: 'Codes',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'AUTO_UPDATE',
      metadata: { a: 1 },
      category_id: 'cat_1',
      voucher: { type: 'DISCOUNT_VOUCHER', ...off(400) },
      ...at(2),
    },
    { ...kept, id: 'camp_l', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', ...at(1) },
  ],
  promotion_tiers: [
    { id: 'promo_1', name: 'Tier', campaign_id: 'camp_p', action: off(100), ...at(3) },
    { id: 'promo_2', name: 'Big', campaign_id: 'camp_p', action: off(900), ...at(4) },
  ],
  promotion_stacks: [
    { id: 'stack_1', name: 'Both', campaign_id: 'camp_p', tiers: { ids: ['promo_1', 'promo_2'] }, ...at(5) },
  ],
  vouchers: [
    { id: 'v_H', code: 'HELD', ...off(300), holder_id: 'cust_1', ...at(6) },
    { id: 'v_O', code: 'OFF', ...off(300), holder_id: 'cust_1', active: false, ...at(6) },
    { id: 'v_S', code: 'SECRET', ...off(300), campaign_id: 'camp_c', ...at(6) },
    { id: 'v_T', code: 'THEIRS', ...off(300), holder_id: 'cust_2', ...at(6) },
    { id: 'v_P', code: 'OPEN', ...off(200), ...at(6) },
    { id: 'v_G', code: 'GIFT', gift: { amount: 700 }, holder_id: 'cust_1', ...at(7) },
    { id: 'v_L', code: 'CARD', loyalty_card: { points: 50 }, campaign_id: 'camp_l', holder_id: 'cust_1', ...at(8) },
  ],
  validation_rules: [
    { id: 'val_1', name: 'R', rules: ruleOf({ name: 'order.amount', conditions: { $more_than: [3000] } }) },
    {
      id: 'val_2',
      name: 'V',
      rules: ruleOf({ name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } }),
    },
  ],
  validation_rules_assignments: [
    assigned('val_1', 'promo_2', 'promotion_tier'),
    assigned('val_2', 'camp_c', 'campaign'),
  ],
}

function ruleOf(one: object) {
  return { 1: one, logic: '1' }
}

/** What a rule about one product has besides its conditions. */
function about(id: string) {
  return { applicable_to: { included: [{ object: 'product', id }] } }
}

function qualifying() {
  const { ask, ...sandbox } = testSandbox({ fixture: shop })
  const qualify = (body: object, answer?: object) => ask('POST /v1/qualifications', body, answer)
  const offers = (body: object, ...ids: string[]) =>
    qualify(body, { redeemables: { data: ids.map((id) => ({ id })) } }).redeemables
  return { ...sandbox, qualify, offers }
}

const jo = { customer: { source_id: 'jo' } }
const most = { options: { limit: 50 } }

test('what a customer holds, promotions, stacks and campaigns are listed together, newest first', () => {
  const data = [
    { object: 'voucher', id: 'CARD', result: { loyalty_card: { points: 50 } } },
    { object: 'voucher', id: 'GIFT', result: { gift: { credits: 700 } }, order: { total_amount: 4300 } },
    { object: 'voucher', id: 'HELD', result: { discount: { amount_off: 300 } }, order: { total_amount: 4700 } },
    { object: 'voucher', id: 'OPEN', order: { total_amount: 4800 } },
    { object: 'promotion_stack', id: 'stack_1', name: 'Both', order: { total_amount: 4000 } },
    { object: 'promotion_tier', id: 'promo_2', order: { total_amount: 4100 } },
    { object: 'promotion_tier', id: 'promo_1', order: { total_amount: 4900 } },
    { object: 'campaign', id: 'camp_c', order: { total_amount: 4600 } },
  ]
  const body = qualifying().qualify(
    { ...jo, ...most, order: { amount: 5000 } },
    {
      id: expect.stringMatching(/^qfl_/),
      created_at: '2026-05-06T07:08:09.123Z',
      tracking_id: expect.stringMatching(/^track_/),
      order: { amount: 5000, metadata: {} },
      stacking_rules: { redeemables_limit: 30 },
      redeemables: { object: 'list', data_ref: 'data', data, total: 8, has_more: false },
    },
  )

  expect(body.order).not.toHaveProperty('total_amount')
  expect(body.redeemables).not.toHaveProperty('more_starting_after')
  // Of codes, only held and open ones are revealed.
  expect(JSON.stringify(body)).not.toMatch(/SECRET|THEIRS/)
})

test('what does not fit is omitted', () => {
  const { offers } = qualifying()
  const asked = { ...most, order: { amount: 1000 } }

  offers(asked, 'OPEN', 'promo_1')
  offers({ ...asked, customer: { metadata: { vip: true } } }, 'OPEN', 'promo_1', 'camp_c')
})

test.each([
  [{ metadata: { channel: 'web' } }, [{ id: 'WEB' }]],
  [{ metadata: { channel: 'shop' } }, []],
  [{}, []],
])('a rule about the metadata of the redemption is judged by those of the request: %j', (more, data) => {
  const rules = ruleOf({ name: 'redemption.metadata', property: 'channel', conditions: { $is: ['web'] } })
  const { ask } = testSandbox({
    fixture: {
      vouchers: [{ id: 'v_W', code: 'WEB', ...off(100) }],
      validation_rules: [{ id: 'val_1', name: 'Web', rules }],
      validation_rules_assignments: [assigned('val_1', 'v_W')],
    },
  })

  ask('POST /v1/qualifications', { order: { amount: 5000 }, ...more }, { redeemables: { data } })
})

test('a discount that cannot be given, such as units of an unknown product, is not offered', () => {
  const gift = { discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_x', effect: 'ADD_NEW_ITEMS' } }
  const promotion_tiers = [{ id: 'promo_1', name: 'Gift', campaign_id: 'camp_p', action: gift }]
  const { ask } = testSandbox({ fixture: { campaigns: shop.campaigns.slice(0, 1), promotion_tiers } })

  ask('POST /v1/qualifications', { order: { amount: 5000 } }, { redeemables: { data: [] } })
})

test('without an order the possible discount is returned', () => {
  const { qualify, offers } = qualifying()

  const data = [
    { id: 'CARD', result: { loyalty_card: { points: 50 } } },
    { id: 'GIFT', result: { gift: { balance: 700 } } },
    { id: 'HELD', result: { discount: { amount_off: 300 } } },
  ]
  const body = qualify({ ...jo, scenario: 'CUSTOMER_WALLET' }, { redeemables: { data } })
  expect(body).not.toHaveProperty('order')
  offers({ ...jo, scenario: 'PROMOTION_STACKS' })
})

test('a scenario restricts the result', () => {
  const { offers } = qualifying()
  const order = { amount: 1000 }

  offers({ ...jo, order, scenario: 'CUSTOMER_WALLET' }, 'CARD', 'GIFT', 'HELD')
  offers({ order, scenario: 'CUSTOMER_WALLET' })
  offers({ order: { amount: 5000 }, scenario: 'PROMOTION_STACKS' }, 'stack_1')
  offers({ order, scenario: 'AUDIENCE_ONLY', ...most }, 'OPEN', 'stack_1', 'promo_2', 'promo_1')
})

test('five are listed unless more are requested, and the next page starts after the last', () => {
  const { qualify, offers } = qualifying()
  const asked = { ...jo, order: { amount: 5000 } }

  const starting_after = '2026-01-05T00:00:00.000Z'
  qualify(asked, { redeemables: { total: 5, has_more: true, more_starting_after: starting_after } })
  offers({ ...asked, options: { starting_after } }, 'promo_2', 'promo_1', 'camp_c')
})

test('the best or the least deal comes first on request', () => {
  const { offers } = qualifying()
  const order = { amount: 5000 }

  offers({ order, options: { sorting_rule: 'BEST_DEAL' } }, 'stack_1', 'promo_2', 'OPEN', 'promo_1')
  offers({ order, options: { sorting_rule: 'LEAST_DEAL' } }, 'promo_1', 'OPEN', 'promo_2', 'stack_1')
})

test('names, metadata and categories are returned on request', () => {
  const options = { expand: ['redeemable', 'category'], limit: 50 }

  const { data } = qualifying().qualify({ ...jo, order: { amount: 1000 }, options }).redeemables
  const byId = Object.fromEntries(data.map((one: { id: string }) => [one.id, one]))

  expect(byId).toMatchObject({
    promo_1: { name: 'Tier', campaign_name: 'Promo', campaign_id: 'camp_p', metadata: {} },
    camp_c: { name: 'Codes', metadata: { a: 1 }, categories: [{ name: 'Seasonal' }] },
    HELD: { metadata: {}, categories: [] },
  })
})

test.each<[details: string, filters: object]>([
  ['.x is not a field that qualifications can be filtered by: ', { x: {} }],
  ['.code.conditions.$more_than is not an operator of this field', { code: { conditions: { $more_than: ['A'] } } }],
  ['.code.conditions must be object', { code: {} }],
  ['.junction must be one of and, or', { junction: 'nor' }],
])('a qualification is refused: filters%s', (problem, filters) => {
  const details = expect.stringContaining(`Property .options.filters${problem}`)
  qualifying().qualify({ options: { filters } }, { key: 'invalid_payload', details })
})

test('the client side returns the same answer as the server side', () => {
  const { call, qualify, credentials } = qualifying()
  const body = { ...jo, order: { amount: 5000 } }
  const headers = {
    'x-client-application-id': credentials.client_app_id,
    'x-client-token': credentials.client_token,
    origin: 'http://localhost',
  }

  const { redeemables } = call('POST', '/client/v1/qualifications', { body, headers }).body

  expect(redeemables).toEqual(qualify(body).redeemables)
})

test('a limit above fifty is capped, not refused', () => {
  const many = <T>(count: number, one: (n: number) => T) => Array.from({ length: count }, (_, n) => one(n))
  const { ask } = testSandbox({
    fixture: {
      campaigns: shop.campaigns.slice(0, 1),
      customers: [{ id: 'c', source_id: 'c' }],
      vouchers: many(60, (n) => ({ id: `v_${n}`, code: `C${n}`, ...off(n + 1), holder_id: 'c' })),
      promotion_tiers: many(30, (n) => ({ id: `promo_${n}`, name: 'T', campaign_id: 'camp_p', action: off(1) })),
    },
  })
  const asked = { customer: { id: 'c' }, order: { amount: 5000 }, options: { limit: 100 } }

  ask('POST /v1/qualifications', asked, { redeemables: { total: 50, has_more: true } })
})

const isIn = (...$in: string[]) => ({ conditions: { $in } })
const is = (...$is: string[]) => ({ conditions: { $is } })

test.each<[object, string[]]>([
  [{ resource_type: isIn('voucher') }, ['CARD', 'GIFT', 'HELD', 'OPEN']],
  [{ resource_type: { conditions: { $not_in: ['voucher', 'campaign'] } } }, ['stack_1', 'promo_2', 'promo_1']],
  [{ resource_id: is('v_P') }, ['OPEN']],
  [{ resource_id: isIn('promo_1', 'stack_1') }, ['stack_1', 'promo_1']],
  [{ campaign_id: is('camp_c') }, ['camp_c']],
  [{ campaign_type: is('LOYALTY_PROGRAM') }, ['CARD']],
  [{ category_id: { conditions: { $has_value: 'true' } } }, ['camp_c']],
  [{ voucher_type: is('GIFT_VOUCHER') }, ['GIFT']],
  [{ code: isIn('OPEN', 'HELD', 'SECRET', 'THEIRS') }, ['HELD', 'OPEN']],
  [{ code: { conditions: { $starts_with: ['C'] } } }, ['CARD']],
  [{ holder_role: is('OWNER') }, ['CARD', 'GIFT', 'HELD']],
  [{ junction: 'OR', code: is('OPEN'), campaign_id: is('camp_c') }, ['OPEN', 'camp_c']],
  [{ code: is('OPEN'), resource_type: is('promotion_tier') }, []],
])('filters restrict what is offered: %j', (filters, expected) => {
  qualifying().offers({ ...jo, order: { amount: 5000 }, options: { limit: 50, filters } }, ...expected)
})

describe('the scenarios about products', () => {
  const rule = (id: string, rules: object, more: object = {}) => ({ id, name: id, rules, ...more })
  const products = {
    customers: [{ id: 'cust_1', source_id: 'jo', metadata: { vip: true } }],
    products: [
      { id: 'prod_a', name: 'A', price: 1000 },
      { id: 'prod_b', name: 'B', price: 500 },
    ],
    vouchers: [
      { id: 'v_1', code: 'ORDERWIDE', ...off(100), ...at(8) },
      { id: 'v_2', code: 'THREE_A', ...off(100), ...at(7) },
      { id: 'v_3', code: 'LINE_A', discount: { type: 'PERCENT', percent_off: 10 }, ...at(6) },
      { id: 'v_4', code: 'LINE_B', discount: { type: 'PERCENT', percent_off: 10 }, ...at(5) },
      { id: 'v_5', code: 'VIP_A', discount: { type: 'PERCENT', percent_off: 10 }, ...at(4) },
      { id: 'v_6', code: 'MINE', discount: { type: 'PERCENT', percent_off: 10 }, holder_id: 'cust_1', ...at(3) },
    ],
    validation_rules: [
      rule('val_three', {
        1: {
          name: 'order.items.any',
          conditions: { $is: [{ object: 'product', id: 'prod_a' }] },
          rules: {
            1: { name: 'order.items.aggregated_quantity', conditions: { $more_than_or_equal: [3] } },
            logic: '1',
          },
        },
        2: { name: 'order.amount', conditions: { $more_than: [90_000] } },
        logic: '1 and 2',
      }),
      rule('val_a', {}, { applicable_to: { included: [{ object: 'product', id: 'prod_a' }] } }),
      rule('val_b', {}, { applicable_to: { included: [{ object: 'product', id: 'prod_b' }] } }),
      rule(
        'val_vip',
        { 1: { name: 'customer.metadata', property: 'vip', conditions: { $is: [false] } }, logic: '1' },
        { applicable_to: { included: [{ object: 'product', id: 'prod_a' }] } },
      ),
    ],
    validation_rules_assignments: [
      assigned('val_three', 'v_2'),
      assigned('val_a', 'v_3'),
      assigned('val_b', 'v_4'),
      assigned('val_vip', 'v_5'),
      assigned('val_a', 'v_6'),
    ],
  }
  const order = { items: [{ product_id: 'prod_a', quantity: 1 }] }
  const ask = (body: object) => {
    const { post } = testSandbox({ fixture: products })
    return post('/v1/qualifications', body).body.redeemables.data
  }
  const ids = (body: object) => ask(body).map(({ id }: { id: string }) => id)

  test.each([
    ['PRODUCTS', ['THREE_A', 'LINE_A', 'VIP_A']],
    ['PRODUCTS_DISCOUNT', ['LINE_A', 'VIP_A', 'MINE']],
    ['PRODUCTS_BY_CUSTOMER', ['THREE_A', 'LINE_A', 'MINE']],
    ['PRODUCTS_DISCOUNT_BY_CUSTOMER', ['LINE_A', 'MINE']],
  ])('%s lists what concerns a product of the order, also what a fuller cart would reach', (scenario, expected) => {
    expect(ids({ scenario, order, customer: { source_id: 'jo' } })).toEqual(expected)
  })

  test('without lines nothing concerns a product', () => {
    expect(ids({ scenario: 'PRODUCTS', order: { amount: 5000 } })).toEqual([])
  })

  test('on request each tells its rules, and which of their conditions were not judged', () => {
    const options = { expand: ['redeemable', 'validation_rules'], sorting_rule: 'BEST_DEAL' }

    const data = ask({ scenario: 'PRODUCTS_BY_CUSTOMER', order, customer: { source_id: 'jo' }, options })
    const byCode = Object.fromEntries(data.map((one: { id: string }) => [one.id, one]))

    expect(byCode.THREE_A.validation_rules_assignments).toMatchObject({
      object: 'list',
      data_ref: 'data',
      total: 1,
      data: [
        {
          rule_id: 'val_three',
          validation_status: 'PARTIALLY_VALID',
          validation_omitted_rules: ['order.items.aggregated_quantity', 'order.amount'],
        },
      ],
    })
    expect(byCode.LINE_A.validation_rules_assignments.data).toMatchObject([
      { rule_id: 'val_a', validation_status: 'VALID', validation_omitted_rules: [] },
    ])
  })
})

test('a code for products is offered for an order that has an amount and no lines', () => {
  const { ask } = testSandbox({
    fixture: {
      vouchers: [{ id: 'v_1', code: 'LINES', discount: { type: 'AMOUNT', amount_off: 100 } }],
      validation_rules: [{ id: 'val_1', name: 'R', rules: {}, ...about('prod_a') }],
      validation_rules_assignments: [assigned('val_1', 'v_1')],
    },
  })

  const data = [{ id: 'LINES', order: { total_amount: 5000 } }]
  ask('POST /v1/qualifications', { scenario: 'ALL', order: { amount: 5000 } }, { redeemables: { data } })
})

test.each([
  ['ALL', ['promo_pot', 'promo_tea', 'promo_cup']],
  ['PRODUCTS_DISCOUNT', ['promo_pot', 'promo_tea']],
])('BEST_DEAL keeps a tier whose line has no price, with %s', (scenario, expected) => {
  const names = ['tea', 'pot', 'cup']
  const action = { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS' } }
  const { ask } = testSandbox({
    fixture: {
      products: [
        { id: 'prod_tea', name: 'Tea' },
        { id: 'prod_pot', name: 'Pot', price: 900 },
      ],
      campaigns: [{ id: 'camp_p', name: 'P', campaign_type: 'PROMOTION' }],
      promotion_tiers: names.map((name) => ({ id: `promo_${name}`, name, campaign_id: 'camp_p', action })),
      validation_rules: names.map((name) => ({ id: `val_${name}`, name, rules: {}, ...about(`prod_${name}`) })),
      validation_rules_assignments: names.map((name) => assigned(`val_${name}`, `promo_${name}`, 'promotion_tier')),
    },
  })
  const order = { items: [{ product_id: 'prod_tea' }, { product_id: 'prod_pot' }] }

  const data = expected.map((id) => ({ id }))
  ask('POST /v1/qualifications', { scenario, order, options: { sorting_rule: 'BEST_DEAL' } }, { redeemables: { data } })
})
