import { expect, test } from 'vitest'
import { threeTiers, tieredClub } from '../../../../support/tiers.ts'

const path = '/v1/loyalties/camp_club/tiers'
const rule = { id: 'ern_1', campaign_id: 'camp_club', event: 'order.paid', loyalty: { type: 'FIXED', points: 10 } }
const coin = {
  id: 'rew_coin',
  name: 'Pay',
  type: 'COIN',
  parameters: { coin: { exchange_ratio: 1, points_ratio: 10 } },
}
const fixture = {
  earning_rules: [rule, { ...rule, id: 'ern_tea', campaign_id: 'camp_other' }],
  rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: {} }, coin],
  reward_assignments: [
    { id: 'rewa_mug', reward_id: 'rew_mug', related_object_id: 'camp_club', parameters: { loyalty: { points: 30 } } },
    { id: 'rewa_coin', reward_id: 'rew_coin', related_object_id: 'camp_club' },
  ],
  metadata_schemas: [{ related_object: 'loyalty_tier', properties: { colour: { type: 'string', optional: true } } }],
}

test('tiers are created together, returned as an array, and announced one by one', async () => {
  const { post, store } = await tieredClub({ tiers: [], fixture })
  const before = store.outbox.after(0, 1000).length

  const { status, body } = post(path, [
    { name: 'Silver', points: { from: 100, to: 499 }, metadata: { colour: 'grey' } },
    {
      name: 'Gold',
      points: { from: 500 },
      earning_rules: { ern_1: { type: 'MULTIPLY', multiplier: 1.5 } },
      rewards: { rewa_mug: { type: 'CUSTOM', points: 20 } },
    },
  ])

  expect(status).toBe(200)
  expect(body).toEqual([
    {
      id: expect.stringMatching(/^ltr_/),
      name: 'Silver',
      campaign_id: 'camp_club',
      metadata: { colour: 'grey' },
      created_at: '2026-05-06T07:08:09.123Z',
      updated_at: null,
      earning_rules: {},
      rewards: {},
      config: { points: { from: 100, to: 499 } },
      points: { from: 100, to: 499 },
      object: 'loyalty_tier',
    },
    expect.objectContaining({
      metadata: null,
      points: { from: 500 },
      config: { points: { from: 500 } },
      earning_rules: { ern_1: { type: 'MULTIPLY', multiplier: 1.5 } },
      rewards: { rewa_mug: { type: 'CUSTOM', points: 20 } },
    }),
  ])
  const recorded = store.outbox.after(0, 1000).slice(before)
  expect(recorded.map(({ type, entity_id }) => [type, entity_id])).toEqual([
    ['campaign.loyalty_tier.created', 'camp_club'],
    ['campaign.loyalty_tier.created', 'camp_club'],
  ])
  expect(recorded[0]?.data).toMatchObject({ campaign: { id: 'camp_club' }, loyalty_tier: { name: 'Silver' } })
})

test('an empty list of tiers changes nothing', async () => {
  const { post, store } = await tieredClub({ tiers: [], fixture })
  const before = store.outbox.after(0, 1000).length

  const { status, body } = post(path, [])

  expect([status, body, store.outbox.after(0, 1000).length]).toEqual([200, [], before])
})

test.each<[string, string[]]>([
  ['', ['Late', 'Basic', 'Silver', 'Gold']],
  ['order=created_at', ['Basic', 'Silver', 'Gold', 'Late']],
  ['limit=2', ['Late', 'Basic']],
])('tiers are listed newest first, and of those made together the lowest first: "%s"', async (query, names) => {
  const { post, get, clock } = await tieredClub({ tiers: threeTiers.toReversed() })
  clock.now = '2026-05-07T00:00:00.000Z'
  post(path, [{ name: 'Late', points: { from: 9000 } }])

  const { body } = get(path, query)

  expect(body).toMatchObject({ object: 'list', data_ref: 'data', total: 4 })
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names)
})

test('a program without tiers has an empty list, and a tier is read by its id below its own program', async () => {
  const { get, tiers } = await tieredClub()

  expect(get('/v1/loyalties/Tea%20Club/tiers').body).toMatchObject({ data: [], total: 0 })
  expect(get(`/v1/loyalties/Bean%20Club%20%2F%20Gold/tiers/${tiers[1]?.id}`).body).toMatchObject({ name: 'Silver' })
  expect(get(`/v1/loyalties/camp_other/tiers/${tiers[1]?.id}`)).toMatchObject({
    status: 404,
    body: { key: 'not_found', resource_type: 'loyalty_tier' },
  })
  expect(get('/v1/loyalties/camp_x/tiers')).toMatchObject({ status: 404, body: { resource_type: 'campaign' } })
})

test.each<[string, Record<string, unknown>, number, string]>([
  ['no name', { name: undefined }, 400, 'invalid_payload'],
  ['a range that ends before it begins', { points: { from: 9, to: 8 } }, 400, 'invalid_payload'],
  ['an unknown rule', { earning_rules: { ern_x: { type: 'CUSTOM', points: 1 } } }, 404, 'not_found'],
  ['a rule of another program', { earning_rules: { ern_tea: { type: 'CUSTOM', points: 1 } } }, 404, 'not_found'],
  ['an unknown offer', { rewards: { rewa_x: { type: 'CUSTOM', points: 1 } } }, 404, 'not_found'],
  ['a free reward', { rewards: { rewa_mug: { type: 'CUSTOM', points: 0 } } }, 400, 'invalid_payload'],
  ['a price of paying with points', { rewards: { rewa_coin: { type: 'CUSTOM', points: 5 } } }, 400, 'invalid_payload'],
  [
    'a multiplier of nothing',
    { earning_rules: { ern_1: { type: 'MULTIPLY', multiplier: 0 } } },
    400,
    'invalid_payload',
  ],
  ['metadata against its schema', { metadata: { colour: 7 } }, 400, 'metadata_validation_failed'],
  ['another mapping', { earning_rules: { ern_1: { type: 'NOT_AVAILABLE' } } }, 400, 'invalid_payload'],
])('a tier with %s is refused, and none is stored', async (_, tier, status, key) => {
  const { post, get } = await tieredClub({ tiers: [], fixture })
  const good = { name: 'Good', points: { from: 0 } }

  expect(post(path, [good, { ...good, ...tier }])).toMatchObject({ status, body: { key } })
  expect(get(path).body.total).toBe(0)
})

test('a tier lists the rules with its points and the rewards of the program', async () => {
  const { post, get } = await tieredClub({ tiers: [], fixture })
  const rewards = { rew_mug: { type: 'MULTIPLY', multiplier: 0.5 } }
  const earning_rules = { ern_1: { type: 'MULTIPLY', multiplier: 2.55 } }
  const [gold] = post(path, [{ name: 'Gold', points: { from: 500 }, earning_rules, rewards }]).body

  const offers = get(`${path}/${gold.id}/rewards`).body

  expect(gold.rewards).toEqual({ rewa_mug: rewards.rew_mug })
  expect(get(`${path}/${gold.id}/earning-rules`).body).toMatchObject({
    data: [{ id: 'ern_1', loyalty: { type: 'FIXED', points: 25 } }],
    total: 1,
  })
  expect(offers.total).toBe(2)
  expect(offers.data[0]).toMatchObject({
    reward: { id: 'rew_mug' },
    assignment: { id: 'rewa_mug', parameters: { loyalty: { points: 30 } } },
    object: 'loyalty_tier_reward',
  })
})

test('a removed program takes its tiers along', async () => {
  const { call, post, get, tiers, settled } = await tieredClub()

  call('DELETE', '/v1/loyalties/camp_club', { query: 'force=true' })
  await settled()
  post('/v1/loyalties', { name: 'Again', voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } } })

  expect(get(`/v1/loyalties/Again/tiers/${tiers[0]?.id}`).status).toBe(404)
  expect(get('/v1/loyalties/Again/tiers').body.total).toBe(0)
})
