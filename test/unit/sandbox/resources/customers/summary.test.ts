import { expect, test } from 'vitest'
import { campaign, off, openShop } from '../../../../support/redemptions.ts'

const ada = { customer: { source_id: 'ada' } }

test('the summary of a customer counts redemptions, rollbacks, credits, points and paid orders', () => {
  const { get, redeem, rollBack } = openShop()
  const { id } = redeem(['A'], ada).body.redemptions[0]
  rollBack(id)
  rollBack(id)
  redeem(['OFF'], ada)
  redeem([{ object: 'voucher', id: 'G', gift: { credits: 400 } }], ada)
  redeem([{ object: 'voucher', id: 'C', reward: { id: 'rew_1', points: 30 } }], { ...ada, order: { amount: 2000 } })

  const { summary, loyalty } = get('/v1/customers/ada').body

  expect(summary).toEqual({
    redemptions: {
      total_redeemed: 4,
      total_failed: 1,
      total_succeeded: 3,
      total_rolled_back: 1,
      total_rollback_failed: 1,
      total_rollback_succeeded: 1,
      gift: { redeemed_amount: 400, amount_to_go: 0 },
      loyalty_card: { redeemed_points: 30, points_to_go: 70 },
    },
    // The first order was canceled with its redemption: 46.00 and 17.00 remain.
    orders: { total_amount: 6300, total_count: 2, average_amount: 3150, last_order_amount: 1700 },
  })
  expect(loyalty).toEqual({
    points: 70,
    referred_customers: 0,
    campaigns: { Club: { points: 70, referred_customers: 0 } },
  })
})

test('several redeemables of one request are as many redemptions, and their parent is none', () => {
  const { ask, redeem } = openShop()

  redeem(['A', 'B/ 1'], ada)

  ask('GET /v1/customers/ada', { summary: { redemptions: { total_redeemed: 2, total_succeeded: 2 } } })
})

test('a gift card that is held shows what is left on it', () => {
  const { post, get } = openShop()

  post('/v1/publications', { customer: { id: 'cust_ada' }, voucher: 'G' })

  expect(get('/v1/customers/ada').body.summary.redemptions.gift).toEqual({ redeemed_amount: 0, amount_to_go: 1000 })
})

test('a list of customers shows the counters too', () => {
  expect(openShop().get('/v1/customers').body.customers[0].loyalty.points).toBe(100)
})

test('a friend who converts is counted for the referrer, and names the referrer', async () => {
  const friends = { ...campaign, id: 'camp_friends', name: 'Friends', campaign_type: 'REFERRAL_PROGRAM' }
  const owned = { campaign_id: 'camp_friends', holder_id: 'cust_ada', publish: { count: 1 } }
  const { ask, redeem, settled } = openShop({
    campaigns: [{ ...friends, referral_program: { conversion_event_type: 'redemption' } }],
    vouchers: [{ id: 'v_F', code: 'F', ...off(100), ...owned }],
    promotion_tiers: [],
    promotion_stacks: [],
  })
  const { id } = redeem(['F'], { customer: { source_id: 'bob' } }).body.redemptions[0]
  await settled()

  const counted = { points: 0, referred_customers: 1 }
  expect(ask('GET /v1/customers/ada').loyalty).toEqual({ ...counted, campaigns: { Friends: counted } })
  const referral = {
    campaign_id: 'camp_friends',
    referrer_id: 'cust_ada',
    related_object_id: id,
    related_object_type: 'redemption',
    date: '2026-05-06T07:08:09.123Z',
  }
  expect(ask('GET /v1/customers/bob').referrals).toEqual({ total: 1, campaigns: [referral] })
})
