import { expect, test } from 'vitest'
import type { Discount } from '../../../../../src/contract/discount.ts'
import { type ApplicableTo, namesProducts, selectLines } from '../../../../../src/sandbox/rules/pricing/applicable.ts'
import { applyDiscount } from '../../../../../src/sandbox/rules/pricing/discount.ts'
import {
  calculateOrder,
  discountOrder,
  type OrderLine,
  type OrderRequest,
  type OrderState,
  totals,
} from '../../../../../src/sandbox/rules/pricing/order.ts'
import { orderAnswer } from '../../../../../src/sandbox/rules/pricing/order-answer.ts'
import { type State, snapshotOf } from '../state.ts'

const twoLines: OrderRequest = {
  items: [
    { product_id: 'prod_a', quantity: 3, price: 1100 },
    { product_id: 'prod_b', quantity: 2, price: 1700 },
  ],
}

const onOrder = { effect: 'APPLY_TO_ORDER' } as const
const amountOff = (amount_off: number, more: object = onOrder): Discount => ({ type: 'AMOUNT', amount_off, ...more })
const percentOff = (percent_off: number, more: object = onOrder): Discount => ({
  type: 'PERCENT',
  percent_off,
  ...more,
})
const fixed = (fixed_amount: number, more: object = onOrder): Discount => ({ type: 'FIXED', fixed_amount, ...more })

test.each<[title: string, order: OrderRequest, discount: Discount, off: number]>([
  ['an amount off an order', { amount: 20000 }, amountOff(1000), 1000],
  ['an amount above the order', { amount: 700 }, amountOff(1000), 700],
  ['an amount with a limit', { amount: 20000 }, amountOff(1000, { aggregated_amount_limit: 400, ...onOrder }), 400],
  ['an amount of zero', { amount: 700 }, amountOff(0), 0],
  ['a percentage of an order', { amount: 5500 }, percentOff(10), 550],
  ['half a cent', { amount: 1005 }, percentOff(10), 101],
  ['less than half a cent', { amount: 1004 }, percentOff(10), 100],
  ['a percentage with a limit', { amount: 50000 }, percentOff(50, { amount_limit: 10000, ...onOrder }), 10000],
  ['a percentage of a given amount that contradicts the lines', { ...twoLines, amount: 20050 }, percentOff(10), 2005],
  ['a new order price', { amount: 5500 }, fixed(2000), 3500],
  ['a new order price above', { amount: 1500 }, fixed(2000), 0],
])('%s takes off the documented amount', (_, request, discount, off) => {
  expect(applied(request, discount).order).toMatchObject({ applied_discount_amount: off, discount_amount: off })
})

const onItems = (how = '', more: object = {}) => ({ effect: `APPLY_TO_ITEMS${how}`, ...more })

const aggregated = (aggregated_amount_limit: number) => ({ aggregated_amount_limit })

test.each<[title: string, discount: Discount, lines: number[]]>([
  ['an amount per line', amountOff(500, onItems()), [500, 500]],
  ['an amount above a line', amountOff(3350, onItems()), [3300, 3350]],
  ['an amount per line with a limit for all', amountOff(500, onItems('', aggregated(800))), [500, 300]],
  ['an amount per unit', amountOff(100, onItems('_BY_QUANTITY')), [300, 200]],
  ['an amount per unit with a limit', amountOff(100, onItems('_BY_QUANTITY', aggregated(350))), [300, 50]],
  ['an amount split by line amount', amountOff(300, onItems('_PROPORTIONALLY')), [148, 152]],
  ['an amount split by quantity', amountOff(301, onItems('_PROPORTIONALLY_BY_QUANTITY')), [181, 120]],
  ['a split above the lines', amountOff(9000, onItems('_PROPORTIONALLY')), [3300, 3400]],
  ['a percentage of each line', percentOff(10, onItems()), [330, 340]],
  ['a percentage with a limit per line', percentOff(10, onItems('', { amount_limit: 335 })), [330, 335]],
  ['a percentage with a limit for all lines', percentOff(10, onItems('', aggregated(400))), [330, 70]],
  ['a new unit price', fixed(1000, onItems()), [300, 1400]],
  ['a new unit price above a line', fixed(1200, onItems()), [0, 1000]],
])('%s is distributed over the lines as documented', (_, discount, lines) => {
  const { order } = applied(twoLines, discount)

  expect(order.items.map((line) => line.discount_amount)).toEqual(lines)
  expect(order.discount_amount).toBe(0)
})

test('the rounding remainder of a split goes to the last line', () => {
  const items = ['prod_a', 'prod_b', 'prod_c'].map((product_id) => ({ product_id, quantity: 1, price: 1000 }))

  const { order } = applied({ items }, { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' })

  expect(order.items.map((line) => line.discount_amount)).toEqual([33, 33, 34])
})

test('a discount without an effect applies to the order, and to items when a rule names products', () => {
  const discount: Discount = { type: 'PERCENT', percent_off: 10 }

  const wide = applied(twoLines, discount)
  const narrow = applied(twoLines, discount, { included: [{ object: 'product', id: 'prod_b' }] })

  expect(wide.discount).toEqual({ type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER', is_dynamic: false })
  expect(totals(wide.order).total_discount_amount).toBe(670)
  expect(narrow.discount).toMatchObject({ effect: 'APPLY_TO_ITEMS' })
  expect(narrow.order.items.map((line) => line.discount_amount)).toEqual([0, 340])
})

test.each<[string, object, number[]]>([
  ['a price of its own sets that price', { price: 1500 }, [0, 400]],
  ['null for price and limit behaves like one without', { price: null, aggregated_amount_limit: null }, [0, 1400]],
])('a matching entry with %s', (_, entry, lines) => {
  const rule = { included: [{ object: 'product', id: 'prod_b', ...entry }] } as unknown as ApplicableTo

  expect(applied(twoLines, fixed(1000, onItems()), rule).order.items.map((line) => line.discount_amount)).toEqual(lines)
})

const level = 'CUSTOMER_METADATA("level") * 10'

test.each<[string, Discount, number, object]>([
  [
    'uses major units and makes the discount dynamic',
    amountOff(500, { amount_off_formula: 'ORDER_AMOUNT / 10', ...onOrder }),
    2000,
    { amount_off: 2000, is_dynamic: true },
  ],
  [
    'computes no percentage above 100',
    percentOff(5, { percent_off_formula: 'ORDER_AMOUNT', ...onOrder }),
    20000,
    { percent_off: 100, is_dynamic: true },
  ],
  [
    'that cannot be evaluated falls back to the static amount',
    amountOff(500, { amount_off_formula: level, ...onOrder }),
    500,
    { amount_off: 500, is_dynamic: false },
  ],
])('a formula %s', (_, discount, discount_amount, shown) => {
  expect(applied({ amount: 20000 }, discount)).toMatchObject({ order: { discount_amount }, discount: shown })
})

test.each([
  ['5 / 2', 2],
  ['0.3 / 0.1', 3],
  ['1 - 2', 0],
])('the units that %s computes are the integer %i and make the discount dynamic', (unit_off_formula, units) => {
  const discount = { ...unitsOff(1, 'prod_gift', 'ADD_NEW_ITEMS'), unit_off_formula }
  const result = applied({ amount: 5000 }, discount, undefined, freebies)

  expect(result).toMatchObject({ units, discount: { is_dynamic: true } })
})

test('a percentage in initial-amount mode ignores earlier discounts but not what is left', () => {
  const initial = orderOf({ amount: 10000 })

  const { order } = done(applyDiscount(discountOrder(initial, 9500), percentOff(20), { ...terms(), initial }))

  expect(order.applied_discount_amount).toBe(500)
})

test('in once mode a line that has a discount is left unchanged', () => {
  const rule: ApplicableTo = { included: [{ object: 'product', id: 'prod_a' }] }
  const first = applied(twoLines, percentOff(10, {}), rule).order

  const { order } = done(applyDiscount(first, amountOff(100, onItems()), { ...terms(), once: true }))

  expect(order.items.map((line) => line.applied_discount_amount)).toEqual([0, 100])
})

test('in once mode a line that has a discount gets no free units', () => {
  const request: OrderRequest = { items: [{ product_id: 'prod_gift', quantity: 1 }] }
  const first = applied(request, amountOff(100, onItems()), undefined, freebies).order
  const once = { ...terms(undefined, freebies), once: true }

  const { order, units } = done(applyDiscount(first, unitsOff(1, 'prod_gift'), once))

  expect([units, totals(order).total_discount_amount]).toEqual([0, 100])
})

test('after an order-level discount the lines are discounted by no more than is left to pay', () => {
  const before = discountOrder(orderOf(twoLines), 6500)

  const { order } = done(applyDiscount(before, { type: 'PERCENT', percent_off: 50, effect: 'APPLY_TO_ITEMS' }, terms()))

  expect(totals(order)).toMatchObject({ total_discount_amount: 6700, total_amount: 0 })
})

test('a discount on an order without an amount is refused', () => {
  const order = calculateOrder(snapshotOf(), { metadata: {} }) as OrderState

  const refusal = { code: 400, key: 'missing_amount' }
  expect(applyDiscount(order, { type: 'AMOUNT', amount_off: 1 }, terms())).toMatchObject({ refusal })
})

const unitsOff = (unit_off: number, unit_type: string, effect?: string) =>
  ({ type: 'UNIT', unit_off, unit_type, ...(effect && { effect }) }) as Discount
const freebies: State = {
  products: [
    { id: 'prod_gift', name: 'Mug', price: 900 },
    { id: 'prod_bare', name: 'Sticker' },
  ],
  skus: [{ id: 'sku_gift', product_id: 'prod_gift', sku: 'Red mug', price: 1000 }],
}
/** What the service answers for an order to which free units were added. */
const withUnits = (request: OrderRequest, discount: Discount) =>
  orderAnswer(applied(request, discount, undefined, freebies).order)

test('new items appear as a line of their own with their cost and the discount', () => {
  const items = [{ product_id: 'prod_a', quantity: 1, price: 2000 }]
  const gift = { quantity: 2, discount_quantity: 2, price: 900, amount: 1800, subtotal_amount: 0 }

  expect(withUnits({ items }, unitsOff(2, 'prod_gift', 'ADD_NEW_ITEMS'))).toMatchObject({
    amount: 3800,
    initial_amount: 2000,
    items_discount_amount: 1800,
    total_discount_amount: 1800,
    total_amount: 2000,
    items_applied_discount_amount: 1800,
    total_applied_discount_amount: 1800,
    items: [
      { product_id: 'prod_a', quantity: 1, subtotal_amount: 2000 },
      { product_id: 'prod_gift', ...gift, discount_amount: 1800, applied_discount_amount: 1800 },
    ],
  })
})

test.each<['ADD_NEW_ITEMS' | 'ADD_MISSING_ITEMS', number, number, number, number]>([
  ['ADD_NEW_ITEMS', 1, 2, 1800, 900],
  ['ADD_MISSING_ITEMS', 1, 1, 900, 900],
  ['ADD_MISSING_ITEMS', 2, 2, 1800, 1800],
  ['ADD_NEW_ITEMS', 2, 3, 2700, 1800],
])(
  '%s of %i units leaves a line of one with %i units for %i, %i of it free',
  (effect, unit_off, quantity, amount, off) => {
    const line = { quantity, discount_quantity: unit_off, initial_quantity: 1, amount, initial_amount: 900 }

    expect(
      withUnits({ items: [{ product_id: 'prod_gift', quantity: 1 }] }, unitsOff(unit_off, 'prod_gift', effect)),
    ).toMatchObject({ amount, items: [{ ...line, discount_amount: off }] })
  },
)

test('missing items that are already in the cart become free, and the amount before is told although it is the same', () => {
  expect(withUnits({ items: [{ product_id: 'prod_gift', quantity: 3 }] }, unitsOff(2, 'prod_gift'))).toMatchObject({
    amount: 2700,
    initial_amount: 2700,
    total_discount_amount: 1800,
    total_amount: 900,
  })
})

test('many items are added entry by entry, each with its own effect', () => {
  const units = [
    { unit_off: 1, unit_type: 'sku_gift', effect: 'ADD_NEW_ITEMS' as const },
    { unit_off: 1, unit_type: 'prod_bare', effect: 'ADD_MISSING_ITEMS' as const },
  ]
  const request = { items: [{ sku_id: 'sku_gift', quantity: 1 }] }

  const result = applied(request, { type: 'UNIT', effect: 'ADD_MANY_ITEMS', units }, undefined, freebies)

  expect(result.units).toBe(2)
  expect(orderAnswer(result.order)).toMatchObject({
    amount: 2000,
    initial_amount: 1000,
    total_amount: 1000,
    items: [
      { sku_id: 'sku_gift', quantity: 2, discount_quantity: 1 },
      { product_id: 'prod_bare', quantity: 1, discount_quantity: 1 },
    ],
  })
})

test('free shipping without a price adds a line with a quantity and no amounts', () => {
  const { items, ...order } = withUnits({ amount: 5000 }, unitsOff(1, 'prod_5h1pp1ng', 'ADD_NEW_ITEMS'))

  const units = { quantity: 1, discount_quantity: 1, initial_quantity: 0 }
  expect(items).toEqual([
    { object: 'order_item', product_id: 'prod_5h1pp1ng', ...units, product: { id: 'prod_5h1pp1ng' } },
  ])
  expect(order).toMatchObject({ amount: 5000, total_amount: 5000 })
  expect(order).not.toHaveProperty('total_discount_amount')
})

test('units already paid by an order-level discount are not discounted again', () => {
  const before = discountOrder(orderOf({ items: [{ product_id: 'prod_gift', quantity: 1 }] }, freebies), 900)

  const { order } = done(
    applyDiscount(before, { type: 'UNIT', unit_off: 1, unit_type: 'prod_gift' }, terms(undefined, freebies)),
  )

  expect(totals(order)).toMatchObject({ total_discount_amount: 900, total_amount: 0 })
})

function orderOf(request: OrderRequest, state: State = {}): OrderState {
  const order = calculateOrder(snapshotOf(state), request)
  if (!order) throw new Error('the request has an order')
  return order
}

function terms(rule?: ApplicableTo, state: State = {}) {
  const catalogue = snapshotOf(state)
  return {
    catalogue,
    namesProducts: namesProducts(rule),
    select: (lines: readonly OrderLine[]) => selectLines(catalogue, rule ? [rule] : [], lines),
    formula: { metadata: {}, redeemableMetadata: {} },
  }
}

function applied(request: OrderRequest, discount: Discount, rule?: ApplicableTo, state: State = {}) {
  const order = orderOf(request, state)
  const base = terms(rule, state)
  return done(applyDiscount(order, discount, { ...base, formula: { ...base.formula, order } }))
}

function done(result: ReturnType<typeof applyDiscount>) {
  if ('refusal' in result) throw new Error(`refused: ${result.refusal.key}`)
  return result
}
