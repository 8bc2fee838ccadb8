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
  const { pay, pending, points, rule, latest, ask } = await club()
  expect(points()).not.toHaveProperty('pending_points')
  const id = await pay(2500)

  const { data, ...list } = pending()

  expect(points()).toMatchObject({ points: 0, balance: 0, pending_points: 25 })
  expect(list).toEqual({ object: 'list', data_ref: 'data', has_more: false })
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^lopp_/),
      voucher_id: 'v_CARD-ada',
      campaign_id: 'camp_club',
      customer_id: 'cust_ada',
      order_id: id,
      points: 25,
      activates_at: '2026-05-20',
      details: {
        order: { id, source_id: null },
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
      order: { id },
      pending_points: { id: data[0].id },
    })
  ask(`GET ${card}/transactions`, { data: [] })
})

test('they come onto the card on their day, in the time zone of the project', async () => {
  const settings = { timezone: 'Pacific/Auckland' }
  const { pay, pending, points, at, latest, ask } = await club({ fixture: { settings } })
  await pay(2500)
  const [{ id, activates_at, order_id, details }] = pending().data
  expect(activates_at).toBe('2026-05-20')
  await at('2026-05-19T11:59:59.999Z')
  expect(points()).toMatchObject({ balance: 0, pending_points: 25 })
  await at('2026-05-19T12:00:00.000Z')

  expect(points()).toMatchObject({ points: 25, balance: 25, pending_points: 0 })
  expect(pending().data).toEqual([])
  const [transaction] = ask(`GET ${card}/transactions`).data
  expect(transaction).toMatchObject({
    type: 'PENDING_POINTS_ACTIVATION',
    source: 'Automation',
    details: {
      balance: { points: 25, balance: 25, total: 25, operation_type: 'AUTOMATIC' },
      order: { id: order_id },
      event: { type: 'customer.order.paid' },
      earning_rule: { id: details.earning_rule.id },
      pending_points: { id, points: 25 },
    },
  })
  expect(latest('voucher.loyalty_card.pending_points.activated')).toMatchObject({
    balance: { points: 25, balance: 25 },
    transaction: { id: transaction.id },
    pending_points: { id },
  })
})

test('the points of several orders become active each on its own day', async () => {
  const { pay, points, at } = await club()
  await pay(1000)
  await at('2026-05-08T00:00:00.000Z')
  await pay(500)

  for (const [day, balance, pending_points] of [
    ['08', 0, 15],
    ['20', 10, 5],
    ['21', 10, 5],
    ['22', 15, 0],
  ]) {
    await at(`2026-05-${day}T00:00:00.000Z`)
    expect([day, points()]).toMatchObject([day, { balance, pending_points }])
  }
})

test('the lists of the program and of the card go on after an id, in either form', async () => {
  const { pay, ask } = await club()
  for (const name of ['ada', 'bea', 'ada']) await pay(100, name)
  const list = (path: string, query: string, ...names: string[]) =>
    ask(`GET /v1/loyalties/${path}/pending-points?${query}`, {
      data: names.map((name) => ({ voucher_id: `v_CARD-${name}` })),
    })

  list('camp_club', '', 'ada', 'bea', 'ada')
  const { data, has_more, more_starting_after } = list('camp_club', 'limit=2&order=id', 'ada', 'bea')
  expect([has_more, more_starting_after]).toEqual([true, data[1].id])
  list('camp_club', `order=id&starting_after_id=${more_starting_after}`, 'ada')
  list('camp_club/members/CARD-bea', '', 'bea')
  list('members/CARD-ada', '', 'ada', 'ada')
  for (const [path, resource_type] of Object.entries({
    camp_x: 'campaign',
    'members/CARD-x': 'voucher',
    'camp_other/members/CARD-ada': 'voucher',
  }))
    ask(`GET /v1/loyalties/${path}/pending-points`, { code: 404, resource_type })
})

test.each(['', '/camp_club'])('pending points are activated by hand, once (%s)', async (campaign) => {
  const { pay, pending, points, ask } = await club()
  await pay(2500)
  const [{ id }] = pending().data
  const path = `/v1/loyalties${campaign}/members/CARD-ada/pending-points/${id}/activate`

  expect(ask(`POST ${path}`, undefined, 200)).toEqual({
    type: 'loyalty_card',
    total: 25,
    object: 'balance',
    points: 25,
    balance: 25,
    operation_type: 'MANUAL',
    related_object: { id: 'v_CARD-ada', type: 'voucher' },
  })
  expect(points()).toMatchObject({ balance: 25, pending_points: 0 })
  expect(ask(`GET ${card}/transactions`).data[0]).toMatchObject({ source: null })
  const details = `Pending points ${id} cannot be activated: their status is ACTIVATED`
  const message = 'Invalid pending points state'
  ask(`POST ${path}`, undefined, { key: 'invalid_pending_points_state', message, details })
})

test.each(['', '/camp_club'])('pending points are adjusted, but not to nothing (%s)', async (campaign) => {
  const { pay, pending, points, ask, latest } = await club()
  await pay(2500)
  await pay(100)
  const [, { id }] = pending().data
  const path = `/v1/loyalties${campaign}/members/CARD-ada/pending-points/${id}/balance`

  expect(ask(`POST ${path}`, { points: -5 })).toEqual({
    points: -5,
    total: 21,
    object: 'balance',
    related_object: { id: 'v_CARD-ada', type: 'voucher' },
    operation_type: 'MANUAL',
  })
  for (const by of [-20, 0]) ask(`POST ${path}`, { points: by }, { key: 'invalid_amount', message: 'Invalid Amount' })
  expect(points().pending_points).toBe(21)
  expect(latest('voucher.loyalty_card.pending_points.updated')).toMatchObject({ pending_points: { id, points: 20 } })
})

test.each(['', '/camp_club'])('canceled points never come onto the card (%s)', async (campaign) => {
  const { pay, pending, points, ask, at, latest } = await club()
  await pay(2500)
  const path = `/v1/loyalties${campaign}/members/CARD-ada/pending-points/${pending().data[0].id}`

  expect(ask(`POST ${path}/cancel`, undefined, 204)).toBeUndefined()
  await at('2026-07-01T00:00:00.000Z')

  expect(points()).toMatchObject({ balance: 0, pending_points: 0 })
  const canceled = { voucher_pending_points_balance: { points: -25, total: 0 } }
  expect(latest('voucher.loyalty_card.pending_points.canceled')).toMatchObject(canceled)
  const error = { key: 'invalid_pending_points_state', details: expect.stringMatching(/status is CANCELED$/) }
  for (const act of ['activate', 'cancel', 'balance'])
    ask(`POST ${path}/${act}`, act === 'balance' ? { points: 1 } : undefined, error)
})

test('pending points of another card, and unknown ones, are not found', async () => {
  const { pay, pending, ask } = await club()
  await pay(2500)
  const error = { key: 'not_found', resource_type: 'pending_points' }

  for (const path of [`CARD-bea/pending-points/${pending().data[0].id}`, 'CARD-ada/pending-points/lopp_x'])
    ask(`POST /v1/loyalties/members/${path}/activate`, undefined, error)
})

test('the tier at the time of the order multiplies them, and their activation moves the tier', async () => {
  const tiers = [
    { name: 'Basic', points: { from: 0, to: 99 } },
    { name: 'Gold', points: { from: 100 } },
  ]
  const { pay, pending, ask, tierOf, earn, at, announced, rule, tiers: made } = await club({ tiers })
  const earning_rules = { [rule.id]: { type: 'MULTIPLY', multiplier: 2 } }
  const doubling = [{ name: 'Double', points: { from: 10, to: 49 }, earning_rules }]
  const [{ id }] = ask('POST /v1/loyalties/camp_club/tiers', doubling)
  await earn('ada', 20)
  await pay(5000)
  const details = { loyalty_tier: { id }, holder_loyalty_tier: { id, name: 'Double' } }
  expect(pending().data).toMatchObject([{ points: 100, details }])
  await earn('ada', -15)
  announced()
  await at('2026-05-20T00:00:00.000Z')

  expect(tierOf('ada')).toBe('Gold')
  expect(announced()).toEqual(['upgraded Basic Gold'])
  expect(ask(`GET ${card}/transactions`).data[0].details.holder_loyalty_tier.id).toBe(made[0]?.id)
})

test('pending points cannot be spent, moved or taken off', async () => {
  const { pay, ask } = await club()
  await pay(2500)
  const moved = [{ code: 'CARD-ada', points: 1, source_id: 't-1' }]

  ask(`POST ${card}/balance`, { points: -1 }, 'loyalty_card_points_exceeded')
  ask('POST /v1/loyalties/camp_club/members/CARD-bea/transfers', moved, 'loyalty_card_points_exceeded')
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
  const { ask, rule, pay, points } = await club()
  const week = { pending_points: { period_type: 'DAY', period_value: 7 } }

  expect(rule.pending_points).toEqual(later.pending_points)
  ask(`PUT ${rules}/${rule.id}`, week, week)
  expect(ask(`PUT ${rules}/${rule.id}`, { pending_points: null }).pending_points ?? null).toBeNull()
  await pay(2500)
  expect(points()).toMatchObject({ balance: 25 })
})

test.each<[string, object]>([
  ['more than 90 days', { pending_points: { period_type: 'DAY', period_value: 91 } }],
  ['no days', { pending_points: { period_type: 'DAY', period_value: 0 } }],
  ['months', { pending_points: { period_type: 'MONTH', period_value: 1 } }],
  ['another event', { event: 'customer.loyalty.tier.joined', loyalty_tier: { id: '__ANY__' }, loyalty: { points: 1 } }],
])('a rule with pending points after %s is refused', async (_, more) => {
  const { ask } = await club()

  ask(`POST ${rules}`, [{ ...later, ...more }], 'invalid_payload')
})
