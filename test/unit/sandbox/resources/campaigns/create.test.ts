import { expect, test } from 'vitest'
import { club, coupons, friends, gifts } from '../../../../support/campaigns.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const reward = { related_object_parent: { id: 'camp_none' }, type: 'LOYALTY_CARD', amount: 1 }
const program = (members: Record<string, unknown>) =>
  friends('X', { referral_program: { conversion_event_type: 'redemption', ...members } })
const generated = (status: string) => ({ creation_status: status, vouchers_generation_status: status })

test('creating a campaign returns every field of the specification', () => {
  const { post, events } = testSandbox()

  const { status, body } = post(
    '/v1/campaigns',
    coupons('Summer', { start_date: '2026-06-01T00:00:00Z', metadata: { a: 1 }, category: 'Sun' }),
  )

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^camp_[0-9a-f]{18}$/),
    name: 'Summer',
    campaign_type: 'DISCOUNT_COUPONS',
    type: 'STATIC',
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'AMOUNT', amount_off: 500 },
      redemption: { quantity: null },
      code_config: {
        length: 8,
        charset: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
        pattern: '########',
      },
      is_referral_code: false,
    },
    auto_join: false,
    join_once: false,
    use_voucher_metadata_schema: true,
    start_date: '2026-06-01T00:00:00.000Z',
    vouchers_count: 0,
    active: true,
    metadata: { a: 1 },
    category: 'Sun',
    category_id: null,
    categories: [],
    ...generated('DONE'),
    protected: false,
    validation_rules_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
    created_at: '2026-05-06T07:08:09.123Z',
    access_settings_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
    object: 'campaign',
  })
  expect(events()).toEqual([['campaign.created', body.id]])
})

test('a single code exists with the answer', () => {
  const { post, get, events } = testSandbox()

  const { body } = post(
    '/v1/campaigns',
    coupons('One', { vouchers_count: 1, expiration_date: '2027-01-01T00:00:00Z', metadata: { m: 1 } }),
  )

  expect(body).toMatchObject({ creation_status: 'DONE', vouchers_generation_status: 'DONE', vouchers_count: 1 })
  expect(get('/v1/vouchers', 'campaign=One').body.vouchers).toMatchObject([
    {
      code: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      campaign: 'One',
      discount: { amount_off: 500 },
      expiration_date: '2027-01-01T00:00:00.000Z',
      metadata: { m: 1 },
      active: true,
    },
  ])
  expect(get('/v1/async-actions').body.async_actions).toEqual([])
  expect(events().map(([type]) => type)).toEqual(['voucher.created', 'campaign.created'])
})

test('many codes are generated after the answer, and the campaign shows it until they are done', async () => {
  const { post, get, events, settled, clock } = testSandbox()

  const { body } = post(
    '/v1/campaigns',
    coupons('Many', {
      vouchers_count: 1200,
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'PERCENT', percent_off: 10 },
        code_config: { length: 7, charset: 'ABC', prefix: 'P/', postfix: ' €' },
        redemption: { quantity: 1 },
      },
    }),
  )
  const [enqueued] = get('/v1/async-actions').body.async_actions
  clock.now = '2026-05-06T07:08:10.623Z'
  await settled()
  const codes = get('/v1/vouchers', 'limit=100&order=code').body

  expect(body).toMatchObject({
    creation_status: 'IN_PROGRESS',
    vouchers_generation_status: 'IN_PROGRESS',
    vouchers_count: 1200,
  })
  expect(enqueued).toEqual({
    id: expect.stringMatching(/^aa_/),
    type: 'CAMPAIGN.VOUCHERS_GENERATE',
    status: 'ENQUEUED',
    operation_status: 'UNKNOWN',
    request_id: expect.stringMatching(/^v-/),
    processing_time: 0,
    progress: 0,
    created_at: '2026-05-06T07:08:09.123Z',
    updated_at: null,
    object: 'async_action',
  })
  expect(get('/v1/campaigns/Many').body).toMatchObject({
    creation_status: 'DONE',
    vouchers_generation_status: 'DONE',
    vouchers_count: 1200,
  })
  expect(get(`/v1/async-actions/${enqueued.id}`).body).toEqual({
    ...enqueued,
    status: 'DONE',
    operation_status: 'SUCCESS',
    progress: 100,
    processing_time: 1500,
    updated_at: '2026-05-06T07:08:10.623Z',
    result: { message: '1200 voucher(s) generated successfully.', done_count: 1200 },
  })
  expect(codes.total).toBe(1200)
  expect(codes.vouchers[0].code).toMatch(/^P\/[ABC]{7} €$/)
  expect(codes.vouchers[0].redemption.quantity).toBe(1)
  expect(events()).toEqual([
    ['campaign.created', body.id],
    ['campaign.vouchers.generation.started', body.id],
    ['campaign.vouchers.generation.completed', body.id],
  ])
})

test('a pattern is used up to its last code, and a generation fails when some of its codes are taken', async () => {
  const { post, get, events, settled } = testSandbox()
  const voucher = {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'AMOUNT', amount_off: 1 },
    code_config: { pattern: 'N##', charset: '0123456789' },
  }

  const whole = post('/v1/campaigns', coupons('A', { voucher, vouchers_count: 100 })).body
  await settled()
  const next = post('/v1/campaigns', coupons('B', { voucher, vouchers_count: 2 })).body
  await settled()
  const [action] = get('/v1/async-actions').body.async_actions

  expect(get(`/v1/campaigns/${whole.id}`).body).toMatchObject({ creation_status: 'DONE', vouchers_count: 100 })
  expect(get(`/v1/campaigns/${next.id}`).body).toMatchObject({ creation_status: 'FAILED', vouchers_count: 0 })
  expect(get(`/v1/async-actions/${action.id}`).body).toMatchObject({
    status: 'FAILED',
    operation_status: 'FAILED',
    result: { message: 'All codes of the pattern N## are taken', done_count: 0, failed_count: 2 },
  })
  expect(events().at(-1)).toEqual(['campaign.vouchers.generation.failed', next.id])
})

test('a single code of a pattern that is used up is refused', () => {
  const { post, get } = testSandbox()
  const voucher = { ...coupons('x').voucher, code_config: { pattern: 'ONLY' } }
  post('/v1/campaigns', coupons('A', { voucher, vouchers_count: 1 }))

  const second = post('/v1/campaigns', coupons('B', { voucher, vouchers_count: 1 }))

  expect([second.status, second.body.key]).toEqual([400, 'invalid_code_config'])
  expect(get('/v1/campaigns/B').status).toBe(404)
})

test('codes of things in the bin are not generated again', async () => {
  const { post, del, get, settled } = testSandbox()
  const voucher = { ...coupons('x').voucher, code_config: { pattern: '#', charset: 'AB' } }
  post('/v1/vouchers/A', coupons('x').voucher)
  del('/v1/vouchers/A')

  post('/v1/campaigns', coupons('C', { voucher, vouchers_count: 1 }))
  await settled()

  expect(get('/v1/vouchers').body.vouchers).toMatchObject([{ code: 'B' }])
})

test('each type of campaign generates its own kind of voucher', () => {
  const { post, get } = testSandbox()

  for (const body of [gifts('G'), club('L'), friends('R')]) post('/v1/campaigns', { ...body, vouchers_count: 1 })

  const made = (name: string) => get('/v1/vouchers', `campaign=${name}`).body.vouchers[0]
  expect(made('G')).toMatchObject({ type: 'GIFT_VOUCHER', gift: { amount: 5000, balance: 5000 } })
  expect(made('L')).toMatchObject({ type: 'LOYALTY_CARD', loyalty_card: { points: 10, balance: 10 } })
  expect(made('R')).toMatchObject({ type: 'DISCOUNT_VOUCHER', is_referral_code: true })
  expect(get('/v1/campaigns/L/transactions').body.data).toEqual([])
})

test.each([
  ['DISCOUNT_COUPONS', coupons('A')],
  ['GIFT_VOUCHERS', gifts('A')],
  ['LOYALTY_PROGRAM', club('A')],
])('a campaign without a type is of the type %s of its voucher, and STATIC', (campaign_type, { voucher }) => {
  expect(testSandbox().post('/v1/campaigns', { name: 'A', voucher })).toMatchObject({
    status: 200,
    body: { campaign_type, type: 'STATIC', use_voucher_metadata_schema: true },
  })
})

test('a promotion has no vouchers', () => {
  const { status, body } = testSandbox().post('/v1/campaigns', { name: 'P', campaign_type: 'PROMOTION' })

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.any(String),
    name: 'P',
    campaign_type: 'PROMOTION',
    type: 'STATIC',
    auto_join: false,
    join_once: false,
    use_voucher_metadata_schema: false,
    active: true,
    category_id: null,
    categories: [],
    creation_status: 'DONE',
    vouchers_generation_status: 'DONE',
    protected: false,
    promotion: { object: 'list', data_ref: 'tiers', tiers: [], total: 0, has_more: false },
    created_at: '2026-05-06T07:08:09.123Z',
    access_settings_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
    object: 'campaign',
  })
})

test('a promotion has the tiers it is created with', () => {
  const { post, events } = testSandbox()
  const tiers = ['A', 'B'].map((name) => ({ name, action: { discount: { type: 'PERCENT', percent_off: 5 } } }))

  const { body } = post('/v1/campaigns', { name: 'P', campaign_type: 'PROMOTION', promotion: { tiers } })

  expect(body.promotion.tiers).toMatchObject([
    { name: 'A', hierarchy: 1, campaign_id: body.id },
    { name: 'B', hierarchy: 2 },
  ])
  expect(events()).toEqual([['campaign.created', body.id]])
})

test('customers join standalone campaigns any number of times, and loyalty programs once', () => {
  const { post } = testSandbox()

  const joinOnce = (body: Record<string, unknown>) => post('/v1/campaigns', body).body.join_once

  expect(joinOnce(coupons('A', { type: 'STANDALONE', join_once: true }))).toBe(false)
  expect(joinOnce(club('B', { join_once: false }))).toBe(true)
  expect(joinOnce(coupons('C', { join_once: false }))).toBe(false)
  expect(joinOnce(coupons('D'))).toBe(false)
  expect(joinOnce({ name: 'E', campaign_type: 'PROMOTION' })).toBe(false)
  expect(joinOnce(coupons('F', { join_once: true }))).toBe(true)
})

test('rules are assigned to the campaign', () => {
  const { post } = testSandbox({ fixture: { validation_rules: [{ id: 'val_1', name: 'one', rules: {} }] } })

  const { body } = post('/v1/campaigns', coupons('R', { validation_rules: ['val_1', 'val_1'] }))

  expect(body.validation_rules_assignments).toMatchObject({
    total: 1,
    data: [{ rule_id: 'val_1', related_object_id: body.id, related_object_type: 'campaign' }],
  })
})

test('a referral program is stored with the campaign of its rewards', () => {
  const { post } = testSandbox()
  const { id } = post('/v1/campaigns', club('Club')).body
  const gained = { related_object_parent: { id }, type: 'LOYALTY_CARD', amount: '100' }

  expect(post('/v1/campaigns', program({ referee_reward: gained })).body.referral_program).toEqual({
    conversion_event_type: 'redemption',
    custom_event: null,
    referee_reward: {
      related_object_parent: { id, name: 'Club', object: 'campaign' },
      type: 'LOYALTY_CARD',
      amount: 100,
    },
  })
})

const byEvent = { conversion_event_type: 'custom_event' }
const patterned = (pattern: string) => ({ voucher: { ...coupons('X').voucher, code_config: { pattern } } })

test.each<[what: string, body: object, status: number, key: string]>([
  ['no name', { ...coupons('X'), name: undefined }, 400, 'payload'],
  ['an unknown type', { ...coupons('X'), campaign_type: 'LOTTERY' }, 400, 'payload'],
  ['neither a type nor a voucher', { name: 'X' }, 400, 'payload'],
  ['no voucher', { ...coupons('X'), voucher: undefined }, 400, 'payload'],
  ['no discount', { ...coupons('X'), voucher: { type: 'DISCOUNT_VOUCHER' } }, 400, 'voucher'],
  ['the voucher of another type', { ...gifts('X'), voucher: coupons('X').voucher }, 400, 'campaign'],
  ['a promotion with vouchers', { ...coupons('X'), campaign_type: 'PROMOTION' }, 400, 'campaign'],
  ['a promotion with codes', { name: 'X', campaign_type: 'PROMOTION', vouchers_count: 1 }, 400, 'campaign'],
  ['a pattern without characters', coupons('X', patterned(' ')), 400, 'code_config'],
  ['more codes than the pattern allows', coupons('X', { vouchers_count: 2, ...patterned('A') }), 400, 'code_config'],
  ['more codes than a campaign can have', coupons('X', { vouchers_count: 100_001 }), 400, 'campaign_params'],
  [
    'an end before the start',
    coupons('X', { start_date: '2026-02-01', expiration_date: '2026-01-01' }),
    400,
    'payload',
  ],
  [
    'a timeframe without a start',
    coupons('X', { validity_timeframe: { duration: 'P1D', interval: 'P2D' } }),
    400,
    'payload',
  ],
  ['an invalid duration', coupons('X', { activity_duration_after_publishing: 'soon' }), 400, 'payload'],
  ['an unknown rule', coupons('X', { validation_rules: ['val_x'] }), 404, 'not_found'],
  ['an unknown category', coupons('X', { category_id: 'cat_x' }), 404, 'not_found'],
  ['options that would be ignored', coupons('X', { options: { recalculate_tiers: true } }), 400, 'campaign'],
  ['tiers that end in no known way', club('X', { loyalty_tiers_expiration: {} }), 400, 'payload'],
  [
    'tiers without a discount',
    { name: 'X', campaign_type: 'PROMOTION', promotion: { tiers: [{ name: 'T' }] } },
    400,
    'payload',
  ],
  ['the tiers of another type', coupons('X', { promotion: { tiers: [] } }), 400, 'campaign'],
  [
    'a referral program in another type',
    coupons('X', { referral_program: { conversion_event_type: 'redemption' } }),
    400,
    'campaign',
  ],
  ['an unknown conversion', program({ conversion_event_type: 'dream' }), 400, 'campaign'],
  ['a custom event without name', program(byEvent), 400, 'campaign'],
  ['an unknown custom event', program({ ...byEvent, custom_event: { id: 'ms_x' } }), 404, 'not_found'],
  ['an unknown member of a program', program({ tiers: [] }), 400, 'campaign'],
  ['a reward of an unknown campaign', program({ referee_reward: reward }), 404, 'not_found'],
  ['a reward of nothing', program({ referee_reward: { ...reward, amount: 0 } }), 400, 'campaign'],
  ['a reward of another kind', program({ referee_reward: { ...reward, type: 'MONEY' } }), 400, 'campaign'],
  ['a reward from nowhere', program({ referee_reward: { type: 'LOYALTY_CARD', amount: 1 } }), 400, 'campaign'],
])('a campaign with %s is refused and stores nothing', (_, body, status, key) => {
  const { post, get, events } = testSandbox()

  expect(post('/v1/campaigns', body)).toMatchObject({
    status,
    body: { key: key === 'not_found' ? key : `invalid_${key}` },
  })
  expect(get('/v1/campaigns').body.total).toBe(0)
  expect(events()).toEqual([])
})

test.each([{ name: 'signed_up' }, { id: 'ms_1' }, { id: 'ms_1', name: 'signed_up' }])(
  'the custom event of a program, named as %j, is shown with id and name',
  (custom_event) => {
    const { post } = testSandbox({ fixture: { event_schemas: [{ id: 'ms_1', name: 'signed_up' }] } })

    const answer = post('/v1/campaigns', program({ conversion_event_type: 'custom_event', custom_event }))

    expect(answer.body.referral_program.custom_event).toEqual({ id: 'ms_1', name: 'signed_up' })
  },
)

test('a reward comes from a campaign of its own kind', () => {
  const { post } = testSandbox()
  const { id } = post('/v1/campaigns', gifts('Gifts')).body

  const answer = post('/v1/campaigns', program({ referee_reward: { ...reward, related_object_parent: { id } } }))

  expect([answer.status, answer.body.key]).toEqual([400, 'invalid_campaign'])
})

test('a name that is taken, also by a campaign in the bin, is a 409 until it is removed for good', () => {
  const { post, del } = testSandbox()
  post('/v1/campaigns', coupons('A/B ☕'))

  expect(post('/v1/campaigns', coupons('A/B ☕'))).toMatchObject({
    status: 409,
    body: {
      details: 'Duplicated campaign exists with name A/B ☕',
      resource_id: 'A/B ☕',
      resource_type: 'campaign',
    },
  })
  del(`/v1/campaigns/${encodeURIComponent('A/B ☕')}`)
  expect(post('/v1/campaigns', coupons('A/B ☕')).status).toBe(409)
})

test('an unknown action is a 404, and a page of actions ends before its end_date', async () => {
  const { post, get, clock, settled } = testSandbox()
  for (const [name, now] of [
    ['A', '2026-05-06T00:00:01.000Z'],
    ['B', '2026-05-06T00:00:02.000Z'],
  ] as const) {
    clock.now = now
    post('/v1/campaigns', coupons(name, { vouchers_count: 2 }))
  }
  await settled()

  const first = get('/v1/async-actions', 'limit=1').body
  const second = get('/v1/async-actions', `limit=1&end_date=${first.async_actions[0].created_at}`).body
  const unknown = get('/v1/async-actions/aa_x')

  expect(first).toMatchObject({ data_ref: 'async_actions', has_more: true })
  expect(second.async_actions[0].created_at).toBe('2026-05-06T00:00:01.000Z')
  expect(second.has_more).toBe(false)
  expect(first.async_actions[0]).not.toHaveProperty('result')
  expect(unknown.body).toMatchObject({ code: 404, resource_type: 'async_action' })
  expect(get('/v1/async-actions', 'end_date=soon').body.key).toBe('invalid_query_params')
})

test('without case-sensitive codes, no code is generated twice in different case', async () => {
  const { post, get, settled, events } = testSandbox({ fixture: { settings: { case_sensitive_codes: false } } })
  const voucher = { ...coupons('x').voucher, code_config: { pattern: '##', charset: 'aAbB' } }

  post('/v1/campaigns', coupons('C', { voucher, vouchers_count: 5 }))
  await settled()
  const codes = get('/v1/vouchers').body.vouchers.map(({ code }: { code: string }) => code.toLowerCase())

  expect(codes.toSorted()).toEqual(['aa', 'ab', 'ba', 'bb'])
  expect(events().at(-1)?.[0]).toBe('campaign.vouchers.generation.failed')
})

test('a generation that runs out of codes keeps those it generated, and reports how many', async () => {
  const { post, get, settled } = testSandbox()
  const voucher = { ...coupons('x').voucher, code_config: { pattern: 'N###', charset: '0123456789' } }
  post('/v1/campaigns', coupons('A', { voucher, vouchers_count: 400 }))
  await settled()

  post('/v1/campaigns', coupons('B', { voucher, vouchers_count: 1000 }))
  await settled()
  const [{ id }] = get('/v1/async-actions').body.async_actions

  expect(get(`/v1/async-actions/${id}`).body).toMatchObject({
    status: 'FAILED',
    progress: 50,
    result: { done_count: 600, failed_count: 400 },
  })
  expect(get('/v1/campaigns/B').body).toMatchObject({ creation_status: 'FAILED', vouchers_count: 600 })
})

test('metadata follow the schema of vouchers, or of campaigns if a campaign says so', () => {
  const number = (related_object: string) => ({ related_object, properties: { n: { type: 'number' } } })
  const { call, post, put } = testSandbox({ fixture: { metadata_schemas: [number('voucher')] } })
  const key = (answer: { body: { key?: string } }) => answer.body.key
  const create = (name: string, members: object) =>
    post('/v1/campaigns', coupons(name, { metadata: { n: 'x' }, ...members }))

  expect(key(create('A', {}))).toBe('metadata_validation_failed')
  expect(create('B', { use_voucher_metadata_schema: false }).status).toBe(200)
  expect(create('C', { metadata: { n: 1 } }).status).toBe(200)
  expect(key(put('/v1/campaigns/C', { metadata: { n: 'x' } }))).toBe('metadata_validation_failed')
  const wrong = { body: { metadata: { n: 'x' } } }
  expect(key(call('POST', '/v1/campaigns/C/vouchers', wrong))).toBe('metadata_validation_failed')
  expect(key(call('POST', '/v1/campaigns/C/vouchers', { ...wrong, query: 'vouchers_count=2' }))).toBe(
    'metadata_validation_failed',
  )
})
