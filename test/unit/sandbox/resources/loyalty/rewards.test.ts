import { expect, test } from 'vitest'
import { coupons, gifts } from '../../../../support/campaigns.ts'
import { clubWith, emptyCard, programs } from '../../../../support/loyalty.ts'

const coin = { name: 'Pay with points', type: 'COIN', parameters: { coin: { exchange_ratio: 0.05, points_ratio: 1 } } }
const mug = { name: 'Mug', type: 'MATERIAL', parameters: {}, attributes: { description: 'Blue' } }
const path = '/v1/loyalties/camp_club/rewards'

test('a reward is created, read, changed and deleted', () => {
  const { ask, clock } = clubWith()
  const made = ask('POST /v1/rewards', { ...coin, metadata: { a: 1 } }, 200)
  const at = `/v1/rewards/${made.id}`
  clock.now = '2026-05-07T00:00:00.000Z'

  expect(made).toEqual({
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
  const changed = { ...made, name: 'Points', metadata: { a: 1, b: 2 }, updated_at: clock.now }
  expect(ask(`PUT ${at}`, { name: 'Points', metadata: { b: 2 } })).toEqual(changed)
  expect(ask(`GET ${at}`)).toEqual(changed)
  ask(`DELETE ${at}`, 204)
  for (const request of ['GET', 'DELETE']) ask(`${request} ${at}`, 404)
  ask(`PUT ${at}`, {}, 404)
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
  const { ask } = clubWith()

  ask('POST /v1/rewards', body, 'invalid_payload')
  expect(ask('GET /v1/rewards')).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
})

const priced = (points: number, more: object = {}) => ({ parameters: { loyalty: { points, ...more } } })

test('programs offer rewards, and stop offering them', () => {
  const { ask, events } = clubWith()
  const ids = [coin, mug].map((body) => ask('POST /v1/rewards', body).id)

  const [, offered] = ask(`POST ${path}`, [{ reward: ids[0] }, { reward: ids[1], ...priced(300) }], 200)

  expect(offered).toEqual({
    id: expect.stringMatching(/^rewa_/),
    reward_id: ids[1],
    related_object_id: 'camp_club',
    related_object_type: 'campaign',
    ...priced(300),
    created_at: '2026-05-06T07:08:09.123Z',
    updated_at: null,
    object: 'reward_assignment',
  })
  expect(ask(`GET ${path}`, { data_ref: 'data', total: 2 }).data[0]).toEqual(offered)
  ask('GET /v1/loyalties/camp_other/rewards', { total: 0 })
  ask(`DELETE /v1/rewards/${ids[1]}`, 'resource_in_use')
  ask(`DELETE /v1/loyalties/camp_other/rewards/${offered.id}`, 404)
  ask(`DELETE ${path}/${offered.id}`, 204)
  ask(`DELETE ${path}/${offered.id}`, 404)
  ask(`DELETE /v1/rewards/${ids[1]}`, 204)
  const types = ['created', 'created', 'deleted'].map((act) => `campaign.reward.assignment.${act}`)
  expect(events().map(([type]) => type)).toEqual(types)
})

test.each<[string, (ids: Record<string, string>) => unknown[], number]>([
  ['an unknown reward', () => [{ reward: 'rew_x' }], 404],
  ['a mug without its price', ({ mug }) => [{ reward: mug }], 400],
  ['a price in addition to a ratio', ({ coin }) => [{ reward: coin, ...priced(1) }], 400],
  ['the same twice', ({ coin }) => [{ reward: coin }, { reward: coin }], 409],
  ['a reward under unknown conditions', ({ coin }) => [{ reward: coin, validation_rules: ['val_1'] }], 404],
])('offering %s is refused', (_, body, status) => {
  const { ask } = clubWith()
  const idOf = (reward: unknown) => ask('POST /v1/rewards', reward).id as string

  ask(`POST ${path}`, body({ coin: idOf(coin), mug: idOf(mug) }), status)
  ask(`GET ${path}`, { total: 0 })
})

test('a card pays the price of a reward, and pays an order with points', () => {
  const { ask, give } = clubWith(['A'])
  const [coinId, mugId] = [coin, mug].map((body) => ask('POST /v1/rewards', body).id)
  ask(`POST ${path}`, [{ reward: coinId }, { reward: mugId, ...priced(300) }])
  give('A', 299)
  const validate = (reward: unknown, answer: object) =>
    ask(
      'POST /v1/validations',
      { redeemables: [{ object: 'voucher', id: 'A', reward }], order: { amount: 10_000 } },
      answer,
    )

  const result = { error: { key: 'loyalty_card_points_exceeded' } }
  validate({ id: mugId }, { redeemables: [{ result }] })
  validate({ id: coinId, points: 100 }, { valid: true, order: { total_discount_amount: 500 } })
  give('A', 1)
  validate({ id: mugId }, { valid: true })
})

test('rewards that are shown can be loaded as they are', () => {
  const { ask } = clubWith()
  const rewards = [coin, mug].map((body) => ask('POST /v1/rewards', body))
  const reward_assignments = ask(`POST ${path}`, [{ reward: rewards[1].id, ...priced(300) }])

  expect(clubWith([], { rewards, reward_assignments }).ask(`GET ${path}`)).toEqual(ask(`GET ${path}`))
  expect(() => clubWith([], { rewards: [{ ...coin, parameters: {} }] })).toThrow('rewards[0]: Property .parameters')
  expect(() => clubWith([], { reward_assignments })).toThrow('reward_assignments[0]: Cannot find reward')
})

test('the metadata of a reward follows the schema of rewards', () => {
  const schema = { related_object: 'reward', properties: { shelf: { type: 'string' } } }
  const { ask } = clubWith([], { metadata_schemas: [schema] })
  const { id } = ask('POST /v1/rewards', { ...coin, metadata: { shelf: 'A' } })

  ask('POST /v1/rewards', coin, 'metadata_validation_failed')
  ask(`PUT /v1/rewards/${id}`, { metadata: { shelf: 1 } }, 'metadata_validation_failed')
})

test('a program changes its price of a reward, and each program has its own', () => {
  const { ask, give, events, clock } = clubWith(['A'])
  const reward = ask('POST /v1/rewards', mug).id
  const offer = (campaign: string, points: number) =>
    ask(`POST /v1/loyalties/${campaign}/rewards`, [{ reward, ...priced(points) }])[0]
  offer('camp_other', 5)
  const { id } = offer('camp_club', 300)
  give('A', 100)
  clock.now = '2026-05-07T00:00:00.000Z'
  const keyOf = (asked: object) => {
    const redeemables = [{ object: 'voucher', id: 'A', reward: { id: reward, ...asked } }]
    return ask('POST /v1/validations', { redeemables, order: { amount: 100 } }).redeemables[0].result.error?.key
  }

  expect(keyOf({})).toBe('loyalty_card_points_exceeded')
  ask(`PUT ${path}/${id}`, priced(80), { id, ...priced(80), updated_at: clock.now })
  expect([{}, { points: 80 }, { points: 1 }].map(keyOf)).toEqual([undefined, undefined, 'invalid_amount'])
  expect(events().at(-1)).toEqual(['campaign.reward.assignment.updated', 'camp_club'])
  ask(`PUT /v1/loyalties/camp_other/rewards/${id}`, {}, 404)
})

test.each([
  ['COIN', coin, {}],
  ['MATERIAL', mug, priced(1)],
])(
  'a %s reward that the program of the card does not offer is not found, whatever price is named',
  (_, body, price) => {
    const { ask, give } = clubWith(['A'])
    const reward = ask('POST /v1/rewards', body).id
    ask('POST /v1/loyalties/camp_other/rewards', [{ reward, ...price }])
    give('A', 100)

    const redeemables = [{ object: 'voucher', id: 'A', reward: { id: reward, points: 1 } }]
    const details = `Cannot find reward with id ${reward}`
    ask('POST /v1/redemptions', { redeemables, order: { amount: 500 } }, { key: 'not_found', details })
    ask('GET /v1/vouchers/A', { loyalty_card: { balance: 100 } })
  },
)

test('an assignment that is made at its reward is the one of the program, and is changed and removed from either side', () => {
  const { ask, events } = clubWith()
  const [id, other] = [mug, { ...mug, name: 'Cup' }].map((body) => ask('POST /v1/rewards', body).id)
  const at = `/v1/rewards/${id}/assignments`

  const created = { reward_id: id, related_object_id: 'camp_club', ...priced(300) }
  const made = ask(`POST ${at}`, { campaign: 'Bean Club / Gold', ...priced(300) }, created)
  const changed = ask(`PUT ${at}/${made.id}`, priced(250), { id: made.id, ...priced(250) })
  for (const where of [at, path]) {
    expect(ask(`GET ${where}/${made.id}`)).toEqual(changed)
    expect(ask(`GET ${where}`).data).toEqual([changed])
  }
  const reward = ask(`GET /v1/rewards/${id}`)
  expect(ask(`GET /v1/loyalties/camp_club/reward-assignments/${made.id}/reward`)).toEqual(reward)
  ask(`POST ${at}`, { campaign: 'camp_club', ...priced(1) }, 'duplicate_found')
  for (const wrong of [`rewards/${other}/assignments`, 'rewards/rew_x/assignments', 'loyalties/camp_other/rewards'])
    for (const method of ['GET', 'PUT', 'DELETE'])
      ask(`${method} /v1/${wrong}/${made.id}`, ...(method === 'PUT' ? [priced(1)] : []), 404)
  ask(`POST ${at}`, { campaign: 'camp_codes', ...priced(1) }, 404)
  ask(`DELETE ${at}/${made.id}`, 204)
  for (const where of [at, path]) ask(`GET ${where}`, { total: 0 })
  const types = ['created', 'updated', 'deleted'].map((act) => `campaign.reward.assignment.${act}`)
  expect(events().map(([type]) => type)).toEqual(types)
})

test('a card lists what its program offers, or only what its points pay for', () => {
  const { ask, give } = clubWith(['A'])
  const [coinId, mugId] = [coin, mug].map((body) => ask('POST /v1/rewards', body).id)
  ask(`POST ${path}`, [{ reward: coinId }])
  ask(`POST ${path}`, [{ reward: mugId, ...priced(300) }])
  const listing = (query: string, ...ids: string[]) => {
    const list = { object: 'list', data_ref: 'data', data: ids.map((id) => ({ reward: { id } })) }
    return ask(`GET /v1/loyalties/members/A/rewards?${query}`, list)
  }

  listing('affordable_only=true')
  give('A', 299)
  listing('affordable_only=true', coinId)
  give('A', 1)
  listing('affordable_only=true', mugId, coinId)
  listing('limit=1&page=2', coinId)
  const { data, total } = listing('', mugId, coinId)
  const assignment = ask(`GET ${path}`).data[0]
  expect(data[0]).toEqual({ reward: ask(`GET /v1/rewards/${mugId}`), assignment, object: 'loyalty_reward' })
  expect(total).toBe(2)
  ask('GET /v1/loyalties/members/NONE/rewards', 404)
})

test.each([
  ['coin', { coin: { exchange_ratio: '0.05', points_ratio: '2' } }, 'COIN', { exchange_ratio: 0.05, points_ratio: 2 }],
  ['coin', { coin: { exchange_ratio: 0.5 } }, 'COIN', { exchange_ratio: 0.5, points_ratio: 1 }],
  ['campaign', { campaign: { id: 'camp_codes' } }, 'CAMPAIGN', { id: 'camp_codes', type: 'DISCOUNT_COUPONS' }],
  ['product', { product: { id: 'prod_x' } }, 'MATERIAL', { id: 'prod_x' }],
])('a reward with %s needs no type, and its ratios may be texts', (member, parameters, type, shown) => {
  const { ask } = clubWith()

  const made = ask('POST /v1/rewards', { name: 'R', parameters }, { type, parameters: { [member]: shown } })

  // What an answer holds is taken back.
  expect(ask(`PUT /v1/rewards/${made.id}`, made)).toEqual(made)
})

/** A club with a holder of the card A, 1,000 points on it, and coupons and gift cards to win. */
function clubWithPrizes(reward: object, price: object = { points: 300 }, offer: object = {}) {
  const big = { 1: { name: 'order.amount', conditions: { $more_than: [5000] } } }
  const club = clubWith([], {
    campaigns: [
      ...programs,
      { ...gifts('Gifts', { type: 'AUTO_UPDATE' }), id: 'camp_gifts' },
      { ...coupons('Coupons', { type: 'AUTO_UPDATE', join_once: true }), id: 'camp_coupons' },
    ],
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    vouchers: [emptyCard('A', 'camp_club', { loyalty_card: { points: 1000 }, holder_id: 'cust_ada' })],
    validation_rules: [{ id: 'val_big', name: 'Big', rules: big }],
  })
  const { ask, post } = club
  const made = ask('POST /v1/rewards', reward)
  const [offered] = ask(`POST ${path}`, [{ reward: made.id, parameters: { loyalty: price }, ...offer }])
  const buy = (order: object = { amount: 1000 }) =>
    post('/v1/redemptions', { redeemables: [{ object: 'voucher', id: 'A', reward: { id: made.id } }], order })
  return { ...club, made, offered, buy }
}

test('a reward that is a code is given for the points, another one each time', () => {
  const { ask, buy, card } = clubWithPrizes({ name: 'Code', parameters: { campaign: { id: 'camp_coupons' } } })
  const [first, second] = [buy(), buy()].map(({ body }) => body.redemptions[0].reward)

  const voucher = { campaign: 'Coupons', holder_id: 'cust_ada' }
  expect(first).toMatchObject({ name: 'Code', type: 'CAMPAIGN', voucher })
  expect(second.voucher.code).not.toBe(first.voucher.code)
  ask(`GET /v1/vouchers/${first.voucher.code}`, { holder_id: 'cust_ada' })
  expect(card('A').loyalty_card.balance).toBe(400)
})

test('a reward on a gift card is added to the one that the customer holds', () => {
  const campaign = { id: 'camp_gifts', balance: 700 }
  const { ask, buy } = clubWithPrizes({ name: 'Credits', parameters: { campaign } })

  const [first, second] = [buy(), buy()].map(({ body }) => body.redemptions[0].reward.voucher)

  expect(second.code).toBe(first.code)
  ask(`GET /v1/vouchers/${first.code}`, { gift: { balance: first.gift.balance + 700 } })
})

test('a code that cannot be given is refused, and the points stay', () => {
  const { ask, buy, card } = clubWithPrizes({ name: 'Code', parameters: { campaign: { id: 'camp_coupons' } } })
  ask('POST /v1/campaigns/Coupons/disable')

  expect(buy().body).toMatchObject({ code: 400, key: 'no_voucher_suitable_for_publication' })
  expect(card('A').loyalty_card.balance).toBe(1000)
  ask('GET /v1/redemptions', { total: 0 })
})

test('of a reward with a stock there is no more than that, and a roll-back puts a piece back', () => {
  const { ask, buy, made } = clubWithPrizes({ ...mug, stock: 1 })
  const reward = `GET /v1/rewards/${made.id}`

  const first = buy()
  expect(buy().body).toMatchObject({ code: 400, key: 'reward_out_of_stock' })
  ask(`POST /v1/redemptions/${first.body.redemptions[0].id}/rollback`, {})
  ask(reward, { stock: 1, redeemed: 0 })
  expect(buy().status).toBe(200)
  ask(reward, { stock: 1, redeemed: 1 })
})

test('an offer under rules is for orders that follow them, also when the rules are assigned later', () => {
  const { ask, buy, offered } = clubWithPrizes(mug, { points: 1 }, { validation_rules: ['val_big'] })
  const data = [{ rule_id: 'val_big', related_object_type: 'reward_assignment' }]
  const { id } = ask(`GET /v1/validation-rules-assignments?related_object_id=${offered.id}`, { data }).data[0]
  const assignments = '/v1/validation-rules/val_big/assignments'

  expect([buy().body.key, buy({ amount: 6000 }).status]).toEqual(['order_rules_violated', 200])
  ask(`DELETE ${assignments}/${id}`)
  expect(buy().status).toBe(200)
  ask(`POST ${assignments}`, { reward_assignment: offered.id })
  expect(buy().body.key).toBe('order_rules_violated')
})

test('one reward of a program redeems itself, as often as the points last and ten times a day', async () => {
  const { ask, settled, card, give, offered } = clubWithPrizes(mug, { points: 90, auto_redeem: true })
  ask('POST /v1/loyalties/camp_club/earning-rules', [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 1 } }])
  const earn = async () => {
    ask('POST /v1/orders', { amount: 100, status: 'PAID', customer: { id: 'cust_ada' } })
    await settled()
    return card('A').loyalty_card.balance
  }

  expect(offered.parameters.loyalty).toEqual({ points: 90, auto_redeem: true })
  expect(await earn()).toBe(101)
  give('A', 900)
  expect(await earn()).toBe(1002)
  ask('GET /v1/redemptions', { total: 10 })
})

test('a second reward that redeems itself is refused', () => {
  const { ask } = clubWithPrizes(mug, { points: 90, auto_redeem: true })
  const { id } = ask('POST /v1/rewards', mug)

  ask(`POST ${path}`, [{ reward: id, ...priced(1, { auto_redeem: true }) }], 'invalid_payload')
})
