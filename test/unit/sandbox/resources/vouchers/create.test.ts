import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leakedCodes } from '../../../../../src/sandbox/seed/demo/vouchers.ts'
import { club, coupons } from '../../../../support/campaigns.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const fiveOff = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } }

const dates = { created_at: '2026-01-01T00:00:00.000Z', updated_at: null }
const kept = { type: 'STANDALONE', active: true, metadata: {} }
const fixture = {
  categories: [{ id: 'cat_1', name: 'Seasonal', hierarchy: 1, object: 'category', ...dates }],
  campaigns: [
    { id: 'camp_1', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', ...kept },
    { id: 'camp_3', name: 'Club & Co', campaign_type: 'LOYALTY_PROGRAM', ...kept },
    { id: 'camp_4', name: 'Friends', campaign_type: 'REFERRAL_PROGRAM', ...kept },
  ],
  validation_rules: ['val_1', 'val_2'].map((id) => ({ id, name: id, rules: {}, ...dates })),
}

test('creating a discount voucher returns every field of the specification', () => {
  const { status, body } = testSandbox().post('/v1/vouchers/SUMMER', {
    ...fiveOff,
    start_date: '2026-01-01T00:00:00Z',
    metadata: { channel: 'mail' },
    redemption: { quantity: 3 },
  })

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^v_[0-9a-f]{18}$/),
    code: 'SUMMER',
    campaign: null,
    campaign_id: null,
    category: null,
    category_id: null,
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'AMOUNT', amount_off: 500 },
    gift: null,
    loyalty_card: null,
    start_date: '2026-01-01T00:00:00.000Z',
    expiration_date: null,
    validity_timeframe: null,
    validity_day_of_week: null,
    validity_hours: null,
    active: true,
    additional_info: null,
    metadata: { channel: 'mail' },
    assets: {
      qr: { id: expect.any(String), url: expect.stringContaining('/v1/assets/qr/') },
      barcode: { id: expect.any(String), url: expect.stringContaining('/v1/assets/barcode/') },
    },
    is_referral_code: false,
    created_at: '2026-05-06T07:08:09.123Z',
    updated_at: null,
    object: 'voucher',
    publish: { object: 'list', count: 0, url: '/v1/vouchers/SUMMER/publications?page=1&limit=10' },
    redemption: {
      quantity: 3,
      redeemed_quantity: 0,
      object: 'list',
      url: '/v1/vouchers/SUMMER/redemptions?page=1&limit=10',
    },
    categories: [],
    validation_rules_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
  })
})

test('a gift card starts with its full amount as balance', () => {
  const { body } = testSandbox().post('/v1/vouchers/G', {
    type: 'GIFT_VOUCHER',
    gift: { amount: 5000, balance: 1, effect: 'APPLY_TO_ORDER' },
  })

  expect(body.gift).toEqual({ amount: 5000, balance: 5000, effect: 'APPLY_TO_ORDER' })
  expect(body.redemption).toMatchObject({ quantity: null, redeemed_quantity: 0, redeemed_amount: 0 })
})

test.each([70, 0])('a loyalty card starts with its %d points, and no transaction for them', (points) => {
  const { post, get } = testSandbox({ fixture })

  expect(
    post('/v1/vouchers/L', { type: 'LOYALTY_CARD', loyalty_card: { points }, campaign: 'Club & Co' }).body,
  ).toMatchObject({
    campaign: 'Club & Co',
    campaign_id: 'camp_3',
    loyalty_card: { points, balance: points },
    redemption: { redeemed_points: 0 },
  })
  expect(get('/v1/vouchers/L/transactions').body.data).toEqual([])
})

test.each([
  ['its name in campaign', { campaign: 'Codes' }, 'Codes', false],
  ['its id in campaign', { campaign: 'camp_1' }, 'Codes', false],
  ['its id in campaign_id', { campaign_id: 'camp_1' }, 'Codes', false],
  ['its name in campaign_id', { campaign_id: 'Codes' }, 'Codes', false],
  ['its name, as one of referrals', { campaign: 'Friends' }, 'Friends', true],
])('a campaign is found by %s', (_, named, campaign, is_referral_code) => {
  const { body } = testSandbox({ fixture }).post('/v1/vouchers/A', { ...fiveOff, ...named })

  expect(body).toMatchObject({ campaign, is_referral_code })
  expect(body.campaign_id).toMatch(/^camp_/)
})

test.each([
  ['its name', { category: 'Seasonal' }],
  ['its id', { category_id: 'cat_1' }],
])('a category is found by %s', (_, named) => {
  const seasonal = { id: 'cat_1', name: 'Seasonal', hierarchy: 1, object: 'category', ...dates }

  expect(testSandbox({ fixture }).post('/v1/vouchers/A', { ...fiveOff, ...named }).body).toMatchObject({
    category: 'Seasonal',
    category_id: 'cat_1',
    categories: [seasonal],
  })
})

test('an unknown name of a category is kept as a name', () => {
  expect(testSandbox().post('/v1/vouchers/C', { ...fiveOff, category: 'Anything' }).body).toMatchObject({
    category: 'Anything',
    category_id: null,
    categories: [],
  })
})

test('validation rules are assigned once each', () => {
  const { post } = testSandbox({ fixture })

  const { body } = post('/v1/vouchers/A', { ...fiveOff, validation_rules: ['val_1', 'val_2', 'val_1'] })

  expect(body.validation_rules_assignments).toMatchObject({ object: 'list', data_ref: 'data', total: 2 })
  expect(body.validation_rules_assignments.data).toEqual([
    {
      id: expect.stringMatching(/^asgm_/),
      rule_id: 'val_1',
      related_object_id: body.id,
      related_object_type: 'voucher',
      created_at: '2026-05-06T07:08:09.123Z',
      updated_at: null,
      object: 'validation_rules_assignment',
    },
    expect.objectContaining({ rule_id: 'val_2' }),
  ])
})

test.each([
  [{ discount: { type: 'PERCENT', percent_off: 10 } }, 'DISCOUNT_VOUCHER'],
  [{ gift: { amount: 1 } }, 'GIFT_VOUCHER'],
])('the type is inferred from the content when it is omitted', (body, type) => {
  expect(testSandbox().post('/v1/vouchers/A', body).body.type).toBe(type)
})

test('a member that the call does not know is ignored', () => {
  const { status, body } = testSandbox().post('/v1/vouchers/A', {
    ...fiveOff,
    colour: 'red',
    discount: { ...fiveOff.discount, colour: 'red' },
  })

  expect(status).toBe(200)
  expect(body).not.toHaveProperty('colour')
  expect(body.discount).toEqual({ type: 'AMOUNT', amount_off: 500 })
})

const hours = (start_time: string, expiration_time: string, days_of_week = [1]) => ({
  start_time,
  expiration_time,
  days_of_week,
})

const units = [{ unit_type: 'prod_1', unit_off: 1, effect: 'ADD_NEW_ITEMS' }]

const off = (discount: object) => ({ type: 'DISCOUNT_VOUCHER', discount })
const daily = (...list: object[]) => ({ ...fiveOff, validity_hours: { daily: list } })
const types = 'DISCOUNT_VOUCHER, GIFT_VOUCHER, LOYALTY_CARD'

test.each<[key: string, details: string, body: unknown]>([
  ['payload', "Payload must have required property 'type'", undefined],
  ['payload', "Payload must have required property 'type'", null],
  ['payload', 'Payload must be object', []],
  ['payload', `Property .type must be equal to one of the allowed values: ${types}`, { type: 'COUPON' }],
  ['voucher', "A DISCOUNT_VOUCHER must have the property 'discount'", { type: 'DISCOUNT_VOUCHER' }],
  ['voucher', "A GIFT_VOUCHER must have the property 'gift'", { type: 'GIFT_VOUCHER' }],
  ['voucher', "A LOYALTY_CARD must have the property 'loyalty_card'", { type: 'LOYALTY_CARD', campaign: 'Club & Co' }],
  ['voucher', "A DISCOUNT_VOUCHER cannot have the property 'gift'", { ...fiveOff, gift: { amount: 1 } }],
  ['campaign', 'A LOYALTY_PROGRAM campaign cannot hold a DISCOUNT_VOUCHER', { ...fiveOff, campaign: 'Club & Co' }],
  [
    'payload',
    "Property .validity_timeframe requires property 'start_date'",
    { ...fiveOff, validity_timeframe: { duration: 'P1D', interval: 'P2D' } },
  ],
  [
    'payload',
    'Property .validity_hours.daily[1] overlaps with daily[0]',
    daily(hours('08:00', '12:00'), hours('11:59', '', [0, 1])),
  ],
  [
    'payload',
    'Property .validity_hours.daily[0].expiration_time must be after start_time',
    daily(hours('12:00', '08:00')),
  ],
  [
    'payload',
    "Property .expiration_date must be after property 'start_date'",
    { ...fiveOff, start_date: '2026-02-01', expiration_date: '2026-01-01' },
  ],
  [
    'payload',
    'Property .start_date cannot be recognized as a ISO-8601 compliant date',
    { ...fiveOff, start_date: '2026-02-30T00:00:00Z' },
  ],
  ['payload', "Property .discount should have required property 'amount_off'", off({ type: 'AMOUNT' })],
  ['payload', "Property .discount should have required property 'type'", off({})],
  [
    'payload',
    'Property .discount.type must be equal to one of the allowed values: AMOUNT, PERCENT, FIXED, UNIT',
    off({ type: 'HALF' }),
  ],
  ['payload', 'Property .discount.percent_off must be <= 100', off({ type: 'PERCENT', percent_off: 101 })],
  ['payload', 'Property .gift.amount must be >= 0', { type: 'GIFT_VOUCHER', gift: { amount: -1 } }],
  ['payload', 'Property .gift.amount must be integer', { type: 'GIFT_VOUCHER', gift: { amount: 1.5 } }],
  ['payload', "Property .discount should have required property 'unit_type'", off({ type: 'UNIT', unit_off: 1 })],
  [
    'payload',
    "Property .discount.units[1] should have required property 'unit_type'",
    off({ type: 'UNIT', effect: 'ADD_MANY_ITEMS', units: [...units, { effect: 'ADD_NEW_ITEMS' }] }),
  ],
  ['payload', 'Property .discount.units needs the effect ADD_MANY_ITEMS', off({ type: 'UNIT', units })],
  [
    'payload',
    'Property .discount.units needs the effect ADD_MANY_ITEMS',
    off({ type: 'UNIT', units, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' }),
  ],
  [
    'payload',
    'Property .discount.unit_off does not go with the effect ADD_MANY_ITEMS',
    off({ type: 'UNIT', units, unit_off: 2, effect: 'ADD_MANY_ITEMS' }),
  ],
  ['payload', 'Property .active must be boolean,null', { ...fiveOff, active: 'yes' }],
  ['payload', 'Property .validity_day_of_week[1] must be <= 6', { ...fiveOff, validity_day_of_week: [0, 7] }],
])('a voucher is refused as invalid_%s: %s', (key, details, body) => {
  const { post, get, events } = testSandbox({ fixture })

  expect(post('/v1/vouchers/A', body)).toMatchObject({
    status: 400,
    body: { code: 400, key: `invalid_${key}`, details },
  })
  expect(get('/v1/vouchers').body.total).toBe(0)
  expect(events()).toEqual([])
})

test('a formula that cannot be computed is refused, not stored', () => {
  const { status, body } = testSandbox().post('/v1/vouchers/A', {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'AMOUNT', amount_off: 1, amount_off_formula: 'WEATHER(' },
  })

  expect(status).toBe(400)
  expect(body).toMatchObject({ key: 'invalid_voucher' })
  expect(body.details).toMatch(/^amount_off_formula: /)
})

test.each([
  ['campaign', { campaign: 'Nobody' }, 'Nobody'],
  ['category', { category_id: 'cat_x' }, 'cat_x'],
  ['validation_rules', { validation_rules: ['val_1', 'val_x'] }, 'val_x'],
])('an unknown %s is a 404 that names it', (resource_type, named, resource_id) => {
  const { post, get } = testSandbox({ fixture })
  const details = `Cannot find ${resource_type} with id ${resource_id}`

  expect(post('/v1/vouchers/A', { ...fiveOff, ...named })).toMatchObject({
    status: 404,
    body: { code: 404, key: 'not_found', message: 'Resource not found', details, resource_id, resource_type },
  })
  expect(get('/v1/vouchers').body.total).toBe(0)
})

test('a code that exists is a 409, even in the bin', () => {
  const { post, del } = testSandbox()
  post('/v1/vouchers/A', fiveOff)

  const twice = post('/v1/vouchers/A', fiveOff)
  del('/v1/vouchers/A')

  expect(twice.body).toMatchObject({
    details: 'Duplicated voucher exists with id A',
    resource_id: 'A',
    resource_type: 'voucher',
  })
  expect([twice.status, post('/v1/vouchers/A', fiveOff).status]).toEqual([409, 409])
})

test.each(['%20', '%09', 'A%00B', 'A%0AB', 'x'.repeat(1025)])('the code %s is refused', (code) => {
  expect(testSandbox().post(`/v1/vouchers/${code}`, fiveOff).body.key).toBe('invalid_voucher')
})

test('any code that can be created is found under exactly its name, and no other is', () => {
  const { post, get } = testSandbox()
  const codes = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((code) => code.trim() !== '' && code.isWellFormed() && !/\p{Cc}/u.test(code))

  fc.assert(
    fc.property(
      fc.oneof(codes, fc.constantFrom('a/b', 'a b', '..', '%2F', 'x/disable', '"\'`', '__proto__')),
      (code) => {
        const path = `/v1/vouchers/${encodeURIComponent(code)}`
        const created = post(path, fiveOff)
        if (created.status === 409) return
        expect(created.status).toBe(200)
        expect(get(path).body.code).toBe(code)
        expect(post(`${path}/disable`).body).toMatchObject({ code, active: false })
      },
    ),
    { numRuns: 200 },
  )
})

test('a creation is recorded as voucher.created with the voucher and its campaign', () => {
  const { post, store, events } = testSandbox({ fixture })

  const { body, headers } = post('/v1/vouchers/A', { ...fiveOff, campaign: 'Codes' })

  expect(events()).toEqual([['voucher.created', body.id]])
  expect(store.outbox.after(0, 10)[0]).toMatchObject({
    id: expect.stringMatching(/^evvou_[0-9a-f]{18}$/),
    created_at: '2026-05-06T07:08:09.123Z',
    group_id: headers['x-request-id'],
    source: { channel: 'API', api_key: { app_id: expect.any(String) } },
    data: { voucher: body, campaign: { id: 'camp_1', name: 'Codes' } },
  })
})

test('metadata with dangerous names is data, and pollutes nothing', () => {
  const { call } = testSandbox()
  const raw =
    '{"discount":{"type":"AMOUNT","amount_off":1},"metadata":{"constructor":{"prototype":{"polluted":1}},"toString":"a"}}'

  const { status, body } = call('POST', '/v1/vouchers/A', { raw, headers: { 'content-type': 'application/json' } })

  expect(status).toBe(200)
  expect(body.metadata).toEqual({ constructor: { prototype: { polluted: 1 } }, toString: 'a' })
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('a thousand leaked codes stay a thousand', () => {
  expect(new Set(leakedCodes()).size).toBe(1000)
})

test('a validity timeframe may have fractions, and only in its last number', () => {
  const { post } = testSandbox({ fixture })
  const create = (code: string, duration: string) =>
    post(`/v1/vouchers/${code}`, {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'AMOUNT', amount_off: 100 },
      start_date: '2026-05-06T06:00:00Z',
      validity_timeframe: { duration, interval: 'P1D' },
    })
  const isValid = (code: string) =>
    post('/v1/validations', { redeemables: [{ object: 'voucher', id: code }], order: { amount: 500 } }).body.valid

  // It is 07:08, an hour and eight minutes after the start.
  expect([create('SHORT', 'PT1.1H').status, create('LONG', 'PT1.5H').status]).toEqual([200, 200])
  expect([isValid('SHORT'), isValid('LONG')]).toEqual([false, true])
  expect(create('WRONG', 'P0.5DT1H').body.key).toBe('invalid_payload')
})

test.each(['STATIC', 'AUTO_UPDATE', 'STANDALONE'])("a code of one's own goes into a campaign of type %s", (type) => {
  const { post } = testSandbox()
  const { id } = post('/v1/campaigns', coupons('Sale', { type })).body

  const answer = post('/v1/vouchers/MINE', { ...fiveOff, campaign_id: id })

  expect(answer).toMatchObject({ status: 200, body: { code: 'MINE', campaign: 'Sale', campaign_id: id } })
})

test('a card of a loyalty program that makes its own has the points it is created with, as one of no campaign has', () => {
  const { post } = testSandbox()
  const { id } = post('/v1/campaigns', club('Club', { type: 'AUTO_UPDATE' })).body
  const card = { type: 'LOYALTY_CARD', loyalty_card: { points: 140 } }

  for (const [code, campaign_id] of [
    ['OURS', id],
    ['LONE', null],
  ])
    expect(post(`/v1/vouchers/${code}`, { ...card, campaign_id })).toMatchObject({
      status: 200,
      body: { campaign_id, type: 'LOYALTY_CARD', loyalty_card: { points: 140, balance: 140 } },
    })
})

test('a voucher without a code gets one in the form that is asked for', () => {
  const { post, events } = testSandbox()

  const { status, body } = post('/v1/vouchers', { ...fiveOff, code_config: { pattern: 'A-##' } })

  expect(status).toBe(200)
  expect(body.code).toMatch(/^A-[0-9a-zA-Z]{2}$/)
  expect(events()).toEqual([['voucher.created', body.id]])
})

test('a voucher gets a code in the form of its campaign, eight characters without one, or the code in the body', () => {
  const { post } = testSandbox()
  post('/v1/campaigns', coupons('C', { voucher: { ...coupons('C').voucher, code_config: { prefix: 'C-' } } }))
  const code = (members: object) => post('/v1/vouchers', { ...fiveOff, ...members }).body.code

  expect(code({ campaign: 'C' })).toMatch(/^C-[0-9a-zA-Z]{8}$/)
  expect(code({})).toMatch(/^[0-9a-zA-Z]{8}$/)
  expect(code({ code: 'MINE' })).toBe('MINE')
})

test.each([
  [{ campaign: 'Own' }, 400, 'invalid_campaign'],
  [{ campaign: 'None' }, 404, 'not_found'],
  [{ code: 'TAKEN' }, 409, 'duplicate_found'],
  [{ code_config: { charset: ' ' } }, 400, 'invalid_code_config'],
])('no code is made for %j', (members, status, key) => {
  const { post, get } = testSandbox()
  post('/v1/campaigns', coupons('Own', { type: 'STANDALONE' }))
  post('/v1/vouchers/TAKEN', fiveOff)

  expect(post('/v1/vouchers', { ...fiveOff, ...members })).toMatchObject({ status, body: { key } })
  expect(get('/v1/vouchers').body.total).toBe(1)
})

test.each(['import', 'importCSV', 'qualification'])('%s is a call of its own and never a code', (name) => {
  const { post, get } = testSandbox()

  post(`/v1/vouchers/${name}`, fiveOff)

  expect(get('/v1/vouchers').body.total).toBe(0)
})

test('the addresses in a voucher lead to its redemptions and publications', () => {
  const { post, get } = testSandbox()
  const { publish, redemption } = post('/v1/vouchers/A%2F1', fiveOff).body
  post('/v1/publications', { voucher: 'A/1', customer: 'ada' })
  const using = { redeemables: [{ object: 'voucher', id: 'A/1' }], order: { amount: 2000 } }
  const { redemptions } = post('/v1/redemptions', using).body
  const follow = (url: string) => {
    const [path = '', query = ''] = url.split('?')
    return get(path, query).body
  }

  expect(follow(redemption.url)).toMatchObject({ total: 1, redemptions: [{ id: redemptions[0].id }] })
  expect(follow(publish.url)).toMatchObject({ total: 1, publications: [{ voucher: { code: 'A/1' } }] })
  expect(get('/v1/vouchers/NONE/publications').status).toBe(404)
})

test.each(['REPLACE_ITEMS', 'ADD_SAME_ITEMS'])(
  'the effect %s, of which nobody knows how it is configured, is refused with that reason and stores no code',
  (effect) => {
    const { post, get } = testSandbox()
    const single = { unit_type: 'prod_1', unit_off: 1, effect }
    const refusals = [single, { effect: 'ADD_MANY_ITEMS', units: [single] }].map((discount) => {
      const body = { type: 'DISCOUNT_VOUCHER', discount: { type: 'UNIT', ...discount } }
      return post('/v1/vouchers/FREE', body).body
    })

    const allowed = 'must be equal to one of the allowed values: ADD_NEW_ITEMS, ADD_MISSING_ITEMS'
    const why = `what ${effect} computes is published, how it is configured is not`
    expect(refusals).toMatchObject([
      { key: 'invalid_payload', details: `Property .discount.effect ${allowed}, ADD_MANY_ITEMS; ${why}` },
      { key: 'invalid_payload', details: `Property .discount.units[0].effect ${allowed}; ${why}` },
    ])
    expect(get('/v1/vouchers').body.total).toBe(0)
  },
)
