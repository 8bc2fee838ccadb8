// What a tier changes: points, prices, rules about customers; and the points that a change of tier earns.
import { expect, test } from 'vitest'
import { emptyCard } from '../../../../support/loyalty.ts'
import { tieredClub } from '../../../../support/tiers.ts'

const perTen = { order: { amount: { every: 1000, points: 3 } } }
const ofOrder = { campaign_id: 'camp_club', event: 'order.paid' }
const step = { type: 'PROPORTIONAL', calculation_type: 'ORDER_AMOUNT', ...perTen }
const fixture = {
  earning_rules: [
    { id: 'ern_fixed', ...ofOrder, loyalty: { type: 'FIXED', points: 15 } },
    { id: 'ern_step', ...ofOrder, loyalty: step },
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

const times = (multiplier: number) => ({ type: 'MULTIPLY', multiplier })
const own = (points: number) => ({ type: 'CUSTOM', points })

test.each<[string, object, number[]]>([
  ['no mapping', {}, [15, 6]],
  ['a multiplier', { ern_fixed: times(1.5), ern_step: times(1.25) }, [22, 7]],
  ['a multiplier below one', { ern_fixed: times(0.5) }, [7, 6]],
  ['points of its own', { ern_fixed: own(100), ern_step: own(4) }, [100, 8]],
  ['no points', { ern_fixed: own(0) }, [6]],
])('a paid order earns a member of the tier with %s', async (_, earning_rules, earned) => {
  const { ask, earn, settled, tiers: made } = await tieredClub({ fixture, tiers: tiers({ earning_rules }) })
  await earn('ada', 100)

  const order = { customer: { id: 'cust_ada' }, order: { amount: 2500 } }
  const points_estimation = earned.reduce((sum, points) => sum + points, 0)
  ask('POST /v1/loyalties/camp_club/qualifications', order, { points_estimation })
  ask('POST /v1/orders', paid)
  await settled()

  const { data } = ask('GET /v1/loyalties/members/CARD-ada/transactions?order=id')
  const accruals = data.filter(({ type }: { type: string }) => type === 'POINTS_ACCRUAL')
  const gold = { id: made[1]?.id, name: 'Gold' }
  expect(accruals).toMatchObject(earned.map((points) => ({ details: { balance: { points } } })))
  for (const { details } of accruals) {
    expect(details.holder_loyalty_tier).toEqual(gold)
    expect(details.loyalty_tier).toEqual(details.earning_rule.id in earning_rules ? gold : undefined)
  }
})

test('the tier before a change decides about its points, and both tiers are told of in full', async () => {
  const {
    ask,
    settled,
    earn,
    tierOf,
    latest,
    card,
    tiers: made,
  } = await tieredClub({
    fixture,
    tiers: tiers({ earning_rules: { ern_fixed: times(2) } }),
  })
  const [basic, gold] = made.map(({ id }) => id)
  const pay = (order: object) => {
    ask('POST /v1/orders', order)
    return settled()
  }
  await earn('ada', 90)

  await pay(paid)

  expect(tierOf('ada')).toBe('Gold')
  expect(card('CARD-ada').loyalty_card.balance).toBe(90 + 15 + 6)
  expect(latest('voucher.loyalty_card.transaction.created')).toMatchObject({
    loyalty_tier: null,
    holder_loyalty_tier: { id: basic, expiration: { customer_id: 'cust_ada', start_date: '2026-05-06' } },
  })
  await pay({ ...paid, amount: 900 })
  expect(latest('voucher.loyalty_card.transaction.created')).toMatchObject({
    loyalty_tier: { id: gold, config: { points: { from: 100 } }, expiration: { tier_id: gold } },
    holder_loyalty_tier: { id: gold },
  })
  expect(latest('customer.rewarded.loyalty_points')).toMatchObject({ loyalty_tier: { id: gold } })
})

const mug = { object: 'voucher', id: 'CARD-ada', reward: { id: 'rew_mug' } }

test.each<[string, object, number]>([
  ['half of it', times(0.5), 150],
  ['a price of its own', own(40), 40],
  ['next to nothing', times(0.001), 1],
])('members of a tier pay for a reward %s, and get that back with a roll-back', async (_, mapping, price) => {
  const {
    ask,
    earn,
    card,
    settled,
    tiers: made,
  } = await tieredClub({
    fixture,
    tiers: tiers({ rewards: { rewa_mug: mapping } }),
  })
  await earn('ada', 1000)
  const balance = () => card('CARD-ada').loyalty_card.balance
  const detailsNow = () => ask('GET /v1/loyalties/members/CARD-ada/transactions').data[0].details
  const gold = { id: made[1]?.id, name: 'Gold' }

  ask('GET /v1/loyalties/members/CARD-ada/rewards?affordable_only=true', { total: 2 })
  const [redemption] = ask('POST /v1/redemptions', { redeemables: [mug], customer: { id: 'cust_ada' } }).redemptions
  expect(balance()).toBe(1000 - price)
  expect(detailsNow()).toMatchObject({ loyalty_tier: gold, holder_loyalty_tier: gold })
  expect(redemption.reward).toMatchObject({ assignment_id: 'rewa_mug', loyalty_tier_id: gold.id })
  ask(`POST /v1/redemptions/${redemption.id}/rollback`)
  await settled()
  expect(balance()).toBe(1000)
  expect(detailsNow()).not.toHaveProperty('loyalty_tier')
})

test('the price of the program holds for members of other tiers, and names no tier', async () => {
  const dear = tiers({ points: { from: 2000 }, rewards: { rewa_mug: own(1) } })
  const { ask, earn } = await tieredClub({ fixture, tiers: dear })
  await earn('ada', 400)

  const redemptions = [{ loyalty_card: { points: 301 }, reward: { loyalty_tier_id: null } }]
  ask('POST /v1/redemptions', { redeemables: [mug], customer: { id: 'cust_ada' } }, { redemptions })
})

test('a multiplied ratio makes points worth less', async () => {
  const { ask, earn } = await tieredClub({ fixture, tiers: tiers({ rewards: { rewa_coin: times(2.55) } }) })
  await earn('ada', 100)

  const redeemables = [{ object: 'voucher', id: 'CARD-ada', reward: { id: 'rew_coin', points: 50 } }]
  const body = { redeemables, customer: { id: 'cust_ada' }, order: { amount: 1000 } }
  ask('POST /v1/validations', body, { order: { total_discount_amount: 200 } })
})

test.each<[string, boolean[]]>([
  ['$is', [false, true]],
  ['$in', [false, true]],
  ['$is_not', [true, false]],
  ['$not_in', [true, false]],
])('a rule asks for the tier of the customer: %s', async (operator, expected) => {
  const { ask, earn, tiers: made } = await tieredClub({ tiers: tiers({}) })
  const rules = {
    '1': { name: 'customer.loyalty.tier', conditions: { [operator]: [{ id: made[1]?.id }] } },
    logic: '1',
  }
  const { id } = ask('POST /v1/validation-rules', { name: 'Gold only', rules })
  const discount = { type: 'PERCENT', percent_off: 10 }
  ask('POST /v1/vouchers/PERCENT', { type: 'DISCOUNT_VOUCHER', discount, validation_rules: [id] })
  const using = { redeemables: [{ object: 'voucher', id: 'PERCENT' }], order: { amount: 100 } }
  const isValid = (more: object) => ask('POST /v1/validations', { ...using, ...more }).valid

  const before = isValid({ customer: { id: 'cust_ada' } })
  await earn('ada', 100)

  expect([before, isValid({ customer: { id: 'cust_ada' } })]).toEqual(expected)
  expect(isValid({})).toBe(false)
})

test('the rule about the tier is one about the audience', async () => {
  const { ask, earn, tiers: made } = await tieredClub({ tiers: tiers({}) })
  const rules = { '1': { name: 'customer.loyalty.tier', conditions: { $is: [made[1]?.id] } }, logic: '1' }
  const { id } = ask('POST /v1/validation-rules', { name: 'Gold only', rules })
  const tier = { name: 'Ten', action: { discount: { type: 'PERCENT', percent_off: 10 } }, validation_rules: [id] }
  ask('POST /v1/campaigns', { name: 'For gold', campaign_type: 'PROMOTION', promotion: { tiers: [tier] } })
  const asked = { customer: { id: 'cust_ada' }, scenario: 'AUDIENCE_ONLY' }

  const { redeemables } = ask('POST /v1/qualifications', asked)
  await earn('ada', 100)
  ask('POST /v1/qualifications', asked, { redeemables: { total: redeemables.total + 1 } })
})

const path = '/v1/loyalties/camp_club/earning-rules'
const fixed = (points: number) => ({ type: 'FIXED', points })

test('joining, rising, falling, staying and leaving earn points where a rule says so', async () => {
  const {
    ask,
    earn,
    settled,
    latest,
    card,
    tiers: made,
  } = await tieredClub({
    tiers: [
      { name: 'Silver', points: { from: 100, to: 199 } },
      { name: 'Gold', points: { from: 300 } },
    ],
  })
  const [silver, gold] = made.map(({ id }) => id)
  const rule = (act: string, points: number, id?: string) => ({
    event: `customer.loyalty.tier.${act}`,
    loyalty: fixed(points),
    loyalty_tier: { id },
  })
  const body = [rule('joined', 5, '__ANY__'), rule('upgraded', 7, gold), rule('upgraded', 900, silver)]
  ask(`POST ${path}`, body, [{ loyalty_tier: { id: '__ANY__' }, custom_event: null }, {}, {}])
  await earn('ada', 100)
  await earn('ada', 300)
  await settled()

  expect(card('CARD-ada').loyalty_card.balance).toBe(100 + 5 + 300 + 7)
  const event = { type: 'customer.loyalty.tier.upgraded' }
  expect(latest('customer.rewarded.loyalty_points')).toMatchObject({
    event,
    earning_rule: { loyalty_tier: { id: gold } },
    transaction: { details: { event } },
  })
})

test('a rule may name a tier of another program, and count what is known of the customer', async () => {
  const club = await tieredClub({
    tiers: tiers({}),
    fixture: {
      customers: [{ id: 'cust_ada', source_id: 'ada', metadata: { age: 42 } }],
      vouchers: [
        emptyCard('CARD-ada', 'camp_club', { holder_id: 'cust_ada' }),
        emptyCard('TEA', 'camp_other', { holder_id: 'cust_ada' }),
      ],
    },
  })
  const age = { customer: { metadata: { every: 10, points: 2, property: 'age' } } }
  const loyalty = { type: 'PROPORTIONAL', calculation_type: 'CUSTOMER_METADATA', ...age }
  const body = [{ event: 'customer.loyalty.tier.upgraded', loyalty, loyalty_tier: { id: club.tiers[1]?.id } }]
  club.ask('POST /v1/loyalties/camp_other/earning-rules', body)

  await club.earn('ada', 100)
  await club.settled()

  expect(['TEA', 'CARD-ada'].map((code) => club.card(code).loyalty_card.balance)).toEqual([8, 100])
})

test.each<[string, object, string]>([
  ['no tier', {}, 'invalid_payload'],
  ['an unknown tier', { loyalty_tier: { id: 'ltr_x' } }, 'not_found'],
  ['a tier for a paid order', { event: 'order.paid', loyalty_tier: { id: '__ANY__' } }, 'invalid_payload'],
])('a rule about tiers with %s is refused', async (_, more, key) => {
  const { ask } = await tieredClub()

  ask(`POST ${path}`, [{ event: 'customer.loyalty.tier.joined', loyalty: fixed(5), ...more }], key)
})

test('a rule about tiers that is shown can be loaded as it is, and keeps its tier when it is changed', async () => {
  const { ask } = await tieredClub()
  const loyalty_tier = { id: '__ANY__' }
  const [{ id }] = ask(`POST ${path}`, [{ event: 'customer.loyalty.tier.left', loyalty: fixed(5), loyalty_tier }])

  const changed = ask(`PUT ${path}/${id}`, { loyalty: { points: 6 } }, { loyalty_tier, loyalty: fixed(6) })

  const copy = await tieredClub({ fixture: { earning_rules: [changed] } })
  expect(copy.ask(`GET ${path}/${id}`)).toEqual(changed)
})
