// Points that expire by the rules of a program or of an earning rule. The sandbox begins on 6 May 2026.
import { expect, test } from 'vitest'
import { lastDayOf } from '../../../../../src/sandbox/rules/balances/points-expiry.ts'
import { clubWith, emptyCard, programs } from '../../../../support/loyalty.ts'

const months = (period_value: number, rounding_type?: string, rounding_value?: number) => ({
  period_type: 'MONTH',
  period_value,
  ...(rounding_type && { rounding_type }),
  ...(rounding_value && { rounding_value }),
})

test.each<[object, string, string]>([
  [months(1), '2026-01-25', '2026-02-25'],
  [months(0), '2026-01-25', '2026-01-25'],
  [months(1), '2026-01-31', '2026-02-28'],
  [months(1), '2028-01-31', '2028-02-29'],
  [months(1, 'END_OF_MONTH'), '2026-01-10', '2026-02-28'],
  [months(1, 'END_OF_QUARTER'), '2026-01-10', '2026-03-31'],
  [months(3, 'END_OF_HALF_YEAR'), '2026-04-10', '2026-12-31'],
  [months(12, 'END_OF_YEAR'), '2026-04-10', '2027-12-31'],
  [months(2, 'PARTICULAR_MONTH', 1), '2025-01-27', '2026-01-31'],
  [months(2, 'PARTICULAR_MONTH', 3), '2025-01-27', '2025-03-31'],
  [{ period_type: 'FIXED_DAY_OF_YEAR', fixed_month: 6, fixed_day: 30 }, '2026-05-06', '2026-06-30'],
  [{ period_type: 'FIXED_DAY_OF_YEAR', fixed_month: 6, fixed_day: 30 }, '2026-06-30', '2026-06-30'],
  [{ period_type: 'FIXED_DAY_OF_YEAR', fixed_month: 6, fixed_day: 30 }, '2026-07-01', '2027-06-30'],
  [{ period_type: 'FIXED_DAY_OF_YEAR', fixed_month: 2, fixed_day: 31 }, '2026-03-01', '2027-02-28'],
])('by %j points given on %s can be used up to %s', (rules, given, last) => {
  expect(lastDayOf(rules as never, given)).toBe(last)
})

const perOrder = (points: number) => ({
  campaign_id: 'camp_club',
  event: 'order.paid',
  loyalty: { type: 'FIXED', points },
})

function club({ rules = months(1) as object | undefined, more = {} as Record<string, unknown> } = {}) {
  const withRules = { type: 'LOYALTY_CARD', loyalty_card: { points: 0, ...(rules && { expiration_rules: rules }) } }
  const sandbox = clubWith([], {
    campaigns: programs.map((program) => (program.id === 'camp_club' ? { ...program, voucher: withRules } : program)),
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    vouchers: [emptyCard('A', 'camp_club', { holder_id: 'cust_ada' }), emptyCard('TEA', 'camp_other')],
    ...more,
  })
  const pay = () => {
    sandbox.post('/v1/orders', { customer: { id: 'cust_ada' }, amount: 100, status: 'PAID' })
    return sandbox.settled()
  }
  return { ...sandbox, pay }
}

test('points given by hand expire by the rules of the program, at the end of their last day in its time zone', async () => {
  const { give, card, clock, settled, ask } = club({ more: { settings: { timezone: 'Pacific/Auckland' } } })
  give('A', 10)
  give('A', 5, { expiration_type: 'NON_EXPIRING' })
  give('A', 3, { expiration_type: 'PROGRAM_RULES' })
  const given = { next_expiration_date: '2026-06-06', next_expiration_points: 13 }
  expect(card('A').loyalty_card).toMatchObject(given)
  clock.now = '2026-06-06T11:59:59.999Z'
  await settled()
  expect(card('A').loyalty_card.balance).toBe(18)
  clock.now = '2026-06-06T12:00:00.000Z'
  await settled()

  expect(card('A').loyalty_card).toEqual({ points: 18, balance: 5, expired_points: 13 })
  const [expired] = ask('GET /v1/loyalties/members/A/transactions').data
  const details = { balance: { points: -13, balance: 5, total: 5 } }
  expect(expired).toMatchObject({ type: 'POINTS_EXPIRATION', source: 'Automation', details })
})

test('points given until a day expire at its end in the time zone of the project', async () => {
  const { give, card, clock, settled } = club({ more: { settings: { timezone: 'Europe/Warsaw' } } })
  give('A', 5, { expiration_date: '2026-06-01' })

  clock.now = '2026-06-01T21:59:59.999Z'
  await settled()
  const before = card('A').loyalty_card.balance
  clock.now = '2026-06-01T22:00:00.000Z'
  await settled()

  expect([before, card('A').loyalty_card.balance]).toEqual([5, 0])
})

test('points of orders expire by the rules of the earning rule, else by those of the program', async () => {
  const ownRules = { ...perOrder(2), id: 'ern_own', expiration_rules: months(2, 'END_OF_MONTH') }
  const { ask, pay } = club({ more: { earning_rules: [perOrder(1), ownRules] } })
  const path = 'GET /v1/loyalties/camp_club/members/A/points-expiration'

  await pay()
  const bucket = (expires_at: string, total_points: number) => ({ expires_at, bucket: { total_points } })
  ask(path, { data: [bucket('2026-06-06', 1), bucket('2026-07-31', 2)] })
  const cleared = ask('PUT /v1/loyalties/camp_club/earning-rules/ern_own', { expiration_rules: null })
  expect(cleared.expiration_rules ?? null).toBeNull()
  await pay()
  ask(path, { total: 4 })
})

test('pending points expire from the day on which they become active', async () => {
  const later = { ...perOrder(2), pending_points: { period_type: 'DAY', period_value: 14 } }
  const { pay, settled, clock, card } = club({ more: { earning_rules: [later] } })
  await pay()
  clock.now = '2026-05-20T00:00:00.000Z'
  await settled()

  expect(card('A').loyalty_card).toMatchObject({ balance: 2, next_expiration_date: '2026-06-20' })
})

test('transferred points come from any program, and expire by the rules of the one they go to', () => {
  const { ask, give, card } = club()
  give('TEA', 30)
  give('A', 10, { expiration_type: 'NON_EXPIRING' })
  const transfer = (to: string, code: string, points: number) =>
    ask(`POST /v1/loyalties/${to}/transfers`, [{ code, points, source_id: to }], 200)

  transfer('camp_club/members/A', 'TEA', 20)
  transfer('camp_other/members/TEA', 'A', 5)

  const expiring = { next_expiration_date: '2026-06-06', next_expiration_points: 15 }
  expect(card('A').loyalty_card).toMatchObject({ balance: 25, ...expiring })
  expect(card('TEA').loyalty_card).toEqual({ points: 35, balance: 15, subtracted_points: 20 })
})

test('points that a roll-back returns, and those a card begins with, do not expire', async () => {
  const { post, give, card, settled } = club({
    more: {
      rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: {} }],
      reward_assignments: [
        { reward_id: 'rew_mug', related_object_id: 'camp_club', parameters: { loyalty: { points: 8 } } },
      ],
    },
  })
  give('A', 10)
  const path = '/v1/loyalties/members/A/redemption'
  const redemption = post(path, { reward: { id: 'rew_mug' } }).body
  post(`/v1/redemptions/${redemption.id}/rollback`)
  await settled()

  expect(card('A').loyalty_card).toMatchObject({ balance: 10, next_expiration_points: 2 })
})

test('expired points are no longer listed, spent ones are', async () => {
  const { ask, give, clock, settled } = club()
  give('A', 10)
  give('A', -10)
  clock.now = '2026-05-20T00:00:00.000Z'
  give('A', 7)
  clock.now = '2026-06-21T00:00:00.000Z'
  await settled()
  give('A', 4)

  const data = [
    { status: 'USED', expires_at: '2026-06-06' },
    { status: 'ACTIVE', expires_at: '2026-07-21' },
  ]
  ask('GET /v1/loyalties/camp_club/members/A/points-expiration', { data, total: 2 })
})

test.each<[string, object]>([
  ['another period', { period_type: 'DAY', period_value: 1 }],
  ['a particular month that is not named', months(1, 'PARTICULAR_MONTH')],
  ['another rounding', months(1, 'END_OF_WEEK')],
  ['a month 13', { period_type: 'FIXED_DAY_OF_YEAR', fixed_month: 13, fixed_day: 1 }],
  ['no day', { period_type: 'FIXED_DAY_OF_YEAR', fixed_month: 1 }],
])('rules with %s are refused, of a program and of an earning rule', (_, expiration_rules) => {
  const { post } = club()
  const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: 0, expiration_rules } }
  const rule = { event: 'order.paid', loyalty: { type: 'FIXED', points: 1 }, expiration_rules }

  for (const answer of [
    post('/v1/loyalties', { name: 'X', voucher }),
    post('/v1/loyalties/camp_club/earning-rules', [rule]),
  ])
    expect(answer).toMatchObject({ status: 400, body: { key: 'invalid_payload' } })
})
