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
  const { ask, events } = clubWith()
  const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: 7 } }

  const shown = { campaign_type: 'LOYALTY_PROGRAM', object: 'campaign' }
  const body = ask('POST /v1/loyalties', { name: 'Points', voucher, vouchers_count: 1 }, shown)
  expect(ask(`GET /v1/loyalties/${body.id}`)).toEqual(body)
  ask('GET /v1/loyalties/Points/members', { vouchers: [{ loyalty_card: { points: 7 } }] })
  expect(events()).toContainEqual(['campaign.created', body.id])
  const details = 'Property .campaign_type must be equal to one of the allowed values: LOYALTY_PROGRAM'
  ask('POST /v1/loyalties', { name: 'P', campaign_type: 'PROMOTION' }, { key: 'invalid_payload', details })
})

test('a loyalty program is changed and deleted, another campaign is not found as one', () => {
  const { ask, events } = clubWith()
  const named = { description: 'For regulars' }

  ask(`PUT ${path}`, named, { id: 'camp_club', ...named })
  expect(ask(`DELETE ${path}`, 200)).toEqual({ async_action_id: expect.any(String) })
  expect(events().map(([type]) => type)).toEqual(['campaign.updated', 'campaign.deleted'])
  ask(`GET ${path}`, 404)
  ask('PUT /v1/loyalties/camp_codes', {}, 404)
  ask('DELETE /v1/loyalties/camp_codes', 404)
})

/** Ada's card, a rule of 5 points for every 10.00, and one of 7 points for orders above 50.00. */
function club(more: Record<string, unknown> = {}, card: Record<string, unknown> = adas) {
  const rules = { '1': { name: 'order.amount', conditions: { $more_than: [5000] } }, logic: '1' }
  const paid = { campaign_id: 'camp_club', event: 'order.paid' }
  const sandbox = clubWith([], {
    customers,
    vouchers: [emptyCard('A', 'camp_club', card)],
    validation_rules: [{ id: 'val_1', name: 'Large', rules, applicable_to: null }],
    earning_rules: [
      { ...paid, loyalty: everyTen },
      { ...paid, loyalty: { type: 'FIXED', points: 7 }, validation_rule_id: 'val_1' },
      { ...paid, loyalty: { type: 'FIXED', points: 1000 }, active: false },
    ],
    ...more,
  })
  const estimate = (body: unknown, answer: unknown) => sandbox.ask(`POST ${path}/qualifications`, body, answer)
  return { ...sandbox, estimate }
}

test.each([
  [{ customer: { source_id: 'ada' }, order: { amount: 2999 } }, 10],
  [{ customer: { id: 'cust_ada' }, order: { amount: 10_000 } }, 57],
  [{ customer: { id: 'cust_ada' } }, 0],
])('the estimate for %j is what an order paid now would earn', (body, points_estimation) => {
  const { estimate, events } = club()

  const campaign = { id: 'camp_club', name: 'Bean Club / Gold', object: 'campaign' }
  expect(estimate(body, 200)).toEqual({ campaign, points_estimation })
  expect(events()).toEqual([])
})

test('a stored order is estimated by its id, and equals what it earned', async () => {
  const { ask, estimate, settled, card } = club({
    rewards: [{ id: 'rew_1', name: 'C', type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 1 } } }],
  })
  ask('POST /v1/vouchers/OFF', { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } })
  const customer = { id: 'cust_ada' }
  const redeemables = [{ object: 'voucher', id: 'OFF' }]
  const { order } = ask('POST /v1/redemptions', { redeemables, customer, order: { source_id: 'shop-1', amount: 6000 } })
  await settled()

  expect(card('A').loyalty_card.points).toBe(37)
  for (const named of [{ id: order.id }, { source_id: 'shop-1' }])
    estimate({ customer, order: named }, { points_estimation: 37 })
})

test('somebody without a card is estimated only where customers join automatically', () => {
  const { ask, estimate } = club()
  const order = { amount: 1000 }

  estimate({ customer: { source_id: 'nobody' }, order }, 'campaign_not_allow_auto_join')
  ask(`PUT ${path}`, { auto_join: true })
  estimate({ customer: { source_id: 'nobody' }, order }, { points_estimation: 5 })
  estimate({ order }, { points_estimation: 5 })
})

test('a disabled program, and a customer whose only card is disabled, are refused with keys of their own', () => {
  const { ask, estimate } = club({}, { ...adas, active: false })
  const body = { customer: { source_id: 'ada' }, order: { amount: 1000 } }

  estimate(body, 'loyalty_card_not_active')
  ask('POST /v1/campaigns/camp_club/disable')
  estimate(body, 'campaign_not_active')
  estimate({ order: { amount: 'much' } }, 'invalid_payload')
  ask('POST /v1/loyalties/camp_codes/qualifications', body, 404)
})

test('a member redeems a reward of the program, by either path, as the holder of the card', () => {
  const { ask, give, card } = club({
    rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: {} }],
    reward_assignments: [
      { reward_id: 'rew_mug', related_object_id: 'camp_club', parameters: { loyalty: { points: 60 } } },
    ],
  })
  give('A', 150)
  const body = { reward: { id: 'rew_mug' }, metadata: { shop: 'Delft' } }

  ask(`POST ${path}/members/A/redemption`, body, {
    id: expect.stringMatching(/^r_/),
    object: 'redemption',
    result: 'SUCCESS',
    customer_id: 'cust_ada',
    loyalty_card: { points: 60 },
    reward: { id: 'rew_mug', name: 'Mug' },
    metadata: { shop: 'Delft' },
  })
  ask('POST /v1/loyalties/members/A/redemption', body, 200)
  ask('POST /v1/loyalties/members/A/redemption', body, 'loyalty_card_points_exceeded')
  expect(card('A').loyalty_card.balance).toBe(30)
})
