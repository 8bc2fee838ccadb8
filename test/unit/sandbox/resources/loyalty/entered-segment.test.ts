import { expect, test } from 'vitest'
import { programs } from '../../../../support/loyalty.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const filter = { 'metadata.club': { conditions: { $is: 'gold' } } }
const event = 'customer.segment.entered'
const rules = '/v1/loyalties/camp_club/earning-rules'
const gold = { source_id: 'ada', metadata: { club: 'gold' } }

const card = { type: 'LOYALTY_CARD', campaign_id: 'camp_club', loyalty_card: { points: 0 }, holder_id: 'cust_ada' }
const five = { campaign_id: 'camp_club', event, segment: { id: 'seg_gold' }, loyalty: { type: 'FIXED', points: 5 } }

function club(rule: Record<string, unknown> = {}) {
  const sandbox = testSandbox({
    fixture: {
      campaigns: programs,
      customers: [{ id: 'cust_ada', source_id: 'ada', metadata: { club: 'none', visits: 7 } }],
      segments: [
        { id: 'seg_gold', name: 'Gold', type: 'auto-update', filter },
        { id: 'seg_asked', name: 'Asked for', type: 'passive', filter },
        { id: 'seg_list', name: 'List', type: 'static', customers: ['cust_ada'] },
      ],
      event_schemas: [{ id: 'ms_1', name: 'visited', schema: { properties: {} } }],
      vouchers: [
        { code: 'ADA', ...card },
        { code: 'TEN', type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
      ],
      earning_rules: [{ ...five, ...rule }],
    },
  })
  const entries = async () => {
    await sandbox.settled()
    expect(sandbox.reports).toEqual([])
    return sandbox.get('/v1/loyalties/members/ADA/transactions').body.data
  }
  const change = (club: string) => sandbox.put('/v1/customers/ada', { metadata: { club } })
  return { ...sandbox, entries, change }
}

test('a rule about a segment is stored with it, and names it in the list of rules', () => {
  const { ask } = club()
  const segment = { id: 'seg_list' }

  const asked = [{ event, segment, loyalty: { type: 'FIXED', points: 1 } }]
  const [{ id }] = ask(`POST ${rules}`, asked, [{ event, segment, custom_event: null }])
  ask(`GET ${rules}/${id}`, { segment })
  ask(`PUT ${rules}/${id}`, { loyalty: { points: 2 } }, { segment })
})

const ten = [{ object: 'voucher', id: 'TEN' }]
const inGold = { source_ids: ['ada'], metadata: gold.metadata }

test.each([
  ['the customer is changed', 'PUT', '/v1/customers/ada', { metadata: gold.metadata }],
  ['the customer is sent again', 'POST', '/v1/customers', gold],
  ['an event comes', 'POST', '/v1/events', { event: 'visited', customer: gold }],
  ['a code is published', 'POST', '/v1/publications', { voucher: 'TEN', customer: gold }],
  ['a code is redeemed', 'POST', '/v1/redemptions', { redeemables: ten, customer: gold }],
  ['an order is stored', 'POST', '/v1/orders', { amount: 100, customer: gold }],
  ['orders are imported', 'POST', '/v1/orders/import', [{ source_id: 'o', amount: 100, customer: gold }]],
  ['customers are changed in bulk', 'POST', '/v1/customers/bulk/async', [gold]],
  ['metadata is changed in bulk', 'POST', '/v1/customers/metadata/async', inGold],
] as const)('a customer who comes into a segment when %s earns its points once', async (_, method, path, body) => {
  const { call, entries } = club()

  const { status } = call(method, path, { body })
  const [entry, ...others] = await entries()

  expect(status).toBeLessThan(300)
  expect(others).toEqual([])
  expect(entry).toMatchObject({
    type: 'POINTS_ACCRUAL',
    details: { balance: { points: 5 }, event: { type: event }, segment: { id: 'seg_gold', name: 'Gold' } },
  })
})

test('points come each time the customer comes in, and neither for staying nor for leaving', async () => {
  const { ask, change, entries } = club()

  for (const name of ['gold', 'gold', 'none', 'gold']) change(name)
  ask('PUT /v1/customers/ada', { name: 'Ada' })

  expect(await entries()).toHaveLength(2)
  const activity: { type: string }[] = ask('GET /v1/customers/ada/activity?limit=100').data
  const moves = [event, 'customer.segment.left', event].map((type) => ({ type, data: { segment: { id: 'seg_gold' } } }))
  expect(activity.filter(({ type }) => type.startsWith('customer.segment.'))).toMatchObject(moves)
})

test('a passive segment that a rule names counts as an active one, and a number of the customer makes the points', async () => {
  const loyalty = {
    type: 'PROPORTIONAL',
    calculation_type: 'CUSTOMER_METADATA',
    customer: { metadata: { every: 2, points: 3, property: 'visits' } },
  }
  const { change, entries } = club({ segment: { id: 'seg_asked' }, loyalty })

  change('gold')

  expect((await entries())[0].details).toMatchObject({ balance: { points: 9 }, segment: { id: 'seg_asked' } })
})

test('a new customer who is in the segment gets a card of a program that customers join automatically', async () => {
  const { ask, entries } = club()
  const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } }
  const { id } = ask('POST /v1/loyalties', { name: 'Automatic', type: 'AUTO_UPDATE', auto_join: true, voucher })
  const rule = { event, segment: { id: 'seg_gold' }, loyalty: { type: 'FIXED', points: 8 } }
  ask(`POST /v1/loyalties/${id}/earning-rules`, [rule])

  ask('POST /v1/customers', { source_id: 'bob', metadata: gold.metadata })
  await entries()

  ask('GET /v1/customers/bob', { loyalty: { points: 8 } })
})

test('whoever is in a segment already has not come into it', async () => {
  const { post, put, change, entries } = club({ active: false })
  change('gold')

  const made = post('/v1/segments', { name: 'Newer', type: 'auto-update', filter }).body
  post(rules, [{ event, segment: { id: made.id }, loyalty: { type: 'FIXED', points: 1 } }])
  put('/v1/customers/ada', { name: 'Ada' })

  expect(await entries()).toEqual([])
})
const perAmount = { type: 'PROPORTIONAL', calculation_type: 'ORDER_AMOUNT', order: { amount: { every: 1, points: 1 } } }

test.each([
  ['no segment', { segment: undefined }, 400],
  ['an unknown segment', { segment: { id: 'seg_x' } }, 404],
  ['a segment of another event', { event: 'order.paid' }, 400],
  ['the amount of an order', { loyalty: perAmount }, 400],
])('a rule about a segment with %s is refused', (_, more, status) => {
  club().ask(`POST ${rules}`, [{ event, loyalty: five.loyalty, segment: five.segment, ...more }], status)
})
