// Points that become active some days after the order. The sandbox begins on 6 May 2026.
import { expect, test } from 'vitest'
import { tieredClub } from '../../../../support/tiers.ts'

const rules = '/v1/loyalties/camp_club/earning-rules'
const card = '/v1/loyalties/members/CARD-ada'
const perEuro = { order: { amount: { every: 100, points: 1 } } }
const later = {
  event: 'order.paid',
  loyalty: { type: 'PROPORTIONAL', calculation_type: 'ORDER_AMOUNT', ...perEuro },
  pending_points: { period_type: 'DAY', period_value: 14 },
  source: { banner: 'After two weeks' },
}

async function club({ tiers = [] as object[], fixture = {}, rule = later as object } = {}) {
  const sandbox = await tieredClub({ tiers, fixture, members: ['ada', 'bea'] })
  const { post, get, settled, at } = sandbox
  const made = post(rules, [rule]).body[0]
  return {
    ...sandbox,
    rule: made,
    pay: async (amount: number, name = 'ada') => {
      const order = post('/v1/orders', { customer: { id: `cust_${name}` }, amount, status: 'PAID' })
      await settled()
      return order.body.id as string
    },
    pending: (path = card) => get(`${path}/pending-points`).body,
    points: () => get(card).body.loyalty_card,
    at,
  }
}

test('the points of a paid order are pending, and no part of the balance', async () => {
  const { pay, pending, points, rule, latest, get } = await club()
  const before = points()
  const order = await pay(2500)

  const { data, ...list } = pending()

  expect(before).not.toHaveProperty('pending_points')
  expect(points()).toMatchObject({ points: 0, balance: 0, pending_points: 25 })
  expect(list).toEqual({ object: 'list', data_ref: 'data', has_more: false })
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^lopp_/),
      voucher_id: 'v_CARD-ada',
      campaign_id: 'camp_club',
      customer_id: 'cust_ada',
      order_id: order,
      points: 25,
      activates_at: '2026-05-20',
      details: {
        order: { id: order, source_id: null },
        earning_rule: { id: rule.id, source: { banner: 'After two weeks' } },
        event: {
          id: expect.stringMatching(/^ev_/),
          type: 'customer.order.paid',
          group_id: expect.any(String),
          entity_id: 'cust_ada',
          created_at: '2026-05-06T07:08:09.123Z',
          category: 'EFFECT',
          event_source: { channel: 'API', api_key: { name: 'Sandbox', app_id: expect.any(String) } },
        },
      },
      created_at: '2026-05-06T07:08:09.123Z',
      updated_at: null,
    },
  ])
  for (const family of ['', 'customer.'])
    expect(latest(`${family}voucher.loyalty_card.pending_points.added`)).toMatchObject({
      customer: { id: 'cust_ada' },
      campaign: { id: 'camp_club' },
      voucher: { code: 'CARD-ada', loyalty_card: { pending_points: 25 } },
      voucher_pending_points_balance: { points: 25, total: 25, object: 'balance', operation_type: 'AUTOMATIC' },
      order: { id: order },
      pending_points: { id: data[0].id },
    })
  expect(get(`${card}/transactions`).body.data).toEqual([])
})

test('they come onto the card on their day, in the time zone of the project', async () => {
  const { pay, pending, points, at, latest, get } = await club({
    fixture: { settings: { timezone: 'Pacific/Auckland' } },
  })
  await pay(2500)
  const [entry] = pending().data
  await at('2026-05-19T11:59:59.999Z')
  const onTheDayBefore = points()
  await at('2026-05-19T12:00:00.000Z')

  const balance = { points: 25, balance: 25, total: 25, operation_type: 'AUTOMATIC' }
  const [transaction] = get(`${card}/transactions`).body.data
  expect(entry.activates_at).toBe('2026-05-20')
  expect(onTheDayBefore).toMatchObject({ balance: 0, pending_points: 25 })
  expect(points()).toMatchObject({ points: 25, balance: 25, pending_points: 0 })
  expect(pending().data).toEqual([])
  expect(transaction).toMatchObject({
    type: 'PENDING_POINTS_ACTIVATION',
    source: 'Automation',
    details: {
      balance,
      order: { id: entry.order_id },
      event: { type: 'customer.order.paid' },
      earning_rule: { id: entry.details.earning_rule.id },
      pending_points: { id: entry.id, points: 25 },
    },
  })
  expect(latest('voucher.loyalty_card.pending_points.activated')).toMatchObject({
    balance: { points: 25, balance: 25 },
    transaction: { id: transaction.id },
    pending_points: { id: entry.id },
  })
})

test('the points of several orders become active each on its own day', async () => {
  const { pay, points, at } = await club()
  await pay(1000)
  await at('2026-05-08T00:00:00.000Z')
  await pay(500)
  const seen = [points()]
  for (const day of ['2026-05-20', '2026-05-21', '2026-05-22']) {
    await at(`${day}T00:00:00.000Z`)
    seen.push(points())
  }

  expect(seen.map(({ balance, pending_points }) => [balance, pending_points])).toEqual([
    [0, 15],
    [10, 5],
    [10, 5],
    [15, 0],
  ])
})

test('the lists of the program and of the card go on after an id, in either form', async () => {
  const { pay, get } = await club()
  for (const name of ['ada', 'bea', 'ada']) await pay(100, name)
  const ids = (path: string, query = '') =>
    get(`${path}/pending-points`, query).body.data.map(({ voucher_id }: { voucher_id: string }) => voucher_id)
  const first = get('/v1/loyalties/camp_club/pending-points', 'limit=2&order=id').body

  expect(ids('/v1/loyalties/camp_club')).toEqual(['v_CARD-ada', 'v_CARD-bea', 'v_CARD-ada'])
  expect(first).toMatchObject({ has_more: true, more_starting_after: first.data[1].id })
  expect(ids('/v1/loyalties/camp_club', `order=id&starting_after_id=${first.more_starting_after}`)).toEqual([
    'v_CARD-ada',
  ])
  expect(ids('/v1/loyalties/camp_club/members/CARD-bea')).toEqual(['v_CARD-bea'])
  expect(ids(card)).toHaveLength(2)
  for (const [path, type] of [
    ['/v1/loyalties/camp_x', 'campaign'],
    ['/v1/loyalties/members/CARD-x', 'voucher'],
    ['/v1/loyalties/camp_other/members/CARD-ada', 'voucher'],
  ] as const)
    expect(get(`${path}/pending-points`)).toMatchObject({ status: 404, body: { resource_type: type } })
})

test.each(['', '/camp_club'])('pending points are activated by hand, once (%s)', async (campaign) => {
  const { pay, pending, points, post, get } = await club()
  await pay(2500)
  const [{ id }] = pending().data
  const path = `/v1/loyalties${campaign}/members/CARD-ada/pending-points/${id}/activate`

  const { status, body } = post(path)

  expect(status).toBe(200)
  expect(body).toEqual({
    type: 'loyalty_card',
    total: 25,
    object: 'balance',
    points: 25,
    balance: 25,
    operation_type: 'MANUAL',
    related_object: { id: 'v_CARD-ada', type: 'voucher' },
  })
  expect(points()).toMatchObject({ balance: 25, pending_points: 0 })
  expect(get(`${card}/transactions`).body.data[0]).toMatchObject({ source: null })
  expect(post(path)).toMatchObject({
    status: 400,
    body: {
      key: 'invalid_pending_points_state',
      message: 'Invalid pending points state',
      details: `Pending points ${id} cannot be activated: their status is ACTIVATED`,
    },
  })
})

test.each(['', '/camp_club'])('pending points are adjusted, but not to nothing (%s)', async (campaign) => {
  const { pay, pending, points, post, latest } = await club()
  await pay(2500)
  await pay(100)
  const [, { id }] = pending().data
  const adjust = (by: number) =>
    post(`/v1/loyalties${campaign}/members/CARD-ada/pending-points/${id}/balance`, { points: by })

  const { body } = adjust(-5)
  const refusals = [adjust(-20), adjust(0)]

  expect(body).toEqual({
    points: -5,
    total: 21,
    object: 'balance',
    related_object: { id: 'v_CARD-ada', type: 'voucher' },
    operation_type: 'MANUAL',
  })
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ status: 400, body: { key: 'invalid_amount', message: 'Invalid Amount' } })
  expect(points().pending_points).toBe(21)
  expect(latest('voucher.loyalty_card.pending_points.updated')).toMatchObject({ pending_points: { id, points: 20 } })
})

test.each(['', '/camp_club'])('canceled points never come onto the card (%s)', async (campaign) => {
  const { pay, pending, points, call, post, at, latest } = await club()
  await pay(2500)
  const [{ id }] = pending().data
  const path = `/v1/loyalties${campaign}/members/CARD-ada/pending-points/${id}`

  expect(post(`${path}/cancel`)).toMatchObject({ status: 204, body: undefined })
  await at('2026-07-01T00:00:00.000Z')

  expect(points()).toMatchObject({ balance: 0, pending_points: 0 })
  expect(latest('voucher.loyalty_card.pending_points.canceled')).toMatchObject({
    voucher_pending_points_balance: { points: -25, total: 0 },
  })
  for (const [act, body] of [
    ['activate', undefined],
    ['cancel', undefined],
    ['balance', { points: 1 }],
  ] as const)
    expect(call('POST', `${path}/${act}`, body && { body })).toMatchObject({
      status: 400,
      body: { key: 'invalid_pending_points_state', details: expect.stringMatching(/status is CANCELED$/) },
    })
})

test('pending points of another card, and unknown ones, are not found', async () => {
  const { pay, pending, post } = await club()
  await pay(2500)
  const [{ id }] = pending().data

  for (const path of [`members/CARD-bea/pending-points/${id}`, 'members/CARD-ada/pending-points/lopp_x'])
    expect(post(`/v1/loyalties/${path}/activate`)).toMatchObject({
      status: 404,
      body: { key: 'not_found', resource_type: 'pending_points' },
    })
})

test('the tier at the time of the order multiplies them, and their activation moves the tier', async () => {
  const tiers = [
    { name: 'Basic', points: { from: 0, to: 99 } },
    { name: 'Gold', points: { from: 100 } },
  ]
  const { pay, pending, get, post, tierOf, earn, at, announced, tiers: made } = await club({ tiers })
  const ruleId = get(rules).body.data[0].id
  const body = [
    { name: 'Double', points: { from: 10, to: 49 }, earning_rules: { [ruleId]: { type: 'MULTIPLY', multiplier: 2 } } },
  ]
  const [double] = post('/v1/loyalties/camp_club/tiers', body).body
  await earn('ada', 20)
  await pay(5000)
  const [entry] = pending().data
  await earn('ada', -15)
  announced()
  await at('2026-05-20T00:00:00.000Z')

  expect(entry).toMatchObject({
    points: 100,
    details: { loyalty_tier: { id: double.id }, holder_loyalty_tier: { id: double.id, name: 'Double' } },
  })
  expect(tierOf('ada')).toBe('Gold')
  expect(announced()).toEqual(['upgraded Basic Gold'])
  expect(get(`${card}/transactions`).body.data[0].details.holder_loyalty_tier.id).toBe(made[0]?.id)
})

test('pending points cannot be spent, moved or taken off', async () => {
  const { pay, post } = await club()
  await pay(2500)
  const moved = [{ code: 'CARD-ada', points: 1, source_id: 't-1' }]

  for (const answer of [
    post(`${card}/balance`, { points: -1 }),
    post('/v1/loyalties/camp_club/members/CARD-bea/transfers', moved),
  ])
    expect(answer.body.key).toBe('loyalty_card_points_exceeded')
})

test('neither a disabled program nor a deleted rule stops points that are pending', async () => {
  const { pay, points, del, post, at, rule } = await club()
  await pay(2500)
  del(`${rules}/${rule.id}`)
  post('/v1/campaigns/camp_club/disable')

  await at('2026-05-20T00:00:00.000Z')

  expect(points()).toMatchObject({ balance: 25, pending_points: 0 })
})

test('a rule has its delay changed and cleared, and then points are active at once', async () => {
  const { put, rule, pay, points } = await club()
  const week = { period_type: 'DAY', period_value: 7 }

  const changed = put(`${rules}/${rule.id}`, { pending_points: week }).body
  const cleared = put(`${rules}/${rule.id}`, { pending_points: null }).body
  await pay(2500)

  expect(rule.pending_points).toEqual(later.pending_points)
  expect(changed.pending_points).toEqual(week)
  expect(cleared.pending_points ?? null).toBeNull()
  expect(points()).toMatchObject({ balance: 25 })
})

test.each<[string, object]>([
  ['more than 90 days', { pending_points: { period_type: 'DAY', period_value: 91 } }],
  ['no days', { pending_points: { period_type: 'DAY', period_value: 0 } }],
  ['months', { pending_points: { period_type: 'MONTH', period_value: 1 } }],
  ['another event', { event: 'customer.loyalty.tier.joined', loyalty_tier: { id: '__ANY__' }, loyalty: { points: 1 } }],
])('a rule with pending points after %s is refused', async (_, more) => {
  const { post } = await club()

  expect(post(rules, [{ ...later, ...more }])).toMatchObject({ status: 400, body: { key: 'invalid_payload' } })
})
