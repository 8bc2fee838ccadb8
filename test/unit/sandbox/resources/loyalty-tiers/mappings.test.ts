// What a tier changes: points, prices, rules about customers; and the points that a change of tier earns.
import { expect, test } from 'vitest'
import { tieredClub } from '../../../../support/tiers.ts'

const perTen = { order: { amount: { every: 1000, points: 3 } } }
const fixture = {
  earning_rules: [
    { id: 'ern_fixed', campaign_id: 'camp_club', event: 'order.paid', loyalty: { type: 'FIXED', points: 15 } },
    {
      id: 'ern_step',
      campaign_id: 'camp_club',
      event: 'order.paid',
      loyalty: { type: 'PROPORTIONAL', calculation_type: 'ORDER_AMOUNT', ...perTen },
    },
  ],
  rewards: [
    { id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: {} },
    { id: 'rew_coin', name: 'Pay', type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 10 } } },
  ],
  reward_assignments: [
    { id: 'rewa_mug', reward_id: 'rew_mug', related_object_id: 'camp_club', parameters: { loyalty: { points: 301 } } },
    { id: 'rewa_coin', reward_id: 'rew_coin', related_object_id: 'camp_club' },
  ],
}

const tiers = (gold: object) => [
  { name: 'Basic', points: { from: 0, to: 99 } },
  { name: 'Gold', points: { from: 100 }, ...gold },
]

const paid = { customer: { id: 'cust_ada' }, amount: 2500, status: 'PAID' }

test.each<[string, object, number[]]>([
  ['no mapping', {}, [15, 6]],
  [
    'a multiplier',
    { ern_fixed: { type: 'MULTIPLY', multiplier: 1.5 }, ern_step: { type: 'MULTIPLY', multiplier: 1.25 } },
    [22, 7],
  ],
  ['a multiplier below one', { ern_fixed: { type: 'MULTIPLY', multiplier: 0.5 } }, [7, 6]],
  [
    'points of its own',
    { ern_fixed: { type: 'CUSTOM', points: 100 }, ern_step: { type: 'CUSTOM', points: 4 } },
    [100, 8],
  ],
  ['no points', { ern_fixed: { type: 'CUSTOM', points: 0 } }, [6]],
])('a paid order earns a member of the tier with %s', async (_, earning_rules, earned) => {
  const { post, get, earn, settled, tiers: made } = await tieredClub({ fixture, tiers: tiers({ earning_rules }) })
  await earn('ada', 100)

  const estimate = post('/v1/loyalties/camp_club/qualifications', {
    customer: { id: 'cust_ada' },
    order: { amount: 2500 },
  })
  post('/v1/orders', paid)
  await settled()

  const { data } = get('/v1/loyalties/members/CARD-ada/transactions', 'order=id').body
  const accruals = data.filter(({ type }: { type: string }) => type === 'POINTS_ACCRUAL')
  const gold = { id: made[1]?.id, name: 'Gold' }
  expect(accruals.map(({ details }: { details: { balance: { points: number } } }) => details.balance.points)).toEqual(
    earned,
  )
  expect(estimate.body.points_estimation).toBe(earned.reduce((sum, points) => sum + points, 0))
  for (const { details } of accruals) {
    expect(details.holder_loyalty_tier).toEqual(gold)
    expect(details.loyalty_tier).toEqual(details.earning_rule.id in earning_rules ? gold : undefined)
  }
})

test('the tier before a change decides about its points, and both tiers are told of in full', async () => {
  const club = await tieredClub({
    fixture,
    tiers: tiers({ earning_rules: { ern_fixed: { type: 'MULTIPLY', multiplier: 2 } } }),
  })
  const [basic, gold] = club.tiers.map(({ id }) => id)
  const pay = (order: object) => {
    club.post('/v1/orders', order)
    return club.settled()
  }
  await club.earn('ada', 90)

  await pay(paid)

  expect(club.tierOf('ada')).toBe('Gold')
  expect(club.get('/v1/loyalties/members/CARD-ada').body.loyalty_card.balance).toBe(90 + 15 + 6)
  expect(club.latest('voucher.loyalty_card.transaction.created')).toMatchObject({
    loyalty_tier: null,
    holder_loyalty_tier: { id: basic, expiration: { customer_id: 'cust_ada', start_date: '2026-05-06' } },
  })
  await pay({ ...paid, amount: 900 })
  expect(club.latest('voucher.loyalty_card.transaction.created')).toMatchObject({
    loyalty_tier: { id: gold, config: { points: { from: 100 } }, expiration: { tier_id: gold } },
    holder_loyalty_tier: { id: gold },
  })
  expect(club.latest('customer.rewarded.loyalty_points')).toMatchObject({ loyalty_tier: { id: gold } })
})

const mug = { object: 'voucher', id: 'CARD-ada', reward: { id: 'rew_mug' } }

test.each<[string, object, number]>([
  ['half of it', { type: 'MULTIPLY', multiplier: 0.5 }, 150],
  ['a price of its own', { type: 'CUSTOM', points: 40 }, 40],
  ['next to nothing', { type: 'MULTIPLY', multiplier: 0.001 }, 1],
])('members of a tier pay for a reward %s, and get that back with a roll-back', async (_, mapping, price) => {
  const club = await tieredClub({ fixture, tiers: tiers({ rewards: { rewa_mug: mapping } }) })
  const { get, post, earn } = club
  await earn('ada', 1000)
  const balance = () => get('/v1/loyalties/members/CARD-ada').body.loyalty_card.balance
  const detailsNow = () => get('/v1/loyalties/members/CARD-ada/transactions').body.data[0].details

  const affordable = get('/v1/loyalties/members/CARD-ada/rewards', 'affordable_only=true').body
  const { status, body } = post('/v1/redemptions', { redeemables: [mug], customer: { id: 'cust_ada' } })
  const after = balance()
  const [redemption] = body.redemptions
  const paid = detailsNow()
  post(`/v1/redemptions/${redemption.id}/rollback`)
  await club.settled()

  const gold = { id: club.tiers[1]?.id, name: 'Gold' }
  expect([status, affordable.total]).toEqual([200, 2])
  expect([after, balance()]).toEqual([1000 - price, 1000])
  expect(paid).toMatchObject({ loyalty_tier: gold, holder_loyalty_tier: gold })
  expect(detailsNow()).not.toHaveProperty('loyalty_tier')
  expect(redemption.reward).toMatchObject({ assignment_id: 'rewa_mug', loyalty_tier_id: gold.id })
})

test('the price of the program holds for members of other tiers, and names no tier', async () => {
  const { post, earn } = await tieredClub({
    fixture,
    tiers: [...tiers({ points: { from: 2000 }, rewards: { rewa_mug: { type: 'CUSTOM', points: 1 } } })],
  })
  await earn('ada', 400)

  const { body } = post('/v1/redemptions', { redeemables: [mug], customer: { id: 'cust_ada' } })

  expect(body.redemptions[0]).toMatchObject({ loyalty_card: { points: 301 }, reward: { loyalty_tier_id: null } })
})

test('a multiplied ratio makes points worth less', async () => {
  const { post, earn } = await tieredClub({
    fixture,
    tiers: tiers({ rewards: { rewa_coin: { type: 'MULTIPLY', multiplier: 2.55 } } }),
  })
  await earn('ada', 100)

  const { body } = post('/v1/validations', {
    redeemables: [{ object: 'voucher', id: 'CARD-ada', reward: { id: 'rew_coin', points: 50 } }],
    customer: { id: 'cust_ada' },
    order: { amount: 1000 },
  })

  expect(body.order.total_discount_amount).toBe(200)
})

test.each<[string, boolean[]]>([
  ['$is', [false, true]],
  ['$in', [false, true]],
  ['$is_not', [true, false]],
  ['$not_in', [true, false]],
])('a rule asks for the tier of the customer: %s', async (operator, expected) => {
  const vouchers = [
    { code: 'PERCENT', type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    {
      code: 'CARD-ada',
      campaign_id: 'camp_club',
      type: 'LOYALTY_CARD',
      loyalty_card: { points: 0 },
      holder_id: 'cust_ada',
    },
  ]
  const { post, earn, tiers: made } = await tieredClub({ fixture: { vouchers }, tiers: tiers({}) })
  const rules = {
    '1': { name: 'customer.loyalty.tier', conditions: { [operator]: [{ id: made[1]?.id }] } },
    logic: '1',
  }
  const rule = post('/v1/validation-rules', { name: 'Gold only', rules }).body
  post(`/v1/validation-rules/${rule.id}/assignments`, { voucher: 'PERCENT' })
  const isValid = (customer?: object) =>
    post('/v1/validations', {
      redeemables: [{ object: 'voucher', id: 'PERCENT' }],
      order: { amount: 100 },
      ...(customer && { customer }),
    }).body.valid

  const before = isValid({ id: 'cust_ada' })
  await earn('ada', 100)

  expect([before, isValid({ id: 'cust_ada' })]).toEqual(expected)
  expect(isValid()).toBe(false)
})

test('the rule about the tier is one about the audience', async () => {
  const campaign = { name: 'For gold', campaign_type: 'PROMOTION' }
  const { post, earn, tiers: made } = await tieredClub({ tiers: tiers({}) })
  const rules = { '1': { name: 'customer.loyalty.tier', conditions: { $is: [made[1]?.id] } }, logic: '1' }
  const rule = post('/v1/validation-rules', { name: 'Gold only', rules }).body
  const tier = { name: 'Ten', action: { discount: { type: 'PERCENT', percent_off: 10 } }, validation_rules: [rule.id] }
  post('/v1/campaigns', { ...campaign, promotion: { tiers: [tier] } })
  const offered = () =>
    post('/v1/qualifications', { customer: { id: 'cust_ada' }, scenario: 'AUDIENCE_ONLY' }).body.redeemables.total

  const before = offered()
  await earn('ada', 100)

  expect(offered() - before).toBe(1)
})

const path = '/v1/loyalties/camp_club/earning-rules'
const fixed = (points: number) => ({ type: 'FIXED', points })

test('joining, rising, falling, staying and leaving earn points where a rule says so', async () => {
  const club = await tieredClub({
    tiers: [
      { name: 'Silver', points: { from: 100, to: 199 } },
      { name: 'Gold', points: { from: 300 } },
    ],
  })
  const [silver, gold] = club.tiers.map(({ id }) => id)
  const created = club.post(path, [
    { event: 'customer.loyalty.tier.joined', loyalty: fixed(5), loyalty_tier: { id: '__ANY__' } },
    { event: 'customer.loyalty.tier.upgraded', loyalty: fixed(7), loyalty_tier: { id: gold } },
    { event: 'customer.loyalty.tier.upgraded', loyalty: fixed(900), loyalty_tier: { id: silver } },
  ])
  await club.earn('ada', 100)
  await club.earn('ada', 300)
  await club.settled()

  expect(created).toMatchObject({
    status: 200,
    body: [{ loyalty_tier: { id: '__ANY__' }, custom_event: null }, {}, {}],
  })
  expect(club.get('/v1/loyalties/members/CARD-ada').body.loyalty_card.balance).toBe(100 + 5 + 300 + 7)
  expect(club.latest('customer.rewarded.loyalty_points')).toMatchObject({
    event: { type: 'customer.loyalty.tier.upgraded' },
    earning_rule: { loyalty_tier: { id: gold } },
    transaction: { details: { event: { type: 'customer.loyalty.tier.upgraded' } } },
  })
})

test('a rule may name a tier of another program, and count what is known of the customer', async () => {
  const card = { type: 'LOYALTY_CARD', loyalty_card: { points: 0 }, holder_id: 'cust_ada' }
  const club = await tieredClub({
    tiers: tiers({}),
    fixture: {
      customers: [{ id: 'cust_ada', source_id: 'ada', metadata: { age: 42 } }],
      vouchers: [
        { ...card, code: 'CARD-ada', campaign_id: 'camp_club' },
        { ...card, code: 'TEA', campaign_id: 'camp_other' },
      ],
    },
  })
  const age = { customer: { metadata: { every: 10, points: 2, property: 'age' } } }
  const loyalty = { type: 'PROPORTIONAL', calculation_type: 'CUSTOMER_METADATA', ...age }
  const body = [{ event: 'customer.loyalty.tier.upgraded', loyalty, loyalty_tier: { id: club.tiers[1]?.id } }]
  club.post('/v1/loyalties/camp_other/earning-rules', body)
  const balance = (code: string) => club.get(`/v1/loyalties/members/${code}`).body.loyalty_card.balance

  await club.earn('ada', 100)
  await club.settled()

  expect([balance('TEA'), balance('CARD-ada')]).toEqual([8, 100])
})

test.each<[string, object, number, string]>([
  ['no tier', {}, 400, 'invalid_payload'],
  ['an unknown tier', { loyalty_tier: { id: 'ltr_x' } }, 404, 'not_found'],
  ['a tier for a paid order', { event: 'order.paid', loyalty_tier: { id: '__ANY__' } }, 400, 'invalid_payload'],
])('a rule about tiers with %s is refused', async (_, more, status, key) => {
  const { post } = await tieredClub()

  expect(post(path, [{ event: 'customer.loyalty.tier.joined', loyalty: fixed(5), ...more }])).toMatchObject({
    status,
    body: { key },
  })
})

test('a rule about tiers that is shown can be loaded as it is, and keeps its tier when it is changed', async () => {
  const { post, put } = await tieredClub()
  const loyalty_tier = { id: '__ANY__' }
  const [made] = post(path, [{ event: 'customer.loyalty.tier.left', loyalty: fixed(5), loyalty_tier }]).body

  const changed = put(`${path}/${made.id}`, { loyalty: { points: 6 } })
  const again = await tieredClub({ fixture: { earning_rules: [changed.body] } })

  expect(changed.body).toMatchObject({ loyalty_tier, loyalty: fixed(6) })
  expect(again.get(`${path}/${made.id}`).body).toEqual(changed.body)
})
