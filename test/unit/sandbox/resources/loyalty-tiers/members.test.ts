// The tier of a member: when it changes, for how long it is kept, and what is announced. The sandbox begins on 6 May 2026.
import { expect, test } from 'vitest'
import { threeTiers, tieredClub } from '../../../../support/tiers.ts'

const byPeriod = (start: string, until: string, extend?: string) => ({
  qualification_type: 'POINTS_IN_PERIOD',
  qualification_period: 'MONTH',
  start_date: { type: start },
  expiration_date: { type: until, ...(extend && { extend }) },
})

const byBalanceFor = (extend: string, rounding?: object) => ({
  qualification_type: 'BALANCE',
  start_date: { type: 'IMMEDIATE' },
  expiration_date: { type: 'CUSTOM', extend, ...(rounding && { rounding }) },
})

test('without settings the balance decides at once, in both directions', async () => {
  const { earn, tierOf, announced } = await tieredClub()
  const seen = [tierOf('ada')]
  for (const points of [100, -50, 500]) {
    await earn('ada', points)
    seen.push(tierOf('ada'))
  }

  expect(seen).toEqual(['Basic', 'Silver', 'Basic', 'Gold'])
  expect(announced()).toEqual(['upgraded Basic Silver', 'downgraded Silver Basic', 'upgraded Basic Gold'])
})

test('a balance outside all ranges is in no tier, and steps between ranges are skipped', async () => {
  const tiers = [
    { name: 'First', points: { from: 151, to: 250 } },
    { name: 'Second', points: { from: 251, to: 350 } },
    { name: 'Third', points: { from: 351, to: 400 } },
  ]
  const { earn, announced, ask } = await tieredClub({ tiers })
  for (const points of [100, 51, 249, -249, 249, 1, -201]) await earn('ada', points)

  const up = 'upgraded First Third'
  expect(announced()).toEqual(['joined First', up, 'downgraded Third First', up, 'left Third', 'joined First'])
  ask('GET /v1/loyalties/members/CARD-ada/tiers', { data: [{}] })
})

test('of ranges that overlap the one that begins highest counts', async () => {
  const tiers = [...threeTiers, { name: 'Inner circle', points: { from: 200, to: 300 } }]
  const { earn, tierOf } = await tieredClub({ tiers })

  await earn('ada', 250)

  expect(tierOf('ada')).toBe('Inner circle')
})

test('the tier of a member is listed with its days, and named by the customer', async () => {
  const { earn, ask, tiers, card } = await tieredClub({ settings: byBalanceFor('P3M') })
  await earn('ada', 100)

  const id = tiers[1]?.id
  const expiration = {
    customer_id: 'cust_ada',
    campaign_id: 'camp_club',
    tier_id: id,
    start_date: '2026-05-06',
    expiration_date: '2026-08-06',
    created_at: '2026-05-06T07:08:09.123Z',
    updated_at: null,
  }
  const data = [{ id, name: 'Silver', expiration }]
  ask('GET /v1/loyalties/members/CARD-ada/tiers', { object: 'list', data_ref: 'data', data, total: 1 })
  const campaigns = { 'Bean Club / Gold': { loyalty_tier: id } }
  ask('GET /v1/customers/cust_ada', { loyalty: { campaigns } })
  expect(card('CARD-ada')).not.toHaveProperty('tier')
})

test.each([
  ['FREE', 'that nobody holds', { campaign_id: 'camp_club' }],
  ['TEA', 'of a program without tiers', { campaign_id: 'camp_other', holder_id: 'cust_ada' }],
])('the card %s %s has no tier', async (code, _, more) => {
  const vouchers = [{ code, type: 'LOYALTY_CARD', loyalty_card: { points: 900 }, ...more }]
  const { ask, settled } = await tieredClub({ fixture: { vouchers } })
  await settled()

  ask(`GET /v1/loyalties/members/${code}/tiers`, { data: [], total: 0 })
  const { campaigns } = ask('GET /v1/customers/ada').loyalty
  expect(campaigns['Tea Club'] ?? {}).not.toHaveProperty('loyalty_tier')
})

test('a tier with a length of its own outlasts the balance, and is decided again after its last day', async () => {
  const { earn, tierOf, at, announced } = await tieredClub({ settings: byBalanceFor('P1M') })
  await earn('ada', 150)
  await earn('ada', -100)
  expect(tierOf('ada')).toBe('Silver until 2026-06-06')
  await at('2026-06-06T23:59:59.999Z')
  expect(tierOf('ada')).toBe('Silver until 2026-06-06')
  await at('2026-06-07T00:00:00.000Z')
  expect(tierOf('ada')).toBe('Basic until 2026-07-07')
  expect(announced()).toEqual(['upgraded Basic Silver', 'downgraded Silver Basic'])
})

test.each<[string, object | undefined, string]>([
  ['no rounding', undefined, '2026-08-06'],
  ['the end of the month', { type: 'MONTH', strategy: 'END' }, '2026-08-31'],
  ['the end of the quarter', { type: 'QUARTER' }, '2026-09-30'],
  ['the end of the half-year', { type: 'HALF_YEAR' }, '2026-12-31'],
  ['the end of the year', { type: 'YEAR' }, '2026-12-31'],
  ['the end of January', { type: 'CUSTOM', unit: 'MONTH', value: 0 }, '2027-01-31'],
  ['the end of August', { type: 'CUSTOM', value: 7 }, '2026-08-31'],
])('three months with %s are three months', async (_, rounding, day) => {
  const { earn, tierOf } = await tieredClub({ settings: byBalanceFor('P3M', rounding) })

  await earn('ada', 100)

  expect(tierOf('ada')).toBe(`Silver until ${day}`)
})

test('a member who still has the points is prolonged from the end of the tier, keeping the first day', async () => {
  const { earn, at, tierOf, announced, get } = await tieredClub({ settings: byBalanceFor('P1M', { type: 'MONTH' }) })
  await earn('ada', 100)
  announced()

  await at('2026-07-01T00:00:00.000Z')

  expect(tierOf('ada')).toBe('Silver until 2026-07-31')
  expect(announced()).toEqual(['prolonged Silver'])
  const [{ expiration }] = get('/v1/loyalties/members/CARD-ada/tiers').body.data
  expect(expiration).toMatchObject({ start_date: '2026-05-06', updated_at: '2026-07-01T00:00:00.000Z' })
})

test('points collected in the period decide, whatever is spent, until the period ends', async () => {
  const { earn, at, tierOf, announced } = await tieredClub({ settings: byPeriod('IMMEDIATE', 'END_OF_PERIOD') })
  await earn('ada', 60)
  await earn('ada', 60)
  await earn('ada', -100)
  const collected = tierOf('ada')
  await at('2026-06-01T00:00:00.000Z')

  expect([collected, tierOf('ada')]).toEqual(['Silver until 2026-05-31', 'Basic until 2026-06-30'])
  expect(announced()).toEqual(['upgraded Basic Silver', 'downgraded Silver Basic'])
})

test.each([
  ['QUARTER', '2026-06-30'],
  ['HALF_YEAR', '2026-06-30'],
  ['YEAR', '2026-12-31'],
])('points collected in a %s of the calendar keep a tier to its end', async (qualification_period, day) => {
  const settings = { ...byPeriod('IMMEDIATE', 'END_OF_PERIOD'), qualification_period }
  const { earn, at, tierOf } = await tieredClub({ settings })
  await earn('ada', 60)
  await at('2026-06-15T12:00:00.000Z')

  await earn('ada', 60)

  expect(tierOf('ada')).toBe(`Silver until ${day}`)
})

test('a tier may last to the end of the next period, and is prolonged by the points of that one', async () => {
  const { earn, at, tierOf, announced } = await tieredClub({
    settings: byPeriod('IMMEDIATE', 'END_OF_NEXT_PERIOD'),
    tiers: threeTiers.slice(1),
    members: ['ada', 'bea'],
  })
  await earn('ada', 100)
  await earn('bea', 100)
  await at('2026-06-15T12:00:00.000Z')
  await earn('ada', 100)
  const inJune = [tierOf('ada'), tierOf('bea')]
  await at('2026-07-01T00:00:00.000Z')

  expect(inJune).toEqual(['Silver until 2026-06-30', 'Silver until 2026-06-30'])
  expect([tierOf('ada'), tierOf('bea')]).toEqual(['Silver until 2026-07-31', undefined])
  expect(announced()).toEqual(['joined Silver', 'joined Silver', 'prolonged Silver', 'left Silver'])
})

test('time after the end of the period is added to a tier', async () => {
  const { earn, tierOf } = await tieredClub({ settings: byPeriod('IMMEDIATE', 'END_OF_PERIOD', 'P7D') })

  await earn('ada', 100)

  expect(tierOf('ada')).toBe('Silver until 2026-06-07')
})

test('a tier that begins with the next period is reached in this one', async () => {
  const { earn, at, tierOf, announced } = await tieredClub({
    settings: byPeriod('NEXT_PERIOD', 'END_OF_PERIOD'),
    tiers: threeTiers.slice(1),
  })
  await earn('ada', 700)
  expect(tierOf('ada')).toBeUndefined()
  await at('2026-06-01T00:00:00.000Z')
  expect(tierOf('ada')).toBe('Gold until 2026-06-30')
  await earn('ada', 100)
  await at('2026-07-01T00:00:00.000Z')
  expect(tierOf('ada')).toBe('Silver until 2026-07-31')
  await at('2026-08-01T00:00:00.000Z')
  expect(tierOf('ada')).toBeUndefined()
  expect(announced()).toEqual(['joined Gold', 'downgraded Gold Silver', 'left Silver'])
})

test('days are those of the project', async () => {
  const { earn, at, tierOf, clock, store } = await tieredClub({
    settings: byPeriod('IMMEDIATE', 'END_OF_PERIOD'),
    fixture: { settings: { timezone: 'Pacific/Auckland' } },
  })
  clock.now = '2026-05-31T11:59:00.000Z'
  await earn('ada', 100)
  const inMay = tierOf('ada')
  await at('2026-05-31T12:00:00.000Z')

  expect([inMay, tierOf('ada')]).toEqual(['Silver until 2026-05-31', 'Basic until 2026-06-30'])
  expect(store.jobs.failed()).toEqual([])
})

test('changed settings move nobody, unless the tiers are to be calculated again', async () => {
  const { ask, earn, tierOf, announced, settled, latest } = await tieredClub()
  const change = async (body: object) => {
    ask('PUT /v1/loyalties/camp_club', body, 200)
    await settled()
    return tierOf('ada')
  }
  await earn('ada', 150)
  announced()

  expect(await change({ loyalty_tiers_expiration: byBalanceFor('P1M') })).toBe('Silver')
  expect(await change({ options: { recalculate_tiers: true } })).toBe('Silver until 2026-06-06')
  expect(announced()).toEqual(['expiration.changed Silver'])
  expect(latest('customer.loyalty.tier.expiration.changed')).toMatchObject({ expiration_date: '2026-06-06' })
  ask('GET /v1/loyalties/camp_club', { loyalty_tiers_expiration: byBalanceFor('P1M') })
})

test('calculating the tiers again lifts members and lowers none', async () => {
  const { put, earn, tierOf, settled } = await tieredClub({
    members: ['ada', 'bea'],
    settings: byPeriod('IMMEDIATE', 'END_OF_PERIOD'),
  })
  await earn('ada', 150)
  await earn('ada', -150)
  await earn('bea', 90)
  const recalculated = { loyalty_tiers_expiration: byBalanceFor('P7D'), options: { recalculate_tiers: true } }

  put('/v1/campaigns/camp_club', recalculated)
  await settled()

  expect([tierOf('ada'), tierOf('bea')]).toEqual(['Silver until 2026-05-31', 'Basic until 2026-05-13'])
})

test('a tier that is added takes those without a last day, and of the others those who rise', async () => {
  const { post, put, earn, tierOf, settled } = await tieredClub({ members: ['ada', 'bea'] })
  const add = async (tier: object) => {
    post('/v1/loyalties/camp_club/tiers', [tier])
    await settled()
  }
  await earn('ada', 300)
  await add({ name: 'Copper', points: { from: 250, to: 350 } })
  const first = tierOf('ada')
  const settings = { loyalty_tiers_expiration: byBalanceFor('P1M'), options: { recalculate_tiers: true } }
  put('/v1/loyalties/camp_club', settings)
  await settled()
  await earn('ada', -200)
  await add({ name: 'Tin', points: { from: 50, to: 120 } })
  const second = tierOf('ada')
  await add({ name: 'Iron', points: { from: 1, to: 9 } })

  expect([first, second, tierOf('bea')]).toEqual(['Copper', 'Copper until 2026-06-06', 'Basic until 2026-06-06'])
})

test('settings are cleared with null, and are for loyalty programs alone', async () => {
  const settings = { loyalty_tiers_expiration: byBalanceFor('P1M') }
  const { ask } = await tieredClub({ settings: byBalanceFor('P1M') })

  const cleared = ask('PUT /v1/loyalties/camp_club', { loyalty_tiers_expiration: null })
  expect(cleared).not.toHaveProperty('loyalty_tiers_expiration')
  ask('PUT /v1/campaigns/camp_codes', settings, 'invalid_campaign')
  const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } }
  ask('POST /v1/loyalties', { name: 'New Club', voucher, ...settings }, settings)
})

test.each<[string, object]>([
  ['a length that is none', byBalanceFor('soon')],
  ['a length in hours', byBalanceFor('PT5H')],
  ['a balance that begins later', { ...byBalanceFor('P1M'), start_date: { type: 'NEXT_PERIOD' } }],
  ['points without a period', { ...byPeriod('IMMEDIATE', 'END_OF_PERIOD'), qualification_period: undefined }],
  ['a drop of points in a period', byPeriod('IMMEDIATE', 'BALANCE_DROP')],
  ['a month that does not exist', byBalanceFor('P1M', { type: 'CUSTOM', value: 12 })],
])('settings with %s are refused', async (_, loyalty_tiers_expiration) => {
  const { ask } = await tieredClub({ tiers: [] })

  ask('PUT /v1/loyalties/camp_club', { loyalty_tiers_expiration }, 'invalid_payload')
})
