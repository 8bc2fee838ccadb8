import { expect, test } from 'vitest'
import { testSandbox } from '../../../../support/sandbox.ts'

const campaigns = [
  { id: 'camp_1', name: 'Summer sale', campaign_type: 'PROMOTION', type: 'STANDALONE', active: true, metadata: {} },
  { id: 'camp_2', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STANDALONE', active: true, metadata: {} },
  { id: 'camp_3', name: 'Winter', campaign_type: 'PROMOTION', type: 'STANDALONE', active: true, metadata: {} },
]

const percent = (percent_off: number) => ({
  action: { discount: { type: 'PERCENT', percent_off, effect: 'APPLY_TO_ORDER' } },
})

/** Tiers of a fixture, each with one percent off, by their campaigns. */
const tiersIn = (...ofCampaigns: string[]) => ({
  promotion_tiers: ofCampaigns.map((campaign_id, at) => ({
    id: `promo_${at + 1}`,
    name: `Tier ${at + 1}`,
    campaign_id,
    ...percent(1),
  })),
})

function shop(fixture: object = {}) {
  const sandbox = testSandbox({ fixture: { campaigns, ...fixture } })
  const add = (body: object, campaign = 'camp_1') =>
    sandbox.post(`/v1/promotions/${encodeURIComponent(campaign)}/tiers`, body)
  return { ...sandbox, add }
}

test('a tier is created in a campaign named by id or name, after the existing tiers', () => {
  const { get, add, events } = shop()

  const first = add({ name: 'Ten off', ...percent(10), banner: '-10 %', metadata: { a: 1 } }).body
  const second = add({ name: 'Twenty off', ...percent(20) }, 'Summer sale').body

  expect(first).toEqual({
    id: expect.stringMatching(/^promo_[0-9a-f]{18}$/),
    name: 'Ten off',
    banner: '-10 %',
    campaign_id: 'camp_1',
    action: { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' } },
    hierarchy: 1,
    active: true,
    category_id: null,
    categories: [],
    metadata: { a: 1 },
    campaign: {
      id: 'camp_1',
      name: 'Summer sale',
      start_date: null,
      expiration_date: null,
      active: true,
      category_id: null,
      object: 'campaign',
    },
    summary: { redemptions: { total_redeemed: 0 }, orders: { total_amount: 0, total_discount_amount: 0 } },
    created_at: '2026-05-06T07:08:09.123Z',
    object: 'promotion_tier',
  })
  expect(second.hierarchy).toBe(2)
  expect(get(`/v1/promotions/tiers/${first.id}`).body).toEqual({
    ...first,
    promotion_id: 'camp_1',
    validation_rule_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
  })
  expect(events()).toEqual([
    ['campaign.promotion_tier.created', first.id],
    ['campaign.promotion_tier.created', second.id],
  ])
})

test('the action of a tier may be the discount itself', () => {
  const { add, put } = shop()
  const action = { type: 'AMOUNT', amount_off: 1000, effect: 'APPLY_TO_ORDER' }

  const made = add({ name: 'T', action }).body
  const changed = put(`/v1/promotions/tiers/${made.id}`, { action: { ...action, amount_off: 900 } })

  expect(made.action).toEqual({ discount: action })
  expect(changed.body.action).toEqual({ discount: { ...action, amount_off: 900 } })
})

const twoDays = {
  start_date: '2026-05-01T00:00:00.000Z',
  validity_timeframe: { duration: 'PT1H', interval: 'P2D' },
  validity_day_of_week: [1, 2],
}
const mornings = { daily: [{ start_time: '09:00', expiration_time: '10:00', days_of_week: [1] }] }

test.each([twoDays, { validity_hours: mornings }])(
  'the campaign of a tier tells its category and windows: %j',
  (limits) => {
    const { add, get } = shop({
      categories: [{ id: 'cat_1', name: 'Seasonal', hierarchy: 3, object: 'category' }],
      campaigns: [{ ...campaigns[0], ...limits, category_id: 'cat_1' }],
    })

    const tier = add({ name: 'T', ...percent(5) }).body

    expect(tier.campaign).toMatchObject({ ...limits, category_id: 'cat_1' })
    expect(get(`/v1/promotions/tiers/${tier.id}`).body.campaign).toEqual(tier.campaign)
  },
)

test('a tier is created with its rules and its category', () => {
  const { add } = shop({
    categories: [{ id: 'cat_1', name: 'Seasonal', hierarchy: 3, object: 'category' }],
    validation_rules: [{ id: 'val_1', name: 'R' }],
  })

  const { body } = add({ name: 'T', ...percent(5), validation_rules: ['val_1'], category: 'Seasonal' })

  expect(body).toMatchObject({ category: 'Seasonal', category_id: 'cat_1', categories: [{ hierarchy: 3 }] })
  expect(body.validation_rule_assignments.data).toMatchObject([
    { rule_id: 'val_1', related_object_id: body.id, related_object_type: 'promotion_tier' },
  ])
})

test.each<[campaign: string, body: object, status: number, details: string]>([
  ['camp_x', { name: 'T', ...percent(5) }, 404, 'Cannot find campaign with id camp_x'],
  ['camp_2', { name: 'T', ...percent(5) }, 400, 'A DISCOUNT_COUPONS campaign has no promotion tiers'],
  ['camp_1', { name: 'T' }, 400, "Payload must have required property 'action'"],
  ['camp_1', percent(5), 400, "Payload must have required property 'name'"],
  [
    'camp_1',
    { name: 'T', ...percent(5), validation_rules: ['val_x'] },
    404,
    'Cannot find validation_rules with id val_x',
  ],
  ['camp_1', { name: 'T', ...percent(5), category_id: 'cat_x' }, 404, 'Cannot find category with id cat_x'],
  [
    'camp_1',
    { name: 'T', ...percent(5), validity_timeframe: { duration: 'P1D', interval: 'P2D' } },
    400,
    "Property .validity_timeframe requires property 'start_date'",
  ],
])('a tier in %s that is %j is refused with %d', (campaign, body, status, details) => {
  const { add, get } = shop()

  expect(add(body, campaign)).toMatchObject({ status, body: { details } })
  expect(get('/v1/promotions/tiers').body.total).toBe(0)
})

test('an update changes the named members, adds rules and metadata, and the same again changes nothing', () => {
  const { put, add, clock, events } = shop({ validation_rules: [{ id: 'val_1', name: 'R' }] })
  const tier = add({ name: 'T', ...percent(5), metadata: { a: 1 }, banner: 'B', start_date: '2026-01-01' }).body
  clock.now = '2026-05-07T00:00:00.000Z'
  const body = { ...percent(7), metadata: { b: 2 }, banner: null, validation_rules: ['val_1'], active: false }

  const changed = put(`/v1/promotions/tiers/${tier.id}`, body).body
  const again = put(`/v1/promotions/tiers/${tier.id}`, body).body

  expect(changed).toMatchObject({
    ...percent(7),
    name: 'T',
    metadata: { a: 1, b: 2 },
    banner: null,
    active: false,
    start_date: '2026-01-01T00:00:00.000Z',
    validation_rule_assignments: { total: 1 },
    updated_at: '2026-05-07T00:00:00.000Z',
  })
  expect(again).toEqual(changed)
  expect(events().map(([type]) => type)).toEqual(['campaign.promotion_tier.created', 'campaign.promotion_tier.updated'])
})

test('an update that makes a tier invalid is refused and changes nothing', () => {
  const { get, put, add } = shop()
  const { id } = add({ name: 'T', ...percent(5), start_date: '2026-05-01' }).body
  const tier = get(`/v1/promotions/tiers/${id}`).body

  const answer = put(`/v1/promotions/tiers/${tier.id}`, { expiration_date: '2026-04-01', name: 'X' })

  expect(answer).toMatchObject({ status: 400, body: { key: 'invalid_payload' } })
  expect(get(`/v1/promotions/tiers/${tier.id}`).body).toEqual(tier)
})

test('the rules of a tier may be named as its answers list them', () => {
  const { put, get, add, events } = shop({ validation_rules: ['val_1', 'val_2'].map((id) => ({ id, name: id })) })
  const rules = (...ids: string[]) => ({ validation_rule_assignments: { data: ids.map((rule_id) => ({ rule_id })) } })
  const idsOf = ({ body }: { body: { validation_rule_assignments: { data: Array<{ rule_id: string }> } } }) =>
    body.validation_rule_assignments.data.map(({ rule_id }) => rule_id)

  const made = add({ name: 'T', ...percent(5), ...rules('val_1'), validation_rules: ['val_1'] })
  const tier = `/v1/promotions/tiers/${made.body.id}`
  const changed = put(tier, rules('val_2'))
  const { validation_rule_assignments } = changed.body
  put(tier, { validation_rule_assignments })

  expect([made, changed, get(tier)].map(idsOf)).toEqual([['val_1'], ['val_1', 'val_2'], ['val_1', 'val_2']])
  expect(events().map(([type]) => type)).toEqual(['campaign.promotion_tier.created', 'campaign.promotion_tier.updated'])
  expect(add({ name: 'T', ...percent(5), ...rules('val_x') })).toMatchObject({
    status: 404,
    body: { key: 'not_found', resource_type: 'validation_rules' },
  })
})

test('a tier is disabled and enabled again, and each change is announced once', () => {
  const { post, add, events } = shop()
  const { id } = add({ name: 'T', ...percent(5) }).body
  const turn = (verb: string) => post(`/v1/promotions/tiers/${id}/${verb}`).body.active

  expect([turn('disable'), turn('disable'), turn('enable'), turn('enable')]).toEqual([false, false, true, true])
  expect(events().map(([type]) => type)).toEqual([
    'campaign.promotion_tier.created',
    'campaign.promotion_tier.disabled',
    'campaign.promotion_tier.enabled',
  ])
})

test('a deleted tier is gone with its rule assignments', () => {
  const { del, get, add, events } = shop({ validation_rules: [{ id: 'val_1', name: 'R' }] })
  const { id } = add({ name: 'T', ...percent(5), validation_rules: ['val_1'] }).body

  expect(del(`/v1/promotions/tiers/${id}`)).toMatchObject({ status: 204, body: undefined })
  expect(del(`/v1/promotions/tiers/${id}`).status).toBe(404)
  expect(get('/v1/validation-rules-assignments').body.total).toBe(0)
  expect(events().at(-1)).toEqual(['campaign.promotion_tier.deleted', id])
})

test('all tiers are listed newest first, those of a campaign by hierarchy', () => {
  const { get, add } = shop()
  add({ name: 'A', ...percent(1), hierarchy: 5 })
  add({ name: 'B', ...percent(2), hierarchy: 2 })
  add({ name: 'C', ...percent(3) }, 'camp_3')
  add({ name: 'D', ...percent(4), active: false })
  const names = (path: string, query = '') => {
    const { object, data_ref, tiers, total, has_more } = get(path, query).body
    return [object, data_ref, tiers.map(({ name }: { name: string }) => name).join(''), total, has_more]
  }

  expect(names('/v1/promotions/tiers')).toEqual(['list', 'tiers', 'DCBA', 4, false])
  expect(names('/v1/promotions/tiers', 'order=hierarchy&limit=2')).toEqual(['list', 'tiers', 'CB', 4, true])
  expect(names('/v1/promotions/tiers', 'is_available=true&limit=2')).toEqual(['list', 'tiers', 'CB', 3, true])
  expect(names('/v1/promotions/tiers', 'is_available=true&limit=2&page=2')).toEqual(['list', 'tiers', 'A', 3, false])
  expect(names('/v1/promotions/tiers', 'is_available=false')).toEqual(['list', 'tiers', 'D', 1, false])
  expect(names('/v1/promotions/Summer%20sale/tiers')).toEqual(['list', 'tiers', 'BAD', 3, false])
  expect(get('/v1/promotions/nope/tiers').status).toBe(404)
})

test.each([
  ['is disabled', { active: false }],
  ['has expired', { expiration_date: '2026-01-01T00:00:00.000Z' }],
  ['has not started', { start_date: '2027-01-01T00:00:00.000Z' }],
])('a tier whose campaign %s is not available', (_, state) => {
  const { get } = testSandbox({
    fixture: {
      campaigns: [{ ...campaigns[0], ...state }],
      promotion_tiers: [{ id: 'promo_1', name: 'A', campaign_id: 'camp_1', ...percent(1) }],
    },
  })

  expect(get('/v1/promotions/tiers', 'is_available=true').body.total).toBe(0)
  expect(get('/v1/promotions/tiers', 'is_available=false').body.total).toBe(1)
})

test('a stack is filed under a category, and removed from it', () => {
  const { post, put } = shop({
    categories: [{ id: 'cat_1', name: 'Seasonal', hierarchy: 3, object: 'category' }],
    promotion_tiers: [{ id: 'promo_1', name: 'A', campaign_id: 'camp_1', ...percent(1) }],
  })
  const stack = { name: 'S', tiers: { ids: ['promo_1'] } }

  const plain = post('/v1/promotions/camp_1/stacks', stack).body
  const filed = put(`/v1/promotions/camp_1/stacks/${plain.id}`, { category_id: 'cat_1' }).body
  const taken = put(`/v1/promotions/camp_1/stacks/${plain.id}`, { category_id: null }).body
  const unknown = post('/v1/promotions/camp_1/stacks', { ...stack, category_id: 'cat_x' })

  expect(filed).toMatchObject({ category_id: 'cat_1', categories: [{ name: 'Seasonal' }] })
  expect(taken).toMatchObject({ category_id: null, categories: [] })
  expect(unknown.body).toMatchObject({ code: 404, resource_type: 'category' })
})

test('a stack consists of tiers of its campaign, in the given order', () => {
  const { post, get, add, events } = shop()
  const [a, b] = ['A', 'B'].map((name) => add({ name, ...percent(10) }).body.id)

  const { status, body } = post('/v1/promotions/camp_1/stacks', { name: 'Both', tiers: { ids: [b, a] } })

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^stack_[0-9a-f]{18}$/),
    name: 'Both',
    campaign_id: 'camp_1',
    tiers: { ids: [b, a], hierarchy_mode: 'MANUAL' },
    category_id: null,
    categories: [],
    created_at: '2026-05-06T07:08:09.123Z',
    updated_at: null,
    object: 'promotion_stack',
  })
  expect(get(`/v1/promotions/Summer%20sale/stacks/${body.id}`).body).toEqual(body)
  expect(get(`/v1/promotions/camp_3/stacks/${body.id}`).body).toMatchObject({
    code: 404,
    resource_type: 'promotion_stack',
  })
  expect(events().at(-1)).toEqual(['campaign.promotion_stack.created', body.id])
})

test.each([
  [['promo_x'], 404, 'Cannot find promotion_tier with id promo_x'],
  [['promo_2'], 404, 'Cannot find promotion_tier with id promo_2'],
  [['promo_1', 'promo_1'], 400, 'Property .tiers.ids must NOT have duplicate items'],
  [[], 400, 'Property .tiers.ids must NOT have fewer than 1 items'],
])('a stack of %j is refused', (ids, status, details) => {
  const { post } = shop(tiersIn('camp_1', 'camp_3'))

  expect(post('/v1/promotions/camp_1/stacks', { name: 'S', tiers: { ids } })).toMatchObject({
    status,
    body: { details },
  })
})

test('stacks are listed, changed and deleted, and protect their tiers', () => {
  const { get, del, put, events } = shop({
    ...tiersIn('camp_1', 'camp_1', 'camp_3'),
    promotion_stacks: [
      { id: 'stack_1', name: 'One', campaign_id: 'camp_1', tiers: { ids: ['promo_1', 'promo_2'] } },
      { id: 'stack_3', name: 'Three', campaign_id: 'camp_3', tiers: { ids: ['promo_3'] } },
    ],
  })
  const one = '/v1/promotions/camp_1/stacks/stack_1'
  const ids = (path: string) => get(path).body.data.map(({ id }: { id: string }) => id)
  const held = del('/v1/promotions/tiers/promo_2')
  const changed = put(one, { tiers: { ids: ['promo_1'] } })
  const again = put(one, { tiers: { ids: ['promo_1'] } })

  expect([held.status, held.body.key, held.body.details]).toEqual([
    400,
    'resource_in_use',
    'Promotion Stack with id: stack_1 uses the tier',
  ])
  expect(changed.body).toMatchObject({ name: 'One', tiers: { ids: ['promo_1'], hierarchy_mode: 'MANUAL' } })
  expect(again.body).toEqual(changed.body)
  expect(ids('/v1/promotions/stacks')).toEqual(['stack_3', 'stack_1'])
  expect(ids('/v1/promotions/camp_1/stacks')).toEqual(['stack_1'])
  expect(['/v1/promotions/tiers/promo_2', one, one].map((path) => del(path).status)).toEqual([204, 204, 404])
  expect(ids('/v1/promotions/stacks')).toEqual(['stack_3'])
  expect(events().filter(([type]) => type.includes('stack'))).toEqual([['campaign.promotion_stack.updated', 'stack_1']])
})

test('a stack in a validation becomes its tiers, each applied to the order left by the previous one', () => {
  const { post } = shop({
    promotion_tiers: [
      { id: 'promo_1', name: 'A', campaign_id: 'camp_1', ...percent(10) },
      { id: 'promo_2', name: 'B', campaign_id: 'camp_1', ...percent(20) },
    ],
    promotion_stacks: [{ id: 'stack_1', name: 'S', campaign_id: 'camp_1', tiers: { ids: ['promo_2', 'promo_1'] } }],
  })
  const redeemables = [{ object: 'promotion_stack', id: 'stack_1' }]

  expect(post('/v1/validations', { redeemables, order: { amount: 10000 } }).body).toMatchObject({
    valid: true,
    redeemables: [
      { object: 'promotion_tier', id: 'promo_2', order: { total_amount: 8000 } },
      { object: 'promotion_tier', id: 'promo_1', order: { total_amount: 7200 } },
    ],
  })
})

test.each<[message: string, tiers: object[], stacks?: object[]]>([
  ['tiers[0]: Cannot find campaign with id camp_x', [{ name: 'T', campaign_id: 'camp_x', ...percent(1) }]],
  [
    'tiers[0]: A DISCOUNT_COUPONS campaign has no promotion tiers',
    [{ name: 'T', campaign_id: 'camp_2', ...percent(1) }],
  ],
  ["tiers[0]: Payload must have required property 'action'", [{ name: 'T', campaign_id: 'camp_1' }]],
  [
    'stacks[0]: Cannot find promotion_tier with id promo_x',
    [],
    [{ name: 'S', campaign_id: 'camp_1', tiers: { ids: ['promo_x'] } }],
  ],
  ["stacks[0]: Payload must have required property 'campaign_id'", [], [{ name: 'S', tiers: { ids: ['promo_x'] } }]],
])('a fixture is refused: promotion_%s', (message, promotion_tiers, promotion_stacks = []) => {
  expect(() => shop({ promotion_tiers, promotion_stacks })).toThrow(`promotion_${message}`)
})

test('a tier that the service shows can be loaded as it is', () => {
  const { add, get } = shop()
  const { id } = add({ name: 'T', ...percent(5), banner: 'B', hierarchy: 3, metadata: { a: null } }).body
  const shown = get(`/v1/promotions/tiers/${id}`).body

  expect(shop({ promotion_tiers: [shown] }).get(`/v1/promotions/tiers/${shown.id}`).body).toEqual(shown)
})

test('a tier adds up its redemptions that were not rolled back, also in the answer of its campaign', () => {
  const { post, get, add } = shop()
  const { id } = add({ name: 'Ten off', ...percent(10) }).body
  const redeem = (amount: number) =>
    post('/v1/redemptions', { redeemables: [{ object: 'promotion_tier', id }], order: { amount } })
  redeem(1000)
  const undone = redeem(5000).body.redemptions[0].id
  post(`/v1/redemptions/${undone}/rollback`)

  const tier = get(`/v1/promotions/tiers/${id}`).body
  const campaign = get('/v1/campaigns/camp_1').body

  expect(tier.summary).toEqual({
    redemptions: { total_redeemed: 1 },
    orders: { total_amount: 1000, total_discount_amount: 100 },
  })
  expect(campaign.promotion).toMatchObject({ object: 'list', data_ref: 'tiers', total: 1, has_more: false })
  expect(campaign.promotion.tiers).toEqual([tier])
})

test('stacks are listed by when they were created or changed', () => {
  const { post, put, get, add, clock } = shop()
  const { id } = add({ name: 'Ten off', ...percent(10) }).body
  const stack = (name: string) => post('/v1/promotions/camp_1/stacks', { name, tiers: { ids: [id] } })
  stack('Old')
  clock.now = '2026-06-01T00:00:00.000Z'
  const young = stack('Young').body
  put(`/v1/promotions/camp_1/stacks/${young.id}`, { name: 'Changed' })
  const named = (path: string, query: string) => get(path, query).body.data.map(({ name }: { name: string }) => name)

  expect(named('/v1/promotions/stacks', 'created_at[after]=2026-05-20')).toEqual(['Changed'])
  expect(named('/v1/promotions/camp_1/stacks', 'created_at[before]=2026-05-20')).toEqual(['Old'])
  expect(named('/v1/promotions/stacks', 'updated_at[after]=2026-05-20')).toEqual(['Changed'])
})
