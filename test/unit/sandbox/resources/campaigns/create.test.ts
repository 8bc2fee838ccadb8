import { expect, test } from 'vitest'
import { club, coupons, friends, gifts } from '../../../../support/campaigns.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const reward = { related_object_parent: { id: 'camp_none' }, type: 'LOYALTY_CARD', amount: 1 }
const program = (members: Record<string, unknown>) =>
  friends('X', { referral_program: { conversion_event_type: 'redemption', ...members } })
const byEvent = { conversion_event_type: 'custom_event' }
const patterned = (pattern: string) => ({ voucher: { ...coupons('X').voucher, code_config: { pattern } } })
const generated = (status: string) => ({ creation_status: status, vouchers_generation_status: status })

test('creating a campaign returns every field of the specification', () => {
  const { ask, events } = testSandbox()
  const none = { object: 'list', data_ref: 'data', data: [], total: 0 }

  const members = { start_date: '2026-06-01T00:00:00Z', metadata: { a: 1 }, category: 'Sun' }
  const body = ask('POST /v1/campaigns', coupons('Summer', members), 200)

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
    validation_rules_assignments: none,
    created_at: '2026-05-06T07:08:09.123Z',
    access_settings_assignments: none,
    object: 'campaign',
  })
  expect(events()).toEqual([['campaign.created', body.id]])
})

test('a single code exists with the answer', () => {
  const { ask, events } = testSandbox()
  const members = { vouchers_count: 1, expiration_date: '2027-01-01T00:00:00.000Z', metadata: { m: 1 } }

  ask('POST /v1/campaigns', coupons('One', members), { ...generated('DONE'), vouchers_count: 1 })

  const { vouchers_count: _, ...given } = members
  const made = { code: expect.stringMatching(/^[0-9A-Za-z]{8}$/), campaign: 'One', discount: { amount_off: 500 } }
  ask('GET /v1/vouchers?campaign=One', { vouchers: [{ ...made, ...given, active: true }] })
  ask('GET /v1/async-actions', { async_actions: [] })
  expect(events().map(([type]) => type)).toEqual(['voucher.created', 'campaign.created'])
})

test('many codes are generated after the answer, and the campaign shows it until they are done', async () => {
  const { ask, events, settled, clock } = testSandbox()
  const code_config = { length: 7, charset: 'ABC', prefix: 'P/', postfix: ' €' }
  const voucher = { ...coupons('x').voucher, code_config, redemption: { quantity: 1 } }

  const running = { ...generated('IN_PROGRESS'), vouchers_count: 1200 }
  const { id } = ask('POST /v1/campaigns', coupons('Many', { vouchers_count: 1200, voucher }), running)
  const [enqueued] = ask('GET /v1/async-actions').async_actions
  clock.now = '2026-05-06T07:08:10.623Z'
  await settled()

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
  ask('GET /v1/campaigns/Many', { ...generated('DONE'), vouchers_count: 1200 })
  expect(ask(`GET /v1/async-actions/${enqueued.id}`)).toEqual({
    ...enqueued,
    status: 'DONE',
    operation_status: 'SUCCESS',
    progress: 100,
    processing_time: 1500,
    updated_at: '2026-05-06T07:08:10.623Z',
    result: { message: '1200 voucher(s) generated successfully.', done_count: 1200 },
  })
  const codes = ask('GET /v1/vouchers?limit=100&order=code', { total: 1200 })
  expect(codes.vouchers[0]).toMatchObject({
    code: expect.stringMatching(/^P\/[ABC]{7} €$/),
    redemption: { quantity: 1 },
  })
  expect(events()).toEqual(
    ['created', 'vouchers.generation.started', 'vouchers.generation.completed'].map((act) => [`campaign.${act}`, id]),
  )
})

test('a pattern is used up to its last code, and a generation fails when some of its codes are taken', async () => {
  const { ask, events, settled } = testSandbox()
  const voucher = { ...coupons('x').voucher, code_config: { pattern: 'N##', charset: '0123456789' } }

  ask('POST /v1/campaigns', coupons('A', { voucher, vouchers_count: 100 }))
  await settled()
  const { id } = ask('POST /v1/campaigns', coupons('B', { voucher, vouchers_count: 2 }))
  await settled()

  ask('GET /v1/campaigns/A', { creation_status: 'DONE', vouchers_count: 100 })
  ask('GET /v1/campaigns/B', { creation_status: 'FAILED', vouchers_count: 0 })
  const [action] = ask('GET /v1/async-actions').async_actions
  ask(`GET /v1/async-actions/${action.id}`, {
    status: 'FAILED',
    operation_status: 'FAILED',
    result: { message: 'All codes of the pattern N## are taken', done_count: 0, failed_count: 2 },
  })
  expect(events().at(-1)).toEqual(['campaign.vouchers.generation.failed', id])
})

test('a single code of a pattern that is used up is refused', () => {
  const { ask } = testSandbox()
  const only = { vouchers_count: 1, ...patterned('ONLY') }

  ask('POST /v1/campaigns', coupons('A', only))
  ask('POST /v1/campaigns', coupons('B', only), 'invalid_code_config')
  ask('GET /v1/campaigns/B', 'not_found')
})

test('codes of things in the bin are not generated again', async () => {
  const { ask, settled } = testSandbox()
  const voucher = { ...coupons('x').voucher, code_config: { pattern: '#', charset: 'AB' } }
  ask('POST /v1/vouchers/A', coupons('x').voucher)
  ask('DELETE /v1/vouchers/A')

  ask('POST /v1/campaigns', coupons('C', { voucher, vouchers_count: 1 }))
  await settled()

  ask('GET /v1/vouchers', { vouchers: [{ code: 'B' }] })
})

test('each type of campaign generates its own kind of voucher', () => {
  const { ask } = testSandbox()
  for (const [body, made] of [
    [gifts('G'), { type: 'GIFT_VOUCHER', gift: { amount: 5000, balance: 5000 } }],
    [club('L'), { type: 'LOYALTY_CARD', loyalty_card: { points: 10, balance: 10 } }],
    [friends('R'), { type: 'DISCOUNT_VOUCHER', is_referral_code: true }],
  ] as const) {
    ask('POST /v1/campaigns', { ...body, vouchers_count: 1 })
    ask(`GET /v1/vouchers?campaign=${body.name}`, { vouchers: [made] })
  }
  ask('GET /v1/campaigns/L/transactions', { data: [] })
})

test.each([
  ['DISCOUNT_COUPONS', coupons('A')],
  ['GIFT_VOUCHERS', gifts('A')],
  ['LOYALTY_PROGRAM', club('A')],
])('a campaign without a type is of the type %s of its voucher, and STATIC', (campaign_type, { voucher }) => {
  const members = { campaign_type, type: 'STATIC', use_voucher_metadata_schema: true }
  testSandbox().ask('POST /v1/campaigns', { name: 'A', voucher }, members)
})

test('a promotion has no vouchers', () => {
  expect(testSandbox().ask('POST /v1/campaigns', { name: 'P', campaign_type: 'PROMOTION' }, 200)).toEqual({
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
    ...generated('DONE'),
    protected: false,
    promotion: { object: 'list', data_ref: 'tiers', tiers: [], total: 0, has_more: false },
    created_at: '2026-05-06T07:08:09.123Z',
    access_settings_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
    object: 'campaign',
  })
})

test('a promotion has the tiers it is created with', () => {
  const { ask, events } = testSandbox()
  const tiers = ['A', 'B'].map((name) => ({ name, action: { discount: { type: 'PERCENT', percent_off: 5 } } }))

  const { id, promotion } = ask('POST /v1/campaigns', { name: 'P', campaign_type: 'PROMOTION', promotion: { tiers } })

  const [first, second] = [
    { name: 'A', hierarchy: 1, campaign_id: id },
    { name: 'B', hierarchy: 2 },
  ]
  expect(promotion.tiers).toMatchObject([first, second])
  expect(events()).toEqual([['campaign.created', id]])
})

test.each([
  [false, coupons('A', { type: 'STANDALONE', join_once: true })],
  [true, club('A', { join_once: false })],
  [false, coupons('A', { join_once: false })],
  [false, coupons('A')],
  [false, { name: 'A', campaign_type: 'PROMOTION' }],
  [true, coupons('A', { join_once: true })],
])(
  'customers join standalone campaigns any number of times, loyalty programs once: once is %s of %j',
  (join_once, body) => testSandbox().ask('POST /v1/campaigns', body, { join_once }),
)

test('rules are assigned to the campaign', () => {
  const { ask } = testSandbox({ fixture: { validation_rules: [{ id: 'val_1', name: 'one', rules: {} }] } })

  const { id, validation_rules_assignments } = ask(
    'POST /v1/campaigns',
    coupons('R', { validation_rules: ['val_1', 'val_1'] }),
  )

  const data = [{ rule_id: 'val_1', related_object_id: id, related_object_type: 'campaign' }]
  expect(validation_rules_assignments).toMatchObject({ total: 1, data })
})

test('a referral program is stored with the campaign of its rewards', () => {
  const { ask } = testSandbox()
  const { id } = ask('POST /v1/campaigns', club('Club'))
  const gained = { related_object_parent: { id }, type: 'LOYALTY_CARD', amount: '100' }

  expect(ask('POST /v1/campaigns', program({ referee_reward: gained })).referral_program).toEqual({
    conversion_event_type: 'redemption',
    custom_event: null,
    referee_reward: { ...gained, related_object_parent: { id, name: 'Club', object: 'campaign' }, amount: 100 },
  })
})

test.each<[what: string, body: object, key: string]>([
  ['no name', { ...coupons('X'), name: undefined }, 'payload'],
  ['an unknown type', { ...coupons('X'), campaign_type: 'LOTTERY' }, 'payload'],
  ['neither a type nor a voucher', { name: 'X' }, 'payload'],
  ['no voucher', { ...coupons('X'), voucher: undefined }, 'payload'],
  ['no discount', { ...coupons('X'), voucher: { type: 'DISCOUNT_VOUCHER' } }, 'voucher'],
  ['the voucher of another type', { ...gifts('X'), voucher: coupons('X').voucher }, 'campaign'],
  ['a promotion with vouchers', { ...coupons('X'), campaign_type: 'PROMOTION' }, 'campaign'],
  ['a promotion with codes', { name: 'X', campaign_type: 'PROMOTION', vouchers_count: 1 }, 'campaign'],
  ['a pattern without characters', coupons('X', patterned(' ')), 'code_config'],
  ['more codes than the pattern allows', coupons('X', { vouchers_count: 2, ...patterned('A') }), 'code_config'],
  ['more codes than a campaign can have', coupons('X', { vouchers_count: 100_001 }), 'campaign_params'],
  ['an end before the start', coupons('X', { start_date: '2026-02-01', expiration_date: '2026-01-01' }), 'payload'],
  [
    'a time frame without a start',
    coupons('X', { validity_timeframe: { duration: 'P1D', interval: 'P2D' } }),
    'payload',
  ],
  ['an invalid duration', coupons('X', { activity_duration_after_publishing: 'soon' }), 'payload'],
  ['an unknown rule', coupons('X', { validation_rules: ['val_x'] }), 'not_found'],
  ['an unknown category', coupons('X', { category_id: 'cat_x' }), 'not_found'],
  ['options that would be ignored', coupons('X', { options: { recalculate_tiers: true } }), 'campaign'],
  ['tiers that end in no known way', club('X', { loyalty_tiers_expiration: {} }), 'payload'],
  ['incomplete tiers', { name: 'X', campaign_type: 'PROMOTION', promotion: { tiers: [{ name: 'T' }] } }, 'payload'],
  ['the tiers of another type', coupons('X', { promotion: { tiers: [] } }), 'campaign'],
  ['the program of another type', { ...program({}), campaign_type: 'DISCOUNT_COUPONS' }, 'campaign'],
  ['an unknown conversion', program({ conversion_event_type: 'dream' }), 'campaign'],
  ['a custom event without name', program(byEvent), 'campaign'],
  ['an unknown custom event', program({ ...byEvent, custom_event: { id: 'ms_x' } }), 'not_found'],
  ['an unknown member of a program', program({ tiers: [] }), 'campaign'],
  ['a reward of an unknown campaign', program({ referee_reward: reward }), 'not_found'],
  ['a reward of nothing', program({ referee_reward: { ...reward, amount: 0 } }), 'campaign'],
  ['a reward of another kind', program({ referee_reward: { ...reward, type: 'MONEY' } }), 'campaign'],
  ['a reward from nowhere', program({ referee_reward: { type: 'LOYALTY_CARD', amount: 1 } }), 'campaign'],
])('a campaign with %s is refused and stores nothing', (_, body, key) => {
  const { ask, events } = testSandbox()

  ask('POST /v1/campaigns', body, key === 'not_found' ? key : `invalid_${key}`)
  ask('GET /v1/campaigns', { total: 0 })
  expect(events()).toEqual([])
})

test.each([{ name: 'signed_up' }, { id: 'ms_1' }, { id: 'ms_1', name: 'signed_up' }])(
  'the custom event of a program, named as %j, is shown with id and name',
  (custom_event) => {
    const { ask } = testSandbox({ fixture: { event_schemas: [{ id: 'ms_1', name: 'signed_up' }] } })
    const shown = { custom_event: { id: 'ms_1', name: 'signed_up' } }

    ask('POST /v1/campaigns', program({ ...byEvent, custom_event }), { referral_program: shown })
  },
)

test('a reward comes from a campaign of its own kind', () => {
  const { ask } = testSandbox()
  const { id } = ask('POST /v1/campaigns', gifts('Gifts'))

  const referee_reward = { ...reward, related_object_parent: { id } }
  ask('POST /v1/campaigns', program({ referee_reward }), 'invalid_campaign')
})

test('a name that is taken, also by a campaign in the bin, is a 409', () => {
  const { ask } = testSandbox()
  const name = 'A/B ☕'
  ask('POST /v1/campaigns', coupons(name))

  const details = `Duplicated campaign exists with name ${name}`
  ask('POST /v1/campaigns', coupons(name), { code: 409, details, resource_id: name, resource_type: 'campaign' })
  ask(`DELETE /v1/campaigns/${encodeURIComponent(name)}`)
  ask('POST /v1/campaigns', coupons(name), 409)
})

test('an unknown action is a 404, and a page of actions ends before its end_date', async () => {
  const { ask, clock, settled } = testSandbox()
  for (const [at, name] of ['A', 'B'].entries()) {
    clock.now = `2026-05-06T00:00:0${at + 1}.000Z`
    ask('POST /v1/campaigns', coupons(name, { vouchers_count: 2 }))
  }
  await settled()

  const { async_actions: first } = ask('GET /v1/async-actions?limit=1', { data_ref: 'async_actions', has_more: true })
  expect(first[0]).not.toHaveProperty('result')
  ask(`GET /v1/async-actions?limit=1&end_date=${first[0].created_at}`, {
    async_actions: [{ created_at: '2026-05-06T00:00:01.000Z' }],
    has_more: false,
  })
  ask('GET /v1/async-actions/aa_x', { key: 'not_found', code: 404, resource_type: 'async_action' })
  ask('GET /v1/async-actions?end_date=soon', 'invalid_query_params')
})

test('without case-sensitive codes, no code is generated twice in different case', async () => {
  const { ask, settled, events } = testSandbox({ fixture: { settings: { case_sensitive_codes: false } } })
  const voucher = { ...coupons('x').voucher, code_config: { pattern: '##', charset: 'aAbB' } }

  ask('POST /v1/campaigns', coupons('C', { voucher, vouchers_count: 5 }))
  await settled()
  const codes = ask('GET /v1/vouchers').vouchers.map(({ code }: { code: string }) => code.toLowerCase())

  expect(codes.toSorted()).toEqual(['aa', 'ab', 'ba', 'bb'])
  expect(events().at(-1)?.[0]).toBe('campaign.vouchers.generation.failed')
})

test('a generation that runs out of codes keeps those it generated, and reports how many', async () => {
  const { ask, settled } = testSandbox()
  const voucher = { ...coupons('x').voucher, code_config: { pattern: 'N###', charset: '0123456789' } }
  ask('POST /v1/campaigns', coupons('A', { voucher, vouchers_count: 400 }))
  await settled()

  ask('POST /v1/campaigns', coupons('B', { voucher, vouchers_count: 1000 }))
  await settled()

  const [{ id }] = ask('GET /v1/async-actions').async_actions
  const counts = { done_count: 600, failed_count: 400 }
  ask(`GET /v1/async-actions/${id}`, { status: 'FAILED', progress: 50, result: counts })
  ask('GET /v1/campaigns/B', { creation_status: 'FAILED', vouchers_count: 600 })
})

test('metadata follow the schema of vouchers, or of campaigns if a campaign says so', () => {
  const schema = { related_object: 'voucher', properties: { n: { type: 'number' } } }
  const { ask } = testSandbox({ fixture: { metadata_schemas: [schema] } })
  const wrong = { metadata: { n: 'x' } }

  ask('POST /v1/campaigns', coupons('A', wrong), 'metadata_validation_failed')
  ask('POST /v1/campaigns', coupons('B', { ...wrong, use_voucher_metadata_schema: false }))
  ask('POST /v1/campaigns', coupons('C', { metadata: { n: 1 } }))
  for (const request of [
    'PUT /v1/campaigns/C',
    'POST /v1/campaigns/C/vouchers',
    `POST /v1/campaigns/C/vouchers?vouchers_count=2`,
  ])
    ask(request, wrong, 'metadata_validation_failed')
})
