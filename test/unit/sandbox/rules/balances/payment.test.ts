import { expect, test } from 'vitest'
import type { LineSelection } from '../../../../../src/sandbox/rules/pricing/applicable.ts'
import { calculateOrder, type OrderLine, type OrderRequest } from '../../../../../src/sandbox/rules/pricing/order.ts'
import { orderAnswer } from '../../../../../src/sandbox/rules/pricing/order-answer.ts'
import { payWithGift, type Reward, spendPoints } from '../../../../../src/sandbox/rules/pricing/payment.ts'
import { giftCard, loyaltyCard, snapshotOf } from '../state.ts'

test.each<[balance: number, asked: number | undefined, amount: number, credits: number]>([
  [10000, 5000, 20000, 5000],
  [10000, 5000, 3000, 3000],
  [10000, undefined, 20000, 10000],
  [10000, undefined, 4000, 4000],
  [0, undefined, 4000, 0],
])('a gift card of %i with a request for %s on an order of %i pays %i', (balance, asked, amount, credits) => {
  expect(payWithGift(orderOf({ amount }), giftCard('GIFT', balance), asked, 0, none)).toMatchObject({
    credits,
    balance,
    order: { discount_amount: credits, applied_discount_amount: credits },
  })
})

test('more credits than the card has besides the locks of other sessions are refused', () => {
  expect(payWithGift(orderOf({ amount: 9000 }), giftCard('GIFT', 1000), 900, 200, none)).toEqual({
    refusal: { code: 400, key: 'gift_amount_exceeded', message: 'gift amount exceeded', details: 'GIFT' },
  })
})

test('a gift card for items pays only applicable lines, and counts as an order-level discount', () => {
  const card = giftCard('GIFT', 9000, { gift: { amount: 9000, balance: 9000, effect: 'APPLY_TO_ITEMS' } })
  const request: OrderRequest = {
    items: [
      { product_id: 'prod_a', quantity: 1, price: 1200 },
      { product_id: 'prod_b', quantity: 1, price: 3000 },
    ],
  }

  const paid = payWithGift(orderOf(request), card, undefined, 0, (lines) => firstOf(lines))

  expect(paid).toMatchObject({ credits: 1200, order: { discount_amount: 1200 } })
})

test.each<
  [points: number | undefined, ratio: [exchange: number, points: number], amount: number, off: number, spent: number]
>([
  [100, [20, 100], 45000, 2000, 100],
  [5, [1, 1], 45000, 500, 5],
  [10, [0.05, 1], 45000, 50, 10],
  [undefined, [20, 100], 45000, 45000, 2300],
  [undefined, [20, 100], 2_000_000, 60000, 3000],
  [2000, [1, 1], 300, 300, 3],
  [undefined, [2.3, 1], 2300, 2300, 10],
  [undefined, [0.29, 1], 2900, 2900, 100],
  [undefined, [0.57, 10], 5700, 5700, 1000],
])(
  '%s points at %j on an order of %i are worth %i and cost %i',
  (points, [exchange_ratio, points_ratio], amount, off, spent) => {
    const reward = { id: 'rew_1', ...(points !== undefined && { points }) }

    const result = spendPoints(orderOf({ amount }), loyaltyCard('CARD', 3000), reward, 0, () =>
      coin(exchange_ratio, points_ratio),
    )

    expect(result).toMatchObject({ points: spent, order: { applied_discount_amount: off } })
  },
)

test('a balance of 1000 points is used up on a larger order', () => {
  const result = spendPoints(orderOf({ amount: 45000 }), loyaltyCard('CARD', 1000), { id: 'rew_1' }, 0, () =>
    coin(20, 100),
  )

  expect(result).toMatchObject({ points: 1000, order: { discount_amount: 20000 } })
})

test('more points than the card has are refused', () => {
  const result = spendPoints(orderOf({ amount: 45000 }), loyaltyCard('CARD', 100), { id: 'r', points: 90 }, 20, () =>
    coin(1, 1),
  )

  expect(result).toEqual({
    refusal: {
      code: 400,
      key: 'loyalty_card_points_exceeded',
      message: 'loyalty card points exceeded',
      details: 'CARD',
    },
  })
})

test('a material reward costs its points and leaves the order unchanged', () => {
  const mug: Reward = { id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { loyalty: { points: 40 } } }

  const result = spendPoints(orderOf({ amount: 100 }), loyaltyCard('CARD', 100), { id: 'rew_mug' }, 0, () => mug)

  if ('refusal' in result || !result.order) throw new Error('expected a payment on an order')
  expect(result.points).toBe(40)
  expect(orderAnswer(result.order)).toEqual({
    amount: 100,
    total_amount: 100,
    metadata: {},
    customer_id: null,
    referrer_id: null,
    object: 'order',
  })
})

const none = (): LineSelection => ({ shares: [], caps: [] })

function firstOf(lines: readonly OrderLine[]): LineSelection {
  return { shares: lines.slice(0, 1).map((line) => ({ line, units: line.quantity, amountLimit: Infinity })), caps: [] }
}

function coin(exchange_ratio: number, points_ratio: number): Reward {
  return { id: 'rew_1', name: 'Pay', type: 'COIN', parameters: { coin: { exchange_ratio, points_ratio } } }
}

function orderOf(request: OrderRequest) {
  const order = calculateOrder(snapshotOf(), request)
  if (!order) throw new Error('the request has an order')
  return order
}
