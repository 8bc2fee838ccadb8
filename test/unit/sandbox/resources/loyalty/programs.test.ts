import { expect, test } from 'vitest'
import { clubWith, emptyCard } from '../../../../support/loyalty.ts'

const customers = [
  { id: 'cust_ada', source_id: 'ada', metadata: { club: 'gold' } },
  { id: 'cust_bo', source_id: 'bo' },
]
const adas = { holder_id: 'cust_ada', publish: { count: 1 } }
const everyTen = {
  type: 'PROPORTIONAL',
  calculation_type: 'ORDER_AMOUNT',
  order: { amount: { every: 1000, points: 5 } },
}
const path = '/v1/loyalties/camp_club'

test('a loyalty program is created as a campaign whose type is known from the call', () => {
  const { post, get, events } = clubWith()

  const { status, body } = post('/v1/loyalties', {
    name: 'Points',
    voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 7 } },
    vouchers_count: 1,
  })

  expect([status, body.campaign_type, body.object]).toEqual([200, 'LOYALTY_PROGRAM', 'campaign'])
  expect(get(`/v1/loyalties/${body.id}`).body).toEqual(body)
  expect(get('/v1/loyalties/Points/members').body.vouchers[0].loyalty_card.points).toBe(7)
  expect(events()).toContainEqual(['campaign.created', body.id])
  expect(post('/v1/loyalties', { name: 'P', campaign_type: 'PROMOTION' }).body).toMatchObject({
    key: 'invalid_payload',
    details: 'Property .campaign_type must be equal to one of the allowed values: LOYALTY_PROGRAM',
  })
})

test('a loyalty program is changed and deleted, another campaign is not found as one', () => {
  const { put, del, get, events } = clubWith()

  const changed = put(path, { description: 'For regulars' })
  const deleted = del(path)

  expect(changed.body).toMatchObject({ id: 'camp_club', description: 'For regulars' })
  expect([deleted.status, deleted.body]).toEqual([200, { async_action_id: expect.any(String) }])
  expect(events().map(([type]) => type)).toEqual(['campaign.updated', 'campaign.deleted'])
  expect(get(path).status).toBe(404)
  expect(put('/v1/loyalties/camp_codes', {}).status).toBe(404)
  expect(del('/v1/loyalties/camp_codes').status).toBe(404)
})

/** Ada's card, a rule of 5 points for every 10.00, and one of 7 points for orders above 50.00. */
function club(more: Record<string, unknown> = {}, card: Record<string, unknown> = adas) {
  const rules = { '1': { name: 'order.amount', conditions: { $more_than: [5000] } }, logic: '1' }
  const sandbox = clubWith([], {
    customers,
    vouchers: [emptyCard('A', 'camp_club', card)],
    validation_rules: [{ id: 'val_1', name: 'Large', rules, applicable_to: null }],
    earning_rules: [
      { campaign_id: 'camp_club', event: 'order.paid', loyalty: everyTen },
      {
        campaign_id: 'camp_club',
        event: 'order.paid',
        loyalty: { type: 'FIXED', points: 7 },
        validation_rule_id: 'val_1',
      },
      { campaign_id: 'camp_club', event: 'order.paid', loyalty: { type: 'FIXED', points: 1000 }, active: false },
    ],
    ...more,
  })
  const estimate = (body: unknown) => sandbox.post(`${path}/qualifications`, body)
  return { ...sandbox, estimate }
}

test.each([
  [{ customer: { source_id: 'ada' }, order: { amount: 2999 } }, 10],
  [{ customer: { id: 'cust_ada' }, order: { amount: 10_000 } }, 57],
  [{ customer: { id: 'cust_ada' } }, 0],
])('the estimate for %j is what an order paid now would earn', (body, points_estimation) => {
  const { estimate, events } = club()

  const answer = estimate(body)

  expect([answer.status, answer.body]).toEqual([
    200,
    { campaign: { id: 'camp_club', name: 'Bean Club / Gold', object: 'campaign' }, points_estimation },
  ])
  expect(events()).toEqual([])
})

test('a stored order is estimated by its id, and equals what it earned', async () => {
  const { post, estimate, settled, card } = club({
    rewards: [{ id: 'rew_1', name: 'C', type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 1 } } }],
  })
  post('/v1/vouchers/OFF', { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } })
  const { order } = post('/v1/redemptions', {
    redeemables: [{ object: 'voucher', id: 'OFF' }],
    customer: { id: 'cust_ada' },
    order: { source_id: 'shop-1', amount: 6000 },
  }).body
  await settled()

  expect(card('A').loyalty_card.points).toBe(37)
  expect(estimate({ customer: { id: 'cust_ada' }, order: { id: order.id } }).body.points_estimation).toBe(37)
  expect(estimate({ customer: { id: 'cust_ada' }, order: { source_id: 'shop-1' } }).body.points_estimation).toBe(37)
})

test('somebody without a card is estimated only where customers join automatically', () => {
  const { put, estimate } = club()
  const body = { customer: { source_id: 'nobody' }, order: { amount: 1000 } }

  const refused = estimate(body)
  put(path, { auto_join: true })

  expect(refused.body).toMatchObject({ code: 400, key: 'campaign_not_allow_auto_join' })
  expect(estimate(body).body.points_estimation).toBe(5)
  expect(estimate({ order: { amount: 1000 } }).body.points_estimation).toBe(5)
})

test('a disabled program, and a customer whose only card is disabled, are refused with keys of their own', () => {
  const { post, estimate } = club({}, { ...adas, active: false })
  const body = { customer: { source_id: 'ada' }, order: { amount: 1000 } }

  expect(estimate(body).body).toMatchObject({ code: 400, key: 'loyalty_card_not_active' })
  post('/v1/campaigns/camp_club/disable')
  expect(estimate(body).body).toMatchObject({ code: 400, key: 'campaign_not_active' })
  expect(estimate({ order: { amount: 'much' } }).body).toMatchObject({ code: 400, key: 'invalid_payload' })
  expect(post('/v1/loyalties/camp_codes/qualifications', body).status).toBe(404)
})

test('a member redeems a reward of the program, by either path, as the holder of the card', () => {
  const { post, give, card } = club({
    rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: {} }],
    reward_assignments: [
      { reward_id: 'rew_mug', related_object_id: 'camp_club', parameters: { loyalty: { points: 60 } } },
    ],
  })
  give('A', 150)
  const body = { reward: { id: 'rew_mug' }, metadata: { shop: 'Delft' } }

  const one = post(`${path}/members/A/redemption`, body)
  const two = post('/v1/loyalties/members/A/redemption', body)
  const three = post('/v1/loyalties/members/A/redemption', body)

  expect([one.status, two.status]).toEqual([200, 200])
  expect(one.body).toMatchObject({
    id: expect.stringMatching(/^r_/),
    object: 'redemption',
    result: 'SUCCESS',
    customer_id: 'cust_ada',
    loyalty_card: { points: 60 },
    reward: { id: 'rew_mug', name: 'Mug' },
    metadata: { shop: 'Delft' },
  })
  expect(three.body).toMatchObject({ code: 400, key: 'loyalty_card_points_exceeded' })
  expect(card('A').loyalty_card.balance).toBe(30)
})
