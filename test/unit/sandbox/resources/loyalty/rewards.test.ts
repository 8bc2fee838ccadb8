import { expect, test } from 'vitest'
import { coupons, gifts } from '../../../../support/campaigns.ts'
import { clubWith, programs } from '../../../../support/loyalty.ts'

const coin = { name: 'Pay with points', type: 'COIN', parameters: { coin: { exchange_ratio: 0.05, points_ratio: 1 } } }
const mug = { name: 'Mug', type: 'MATERIAL', parameters: {}, attributes: { description: 'Blue' } }
const path = '/v1/loyalties/camp_club/rewards'

test('a reward is created, read, changed and deleted', () => {
  const { post, put, get, del, clock } = clubWith()
  const made = post('/v1/rewards', { ...coin, metadata: { a: 1 } })
  const at = `/v1/rewards/${made.body.id}`
  clock.now = '2026-05-07T00:00:00.000Z'

  const changed = put(at, { name: 'Points', metadata: { b: 2 } })

  expect(made.status).toBe(200)
  expect(made.body).toEqual({
    id: expect.stringMatching(/^rew_/),
    ...coin,
    stock: null,
    redeemed: null,
    attributes: null,
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
  expect(get(at).body).toEqual(changed.body)
  expect(del(at).status).toBe(204)
  expect([get(at), del(at), put(at, {})].map(({ status }) => status)).toEqual([404, 404, 404])
})

test.each<[string, Record<string, unknown>]>([
  ['a COIN without its ratio', { ...coin, parameters: {} }],
  ['a MATERIAL with a ratio', { ...mug, parameters: coin.parameters }],
  ['a stock of points', { ...coin, stock: 5 }],
  ['neither a type nor one parameter', { name: 'X', parameters: {} }],
  ['a fraction of a point', { ...coin, parameters: { coin: { exchange_ratio: 1, points_ratio: 1.5 } } }],
  ['another type', { ...mug, type: 'AIR' }],
  ['no name', { type: 'MATERIAL', parameters: {} }],
])('a reward with %s is refused', (_, body) => {
  const { post, get } = clubWith()

  expect(post('/v1/rewards', body)).toMatchObject({ status: 400, body: { key: 'invalid_payload' } })
  expect(get('/v1/rewards').body).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
})

test('programs offer rewards, and stop offering them', () => {
  const { post, get, del, events } = clubWith()
  const ids = [coin, mug].map((body) => post('/v1/rewards', body).body.id)

  const offered = post(path, [{ reward: ids[0] }, { reward: ids[1], parameters: { loyalty: { points: 300 } } }])
  const listed = get(path).body

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
  expect(get('/v1/loyalties/camp_other/rewards').body.total).toBe(0)
  expect(del(`/v1/rewards/${ids[1]}`).body.key).toBe('resource_in_use')
  expect(del(`/v1/loyalties/camp_other/rewards/${offered.body[1].id}`).status).toBe(404)
  expect(del(`${path}/${offered.body[1].id}`).status).toBe(204)
  expect(del(`${path}/${offered.body[1].id}`).status).toBe(404)
  expect(del(`/v1/rewards/${ids[1]}`).status).toBe(204)
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
  ['a reward under unknown conditions', ({ coin }) => [{ reward: coin, validation_rules: ['val_1'] }], 404],
])('offering %s is refused', (_, body, status) => {
  const { post, get } = clubWith()
  const idOf = (reward: unknown) => post('/v1/rewards', reward).body.id as string
  const ids = { coin: idOf(coin), mug: idOf(mug) }

  expect(post(path, body(ids)).status).toBe(status)
  expect(get(path).body.total).toBe(0)
})

test('a card pays the price of a reward, and pays an order with points', () => {
  const { post, give } = clubWith(['A'])
  const [coinId, mugId] = [coin, mug].map((body) => post('/v1/rewards', body).body.id)
  post(path, [{ reward: coinId }, { reward: mugId, parameters: { loyalty: { points: 300 } } }])
  give('A', 299)
  const validated = (reward: unknown) =>
    post('/v1/validations', { redeemables: [{ object: 'voucher', id: 'A', reward }], order: { amount: 10_000 } }).body

  expect(validated({ id: mugId }).redeemables[0].result.error.key).toBe('loyalty_card_points_exceeded')
  expect(validated({ id: coinId, points: 100 })).toMatchObject({ valid: true, order: { total_discount_amount: 500 } })
  give('A', 1)
  expect(validated({ id: mugId })).toMatchObject({ valid: true })
})

test('rewards that are shown can be loaded as they are', () => {
  const { post, get } = clubWith()
  const rewards = [coin, mug].map((body) => post('/v1/rewards', body).body)
  const reward_assignments = post(path, [{ reward: rewards[1].id, parameters: { loyalty: { points: 300 } } }]).body

  expect(clubWith([], { rewards, reward_assignments }).get(path).body).toEqual(get(path).body)
  expect(() => clubWith([], { rewards: [{ ...coin, parameters: {} }] })).toThrow('rewards[0]: Property .parameters')
  expect(() => clubWith([], { reward_assignments })).toThrow('reward_assignments[0]: Cannot find reward')
})

test('the metadata of a reward follows the schema of rewards', () => {
  const { post, put } = clubWith([], {
    metadata_schemas: [{ related_object: 'reward', properties: { shelf: { type: 'string' } } }],
  })
  const made = post('/v1/rewards', { ...coin, metadata: { shelf: 'A' } }).body

  expect(post('/v1/rewards', coin).body.key).toBe('metadata_validation_failed')
  expect(put(`/v1/rewards/${made.id}`, { metadata: { shelf: 1 } }).body.key).toBe('metadata_validation_failed')
})

test('a program changes its price of a reward, and each program has its own', () => {
  const { post, put, give, events, clock } = clubWith(['A'])
  const reward = post('/v1/rewards', mug).body.id
  const offer = (campaign: string, points: number) =>
    post(`/v1/loyalties/${campaign}/rewards`, [{ reward, parameters: { loyalty: { points } } }]).body[0]
  offer('camp_other', 5)
  const { id } = offer('camp_club', 300)
  give('A', 100)
  clock.now = '2026-05-07T00:00:00.000Z'
  const keyOf = (asked: object) =>
    post('/v1/validations', {
      redeemables: [{ object: 'voucher', id: 'A', reward: { id: reward, ...asked } }],
      order: { amount: 100 },
    }).body.redeemables[0].result.error?.key

  const dear = keyOf({})
  const changed = put(`${path}/${id}`, { parameters: { loyalty: { points: 80 } } })

  expect(dear).toBe('loyalty_card_points_exceeded')
  expect(changed.body).toMatchObject({ id, parameters: { loyalty: { points: 80 } }, updated_at: clock.now })
  expect(keyOf({})).toBeUndefined()
  expect(keyOf({ points: 80 })).toBeUndefined()
  expect(keyOf({ points: 1 })).toBe('invalid_amount')
  expect(events().at(-1)).toEqual(['campaign.reward.assignment.updated', 'camp_club'])
  expect(put(`/v1/loyalties/camp_other/rewards/${id}`, {}).status).toBe(404)
})

test.each([
  ['COIN', coin],
  ['MATERIAL', mug],
])('a %s reward that the program of the card does not offer is not found, whatever price is named', (_, body) => {
  const { post, get, give } = clubWith(['A'])
  const reward = post('/v1/rewards', body).body.id
  const parameters = body === mug ? { parameters: { loyalty: { points: 1 } } } : {}
  post('/v1/loyalties/camp_other/rewards', [{ reward, ...parameters }])
  give('A', 100)

  const asked = {
    redeemables: [{ object: 'voucher', id: 'A', reward: { id: reward, points: 1 } }],
    order: { amount: 500 },
  }

  expect(post('/v1/redemptions', asked).body).toMatchObject({
    code: 404,
    key: 'not_found',
    details: `Cannot find reward with id ${reward}`,
  })
  expect(get('/v1/vouchers/A').body.loyalty_card.balance).toBe(100)
})

test('an assignment that is made at its reward is the one of the program, and is changed and removed from either side', () => {
  const { call, post, put, get, del, events } = clubWith()
  const [id, other] = [mug, { ...mug, name: 'Cup' }].map((body) => post('/v1/rewards', body).body.id)
  const at = `/v1/rewards/${id}/assignments`
  const priced = (points: number) => ({ parameters: { loyalty: { points } } })

  const made = post(at, { campaign: 'Bean Club / Gold', ...priced(300) })
  const changed = put(`${at}/${made.body.id}`, priced(250))
  const seen = [`${at}/${made.body.id}`, `${path}/${made.body.id}`].map((where) => get(where).body)
  const details = get(`/v1/loyalties/camp_club/reward-assignments/${made.body.id}/reward`)

  expect(made.body).toMatchObject({ reward_id: id, related_object_id: 'camp_club', ...priced(300) })
  expect(changed.body).toMatchObject({ id: made.body.id, ...priced(250) })
  expect(seen).toEqual([changed.body, changed.body])
  expect(details.body).toEqual(get(`/v1/rewards/${id}`).body)
  expect([at, path].map((where) => get(where).body.data)).toEqual([[changed.body], [changed.body]])
  expect(post(at, { campaign: 'camp_club', ...priced(1) }).body.key).toBe('duplicate_found')
  for (const wrong of [
    `/v1/rewards/${other}/assignments`,
    '/v1/rewards/rew_x/assignments',
    '/v1/loyalties/camp_other/rewards',
  ])
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(call(method, `${wrong}/${made.body.id}`, { body: priced(1) }).status).toBe(404)
  expect(post(at, { campaign: 'camp_codes', ...priced(1) }).status).toBe(404)
  expect(del(`${at}/${made.body.id}`).status).toBe(204)
  expect([at, path].map((where) => get(where).body.total)).toEqual([0, 0])
  expect(events().map(([type]) => type)).toEqual([
    'campaign.reward.assignment.created',
    'campaign.reward.assignment.updated',
    'campaign.reward.assignment.deleted',
  ])
})

test('a card lists what its program offers, or only what its points pay for', () => {
  const { post, get, give } = clubWith(['A'])
  const [coinId, mugId] = [coin, mug].map((body) => post('/v1/rewards', body).body.id)
  post(path, [{ reward: coinId }])
  post(path, [{ reward: mugId, parameters: { loyalty: { points: 300 } } }])
  const shown = (query = '') => get('/v1/loyalties/members/A/rewards', query).body
  const idsOf = ({ data }: { data: { reward: { id: string } }[] }) => data.map(({ reward }) => reward.id)

  const poor = shown('affordable_only=true')
  give('A', 299)
  const saving = shown('affordable_only=true')
  give('A', 1)
  const rich = shown('affordable_only=true')

  expect(shown()).toMatchObject({ object: 'list', data_ref: 'data', total: 2 })
  expect(shown().data[0]).toEqual({
    reward: get(`/v1/rewards/${mugId}`).body,
    assignment: get(path).body.data[0],
    object: 'loyalty_reward',
  })
  expect([poor, saving, rich, shown('limit=1&page=2')].map(idsOf)).toEqual([[], [coinId], [mugId, coinId], [coinId]])
  expect(get('/v1/loyalties/members/NONE/rewards').status).toBe(404)
})

test.each([
  ['coin', { coin: { exchange_ratio: '0.05', points_ratio: '2' } }, 'COIN', { exchange_ratio: 0.05, points_ratio: 2 }],
  ['coin', { coin: { exchange_ratio: 0.5 } }, 'COIN', { exchange_ratio: 0.5, points_ratio: 1 }],
  ['campaign', { campaign: { id: 'camp_codes' } }, 'CAMPAIGN', { id: 'camp_codes', type: 'DISCOUNT_COUPONS' }],
  ['product', { product: { id: 'prod_x' } }, 'MATERIAL', { id: 'prod_x' }],
])('a reward with %s needs no type, and its ratios may be texts', (member, parameters, type, shown) => {
  const { post, put } = clubWith()

  const made = post('/v1/rewards', { name: 'R', parameters })

  expect(made).toMatchObject({ status: 200, body: { type, parameters: { [member]: shown } } })
  // What an answer holds is taken back.
  expect(put(`/v1/rewards/${made.body.id}`, made.body).body).toEqual(made.body)
})

/** A club with a holder of the card A, 1,000 points on it, and coupons and gift cards to win. */
function clubWithPrizes(reward: object, price: object = { points: 300 }, offer: object = {}) {
  const club = clubWith([], {
    campaigns: [
      ...programs,
      { ...gifts('Gifts', { type: 'AUTO_UPDATE' }), id: 'camp_gifts' },
      { ...coupons('Coupons', { type: 'AUTO_UPDATE', join_once: true }), id: 'camp_coupons' },
    ],
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    vouchers: [
      {
        id: 'v_A',
        code: 'A',
        campaign_id: 'camp_club',
        type: 'LOYALTY_CARD',
        loyalty_card: { points: 1000 },
        holder_id: 'cust_ada',
      },
    ],
    validation_rules: [
      { id: 'val_big', name: 'Big', rules: { 1: { name: 'order.amount', conditions: { $more_than: [5000] } } } },
    ],
  })
  const { post } = club
  const made = post('/v1/rewards', reward).body
  const [offered] = post(path, [{ reward: made.id, parameters: { loyalty: price }, ...offer }]).body
  const buy = (order: object = { amount: 1000 }) =>
    post('/v1/redemptions', { redeemables: [{ object: 'voucher', id: 'A', reward: { id: made.id } }], order })
  return { ...club, made, offered, buy }
}

test('a reward that is a code is given for the points, another one each time', () => {
  const { get, buy, card } = clubWithPrizes({ name: 'Code', parameters: { campaign: { id: 'camp_coupons' } } })
  const [first, second] = [buy(), buy()].map(({ body }) => body.redemptions[0])

  expect(first.reward).toMatchObject({
    name: 'Code',
    type: 'CAMPAIGN',
    voucher: { campaign: 'Coupons', holder_id: 'cust_ada' },
  })
  expect(second.reward.voucher.code).not.toBe(first.reward.voucher.code)
  expect(get(`/v1/vouchers/${first.reward.voucher.code}`).body.holder_id).toBe('cust_ada')
  expect(card('A').loyalty_card.balance).toBe(400)
})

test('a reward on a gift card is added to the one that the customer holds', () => {
  const { get, buy } = clubWithPrizes({ name: 'Credits', parameters: { campaign: { id: 'camp_gifts', balance: 700 } } })

  const [first, second] = [buy(), buy()].map(({ body }) => body.redemptions[0].reward.voucher)
  const held = get(`/v1/vouchers/${first.code}`).body

  expect(second.code).toBe(first.code)
  expect(held.gift.balance - first.gift.balance).toBe(700)
})

test('a code that cannot be given is refused, and the points stay', () => {
  const { post, get, buy, card } = clubWithPrizes({ name: 'Code', parameters: { campaign: { id: 'camp_coupons' } } })
  post('/v1/campaigns/Coupons/disable')

  expect(buy()).toMatchObject({ status: 400, body: { key: 'no_voucher_suitable_for_publication' } })
  expect(card('A').loyalty_card.balance).toBe(1000)
  expect(get('/v1/redemptions').body.total).toBe(0)
})

test('of a reward with a stock there is no more than that, and a roll-back puts a piece back', () => {
  const { post, get, buy, made } = clubWithPrizes({ ...mug, stock: 1 })

  const first = buy()
  const none = buy()
  post(`/v1/redemptions/${first.body.redemptions[0].id}/rollback`, {})
  const between = get(`/v1/rewards/${made.id}`).body
  const again = buy()

  expect([first.status, none.status, none.body.key, again.status]).toEqual([200, 400, 'reward_out_of_stock', 200])
  expect(between).toMatchObject({ stock: 1, redeemed: 0 })
  expect(get(`/v1/rewards/${made.id}`).body).toMatchObject({ stock: 1, redeemed: 1 })
})

test('an offer under rules is for orders that follow them, also when the rules are assigned later', () => {
  const { get, del, post, buy, offered } = clubWithPrizes(mug, { points: 1 }, { validation_rules: ['val_big'] })
  const [assigned] = get('/v1/validation-rules-assignments', `related_object_id=${offered.id}`).body.data

  expect(assigned).toMatchObject({ rule_id: 'val_big', related_object_type: 'reward_assignment' })
  expect([buy().body.key, buy({ amount: 6000 }).status]).toEqual(['order_rules_violated', 200])

  del(`/v1/validation-rules/val_big/assignments/${assigned.id}`)
  expect(buy().status).toBe(200)

  post('/v1/validation-rules/val_big/assignments', { reward_assignment: offered.id })
  expect(buy().body.key).toBe('order_rules_violated')
})

test('one reward of a program redeems itself, as often as the points last and ten times a day', async () => {
  const { post, get, settled, card, give, offered } = clubWithPrizes(mug, { points: 90, auto_redeem: true })
  post('/v1/loyalties/camp_club/earning-rules', [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 1 } }])
  const earn = async () => {
    post('/v1/orders', { amount: 100, status: 'PAID', customer: { id: 'cust_ada' } })
    await settled()
  }
  const second = post('/v1/rewards', coin).body

  await earn()
  const left = card('A').loyalty_card.balance
  give('A', 900)
  await earn()

  expect(offered.parameters.loyalty).toEqual({ points: 90, auto_redeem: true })
  expect(get('/v1/redemptions').body.total).toBe(10)
  expect([left, card('A').loyalty_card.balance]).toEqual([101, 1002])
  expect(second.type).toBe('COIN')
})

test('a second reward that redeems itself is refused', () => {
  const { post } = clubWithPrizes(mug, { points: 90, auto_redeem: true })
  const { id } = post('/v1/rewards', mug).body

  const { status, body } = post(path, [{ reward: id, parameters: { loyalty: { points: 1, auto_redeem: true } } }])

  expect([status, body.key]).toEqual([400, 'invalid_payload'])
})
