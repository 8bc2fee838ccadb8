import { expect, test } from 'vitest'
import { testSandbox } from '../../../../support/sandbox.ts'

const campaigns = [
  { id: 'camp_1', name: 'Summer sale', campaign_type: 'PROMOTION', type: 'STANDALONE', active: true, metadata: {} },
  { id: 'camp_2', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STANDALONE', active: true, metadata: {} },
  { id: 'camp_3', name: 'Winter', campaign_type: 'PROMOTION', type: 'STANDALONE', active: true, metadata: {} },
]

const seasonal = { categories: [{ id: 'cat_1', name: 'Seasonal', hierarchy: 3, object: 'category' }] }
const oneRule = { validation_rules: [{ id: 'val_1', name: 'R' }] }

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
  const { ask, add, events } = shop()

  const first = add({ name: 'Ten off', ...percent(10), banner: '-10 %', metadata: { a: 1 } }).body
  const second = add({ name: 'Twenty off', ...percent(20) }, 'Summer sale').body

  expect(first).toEqual({
    id: expect.stringMatching(/^promo_[0-9a-f]{18}$/),
    name: 'Ten off',
    banner: '-10 %',
    campaign_id: 'camp_1',
    ...percent(10),
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
  const validation_rule_assignments = { object: 'list', data_ref: 'data', data: [], total: 0 }
  const shown = { ...first, promotion_id: 'camp_1', validation_rule_assignments }
  expect(ask(`GET /v1/promotions/tiers/${first.id}`)).toEqual(shown)
  expect(events()).toEqual([first, second].map(({ id }) => ['campaign.promotion_tier.created', id]))
})

test('the action of a tier may be the discount itself', () => {
  const { add, ask } = shop()
  const action = { type: 'AMOUNT', amount_off: 1000, effect: 'APPLY_TO_ORDER' }

  const made = add({ name: 'T', action }).body
  expect(made.action).toEqual({ discount: action })
  const other = { ...action, amount_off: 900 }
  expect(ask(`PUT /v1/promotions/tiers/${made.id}`, { action: other }).action).toEqual({ discount: other })
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
    const shown = { ...limits, category_id: 'cat_1' }
    const { add, ask } = shop({ ...seasonal, campaigns: [{ ...campaigns[0], ...shown }] })

    const { id, campaign } = add({ name: 'T', ...percent(5) }).body

    expect(campaign).toMatchObject(shown)
    expect(ask(`GET /v1/promotions/tiers/${id}`).campaign).toEqual(campaign)
  },
)

test('a tier is created with its rules and its category', () => {
  const { add } = shop({ ...seasonal, ...oneRule })

  const { body } = add({ name: 'T', ...percent(5), validation_rules: ['val_1'], category: 'Seasonal' })

  expect(body).toMatchObject({ category: 'Seasonal', category_id: 'cat_1', categories: [{ hierarchy: 3 }] })
  const data = [{ rule_id: 'val_1', related_object_id: body.id, related_object_type: 'promotion_tier' }]
  expect(body.validation_rule_assignments).toMatchObject({ data })
})

const t = { name: 'T', ...percent(5) }
const frame = { validity_timeframe: { duration: 'P1D', interval: 'P2D' } }

test.each<[campaign: string, body: object, code: number, details: string]>([
  ['camp_x', t, 404, 'Cannot find campaign with id camp_x'],
  ['camp_2', t, 400, 'A DISCOUNT_COUPONS campaign has no promotion tiers'],
  ['camp_1', { name: 'T' }, 400, "Payload must have required property 'action'"],
  ['camp_1', percent(5), 400, "Payload must have required property 'name'"],
  ['camp_1', { ...t, validation_rules: ['val_x'] }, 404, 'Cannot find validation_rules with id val_x'],
  ['camp_1', { ...t, category_id: 'cat_x' }, 404, 'Cannot find category with id cat_x'],
  ['camp_1', { ...t, ...frame }, 400, "Property .validity_timeframe requires property 'start_date'"],
])('a tier in %s that is %j is refused with %d', (campaign, body, code, details) => {
  const { ask } = shop()

  ask(`POST /v1/promotions/${campaign}/tiers`, body, { code, details })
  ask('GET /v1/promotions/tiers', { total: 0 })
})

test('an update changes the named members, adds rules and metadata, and the same again changes nothing', () => {
  const { ask, add, clock, events } = shop(oneRule)
  const { id } = add({ name: 'T', ...percent(5), metadata: { a: 1 }, banner: 'B', start_date: '2026-01-01' }).body
  clock.now = '2026-05-07T00:00:00.000Z'
  const named = { ...percent(7), banner: null, active: false }
  const body = { ...named, metadata: { b: 2 }, validation_rules: ['val_1'] }

  const changed = ask(`PUT /v1/promotions/tiers/${id}`, body, {
    ...named,
    name: 'T',
    metadata: { a: 1, b: 2 },
    start_date: '2026-01-01T00:00:00.000Z',
    validation_rule_assignments: { total: 1 },
    updated_at: '2026-05-07T00:00:00.000Z',
  })
  expect(ask(`PUT /v1/promotions/tiers/${id}`, body)).toEqual(changed)
  expect(events().map(([type]) => type)).toEqual(['campaign.promotion_tier.created', 'campaign.promotion_tier.updated'])
})

test('an update that makes a tier invalid is refused and changes nothing', () => {
  const { ask, add } = shop()
  const path = `/v1/promotions/tiers/${add({ ...t, start_date: '2026-05-01' }).body.id}`
  const tier = ask(`GET ${path}`)

  ask(`PUT ${path}`, { expiration_date: '2026-04-01', name: 'X' }, 'invalid_payload')
  expect(ask(`GET ${path}`)).toEqual(tier)
})

test('the rules of a tier may be named as its answers list them', () => {
  const { ask, add, events } = shop({ validation_rules: ['val_1', 'val_2'].map((id) => ({ id, name: id })) })
  const rules = (...ids: string[]) => ({ validation_rule_assignments: { data: ids.map((rule_id) => ({ rule_id })) } })

  const made = add({ ...t, ...rules('val_1'), validation_rules: ['val_1'] }).body
  expect(made).toMatchObject(rules('val_1'))
  const tier = `/v1/promotions/tiers/${made.id}`
  const { validation_rule_assignments } = ask(`PUT ${tier}`, rules('val_2'), rules('val_1', 'val_2'))
  ask(`PUT ${tier}`, { validation_rule_assignments })
  ask(`GET ${tier}`, rules('val_1', 'val_2'))
  expect(events().map(([type]) => type)).toEqual(['campaign.promotion_tier.created', 'campaign.promotion_tier.updated'])
  const error = { key: 'not_found', resource_type: 'validation_rules' }
  ask('POST /v1/promotions/camp_1/tiers', { ...t, ...rules('val_x') }, error)
})

test('a tier is disabled and enabled again, and each change is announced once', () => {
  const { ask, add, events } = shop()
  const { id } = add(t).body

  for (const verb of ['disable', 'disable', 'enable', 'enable'])
    ask(`POST /v1/promotions/tiers/${id}/${verb}`, undefined, { active: verb === 'enable' })
  expect(events().map(([type]) => type)).toEqual(
    ['created', 'disabled', 'enabled'].map((act) => `campaign.promotion_tier.${act}`),
  )
})

test('a deleted tier is gone with its rule assignments', () => {
  const { del, ask, add, events } = shop(oneRule)
  const { id } = add({ ...t, validation_rules: ['val_1'] }).body

  expect(del(`/v1/promotions/tiers/${id}`)).toMatchObject({ status: 204, body: undefined })
  ask(`DELETE /v1/promotions/tiers/${id}`, 'not_found')
  ask('GET /v1/validation-rules-assignments', { total: 0 })
  expect(events().at(-1)).toEqual(['campaign.promotion_tier.deleted', id])
})

test('all tiers are listed newest first, those of a campaign by hierarchy', () => {
  const { ask, add } = shop()
  add({ name: 'A', ...percent(1), hierarchy: 5 })
  add({ name: 'B', ...percent(2), hierarchy: 2 })
  add({ name: 'C', ...percent(3) }, 'camp_3')
  add({ name: 'D', ...percent(4), active: false })

  for (const [query, names, total, has_more] of [
    ['tiers', 'DCBA', 4, false],
    ['tiers?order=hierarchy&limit=2', 'CB', 4, true],
    ['tiers?is_available=true&limit=2', 'CB', 3, true],
    ['tiers?is_available=true&limit=2&page=2', 'A', 3, false],
    ['tiers?is_available=false', 'D', 1, false],
    ['Summer%20sale/tiers', 'BAD', 3, false],
  ] as const) {
    const tiers = Array.from(names, (name) => ({ name }))
    ask(`GET /v1/promotions/${query}`, { object: 'list', data_ref: 'tiers', tiers, total, has_more })
  }
  ask('GET /v1/promotions/nope/tiers', 'not_found')
})

test.each([
  ['is disabled', { active: false }],
  ['has expired', { expiration_date: '2026-01-01T00:00:00.000Z' }],
  ['has not started', { start_date: '2027-01-01T00:00:00.000Z' }],
])('a tier whose campaign %s is not available', (_, state) => {
  const { ask } = shop({ campaigns: [{ ...campaigns[0], ...state }], ...tiersIn('camp_1') })

  ask('GET /v1/promotions/tiers?is_available=true', { total: 0 })
  ask('GET /v1/promotions/tiers?is_available=false', { total: 1 })
})

test('a stack is filed under a category, and removed from it', () => {
  const { ask } = shop({ ...seasonal, ...tiersIn('camp_1') })
  const stack = { name: 'S', tiers: { ids: ['promo_1'] } }
  const path = '/v1/promotions/camp_1/stacks'

  const { id } = ask(`POST ${path}`, stack)
  const filed = { category_id: 'cat_1', categories: [{ name: 'Seasonal' }] }
  ask(`PUT ${path}/${id}`, { category_id: 'cat_1' }, filed)
  ask(`PUT ${path}/${id}`, { category_id: null }, { category_id: null, categories: [] })
  ask(`POST ${path}`, { ...stack, category_id: 'cat_x' }, { code: 404, resource_type: 'category' })
})

test('a stack consists of tiers of its campaign, in the given order', () => {
  const { ask, events } = shop(tiersIn('camp_1', 'camp_1'))
  const ids = ['promo_2', 'promo_1']

  const body = ask('POST /v1/promotions/camp_1/stacks', { name: 'Both', tiers: { ids } }, 200)

  expect(body).toEqual({
    id: expect.stringMatching(/^stack_[0-9a-f]{18}$/),
    name: 'Both',
    campaign_id: 'camp_1',
    tiers: { ids, hierarchy_mode: 'MANUAL' },
    category_id: null,
    categories: [],
    created_at: '2026-05-06T07:08:09.123Z',
    updated_at: null,
    object: 'promotion_stack',
  })
  expect(ask(`GET /v1/promotions/Summer%20sale/stacks/${body.id}`)).toEqual(body)
  ask(`GET /v1/promotions/camp_3/stacks/${body.id}`, { code: 404, resource_type: 'promotion_stack' })
  expect(events().at(-1)).toEqual(['campaign.promotion_stack.created', body.id])
})

test.each([
  [['promo_x'], 404, 'Cannot find promotion_tier with id promo_x'],
  [['promo_2'], 404, 'Cannot find promotion_tier with id promo_2'],
  [['promo_1', 'promo_1'], 400, 'Property .tiers.ids must NOT have duplicate items'],
  [[], 400, 'Property .tiers.ids must NOT have fewer than 1 items'],
])('a stack of %j is refused', (ids, code, details) => {
  const { ask } = shop(tiersIn('camp_1', 'camp_3'))

  ask('POST /v1/promotions/camp_1/stacks', { name: 'S', tiers: { ids } }, { code, details })
})

test('stacks are listed, changed and deleted, and protect their tiers', () => {
  const { ask, events } = shop({
    ...tiersIn('camp_1', 'camp_1', 'camp_3'),
    promotion_stacks: [
      { id: 'stack_1', name: 'One', campaign_id: 'camp_1', tiers: { ids: ['promo_1', 'promo_2'] } },
      { id: 'stack_3', name: 'Three', campaign_id: 'camp_3', tiers: { ids: ['promo_3'] } },
    ],
  })
  const one = '/v1/promotions/camp_1/stacks/stack_1'
  const stacks = (...ids: string[]) => ({ data: ids.map((id) => ({ id })) })
  const tiers = { ids: ['promo_1'] }

  const details = 'Promotion Stack with id: stack_1 uses the tier'
  ask('DELETE /v1/promotions/tiers/promo_2', { key: 'resource_in_use', details })
  const changed = ask(`PUT ${one}`, { tiers }, { name: 'One', tiers: { ...tiers, hierarchy_mode: 'MANUAL' } })
  expect(ask(`PUT ${one}`, { tiers })).toEqual(changed)
  ask('GET /v1/promotions/stacks', stacks('stack_3', 'stack_1'))
  ask('GET /v1/promotions/camp_1/stacks', stacks('stack_1'))
  for (const [path, status] of Object.entries({ '/v1/promotions/tiers/promo_2': 204, [one]: 204 }))
    ask(`DELETE ${path}`, status)
  ask(`DELETE ${one}`, 404)
  ask('GET /v1/promotions/stacks', stacks('stack_3'))
  expect(events().filter(([type]) => type.includes('stack'))).toEqual([['campaign.promotion_stack.updated', 'stack_1']])
})

test('a stack in a validation becomes its tiers, each applied to the order left by the previous one', () => {
  const { ask } = shop({
    promotion_tiers: [10, 20].map((off, at) => ({
      id: `promo_${at + 1}`,
      name: 'T',
      campaign_id: 'camp_1',
      ...percent(off),
    })),
    promotion_stacks: [{ id: 'stack_1', name: 'S', campaign_id: 'camp_1', tiers: { ids: ['promo_2', 'promo_1'] } }],
  })
  const redeemables = [{ object: 'promotion_stack', id: 'stack_1' }]

  ask(
    'POST /v1/validations',
    { redeemables, order: { amount: 10000 } },
    {
      valid: true,
      redeemables: [
        { object: 'promotion_tier', id: 'promo_2', order: { total_amount: 8000 } },
        { object: 'promotion_tier', id: 'promo_1', order: { total_amount: 7200 } },
      ],
    },
  )
})

const ofNothing = { name: 'S', tiers: { ids: ['promo_x'] } }

test.each<[message: string, tiers: object[], stacks?: object[]]>([
  ['tiers[0]: Cannot find campaign with id camp_x', [{ ...t, campaign_id: 'camp_x' }]],
  ['tiers[0]: A DISCOUNT_COUPONS campaign has no promotion tiers', [{ ...t, campaign_id: 'camp_2' }]],
  ["tiers[0]: Payload must have required property 'action'", [{ name: 'T', campaign_id: 'camp_1' }]],
  ['stacks[0]: Cannot find promotion_tier with id promo_x', [], [{ ...ofNothing, campaign_id: 'camp_1' }]],
  ["stacks[0]: Payload must have required property 'campaign_id'", [], [ofNothing]],
])('a fixture is refused: promotion_%s', (message, promotion_tiers, promotion_stacks = []) => {
  expect(() => shop({ promotion_tiers, promotion_stacks })).toThrow(`promotion_${message}`)
})

test('a tier that the service shows can be loaded as it is', () => {
  const { add, ask } = shop()
  const path = `/v1/promotions/tiers/${add({ ...t, banner: 'B', hierarchy: 3, metadata: { a: null } }).body.id}`
  const shown = ask(`GET ${path}`)

  expect(shop({ promotion_tiers: [shown] }).ask(`GET ${path}`)).toEqual(shown)
})

test('a tier adds up its redemptions that were not rolled back, also in the answer of its campaign', () => {
  const { ask, add } = shop()
  const { id } = add({ name: 'Ten off', ...percent(10) }).body
  const redeem = (amount: number) =>
    ask('POST /v1/redemptions', { redeemables: [{ object: 'promotion_tier', id }], order: { amount } })
  redeem(1000)
  ask(`POST /v1/redemptions/${redeem(5000).redemptions[0].id}/rollback`)

  const tier = ask(`GET /v1/promotions/tiers/${id}`)

  const orders = { total_amount: 1000, total_discount_amount: 100 }
  expect(tier.summary).toEqual({ redemptions: { total_redeemed: 1 }, orders })
  const list = { object: 'list', data_ref: 'tiers', total: 1, has_more: false }
  expect(ask('GET /v1/campaigns/camp_1').promotion).toEqual({ ...list, tiers: [tier] })
})

test('stacks are listed by when they were created or changed', () => {
  const { ask, clock } = shop(tiersIn('camp_1'))
  const path = '/v1/promotions/camp_1/stacks'
  const stack = (name: string) => ask(`POST ${path}`, { name, tiers: { ids: ['promo_1'] } })
  stack('Old')
  clock.now = '2026-06-01T00:00:00.000Z'
  ask(`PUT ${path}/${stack('Young').id}`, { name: 'Changed' })

  ask('GET /v1/promotions/stacks?created_at[after]=2026-05-20', { data: [{ name: 'Changed' }] })
  ask(`GET ${path}?created_at[before]=2026-05-20`, { data: [{ name: 'Old' }] })
  ask('GET /v1/promotions/stacks?updated_at[after]=2026-05-20', { data: [{ name: 'Changed' }] })
})
