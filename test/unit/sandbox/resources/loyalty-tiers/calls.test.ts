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
  const { ask, store } = await tieredClub({ tiers: [], fixture })
  const before = store.outbox.after(0, 1000).length
  const silver = { name: 'Silver', points: { from: 100, to: 499 }, metadata: { colour: 'grey' } }
  const mapped = {
    points: { from: 500 },
    earning_rules: { ern_1: { type: 'MULTIPLY', multiplier: 1.5 } },
    rewards: { rewa_mug: { type: 'CUSTOM', points: 20 } },
  }

  expect(ask(`POST ${path}`, [silver, { name: 'Gold', ...mapped }], 200)).toEqual([
    {
      ...silver,
      id: expect.stringMatching(/^ltr_/),
      campaign_id: 'camp_club',
      created_at: '2026-05-06T07:08:09.123Z',
      updated_at: null,
      earning_rules: {},
      rewards: {},
      config: { points: { from: 100, to: 499 } },
      object: 'loyalty_tier',
    },
    expect.objectContaining({ ...mapped, metadata: null, config: { points: { from: 500 } } }),
  ])
  const announced = { type: 'campaign.loyalty_tier.created', entity_id: 'camp_club' }
  const data = { campaign: { id: 'camp_club' }, loyalty_tier: { name: 'Silver' } }
  expect(store.outbox.after(0, 1000).slice(before)).toMatchObject([{ ...announced, data }, announced])
})

test('an empty list of tiers changes nothing', async () => {
  const { ask, store } = await tieredClub({ tiers: [], fixture })
  const before = store.outbox.after(0, 1000).length

  expect(ask(`POST ${path}`, [], 200)).toEqual([])
  expect(store.outbox.after(0, 1000)).toHaveLength(before)
})

test.each<[string, string[]]>([
  ['', ['Late', 'Basic', 'Silver', 'Gold']],
  ['order=created_at', ['Basic', 'Silver', 'Gold', 'Late']],
  ['limit=2', ['Late', 'Basic']],
])('tiers are listed newest first, and of those made together the lowest first: "%s"', async (query, names) => {
  const { ask, clock } = await tieredClub({ tiers: threeTiers.toReversed() })
  clock.now = '2026-05-07T00:00:00.000Z'
  ask(`POST ${path}`, [{ name: 'Late', points: { from: 9000 } }])

  const data = names.map((name) => ({ name }))
  ask(`GET ${path}?${query}`, { object: 'list', data_ref: 'data', data, total: 4 })
})

test('a program without tiers has an empty list, and a tier is read by its id below its own program', async () => {
  const { ask, tiers } = await tieredClub()

  ask('GET /v1/loyalties/Tea%20Club/tiers', { data: [], total: 0 })
  ask(`GET /v1/loyalties/Bean%20Club%20%2F%20Gold/tiers/${tiers[1]?.id}`, { name: 'Silver' })
  const error = { key: 'not_found', resource_type: 'loyalty_tier' }
  ask(`GET /v1/loyalties/camp_other/tiers/${tiers[1]?.id}`, error)
  ask('GET /v1/loyalties/camp_x/tiers', { code: 404, resource_type: 'campaign' })
})

const custom = (points: number) => ({ type: 'CUSTOM', points })

test.each<[string, Record<string, unknown>, string]>([
  ['no name', { name: undefined }, 'invalid_payload'],
  ['a range that ends before it begins', { points: { from: 9, to: 8 } }, 'invalid_payload'],
  ['an unknown rule', { earning_rules: { ern_x: custom(1) } }, 'not_found'],
  ['a rule of another program', { earning_rules: { ern_tea: custom(1) } }, 'not_found'],
  ['an unknown offer', { rewards: { rewa_x: custom(1) } }, 'not_found'],
  ['a free reward', { rewards: { rewa_mug: custom(0) } }, 'invalid_payload'],
  ['a price of paying with points', { rewards: { rewa_coin: custom(5) } }, 'invalid_payload'],
  ['a multiplier of nothing', { earning_rules: { ern_1: { type: 'MULTIPLY', multiplier: 0 } } }, 'invalid_payload'],
  ['metadata against its schema', { metadata: { colour: 7 } }, 'metadata_validation_failed'],
  ['another mapping', { earning_rules: { ern_1: { type: 'NOT_AVAILABLE' } } }, 'invalid_payload'],
])('a tier with %s is refused, and none is stored', async (_, tier, key) => {
  const { ask } = await tieredClub({ tiers: [], fixture })
  const good = { name: 'Good', points: { from: 0 } }

  ask(`POST ${path}`, [good, { ...good, ...tier }], key)
  ask(`GET ${path}`, { total: 0 })
})

test('a tier lists the rules with its points and the rewards of the program', async () => {
  const { ask } = await tieredClub({ tiers: [], fixture })
  const half = { type: 'MULTIPLY', multiplier: 0.5 }
  const earning_rules = { ern_1: { type: 'MULTIPLY', multiplier: 2.55 } }
  const asked = [{ name: 'Gold', points: { from: 500 }, earning_rules, rewards: { rew_mug: half } }]
  const [gold] = ask(`POST ${path}`, asked)

  expect(gold.rewards).toEqual({ rewa_mug: half })
  const data = [{ id: 'ern_1', loyalty: { type: 'FIXED', points: 25 } }]
  ask(`GET ${path}/${gold.id}/earning-rules`, { data, total: 1 })
  const assignment = { id: 'rewa_mug', parameters: { loyalty: { points: 30 } } }
  const offer = { reward: { id: 'rew_mug' }, assignment, object: 'loyalty_tier_reward' }
  ask(`GET ${path}/${gold.id}/rewards`, { data: [offer, {}], total: 2 })
})

test('a removed program takes its tiers along', async () => {
  const { ask, tiers, settled } = await tieredClub()

  ask('DELETE /v1/loyalties/camp_club?force=true')
  await settled()
  ask('POST /v1/loyalties', { name: 'Again', voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } } })

  ask(`GET /v1/loyalties/Again/tiers/${tiers[0]?.id}`, 404)
  ask('GET /v1/loyalties/Again/tiers', { total: 0 })
})
