import { expect, test } from 'vitest'
import { clubWith, emptyCard } from '../../../../support/loyalty.ts'
import { campaign, off, openShop } from '../../../../support/redemptions.ts'
import { type TestSandbox, testNow } from '../../../../support/sandbox.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads any data, and asserts what it expects.
const dataOf = ({ store }: Pick<TestSandbox, 'store'>, type: string): any =>
  store.outbox
    .after(0, 1000)
    .filter((event) => event.type === type)
    .at(-1)?.data

const customers = [{ id: 'cust_ada', source_id: 'ada', name: 'Ada' }]
const adas = { holder_id: 'cust_ada', publish: { count: 1 } }

const nineFor = (event: string) => ({ campaign_id: 'camp_club', event, loyalty: { type: 'FIXED', points: 9 } })

const balanceOf = (type: string, id: string, members: object) => ({
  type,
  object: 'balance',
  operation_type: 'MANUAL',
  related_object: { id, type: 'voucher' },
  ...members,
})

test('a change of points is announced with the transaction, its balance, and the holder', () => {
  const club = clubWith([], { customers, vouchers: [emptyCard('C', 'camp_club', adas)] })

  club.give('C', 70)

  const balance = balanceOf('loyalty_card', 'v_C', { total: 70, points: 70, balance: 70 })
  const transaction = {
    id: expect.stringMatching(/^vtx_/),
    voucher_id: 'v_C',
    campaign_id: 'camp_club',
    type: 'POINTS_ADDITION',
    details: { balance },
    created_at: testNow,
  }
  const told = { transaction, balance, voucher: { id: 'v_C' }, campaign: { id: 'camp_club' } }
  const ada = { id: 'cust_ada', source_id: 'ada', name: 'Ada', object: 'customer' }
  const others = { order: null, redemption: null, earning_rule: null }
  expect(dataOf(club, 'voucher.loyalty_card.transaction.created')).toMatchObject({ ...told, ...others, holder: ada })
  expect(dataOf(club, 'voucher.loyalty_card.points_added')).toMatchObject({ ...told, customer: ada })
})

test('a change of credits is announced with all members of the balance', () => {
  const shop = openShop()

  shop.post('/v1/vouchers/G/balance', { amount: 250 })

  const balance = balanceOf('gift_voucher', 'v_G', { total: 1250, amount: 250, balance: 1250 })
  const transaction = { voucher_id: 'v_G', type: 'CREDITS_ADDITION', details: { balance } }
  expect(dataOf(shop, 'voucher.gift.transaction.created')).toMatchObject({ transaction, balance })
  expect(dataOf(shop, 'voucher.gift.balance_added')).toMatchObject({ transaction, balance })
})

test('points that expire are announced with their number, their buckets, and the holder', () => {
  const club = clubWith([], { customers, vouchers: [emptyCard('C', 'camp_club', adas)] })
  club.give('C', 30, { expiration_type: 'CUSTOM_DATE', expiration_date: '2026-06-01' })
  club.clock.now = '2026-06-02T00:00:00.000Z'

  club.give('C', 5)

  const bucket = {
    id: expect.stringMatching(/^lopb_/),
    voucher_id: 'v_C',
    bucket: { total_points: 30 },
    status: 'ACTIVE',
    expires_at: '2026-06-01',
    object: 'loyalty_points_bucket',
  }
  const balance = { points: -30, balance: 0 }
  const expired = { points: 30, buckets: [bucket], customer: { id: 'cust_ada' }, balance }
  expect(dataOf(club, 'voucher.loyalty_card.points_expired')).toMatchObject(expired)
})

test('points for an order are announced with the order, the balance and the holder', async () => {
  const shop = openShop({ earning_rules: [nineFor('order.paid')] })
  const { order } = shop.redeem(['A'], { customer: { source_id: 'ada' } }).body

  await shop.settled()

  expect(dataOf(shop, 'customer.rewarded.loyalty_points')).toMatchObject({
    customer: { id: 'cust_ada', name: 'Ada' },
    holder: { id: 'cust_ada' },
    order: { id: order.id, amount: 5000 },
    balance: { points: 9, balance: 109, operation_type: 'AUTOMATIC' },
  })
})

test('points for an event are announced with the event', async () => {
  const shop = openShop({ event_schemas: [{ name: 'cupping' }], earning_rules: [nineFor('cupping')] })
  shop.ask('POST /v1/events', { event: 'cupping', customer: { source_id: 'ada' }, metadata: { cups: 2 } })

  await shop.settled()

  const data = dataOf(shop, 'customer.rewarded.loyalty_points')
  expect(data.event).toEqual({ id: expect.stringMatching(/^ev_/), type: 'cupping', metadata: { cups: 2 } })
  expect(data).not.toHaveProperty('order')
})

test('a reward for a referral names the redemption and the holder, and its credits are no addition by hand', async () => {
  const given = { related_object_parent: { id: 'camp_gifts' }, type: 'GIFT_VOUCHER', amount: 500 }
  const referral_program = { conversion_event_type: 'redemption', referrer_reward: given }
  const shop = openShop({
    campaigns: [
      { ...campaign, id: 'camp_gifts', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS' },
      { ...campaign, id: 'camp_friends', name: 'Friends', campaign_type: 'REFERRAL_PROGRAM', referral_program },
    ],
    vouchers: [
      { id: 'v_F', code: 'F', campaign_id: 'camp_friends', ...off(100), ...adas },
      { id: 'v_G', code: 'G', campaign_id: 'camp_gifts', type: 'GIFT_VOUCHER', gift: { amount: 100 }, ...adas },
    ],
    promotion_tiers: [],
    promotion_stacks: [],
    rewards: [],
    reward_assignments: [],
  })
  const { id } = shop.redeem(['F'], { customer: { source_id: 'bob' } }).body.redemptions[0]

  await shop.settled()

  expect(dataOf(shop, 'customer.rewarded')).toMatchObject({
    customer: { id: 'cust_ada' },
    holder: { id: 'cust_ada' },
    redemption: { id },
    balance: { amount: 500, operation_type: 'AUTOMATIC' },
  })
  expect(dataOf(shop, 'voucher.gift.transaction.created')).toMatchObject({ balance: { amount: 500 } })
  expect(dataOf(shop, 'voucher.gift.balance_added')).toBeUndefined()
})

test('a published voucher is announced with the instant', () => {
  const shop = openShop()

  shop.ask('POST /v1/publications', { customer: { source_id: 'ada' }, voucher: 'B/ 1' })

  const published = { created_at: testNow, customer: { id: 'cust_ada', name: 'Ada' }, voucher: { id: 'v_B' } }
  expect(dataOf(shop, 'voucher.published')).toMatchObject(published)
})

test("a rule assigned to a campaign's voucher is announced with the voucher and the campaign", () => {
  const shop = openShop()
  const rules = { '1': { name: 'order.amount', conditions: { $more_than: [1] } }, logic: '1' }
  const { id } = shop.ask('POST /v1/validation-rules', { name: 'Any', rules })

  shop.ask(`POST /v1/validation-rules/${id}/assignments`, { voucher: 'A' })

  const assigned = { rule: { id }, voucher: { id: 'v_A' }, campaign: { id: 'camp_codes' } }
  expect(dataOf(shop, 'business_validation_rule.assignment.created')).toMatchObject(assigned)
})

test('a rollback is announced with the redemption and the rollback as two objects', () => {
  const shop = openShop()
  const { id } = shop.redeem(['A']).body.redemptions[0]

  const rollback = shop.rollBack(id).body
  const failed = shop.rollBack(id).body

  expect(dataOf(shop, 'redemption.rollback.succeeded')).toMatchObject({
    redemption: { id, object: 'redemption', status: 'ROLLED_BACK' },
    redemption_rollback: { id: rollback.id, object: 'redemption_rollback', redemption: id },
  })
  expect(dataOf(shop, 'redemption.rollback.failed')).toMatchObject({
    redemption: { id },
    redemption_rollback: { id: failed.resource_id, result: 'FAILURE' },
  })
})

test('the campaign of another thing is announced without what is not set, as the campaign call shows it', () => {
  const shop = openShop()

  shop.ask('POST /v1/vouchers/A/disable')
  shop.ask('POST /v1/loyalties/members/C/balance', { points: 1 })

  const hidden = ['vouchers_count', 'validation_rules_assignments', 'access_settings_assignments', 'categories']
  const shown = Object.entries(shop.ask('GET /v1/campaigns/Codes')).filter(([name]) => !hidden.includes(name))
  expect(dataOf(shop, 'voucher.disabled').campaign).toEqual(Object.fromEntries(shown))
  expect(dataOf(shop, 'voucher.loyalty_card.points_added').campaign).not.toHaveProperty('start_date')
})

test('the campaign of a redemption, a rollback, a publication and a new code is announced like that of other things', () => {
  const shop = openShop()
  const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } }
  shop.ask('POST /v1/campaigns', { name: 'Spring', campaign_type: 'DISCOUNT_COUPONS', voucher })

  shop.ask('POST /v1/campaigns/Spring/vouchers/NEW')
  shop.ask('POST /v1/publications', { customer: { source_id: 'ada' }, voucher: 'NEW' })
  shop.rollBack(shop.redeem(['NEW']).body.redemptions[0].id)
  shop.ask('POST /v1/vouchers/NEW/disable')

  const { campaign } = dataOf(shop, 'voucher.disabled')
  expect(campaign.name).toBe('Spring')
  const types = 'voucher.created voucher.published publication.succeeded redemption.succeeded'
  for (const type of [...types.split(' '), 'redemption.rollback.succeeded'])
    expect([type, dataOf(shop, type).campaign]).toEqual([type, campaign])
})

test('the customer of an order is announced as the customer call shows one, without counters', async () => {
  const shop = openShop()

  shop.post('/v1/orders', { amount: 500, customer: { source_id: 'bo', address: { city: 'Delft' } } })

  expect(dataOf(shop, 'order.created').customer).toEqual({
    id: expect.stringMatching(/^cust_/),
    source_id: 'bo',
    name: null,
    address: { city: 'Delft' },
    created_at: testNow,
    object: 'customer',
  })
})

test('a tier that a template makes is announced with its campaign, as every tier is', () => {
  const shop = openShop()
  const template = shop.post('/v1/templates/campaigns', { promotion_tier_id: 'promo_1', name: 'T' }).body

  shop.post(`/v1/templates/campaigns/${template.id}/tier-setup`, { name: 'From a template', campaign_id: 'camp_promo' })

  expect(dataOf(shop, 'campaign.promotion_tier.created')).toMatchObject({
    promotion_tier: { name: 'From a template' },
    campaign: { id: 'camp_promo', object: 'campaign' },
  })
})
