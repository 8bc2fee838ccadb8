import { expect, test } from 'vitest'
import { testSandbox } from '../../../../support/sandbox.ts'

const off = (amount_off: number) => ({ discount: { type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' } })
const at = (day: number) => ({ created_at: `2026-01-0${day}T00:00:00.000Z` })

const shop = {
  categories: [{ id: 'cat_1', name: 'Seasonal', hierarchy: 1, object: 'category' }],
  customers: [{ id: 'cust_1', source_id: 'jo', metadata: { vip: true } }],
  campaigns: [
    {
      id: 'camp_p',
      name: 'Promo',
      campaign_type: 'PROMOTION',
      type: 'STANDALONE',
      active: true,
      metadata: {},
      ...at(1),
    },
    {
      id: 'camp_c',
      name: 'Codes',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'AUTO_UPDATE',
      active: true,
      metadata: { a: 1 },
      category_id: 'cat_1',
      voucher: { type: 'DISCOUNT_VOUCHER', ...off(400) },
      ...at(2),
    },
    {
      id: 'camp_l',
      name: 'Club',
      campaign_type: 'LOYALTY_PROGRAM',
      type: 'STANDALONE',
      active: true,
      metadata: {},
      ...at(1),
    },
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
    { id: 'v_S', code: 'SECRET', ...off(300), ...at(6) },
    { id: 'v_G', code: 'GIFT', gift: { amount: 700 }, holder_id: 'cust_1', ...at(7) },
    {
      id: 'v_L',
      code: 'CARD',
      loyalty_card: { points: 50, balance: 50 },
      campaign_id: 'camp_l',
      holder_id: 'cust_1',
      ...at(8),
    },
  ],
  validation_rules: [
    { id: 'val_1', name: 'R', rules: { 1: { name: 'order.amount', conditions: { $more_than: [3000] } }, logic: '1' } },
    {
      id: 'val_2',
      name: 'V',
      rules: { 1: { name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } }, logic: '1' },
    },
  ],
  validation_rules_assignments: [
    { rule_id: 'val_1', related_object_id: 'promo_2', related_object_type: 'promotion_tier' },
    { rule_id: 'val_2', related_object_id: 'camp_c', related_object_type: 'campaign' },
  ],
}

function qualifying() {
  const sandbox = testSandbox({ fixture: shop })
  const ask = (body: object) => sandbox.call('POST', '/v1/qualifications', { body })
  const ids = (body: object) => ask(body).body.redeemables.data.map(({ id }: { id: string }) => id)
  return { ...sandbox, ask, ids }
}

const jo = { customer: { source_id: 'jo' } }
const most = { options: { limit: 50 } }

test('what a customer holds, promotions, stacks and campaigns are listed together, newest first', () => {
  const { ask } = qualifying()

  const { status, body } = ask({ ...jo, ...most, order: { amount: 5000 } })

  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: expect.stringMatching(/^qfl_/),
    created_at: '2026-05-06T07:08:09.123Z',
    tracking_id: expect.stringMatching(/^track_/),
    order: { amount: 5000, total_amount: 5000 },
    stacking_rules: { redeemables_limit: 30 },
    redeemables: { object: 'list', data_ref: 'data', total: 7, has_more: false },
  })
  expect(body.redeemables).not.toHaveProperty('more_starting_after')
  expect(body.redeemables.data).toMatchObject([
    { object: 'voucher', id: 'CARD', result: { loyalty_card: { points: 50 } } },
    { object: 'voucher', id: 'GIFT', result: { gift: { credits: 700 } }, order: { total_amount: 4300 } },
    { object: 'voucher', id: 'HELD', result: { discount: { amount_off: 300 } }, order: { total_amount: 4700 } },
    { object: 'promotion_stack', id: 'stack_1', name: 'Both', order: { total_amount: 4000 } },
    { object: 'promotion_tier', id: 'promo_2', order: { total_amount: 4100 } },
    { object: 'promotion_tier', id: 'promo_1', order: { total_amount: 4900 } },
    { object: 'campaign', id: 'camp_c', order: { total_amount: 4600 } },
  ])
})

test('what does not fit is omitted, and codes that the customer does not hold are never revealed', () => {
  const { ids, ask } = qualifying()

  expect(ids({ ...most, order: { amount: 1000 } })).toEqual(['promo_1'])
  expect(ids({ ...most, order: { amount: 1000 }, customer: { metadata: { vip: true } } })).toEqual([
    'promo_1',
    'camp_c',
  ])
  expect(JSON.stringify(ask({ ...jo, ...most, order: { amount: 5000 } }).body)).not.toContain('SECRET')
})

test('a discount that cannot be given, such as units of an unknown product, is not offered', () => {
  const gift = { discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_x', effect: 'ADD_NEW_ITEMS' } }
  const { call } = testSandbox({
    fixture: {
      campaigns: shop.campaigns.slice(0, 1),
      promotion_tiers: [{ id: 'promo_1', name: 'Gift', campaign_id: 'camp_p', action: gift }],
    },
  })

  const { body } = call('POST', '/v1/qualifications', { body: { order: { amount: 5000 } } })

  expect(body.redeemables.data).toEqual([])
})

test('without an order the possible discount is returned', () => {
  const { ask, ids } = qualifying()

  const { body } = ask({ ...jo, scenario: 'CUSTOMER_WALLET' })

  expect(body).not.toHaveProperty('order')
  expect(body.redeemables.data).toMatchObject([
    { id: 'CARD', result: { loyalty_card: { points: 50 } } },
    { id: 'GIFT', result: { gift: { balance: 700 } } },
    { id: 'HELD', result: { discount: { amount_off: 300 } } },
  ])
  expect(ids({ ...jo, scenario: 'PROMOTION_STACKS' })).toEqual([])
})

test('a scenario restricts the result', () => {
  const { ids } = qualifying()
  const order = { amount: 1000 }

  expect(ids({ ...jo, order, scenario: 'CUSTOMER_WALLET' })).toEqual(['CARD', 'GIFT', 'HELD'])
  expect(ids({ order, scenario: 'CUSTOMER_WALLET' })).toEqual([])
  expect(ids({ order: { amount: 5000 }, scenario: 'PROMOTION_STACKS' })).toEqual(['stack_1'])
  expect(ids({ order, scenario: 'AUDIENCE_ONLY', ...most })).toEqual(['stack_1', 'promo_2', 'promo_1'])
})

test('five are listed unless more are requested, and the next page starts after the last', () => {
  const { ask, ids } = qualifying()
  const order = { amount: 5000 }

  const first = ask({ ...jo, order }).body.redeemables
  const rest = ids({ ...jo, order, options: { starting_after: first.more_starting_after } })

  expect(first).toMatchObject({ total: 5, has_more: true, more_starting_after: '2026-01-04T00:00:00.000Z' })
  expect(rest).toEqual(['promo_1', 'camp_c'])
})

test('the best or the least deal comes first on request', () => {
  const { ids } = qualifying()
  const order = { amount: 5000 }

  expect(ids({ order, options: { sorting_rule: 'BEST_DEAL' } })).toEqual(['stack_1', 'promo_2', 'promo_1'])
  expect(ids({ order, options: { sorting_rule: 'LEAST_DEAL' } })).toEqual(['promo_1', 'promo_2', 'stack_1'])
})

test('names, metadata and categories are returned on request', () => {
  const { ask } = qualifying()
  const expand = ['redeemable', 'category']

  const { data } = ask({ ...jo, order: { amount: 1000 }, options: { expand, limit: 50 } }).body.redeemables
  const byId = (id: string) => data.find((one: { id: string }) => one.id === id)

  expect(byId('promo_1')).toMatchObject({ name: 'Tier', campaign_name: 'Promo', campaign_id: 'camp_p', metadata: {} })
  expect(byId('camp_c')).toMatchObject({ name: 'Codes', metadata: { a: 1 }, categories: [{ name: 'Seasonal' }] })
  expect(byId('HELD')).toMatchObject({ metadata: {}, categories: [] })
})

test.each([
  [{ scenario: 'PRODUCTS' }, "Scenario 'PRODUCTS' is not supported by the local service"],
  [{ options: { filters: { x: {} } } }, 'Property .options.filters is not supported by the local service'],
  [{ options: { limit: 51 } }, 'Property .options.limit must be <= 50'],
])('%j is refused', (body, details) => {
  const { ask } = qualifying()

  expect(ask(body)).toMatchObject({ status: 400, body: { key: 'invalid_payload', details } })
})

test('an unknown customer id is a 404', () => {
  const { ask } = qualifying()

  expect(ask({ customer: { id: 'cust_x' } }).body).toMatchObject({ code: 404, resource_type: 'customer' })
})

test('the client side returns the same answer as the server side', () => {
  const { call, ids, credentials } = qualifying()
  const body = { ...jo, order: { amount: 5000 } }

  const answer = call('POST', '/client/v1/qualifications', {
    body,
    headers: {
      'x-client-application-id': credentials.client_app_id,
      'x-client-token': credentials.client_token,
      origin: 'http://localhost',
    },
  })

  expect(answer.body.redeemables.data.map(({ id }: { id: string }) => id)).toEqual(ids(body))
})
