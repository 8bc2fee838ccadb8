import { expect, test } from 'vitest'
import { clubWith } from '../../../../support/loyalty.ts'

const coin = { name: 'Pay with points', type: 'COIN', parameters: { coin: { exchange_ratio: 0.05, points_ratio: 1 } } }
const mug = { name: 'Mug', type: 'MATERIAL', parameters: {}, attributes: { description: 'Blue' } }
const path = '/v1/loyalties/camp_club/rewards'

test('a reward is created, read, changed and deleted', () => {
  const { call, clock } = clubWith()
  const made = call('POST', '/v1/rewards', { body: { ...coin, metadata: { a: 1 } } })
  const at = `/v1/rewards/${made.body.id}`
  clock.now = '2026-05-07T00:00:00.000Z'

  const changed = call('PUT', at, { body: { name: 'Points', metadata: { b: 2 } } })

  expect(made.status).toBe(200)
  expect(made.body).toEqual({
    id: expect.stringMatching(/^rew_/),
    ...coin,
    stock: null,
    redeemed: null,
    attributes: {},
    metadata: { a: 1 },
    object: 'reward',
    created_at: '2026-05-06T07:08:09.123Z',
    updated_at: null,
  })
  expect(changed.body).toEqual({
    ...made.body,
    name: 'Points',
    metadata: { a: 1, b: 2 },
    updated_at: '2026-05-07T00:00:00.000Z',
  })
  expect(call('GET', at).body).toEqual(changed.body)
  expect(call('DELETE', at).status).toBe(204)
  expect([call('GET', at), call('DELETE', at), call('PUT', at, { body: {} })].map(({ status }) => status)).toEqual([
    404, 404, 404,
  ])
})

test.each<[string, Record<string, unknown>]>([
  ['a COIN without its ratio', { ...coin, parameters: {} }],
  ['a MATERIAL with a ratio', { ...mug, parameters: coin.parameters }],
  ['a stock', { ...mug, stock: 5 }],
  ['another type', { ...mug, type: 'AIR' }],
  ['no name', { type: 'MATERIAL', parameters: {} }],
])('a reward with %s is refused', (_, body) => {
  const { call } = clubWith()

  const answer = call('POST', '/v1/rewards', { body })

  expect(answer.status).toBe(400)
  expect(answer.body.key).toBe('invalid_payload')
  expect(call('GET', '/v1/rewards').body).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
})

test('programs offer rewards, and stop offering them', () => {
  const { call, events } = clubWith()
  const ids = [coin, mug].map((body) => call('POST', '/v1/rewards', { body }).body.id)

  const offered = call('POST', path, {
    body: [{ reward: ids[0] }, { reward: ids[1], parameters: { loyalty: { points: 300 } } }],
  })
  const listed = call('GET', path).body

  expect(offered.status).toBe(200)
  expect(offered.body[1]).toEqual({
    id: expect.stringMatching(/^rewa_/),
    reward_id: ids[1],
    related_object_id: 'camp_club',
    related_object_type: 'campaign',
    parameters: { loyalty: { points: 300 } },
    created_at: '2026-05-06T07:08:09.123Z',
    updated_at: null,
    object: 'reward_assignment',
  })
  expect(listed).toMatchObject({ data_ref: 'data', total: 2 })
  expect(listed.data[0]).toEqual(offered.body[1])
  expect(call('GET', '/v1/loyalties/camp_other/rewards').body.total).toBe(0)
  expect(call('DELETE', `/v1/rewards/${ids[1]}`).body.key).toBe('resource_in_use')
  expect(call('DELETE', `/v1/loyalties/camp_other/rewards/${offered.body[1].id}`).status).toBe(404)
  expect(call('DELETE', `${path}/${offered.body[1].id}`).status).toBe(204)
  expect(call('DELETE', `${path}/${offered.body[1].id}`).status).toBe(404)
  expect(call('DELETE', `/v1/rewards/${ids[1]}`).status).toBe(204)
  expect(events().map(([type]) => type)).toEqual([
    'campaign.reward.assignment.created',
    'campaign.reward.assignment.created',
    'campaign.reward.assignment.deleted',
  ])
})

test.each<[string, (ids: Record<string, string>) => unknown[], number]>([
  ['an unknown reward', () => [{ reward: 'rew_x' }], 404],
  ['a mug without its price', ({ mug }) => [{ reward: mug }], 400],
  ['a price in addition to a ratio', ({ coin }) => [{ reward: coin, parameters: { loyalty: { points: 1 } } }], 400],
  ['the same twice', ({ coin }) => [{ reward: coin }, { reward: coin }], 409],
  ['a reward under conditions', ({ coin }) => [{ reward: coin, validation_rules: ['val_1'] }], 400],
])('offering %s is refused', (_, body, status) => {
  const { call } = clubWith()
  const idOf = (reward: unknown) => call('POST', '/v1/rewards', { body: reward }).body.id as string
  const ids = { coin: idOf(coin), mug: idOf(mug) }

  expect(call('POST', path, { body: body(ids) }).status).toBe(status)
  expect(call('GET', path).body.total).toBe(0)
})

test('a card pays the price of a reward, and pays an order with points', () => {
  const { call, give } = clubWith(['A'])
  const [coinId, mugId] = [coin, mug].map((body) => call('POST', '/v1/rewards', { body }).body.id)
  call('POST', path, { body: [{ reward: coinId }, { reward: mugId, parameters: { loyalty: { points: 300 } } }] })
  give('A', 299)
  const validated = (reward: unknown) =>
    call('POST', '/v1/validations', {
      body: { redeemables: [{ object: 'voucher', id: 'A', reward }], order: { amount: 10_000 } },
    }).body

  expect(validated({ id: mugId }).redeemables[0].result.error.key).toBe('loyalty_card_points_exceeded')
  expect(validated({ id: coinId, points: 100 })).toMatchObject({ valid: true, order: { total_discount_amount: 500 } })
  give('A', 1)
  expect(validated({ id: mugId })).toMatchObject({ valid: true })
})

test('rewards that are shown can be loaded as they are', () => {
  const { call } = clubWith()
  const rewards = [coin, mug].map((body) => call('POST', '/v1/rewards', { body }).body)
  const reward_assignments = call('POST', path, {
    body: [{ reward: rewards[1].id, parameters: { loyalty: { points: 300 } } }],
  }).body

  const again = clubWith([], { rewards, reward_assignments })

  expect(again.call('GET', path).body).toEqual(call('GET', path).body)
  expect(() => clubWith([], { rewards: [{ ...coin, parameters: {} }] })).toThrow('rewards[0]: Property .parameters')
  expect(() => clubWith([], { reward_assignments })).toThrow('reward_assignments[0]: Cannot find reward')
})

test('the metadata of a reward follows the schema of rewards', () => {
  const { call } = clubWith([], {
    metadata_schemas: [{ related_object: 'reward', properties: { shelf: { type: 'string' } } }],
  })
  const made = call('POST', '/v1/rewards', { body: { ...coin, metadata: { shelf: 'A' } } }).body

  expect(call('POST', '/v1/rewards', { body: coin }).body.key).toBe('metadata_validation_failed')
  expect(call('PUT', `/v1/rewards/${made.id}`, { body: { metadata: { shelf: 1 } } }).body.key).toBe(
    'metadata_validation_failed',
  )
})

test('a program changes its price of a reward, and each program has its own', () => {
  const { call, give, events, clock } = clubWith(['A'])
  const reward = call('POST', '/v1/rewards', { body: mug }).body.id
  const offer = (campaign: string, points: number) =>
    call('POST', `/v1/loyalties/${campaign}/rewards`, { body: [{ reward, parameters: { loyalty: { points } } }] })
      .body[0]
  offer('camp_other', 5)
  const { id } = offer('camp_club', 300)
  give('A', 100)
  clock.now = '2026-05-07T00:00:00.000Z'
  const keyOf = (asked: object) =>
    call('POST', '/v1/validations', {
      body: { redeemables: [{ object: 'voucher', id: 'A', reward: { id: reward, ...asked } }], order: { amount: 100 } },
    }).body.redeemables[0].result.error?.key

  const dear = keyOf({})
  const changed = call('PUT', `${path}/${id}`, { body: { parameters: { loyalty: { points: 80 } } } })

  expect(dear).toBe('loyalty_card_points_exceeded')
  expect(changed.body).toMatchObject({ id, parameters: { loyalty: { points: 80 } }, updated_at: clock.now })
  expect(keyOf({})).toBeUndefined()
  expect(keyOf({ points: 80 })).toBeUndefined()
  expect(keyOf({ points: 1 })).toBe('invalid_amount')
  expect(events().at(-1)).toEqual(['campaign.reward.assignment.updated', 'camp_club'])
  expect(call('PUT', `/v1/loyalties/camp_other/rewards/${id}`, { body: {} }).status).toBe(404)
})

test.each([
  ['COIN', coin],
  ['MATERIAL', mug],
])('a %s reward that the program of the card does not offer is not found, whatever price is named', (_, body) => {
  const { call, give } = clubWith(['A'])
  const reward = call('POST', '/v1/rewards', { body }).body.id
  const parameters = body === mug ? { parameters: { loyalty: { points: 1 } } } : {}
  call('POST', '/v1/loyalties/camp_other/rewards', { body: [{ reward, ...parameters }] })
  give('A', 100)

  const asked = {
    redeemables: [{ object: 'voucher', id: 'A', reward: { id: reward, points: 1 } }],
    order: { amount: 500 },
  }

  expect(call('POST', '/v1/redemptions', { body: asked }).body).toMatchObject({
    code: 404,
    key: 'not_found',
    details: `Cannot find reward with id ${reward}`,
  })
  expect(call('GET', '/v1/vouchers/A').body.loyalty_card.balance).toBe(100)
})

test('an assignment that is made at its reward is the one of the program, and is changed and removed from either side', () => {
  const { call, events } = clubWith()
  const [id, other] = [mug, { ...mug, name: 'Cup' }].map((body) => call('POST', '/v1/rewards', { body }).body.id)
  const at = `/v1/rewards/${id}/assignments`
  const priced = (points: number) => ({ parameters: { loyalty: { points } } })

  const made = call('POST', at, { body: { campaign: 'Bean Club / Gold', ...priced(300) } })
  const changed = call('PUT', `${at}/${made.body.id}`, { body: priced(250) })
  const seen = [`${at}/${made.body.id}`, `${path}/${made.body.id}`].map((where) => call('GET', where).body)
  const details = call('GET', `/v1/loyalties/camp_club/reward-assignments/${made.body.id}/reward`)

  expect(made.body).toMatchObject({ reward_id: id, related_object_id: 'camp_club', ...priced(300) })
  expect(changed.body).toMatchObject({ id: made.body.id, ...priced(250) })
  expect(seen).toEqual([changed.body, changed.body])
  expect(details.body).toEqual(call('GET', `/v1/rewards/${id}`).body)
  expect([at, path].map((where) => call('GET', where).body.data)).toEqual([[changed.body], [changed.body]])
  expect(call('POST', at, { body: { campaign: 'camp_club', ...priced(1) } }).body.key).toBe('duplicate_found')
  for (const wrong of [
    `/v1/rewards/${other}/assignments`,
    '/v1/rewards/rew_x/assignments',
    '/v1/loyalties/camp_other/rewards',
  ])
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(call(method, `${wrong}/${made.body.id}`, { body: priced(1) }).status).toBe(404)
  expect(call('POST', at, { body: { campaign: 'camp_codes', ...priced(1) } }).status).toBe(404)
  expect(call('DELETE', `${at}/${made.body.id}`).status).toBe(204)
  expect([at, path].map((where) => call('GET', where).body.total)).toEqual([0, 0])
  expect(events().map(([type]) => type)).toEqual([
    'campaign.reward.assignment.created',
    'campaign.reward.assignment.updated',
    'campaign.reward.assignment.deleted',
  ])
})

test('a card lists what its program offers, or only what its points pay for', () => {
  const { call, give } = clubWith(['A'])
  const [coinId, mugId] = [coin, mug].map((body) => call('POST', '/v1/rewards', { body }).body.id)
  call('POST', path, { body: [{ reward: coinId }] })
  call('POST', path, { body: [{ reward: mugId, parameters: { loyalty: { points: 300 } } }] })
  const shown = (query = '') => call('GET', '/v1/loyalties/members/A/rewards', { query }).body
  const idsOf = ({ data }: { data: { reward: { id: string } }[] }) => data.map(({ reward }) => reward.id)

  const poor = shown('affordable_only=true')
  give('A', 299)
  const saving = shown('affordable_only=true')
  give('A', 1)
  const rich = shown('affordable_only=true')

  expect(shown()).toMatchObject({ object: 'list', data_ref: 'data', total: 2 })
  expect(shown().data[0]).toEqual({
    reward: call('GET', `/v1/rewards/${mugId}`).body,
    assignment: call('GET', path).body.data[0],
    object: 'loyalty_reward',
  })
  expect([poor, saving, rich, shown('limit=1&page=2')].map(idsOf)).toEqual([[], [coinId], [mugId, coinId], [coinId]])
  expect(call('GET', '/v1/loyalties/members/NONE/rewards').status).toBe(404)
})
