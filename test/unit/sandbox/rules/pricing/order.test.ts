import { expect, test } from 'vitest'
import {
  calculateOrder,
  discountLine,
  discountOrder,
  nextStep,
  type OrderRequest,
} from '../../../../../src/sandbox/rules/pricing/order.ts'
import { orderAnswer } from '../../../../../src/sandbox/rules/pricing/order-answer.ts'
import { type State, snapshotOf } from '../state.ts'

test('an order with only an amount is returned with amount and total', () => {
  expect(answered({ amount: 5500 })).toEqual({
    amount: 5500,
    total_amount: 5500,
    metadata: {},
    customer_id: null,
    referrer_id: null,
    object: 'order',
  })
})

test('a line is price times quantity, and a quantity sent as text is returned as a number', () => {
  const answer = answered({ items: [{ product_id: 'prod_1', quantity: '3', price: 1100 }] })

  expect(answer).toMatchObject({
    amount: 3300,
    total_amount: 3300,
    items: [
      { object: 'order_item', product_id: 'prod_1', quantity: 3, amount: 3300, price: 1100, subtotal_amount: 3300 },
    ],
    metadata: {},
  })
  expect(answer.items).toHaveLength(1)
  expect((answer.items as object[])[0]).not.toHaveProperty('discount_amount')
})

test.each([
  [20050, 6000],
  [6000, 6700],
  [25000, 20000],
])('an order amount of %i is kept although its lines come to %i', (amount, lines) => {
  const answer = answered({ amount, items: [{ product_id: 'prod_1', quantity: 1, price: lines }] })

  expect(answer).toMatchObject({ amount, total_amount: amount })
})

test.each<[string, NonNullable<OrderRequest['items']>, object]>([
  [
    'a line amount of 3300 is kept although its price is 3000',
    [{ product_id: 'prod_9', quantity: 1, price: 3000, amount: 3300 }],
    { amount: 3300, items: [{ amount: 3300, price: 3000, subtotal_amount: 3300 }] },
  ],
  [
    'a price on the line takes precedence over the price of its SKU',
    [{ sku_id: 'sku_1', quantity: 2, price: 1500 }],
    { amount: 3000, items: [{ price: 1500, sku: { price: 1700 } }] },
  ],
  [
    'a line finds its product by source id',
    [{ source_id: 'shirt', related_object: 'product', quantity: 2 }],
    { amount: 4200, items: [{ product_id: 'prod_1', source_id: 'shirt', price: 2100 }] },
  ],
  [
    'product data of the request takes precedence over the catalogue for this evaluation',
    [{ product_id: 'prod_1', quantity: 1, product: { name: 'Sale shirt', price: 900 } }],
    { amount: 900, items: [{ price: 900, product: { id: 'prod_1', name: 'Sale shirt', price: 900 } }] },
  ],
])('%s', (_, items, shown) => {
  expect(answered({ items }, catalogue)).toMatchObject(shown)
})

const catalogue: State = {
  products: [{ id: 'prod_1', source_id: 'shirt', name: 'Shirt', price: 2100 }],
  skus: [{ id: 'sku_1', source_id: 'shirt-xl', product_id: 'prod_1', sku: 'XL', price: 1700 }],
}

test('the price of a SKU takes precedence over the price of its product', () => {
  const product = { id: 'prod_1', source_id: 'shirt', name: 'Shirt', price: 2100 }
  const sku = { id: 'sku_1', source_id: 'shirt-xl', sku: 'XL', price: 1700 }

  expect(answered({ items: [{ sku_id: 'sku_1', quantity: 1 }] }, catalogue)).toMatchObject({
    amount: 1700,
    items: [{ product_id: 'prod_1', sku_id: 'sku_1', price: 1700, product, sku }],
  })
})

test('a line with an unknown price has only its quantity and adds nothing', () => {
  const answer = answered({
    items: [
      { product_id: 'prod_unknown', quantity: 2 },
      { product_id: 'prod_other', quantity: 1, price: 500 },
    ],
  })

  expect(answer.amount).toBe(500)
  expect((answer.items as object[])[0]).toEqual({ object: 'order_item', product_id: 'prod_unknown', quantity: 2 })
})

test('item discounts above a given amount that is too small keep their sum, and only the total is zero', () => {
  const order = nextStep(orderOf({ amount: 3000, items: [{ product_id: 'prod_1', quantity: 1, price: 6700 }] }))
  for (const line of order.items) discountLine(line, 3350)

  expect(orderAnswer(order)).toMatchObject({
    amount: 3000,
    items_discount_amount: 3350,
    total_discount_amount: 3350,
    total_amount: 0,
  })
})

test('a second step keeps the earlier discount in the sums and out of the applied fields', () => {
  const first = discountOrder(orderOf({ amount: 10000 }), 1000)

  expect(orderAnswer(discountOrder(first, 500))).toMatchObject({
    discount_amount: 1500,
    total_discount_amount: 1500,
    total_amount: 8500,
    applied_discount_amount: 500,
    total_applied_discount_amount: 500,
  })
})

test('a stored order named by id contributes its lines and its earlier discount', () => {
  expect(answered({ id: 'ord_1' }, stored)).toEqual({
    id: 'ord_1',
    source_id: 'cart-1',
    created_at: '2026-01-02T00:00:00.000Z',
    status: 'CREATED',
    amount: 2000,
    discount_amount: 300,
    total_discount_amount: 300,
    total_amount: 1700,
    items: [
      { object: 'order_item', product_id: 'prod_9', quantity: 2, amount: 2000, price: 1000, subtotal_amount: 2000 },
    ],
    metadata: {},
    customer_id: null,
    referrer_id: null,
    object: 'order',
  })
})

test('a stored order keeps its data on units that were added before', () => {
  const units = { quantity: 2, initial_quantity: 1, discount_quantity: 1, initial_amount: 1000 }
  const line = { product_id: 'prod_9', ...units, price: 1000, amount: 2000, discount_amount: 1000 }
  const order = { id: 'ord_2', status: 'CREATED', created_at: '2026-01-02T00:00:00.000Z', amount: 2000 }

  const answer = answered({ id: 'ord_2' }, { orders: [{ ...order, initial_amount: 1000, items: [line] }] })

  expect(answer).toMatchObject({
    amount: 2000,
    initial_amount: 1000,
    items_discount_amount: 1000,
    total_amount: 1000,
    items: [{ ...units, subtotal_amount: 1000 }],
  })
  expect(answer).not.toHaveProperty('items_applied_discount_amount')
})

test('lines sent for a stored order replace its lines and its amount', () => {
  const answer = answered({ source_id: 'cart-1', items: [{ product_id: 'prod_9', quantity: 1, price: 1000 }] }, stored)

  expect(answer).toMatchObject({ id: 'ord_1', amount: 1000, discount_amount: 300, total_amount: 700 })
})

test('a request without an order returns none', () => {
  expect(calculateOrder(snapshotOf(), undefined)).toBeUndefined()
})

const stored: State = {
  orders: [
    {
      id: 'ord_1',
      source_id: 'cart-1',
      status: 'CREATED',
      created_at: '2026-01-02T00:00:00.000Z',
      amount: 2000,
      discount_amount: 300,
      items: [{ product_id: 'prod_9', quantity: 2, price: 1000 }],
    },
  ],
}

function orderOf(request: OrderRequest, state: State = {}) {
  const order = calculateOrder(snapshotOf(state), request)
  if (!order) throw new Error('the request has an order')
  return order
}

function answered(request: OrderRequest, state: State = {}) {
  return orderAnswer(orderOf(request, state))
}
