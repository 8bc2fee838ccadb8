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
  const given = { ...fiveOff, metadata: { channel: 'mail' } }
  const asked = { ...given, start_date: '2026-01-01T00:00:00Z', redemption: { quantity: 3 } }

  expect(testSandbox().ask('POST /v1/vouchers/SUMMER', asked, 200)).toEqual({
    ...given,
    id: expect.stringMatching(/^v_[0-9a-f]{18}$/),
    code: 'SUMMER',
    campaign: null,
    campaign_id: null,
    category: null,
    category_id: null,
    gift: null,
    loyalty_card: null,
    start_date: '2026-01-01T00:00:00.000Z',
    expiration_date: null,
    validity_timeframe: null,
    validity_day_of_week: null,
    validity_hours: null,
    active: true,
    additional_info: null,
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

const giftOf = (amount: number, more: object = {}) => ({ type: 'GIFT_VOUCHER', gift: { amount, ...more } })
const cardOf = (points: number) => ({ type: 'LOYALTY_CARD', loyalty_card: { points } })
const seasonal = { id: 'cat_1', name: 'Seasonal', hierarchy: 1, object: 'category' }
const ofCodes = { campaign: 'Codes', campaign_id: 'camp_1', is_referral_code: false }
const ofSeason = { category: 'Seasonal', category_id: 'cat_1', categories: [seasonal] }

test.each<[what: string, body: object, members: object]>([
  [
    'gift card starts with its full amount as balance',
    giftOf(5000, { balance: 1, effect: 'APPLY_TO_ORDER' }),
    {
      gift: { amount: 5000, balance: 5000, effect: 'APPLY_TO_ORDER' },
      redemption: { quantity: null, redeemed_quantity: 0, redeemed_amount: 0 },
    },
  ],
  ['campaign is found by its name in campaign', { ...fiveOff, campaign: 'Codes' }, ofCodes],
  ['campaign is found by its id in campaign', { ...fiveOff, campaign: 'camp_1' }, ofCodes],
  ['campaign is found by its id in campaign_id', { ...fiveOff, campaign_id: 'camp_1' }, ofCodes],
  ['campaign is found by its name in campaign_id', { ...fiveOff, campaign_id: 'Codes' }, ofCodes],
  ['code of a referral campaign is one of referrals', { ...fiveOff, campaign: 'Friends' }, { is_referral_code: true }],
  ['category is found by its name', { ...fiveOff, category: 'Seasonal' }, ofSeason],
  ['category is found by its id', { ...fiveOff, category_id: 'cat_1' }, ofSeason],
  [
    'category of an unknown name is kept as a name',
    { ...fiveOff, category: 'Anything' },
    { category: 'Anything', category_id: null, categories: [] },
  ],
  [
    'code with a discount needs no type',
    { discount: { type: 'PERCENT', percent_off: 10 } },
    { type: 'DISCOUNT_VOUCHER' },
  ],
  ['gift card needs no type', { gift: { amount: 1 } }, { type: 'GIFT_VOUCHER' }],
])('a %s', (_, body, members) => testSandbox({ fixture }).ask('POST /v1/vouchers/A', body, members))

test.each([70, 0])('a loyalty card starts with its %d points, and no transaction for them', (points) => {
  const { ask } = testSandbox({ fixture })

  ask(
    'POST /v1/vouchers/L',
    { ...cardOf(points), campaign: 'Club & Co' },
    {
      campaign: 'Club & Co',
      campaign_id: 'camp_3',
      loyalty_card: { points, balance: points },
      redemption: { redeemed_points: 0 },
    },
  )
  ask('GET /v1/vouchers/L/transactions', { data: [] })
})

test('validation rules are assigned once each', () => {
  const rules = { validation_rules: ['val_1', 'val_2', 'val_1'] }
  const { id, validation_rules_assignments } = testSandbox({ fixture }).ask('POST /v1/vouchers/A', {
    ...fiveOff,
    ...rules,
  })

  expect(validation_rules_assignments).toMatchObject({ object: 'list', data_ref: 'data', total: 2 })
  expect(validation_rules_assignments.data).toEqual([
    {
      id: expect.stringMatching(/^asgm_/),
      rule_id: 'val_1',
      related_object_id: id,
      related_object_type: 'voucher',
      created_at: '2026-05-06T07:08:09.123Z',
      updated_at: null,
      object: 'validation_rules_assignment',
    },
    expect.objectContaining({ rule_id: 'val_2' }),
  ])
})

test('a member that the call does not know is ignored', () => {
  const discount = { ...fiveOff.discount, colour: 'red' }
  const body = testSandbox().ask('POST /v1/vouchers/A', { ...fiveOff, colour: 'red', discount }, 200)

  expect(body).not.toHaveProperty('colour')
  expect(body.discount).toEqual({ type: 'AMOUNT', amount_off: 500 })
})

const hours = (start_time: string, expiration_time: string, ...days: number[]) => ({
  start_time,
  expiration_time,
  days_of_week: [1, ...days],
})
const daily = (...list: object[]) => ({ ...fiveOff, validity_hours: { daily: list } })
const off = (discount: object) => ({ type: 'DISCOUNT_VOUCHER', discount })
const units = [{ unit_type: 'prod_1', unit_off: 1, effect: 'ADD_NEW_ITEMS' }]
const unitsOff = (more: object) => off({ type: 'UNIT', units, ...more })
const many = { effect: 'ADD_MANY_ITEMS' }
const partly = { ...many, units: [...units, { effect: 'ADD_NEW_ITEMS' }] }
const allowed = 'must be equal to one of the allowed values:'
const types = 'DISCOUNT_VOUCHER, GIFT_VOUCHER, LOYALTY_CARD'
const end = '.validity_hours.daily[0].expiration_time'
const backwards = { ...fiveOff, start_date: '2026-02-01', expiration_date: '2026-01-01' }
const noDay = { ...fiveOff, start_date: '2026-02-30T00:00:00Z' }
const frame = { validity_timeframe: { duration: 'P1D', interval: 'P2D' } }

test.each<[key: string, details: string, body: unknown]>([
  ['payload', "Payload must have required property 'type'", undefined],
  ['payload', "Payload must have required property 'type'", null],
  ['payload', 'Payload must be object', []],
  ['payload', `Property .type ${allowed} ${types}`, { type: 'COUPON' }],
  ['voucher', "A DISCOUNT_VOUCHER must have the property 'discount'", { type: 'DISCOUNT_VOUCHER' }],
  ['voucher', "A GIFT_VOUCHER must have the property 'gift'", { type: 'GIFT_VOUCHER' }],
  ['voucher', "A LOYALTY_CARD must have the property 'loyalty_card'", { type: 'LOYALTY_CARD', campaign: 'Club & Co' }],
  ['voucher', "A DISCOUNT_VOUCHER cannot have the property 'gift'", { ...fiveOff, gift: { amount: 1 } }],
  ['campaign', 'A LOYALTY_PROGRAM campaign cannot hold a DISCOUNT_VOUCHER', { ...fiveOff, campaign: 'Club & Co' }],
  ['payload', "Property .validity_timeframe requires property 'start_date'", { ...fiveOff, ...frame }],
  [
    'payload',
    'Property .validity_hours.daily[1] overlaps with daily[0]',
    daily(hours('08:00', '12:00'), hours('11:59', '', 0)),
  ],
  ['payload', `Property ${end} must be after start_time`, daily(hours('12:00', '08:00'))],
  ['payload', "Property .expiration_date must be after property 'start_date'", backwards],
  ['payload', 'Property .start_date cannot be recognized as a ISO-8601 compliant date', noDay],
  ['payload', "Property .discount should have required property 'amount_off'", off({ type: 'AMOUNT' })],
  ['payload', "Property .discount should have required property 'type'", off({})],
  ['payload', `Property .discount.type ${allowed} AMOUNT, PERCENT, FIXED, UNIT`, off({ type: 'HALF' })],
  ['payload', 'Property .discount.percent_off must be <= 100', off({ type: 'PERCENT', percent_off: 101 })],
  ['payload', 'Property .gift.amount must be >= 0', giftOf(-1)],
  ['payload', 'Property .gift.amount must be integer', giftOf(1.5)],
  ['payload', "Property .discount should have required property 'unit_type'", off({ type: 'UNIT', unit_off: 1 })],
  ['payload', "Property .discount.units[1] should have required property 'unit_type'", unitsOff(partly)],
  ['payload', 'Property .discount.units needs the effect ADD_MANY_ITEMS', unitsOff({})],
  ['payload', 'Property .discount.units needs the effect ADD_MANY_ITEMS', unitsOff(units[0] as object)],
  [
    'payload',
    'Property .discount.unit_off does not go with the effect ADD_MANY_ITEMS',
    unitsOff({ ...many, unit_off: 2 }),
  ],
  ['payload', 'Property .active must be boolean,null', { ...fiveOff, active: 'yes' }],
  ['payload', 'Property .validity_day_of_week[1] must be <= 6', { ...fiveOff, validity_day_of_week: [0, 7] }],
])('a voucher is refused as invalid_%s: %s', (key, details, body) => {
  const { ask, events } = testSandbox({ fixture })

  ask('POST /v1/vouchers/A', body, { code: 400, key: `invalid_${key}`, details })
  ask('GET /v1/vouchers', { total: 0 })
  expect(events()).toEqual([])
})

test('a formula that cannot be computed is refused, not stored', () => {
  const discount = { type: 'AMOUNT', amount_off: 1, amount_off_formula: 'WEATHER(' }
  const details = expect.stringMatching(/^amount_off_formula: /)

  testSandbox().ask('POST /v1/vouchers/A', off(discount), { key: 'invalid_voucher', details })
})

test.each([
  ['campaign', { campaign: 'Nobody' }, 'Nobody'],
  ['category', { category_id: 'cat_x' }, 'cat_x'],
  ['validation_rules', { validation_rules: ['val_1', 'val_x'] }, 'val_x'],
])('an unknown %s is a 404 that names it', (resource_type, named, resource_id) => {
  const { ask } = testSandbox({ fixture })
  const details = `Cannot find ${resource_type} with id ${resource_id}`
  const error = { code: 404, key: 'not_found', message: 'Resource not found', details, resource_id, resource_type }

  ask('POST /v1/vouchers/A', { ...fiveOff, ...named }, error)
  ask('GET /v1/vouchers', { total: 0 })
})

test('a code that exists is a 409, even in the bin', () => {
  const { ask } = testSandbox()
  ask('POST /v1/vouchers/A', fiveOff)

  const details = 'Duplicated voucher exists with id A'
  ask('POST /v1/vouchers/A', fiveOff, { code: 409, details, resource_id: 'A', resource_type: 'voucher' })
  ask('DELETE /v1/vouchers/A')
  ask('POST /v1/vouchers/A', fiveOff, 409)
})

test.each(['%20', '%09', 'A%00B', 'A%0AB', 'x'.repeat(1025)])('the code %s is refused', (code) =>
  testSandbox().ask(`POST /v1/vouchers/${code}`, fiveOff, 'invalid_voucher'),
)

test('any code that can be created is found under exactly its name, and no other is', () => {
  const { ask, post } = testSandbox()
  const codes = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((code) => code.trim() !== '' && code.isWellFormed() && !/\p{Cc}/u.test(code))
  const odd = fc.constantFrom('a/b', 'a b', '..', '%2F', 'x/disable', '"\'`', '__proto__')

  fc.assert(
    fc.property(fc.oneof(codes, odd), (code) => {
      const path = `/v1/vouchers/${encodeURIComponent(code)}`
      const created = post(path, fiveOff)
      if (created.status === 409) return
      expect(created.status).toBe(200)
      ask(`GET ${path}`, { code })
      ask(`POST ${path}/disable`, undefined, { code, active: false })
    }),
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

test.each([
  ['PT1.1H', false],
  ['PT1.5H', true],
])('a time frame of %s from 06:00 may have fractions, and at 07:08 is open: %s', (duration, valid) => {
  const { ask } = testSandbox()
  ask('POST /v1/vouchers/A', {
    ...fiveOff,
    start_date: '2026-05-06T06:00:00Z',
    validity_timeframe: { duration, interval: 'P1D' },
  })

  ask('POST /v1/validations', { redeemables: [{ object: 'voucher', id: 'A' }], order: { amount: 500 } }, { valid })
})

test('only the last number of a duration may have a fraction', () => {
  const validity_timeframe = { duration: 'P0.5DT1H', interval: 'P1D' }
  const body = { ...fiveOff, start_date: '2026-05-06', validity_timeframe }

  testSandbox().ask('POST /v1/vouchers/A', body, 'invalid_payload')
})

test.each(['STATIC', 'AUTO_UPDATE', 'STANDALONE'])("a code of one's own goes into a campaign of type %s", (type) => {
  const { ask } = testSandbox()
  const { id } = ask('POST /v1/campaigns', coupons('Sale', { type }))

  const shown = { code: 'MINE', campaign: 'Sale', campaign_id: id }
  ask('POST /v1/vouchers/MINE', { ...fiveOff, campaign_id: id }, shown)
})

test('a card of a loyalty program that makes its own has the points it is created with, as one of no campaign has', () => {
  const { ask } = testSandbox()
  const { id } = ask('POST /v1/campaigns', club('Club', { type: 'AUTO_UPDATE' }))

  for (const campaign_id of [id, null])
    ask(
      'POST /v1/vouchers',
      { ...cardOf(140), campaign_id },
      {
        campaign_id,
        type: 'LOYALTY_CARD',
        loyalty_card: { points: 140, balance: 140 },
      },
    )
})

test('a voucher gets a code in the form of its campaign or that is asked for, eight characters without one, or its own', () => {
  const { ask, events } = testSandbox()
  ask('POST /v1/campaigns', coupons('C', { voucher: { ...fiveOff, code_config: { prefix: 'C-' } } }))
  const code = (members: object) => ask('POST /v1/vouchers', { ...fiveOff, ...members }).code

  expect(code({ campaign: 'C' })).toMatch(/^C-[0-9a-zA-Z]{8}$/)
  expect(code({ code_config: { pattern: 'A-##' } })).toMatch(/^A-[0-9a-zA-Z]{2}$/)
  expect(code({})).toMatch(/^[0-9a-zA-Z]{8}$/)
  expect(code({ code: 'MINE' })).toBe('MINE')
  expect(
    events()
      .slice(1)
      .map(([type]) => type),
  ).toEqual(Array(4).fill('voucher.created'))
})

test.each([
  [{ campaign: 'Own' }, 'invalid_campaign'],
  [{ campaign: 'None' }, 'not_found'],
  [{ code: 'TAKEN' }, 'duplicate_found'],
  [{ code_config: { charset: ' ' } }, 'invalid_code_config'],
])('no code is made for %j', (members, key) => {
  const { ask } = testSandbox()
  ask('POST /v1/campaigns', coupons('Own', { type: 'STANDALONE' }))
  ask('POST /v1/vouchers/TAKEN', fiveOff)

  ask('POST /v1/vouchers', { ...fiveOff, ...members }, key)
  ask('GET /v1/vouchers', { total: 1 })
})

test.each(['import', 'importCSV', 'qualification'])('%s is a call of its own and never a code', (name) => {
  const { post, get } = testSandbox()

  post(`/v1/vouchers/${name}`, fiveOff)

  expect(get('/v1/vouchers').body.total).toBe(0)
})

test('the addresses in a voucher lead to its redemptions and publications', () => {
  const { ask } = testSandbox()
  const { publish, redemption } = ask('POST /v1/vouchers/A%2F1', fiveOff)
  ask('POST /v1/publications', { voucher: 'A/1', customer: 'ada' })
  const using = { redeemables: [{ object: 'voucher', id: 'A/1' }], order: { amount: 2000 } }
  const [{ id }] = ask('POST /v1/redemptions', using).redemptions

  ask(`GET ${redemption.url}`, { total: 1, redemptions: [{ id }] })
  ask(`GET ${publish.url}`, { total: 1, publications: [{ voucher: { code: 'A/1' } }] })
  ask('GET /v1/vouchers/NONE/publications', 'not_found')
})

test.each(['REPLACE_ITEMS', 'ADD_SAME_ITEMS'])(
  'the effect %s, of which nobody knows how it is configured, is refused with that reason and stores no code',
  (effect) => {
    const { ask } = testSandbox()
    const single = { unit_type: 'prod_1', unit_off: 1, effect }
    const values = `${allowed} ADD_NEW_ITEMS, ADD_MISSING_ITEMS`
    const why = `what ${effect} computes is published, how it is configured is not`

    for (const [discount, details] of [
      [single, `Property .discount.effect ${values}, ADD_MANY_ITEMS; ${why}`],
      [{ ...many, units: [single] }, `Property .discount.units[0].effect ${values}; ${why}`],
    ] as const)
      ask('POST /v1/vouchers/FREE', off({ type: 'UNIT', ...discount }), { key: 'invalid_payload', details })
    ask('GET /v1/vouchers', { total: 0 })
  },
)
