import { expect, test } from 'vitest'
import {
  type ApplicableEntry,
  type ApplicableTo,
  selectLines,
} from '../../../../../src/sandbox/rules/pricing/applicable.ts'
import { applicabilityLists } from '../../../../../src/sandbox/rules/pricing/applicable-lists.ts'
import { calculateOrder, type OrderRequest } from '../../../../../src/sandbox/rules/pricing/order.ts'
import { snapshotOf } from '../state.ts'

const cart: OrderRequest = {
  items: [
    { product_id: 'prod_a', quantity: 3, price: 1100 },
    { sku_id: 'sku_b', quantity: 2, price: 500 },
    { product_id: 'prod_c', quantity: 1, price: 1700 },
  ],
}

const snapshot = snapshotOf({
  products: [
    { id: 'prod_a', source_id: 'apple', name: 'Apple' },
    { id: 'prod_b', source_id: 'bread', name: 'Bread' },
  ],
  skus: [{ id: 'sku_b', source_id: 'rye', product_id: 'prod_b', sku: 'Rye' }],
  collections: { pc_food: ['prod_a', 'prod_b'], pc_none: [] },
})

test.each<[title: string, rule: ApplicableTo, units: Record<string, number>]>([
  ['no product part', {}, { prod_a: 3, prod_b: 2, prod_c: 1 }],
  ['all', { included_all: true, included: [], excluded: [] }, { prod_a: 3, prod_b: 2, prod_c: 1 }],
  ['a product by id', { included: [product('prod_a')] }, { prod_a: 3 }],
  ['a product by source id', { included: [{ ...product('?'), source_id: 'apple' }] }, { prod_a: 3 }],
  ['a product names its SKUs', { included: [product('prod_b')] }, { prod_b: 2 }],
  ['a SKU by id', { included: [{ object: 'sku', id: 'sku_b' }] }, { prod_b: 2 }],
  ['a SKU that is not there', { included: [{ object: 'sku', id: 'sku_x' }] }, {}],
  ['a collection', { included: [collection('pc_food')] }, { prod_a: 3, prod_b: 2 }],
  ['an empty collection', { included: [collection('pc_none')] }, {}],
  [
    'exclusion inside an included collection',
    { included: [collection('pc_food')], excluded: [product('prod_a')] },
    { prod_b: 2 },
  ],
  ['all but one', { included_all: true, excluded: [product('prod_a')] }, { prod_b: 2, prod_c: 1 }],
  ['only an exclusion', { excluded: [product('prod_c')] }, { prod_a: 3, prod_b: 2 }],
])('%s selects the documented lines', (_, rule, units) => {
  expect(unitsOf([rule])).toEqual(units)
})

test.each<[title: string, options: Partial<ApplicableEntry>, units: Record<string, number>]>([
  ['the cheapest line', { effect: 'APPLY_TO_CHEAPEST' }, { prod_b: 2 }],
  ['the most expensive line', { effect: 'APPLY_TO_MOST_EXPENSIVE' }, { prod_c: 1 }],
  ['the cheapest unit', { effect: 'APPLY_TO_CHEAPEST', target: 'UNIT' }, { prod_b: 1 }],
  ['all from the cheapest', { effect: 'APPLY_FROM_CHEAPEST' }, { prod_a: 3, prod_b: 2, prod_c: 1 }],
  ['the second line', { effect: 'APPLY_TO_CHEAPEST', skip_initially: 1 }, { prod_a: 3 }],
  ['every second line in request order', { repeat: 2 }, { prod_a: 3, prod_c: 1 }],
  ['every second line after the first', { skip_initially: 1, repeat: 2 }, { prod_b: 2 }],
  [
    'every second line from the most expensive',
    { effect: 'APPLY_FROM_MOST_EXPENSIVE', repeat: 2 },
    { prod_b: 2, prod_c: 1 },
  ],
  ['every second unit', { target: 'UNIT', repeat: 2 }, { prod_a: 2, prod_b: 1 }],
  ['every third unit after two', { target: 'UNIT', skip_initially: 2, repeat: 3 }, { prod_a: 1, prod_c: 1 }],
  ['one unit a line', { quantity_limit: 1 }, { prod_a: 1, prod_b: 1, prod_c: 1 }],
  ['four units in all', { aggregated_quantity_limit: 4 }, { prod_a: 3, prod_b: 1 }],
  [
    'four units from the most expensive',
    { effect: 'APPLY_FROM_MOST_EXPENSIVE', aggregated_quantity_limit: 4 },
    { prod_a: 3, prod_c: 1 },
  ],
  ['two a line and three in all', { quantity_limit: 2, aggregated_quantity_limit: 3 }, { prod_a: 2, prod_b: 1 }],
])('an entry for %s counts these units', (_, options, units) => {
  const all = snapshotOf({ collections: { pc_all: ['prod_a', 'prod_b', 'prod_c', 'sku_b'] } })

  expect(unitsOf([{ included: [{ ...collection('pc_all'), ...options }] }], all)).toEqual(renamed(units))
})

test('when two entries match a line the lower limits apply', () => {
  const rule: ApplicableTo = {
    included: [
      { ...product('prod_a'), quantity_limit: 1, amount_limit: 900 },
      { ...collection('pc_food'), quantity_limit: 2, amount_limit: 400 },
    ],
  }

  const { shares } = selectLines(snapshot, [rule], linesOf(cart))

  expect(shares.map(({ units, amountLimit }) => ({ units, amountLimit }))).toEqual([
    { units: 1, amountLimit: 400 },
    { units: 2, amountLimit: 400 },
  ])
})

test('with all products included an entry only limits the lines it names', () => {
  const selected = unitsOf([{ included_all: true, included: [{ ...product('prod_a'), quantity_limit: 1 }] }])

  expect(selected).toEqual({ prod_a: 1, prod_b: 2, prod_c: 1 })
})

test('two rules select the lines that both allow', () => {
  expect(unitsOf([{ included: [collection('pc_food')] }, { excluded: [product('prod_b')] }])).toEqual({ prod_a: 3 })
})

test('a line without a price is the cheapest', () => {
  const items = [
    { product_id: 'prod_a', quantity: 1, price: 1 },
    { product_id: 'prod_b', quantity: 1 },
  ]
  const rule = { included: [{ ...collection('pc_food'), effect: 'APPLY_TO_CHEAPEST' as const }] }

  const { shares } = selectLines(snapshot, [rule], linesOf({ items }))

  expect(shares.map(({ line }) => line.product_id)).toEqual(['prod_b'])
})

test('a line of a billion units is counted without a loop', () => {
  const lines = linesOf({ items: [{ product_id: 'prod_a', quantity: 1_000_000_000, price: 1 }] })

  const { shares } = selectLines(snapshot, [{ included: [{ ...product('prod_a'), target: 'UNIT', repeat: 3 }] }], lines)

  expect(shares[0]?.units).toBe(333_333_334)
})

test('the lists contain the entries of the rule and one entry per product of the order they resolved to', () => {
  const rule: ApplicableTo = {
    included: [{ ...collection('pc_food'), effect: 'APPLY_TO_EVERY' }],
    excluded: [product('prod_a')],
  }

  expect(applicabilityLists(snapshot, [rule], linesOf(cart))).toEqual({
    applicable_to: {
      data: [
        {
          object: 'products_collection',
          id: 'pc_food',
          effect: 'APPLY_TO_EVERY',
          strict: false,
          order_item_indices: [1],
        },
        {
          object: 'sku',
          id: 'sku_b',
          source_id: 'rye',
          product_id: 'prod_b',
          product_source_id: 'bread',
          effect: 'APPLY_TO_EVERY',
          strict: false,
          order_item_indices: [1],
        },
      ],
      total: 2,
      data_ref: 'data',
      object: 'list',
    },
    inapplicable_to: {
      data: [{ object: 'product', id: 'prod_a', strict: false, effect: 'APPLY_TO_EVERY' }],
      total: 1,
      data_ref: 'data',
      object: 'list',
    },
  })
})

test('without rules every product of the order is listed as applicable', () => {
  const lists = applicabilityLists(snapshot, [], linesOf({ items: [{ product_id: 'prod_a', quantity: 1 }] }))

  expect(lists.applicable_to.data).toEqual([
    {
      object: 'product',
      id: 'prod_a',
      source_id: 'apple',
      strict: false,
      effect: 'APPLY_TO_EVERY',
      order_item_indices: [0],
    },
  ])
  expect(lists.inapplicable_to.total).toBe(0)
})

function product(id: string): ApplicableEntry {
  return { object: 'product', id }
}

function collection(id: string): ApplicableEntry {
  return { object: 'products_collection', id }
}

function linesOf(request: OrderRequest, state = snapshot) {
  return calculateOrder(state, request)?.items ?? []
}

function unitsOf(rules: ApplicableTo[], state = snapshot) {
  const { shares } = selectLines(state, rules, linesOf(cart, state))
  return Object.fromEntries(shares.map(({ line, units }) => [line.product_id ?? line.sku_id, units]))
}

/** Without a catalogue the second line is identified only by its SKU. */
function renamed({ prod_b, ...units }: Record<string, number>) {
  return prod_b === undefined ? units : { ...units, sku_b: prod_b }
}
