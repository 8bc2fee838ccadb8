import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Earning,
  type EarningContext,
  type EarningRule,
  earnedPoints,
  earningProblem,
  reactsTo,
} from '../../../../../src/sandbox/rules/balances/points-earning.ts'
import { orderLine, orderState } from '../rule-context.ts'

const nowhere = { isInCollection: () => false }

const order = orderState({
  amount: 20_999,
  discount_amount: 2000,
  metadata: { nights: 7 },
  items: [
    orderLine({ product_id: 'prod_1', quantity: 3, amount: 6000, discount_amount: 1000 }),
    orderLine({ product_id: 'prod_2', quantity: 2, amount: 5000 }),
  ],
})

function proportional(type: string, group: string, of: string, every: Record<string, unknown>): Earning {
  return { type: 'PROPORTIONAL', calculation_type: type, [group]: { [of]: every } } as Earning
}

const perTenDollars = { every: 1000, points: 5 }

test.each<[string, Earning, number]>([
  ['units', proportional('ORDER_ITEMS_QUANTITY', 'order_items', 'quantity', { every: 2, points: 1 }), 2],
  ['amounts of lines', proportional('ORDER_ITEMS_AMOUNT', 'order_items', 'amount', perTenDollars), 55],
])('points for every full multiple of %s', (_name, earning, expected) => {
  expect(earnedPoints(earning, { ...nowhere, order })).toBe(expected)
})

test.each<[string, EarningContext]>([
  ['there is no order', nowhere],
  ['its amount is unknown', { ...nowhere, order: orderState({ amount: undefined }) }],
  ['it is for nothing', { ...nowhere, order: orderState({ amount: 0 }) }],
  ['it is too small', { ...nowhere, order: orderState({ amount: 999 }) }],
])('an order earns nothing when %s', (_name, context) => {
  expect(earnedPoints(proportional('ORDER_AMOUNT', 'order', 'amount', perTenDollars), context)).toBe(0)
})

test.each([{}, { stars: '5' }, { stars: null }, { stars: -3 }])('metadata %j earns nothing', (eventMetadata) => {
  const every = { every: 1, points: 1, property: 'stars' }
  const earning = proportional('CUSTOM_EVENT_METADATA', 'custom_event', 'metadata', every)

  expect(earnedPoints(earning, { ...nowhere, eventMetadata })).toBe(0)
})

test('lines without an amount are not counted, and a rule for every 0 yields nothing', () => {
  const earning = (every: number) => proportional('ORDER_ITEMS_AMOUNT', 'order_items', 'amount', { every, points: 1 })
  const unpriced = {
    ...nowhere,
    order: orderState({ items: [orderLine({ amount: undefined }), orderLine({ amount: 7 })] }),
  }

  expect(earnedPoints(earning(1), unpriced)).toBe(7)
  expect(earnedPoints(earning(0), unpriced)).toBe(0)
})

test('a multiple is not lost in binary fractions, and points are integers', () => {
  const tenth = proportional('CUSTOM_EVENT_METADATA', 'custom_event', 'metadata', {
    every: 0.1,
    points: 1.5,
    property: 'kilometres',
  })

  expect(earnedPoints(tenth, { ...nowhere, eventMetadata: { kilometres: 0.3 } })).toBe(5)
})

test('points of whole amounts agree with counting the multiples one by one', () => {
  fc.assert(
    fc.property(
      fc.nat(50_000),
      fc.integer({ min: 1, max: 3000 }),
      fc.integer({ min: 1, max: 9 }),
      (amount, every, points) => {
        let counted = 0
        for (let rest = amount; rest >= every; rest -= every) counted += points

        const earning = proportional('ORDER_AMOUNT', 'order', 'amount', { every, points })

        expect(earnedPoints(earning, { ...nowhere, order: orderState({ amount }) })).toBe(counted)
      },
    ),
  )
})

describe('a rule reacts', () => {
  const rule: EarningRule = {
    id: 'ern_1',
    event: 'order.paid',
    loyalty: { type: 'FIXED', points: 5 },
    start_date: '2026-01-01T00:00:00.000Z',
    validity_day_of_week: [3],
  }

  test.each<[string, Partial<EarningRule>, string, boolean]>([
    ['to its own event', {}, '2026-03-18T12:00:00.000Z', true],
    ['not to another event', { event: 'review.written' }, '2026-03-18T12:00:00.000Z', false],
    ['not when it is disabled', { active: false }, '2026-03-18T12:00:00.000Z', false],
    ['when `active` is null', { active: null }, '2026-03-18T12:00:00.000Z', true],
    ['not on another day', {}, '2026-03-19T12:00:00.000Z', false],
    ['not before it starts', {}, '2025-12-31T12:00:00.000Z', false],
  ])('%s', (_name, fields, now, expected) => {
    expect(reactsTo({ ...rule, ...fields }, 'order.paid', now, 'UTC')).toBe(expected)
  })
})

test.each<[unknown, string]>([
  [{ type: 'FIXED', points: 0 }, '.loyalty.points must be > 0'],
  [{ type: 'FORMULA' }, '.loyalty.type must be one of FIXED, PROPORTIONAL'],
  [
    { type: 'PROPORTIONAL', calculation_type: 'ORDER_FORMULA' },
    "Calculation 'ORDER_FORMULA' is not supported by the embedded service",
  ],
  [
    { type: 'PROPORTIONAL', calculation_type: 'ORDER_AMOUNT', order: {} },
    ".loyalty.order must have required property 'amount'",
  ],
  [proportional('ORDER_AMOUNT', 'order', 'amount', { every: 0, points: 1 }), '.loyalty.order.amount.every must be > 0'],
  [
    proportional('ORDER_AMOUNT', 'order', 'amount', { every: 1, points: -1 }),
    '.loyalty.order.amount.points must be > 0',
  ],
  [
    proportional('CUSTOMER_METADATA', 'customer', 'metadata', { every: 1, points: 1 }),
    ".loyalty.customer.metadata must have required property 'property'",
  ],
])('%j is refused when it is stored', (earning, expected) => {
  expect(earningProblem(earning as Earning)).toBe(expected)
})
