// Rules that ask for products an order must have together.
import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/sandbox.ts'

type Kind = 'product' | 'sku' | 'products_collection'

const part = (object: Kind, id: string, quantity: number) => ({
  name: 'order.items.any',
  conditions: { $is: [{ id, type: object === 'products_collection' ? object : 'product_or_sku', object }] },
  rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [quantity] }, rules: {} }, logic: '1' },
})

const kettleAndTwoTeas = { '1': part('product', 'prod_kettle', 1), '2': part('products_collection', 'pc_tea', 2) }

const teas = ['prod_green', 'prod_black'].map((id) => ({ id, object: 'product' }))
const fixture = {
  products: [
    { id: 'prod_kettle', source_id: 'kettle', name: 'Kettle', price: 4000 },
    { id: 'prod_green', source_id: 'green', name: 'Green', price: 500 },
    { id: 'prod_black', source_id: 'black', name: 'Black', price: 600 },
  ],
  product_collections: [{ id: 'pc_tea', name: 'Tea', type: 'STATIC', products: teas }],
}

function shop({
  bundle = kettleAndTwoTeas as object,
  discount = { type: 'AMOUNT', amount_off: 300 } as object,
  applicable_to = undefined as object | undefined,
} = {}) {
  const vouchers = [{ code: 'SET', type: 'DISCOUNT_VOUCHER', discount }]
  const sandbox = testSandbox({ fixture: { ...fixture, vouchers } })
  const { post } = sandbox
  const made = post('/v1/validation-rules', { name: 'Set', bundle_rules: bundle, applicable_to })
  post(`/v1/validation-rules/${made.body.id}/assignments`, { voucher: 'SET' })
  const orderOf = (items: Record<string, number>) => ({
    items: Object.entries(items).map(([product_id, quantity]) => ({ product_id, quantity })),
  })
  const redeemables = [{ object: 'voucher', id: 'SET' }]
  const validated = (items: Record<string, number>) =>
    post('/v1/validations', { redeemables, order: orderOf(items) }).body
  return { ...sandbox, made, orderOf, redeemables, validated }
}

test('an order with all parts of a bundle is discounted, and says which lines they are', () => {
  const { validated, made } = shop()

  const { valid, redeemables, order } = validated({ prod_black: 1, prod_kettle: 1, prod_green: 3 })

  expect(made.body.bundle_rules).toEqual(kettleAndTwoTeas)
  expect(valid).toBe(true)
  expect(order.total_discount_amount).toBe(300)
  expect(redeemables[0].result.bundle).toEqual({
    quantity: 1,
    limit: 1,
    identified: [
      { id: 'prod_kettle', object: 'product', item_index: 1, item_quantity: 1 },
      { id: 'pc_tea', object: 'products_collection', item_index: 0, item_quantity: 1 },
      { id: 'pc_tea', object: 'products_collection', item_index: 2, item_quantity: 1 },
    ],
  })
})

test('an order without a part is refused, and says what is missing', () => {
  const { validated, ask, orderOf, redeemables } = shop()
  const tealess = { prod_kettle: 1, prod_green: 1 }

  const { valid, redeemables: judged, inapplicable_redeemables } = validated(tealess)

  const [refused] = inapplicable_redeemables ?? judged
  expect(valid).toBe(false)
  expect(refused.result).toMatchObject({
    error: { code: 400, key: 'order_rules_violated' },
    bundle: {
      quantity: 0,
      limit: 1,
      identified: [
        { id: 'prod_kettle', object: 'product', item_index: 0, item_quantity: 1 },
        { id: 'pc_tea', object: 'products_collection', item_index: 1, item_quantity: 1 },
      ],
      missing: [{ id: 'pc_tea', object: 'products_collection', item_quantity: 1 }],
    },
  })
  ask('POST /v1/redemptions', { redeemables, order: orderOf(tealess) }, 'order_rules_violated')
  const unjudged = [{ result: { error: { key: 'missing_order' } } }]
  ask('POST /v1/validations', { redeemables }, { redeemables: unjudged })
})

test.each([
  [{ prod_green: 1 }, false],
  [{ prod_green: 2 }, true],
  [{ prod_green: 1, prod_black: 1 }, true],
])('units count for a product before they count for a collection: %j', (items, valid) => {
  const bundle = { '1': part('products_collection', 'pc_tea', 1), '2': part('product', 'prod_green', 1) }

  expect(shop({ bundle }).validated(items).valid).toBe(valid)
})

const five = (bundle: object) => ({ ...bundle, limit: 5 })

test.each<[string, object, number]>([
  ['an amount', { type: 'AMOUNT', amount_off: 300 }, 900],
  ['an amount by formula', { type: 'AMOUNT', amount_off: 0, amount_off_formula: '1+1' }, 600],
  ['an amount of the lines', { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' }, 300],
  ['an amount of each line', { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ITEMS' }, 600],
  ['a percentage', { type: 'PERCENT', percent_off: 5 }, 2250],
  ['a percentage of the lines', { type: 'PERCENT', percent_off: 5, effect: 'APPLY_TO_ITEMS' }, 2250],
  ['a percentage beyond all', { type: 'PERCENT', percent_off: 40 }, 15000],
  ['a fixed price of the order', { type: 'FIXED', fixed_amount: 14000, effect: 'APPLY_TO_ORDER' }, 1000],
])('a bundle that is there three times gives %s three times', (_, discount, taken) => {
  const { validated } = shop({ bundle: five(kettleAndTwoTeas), discount })

  const { order, redeemables } = validated({ prod_kettle: 3, prod_green: 6 })

  expect(redeemables[0].result.bundle.quantity).toBe(3)
  expect(order.total_discount_amount).toBe(taken)
})

const freeTea = { unit_off: 1, unit_type: 'prod_black', effect: 'ADD_NEW_ITEMS' }

test.each([freeTea, { ...freeTea, effect: 'ADD_MISSING_ITEMS' }, { effect: 'ADD_MANY_ITEMS', units: [freeTea] }])(
  'free units are given as often as the bundle is there, within its limit: $effect',
  (units) => {
    const discount = { type: 'UNIT', ...units }
    const { validated } = shop({ bundle: { ...kettleAndTwoTeas, limit: 2 }, discount })

    const { order, redeemables } = validated({ prod_kettle: 3, prod_green: 6 })

    expect(redeemables[0].result.bundle).toMatchObject({ quantity: 2, limit: 2 })
    const black = order.items.find(({ product_id }: { product_id: string }) => product_id === 'prod_black')
    expect(black).toMatchObject({ quantity: 2, discount_quantity: 2 })
  },
)

test.each([
  ['an amount', { type: 'AMOUNT', amount_off: 50, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' }, 100],
  ['a price', { type: 'FIXED', fixed_amount: 400, effect: 'APPLY_TO_ITEMS' }, 200],
])('%s for each unit applies to as many more units', (_, discount, taken) => {
  const applicable_to = { included: [{ object: 'product', id: 'prod_green', quantity_limit: 1 }] }
  const { validated } = shop({ bundle: five(kettleAndTwoTeas), discount, applicable_to })

  expect(validated({ prod_kettle: 2, prod_green: 6 }).order.total_discount_amount).toBe(taken)
})

test('a redemption takes the discount as often as the validation said', () => {
  const { ask, orderOf, redeemables } = shop({ bundle: five(kettleAndTwoTeas) })

  const order = orderOf({ prod_kettle: 2, prod_green: 4 })
  ask('POST /v1/redemptions', { redeemables, order }, { order: { total_discount_amount: 600 } })
})

test.each<[string, boolean]>([
  ['ALL', false],
  ['AUDIENCE_ONLY', true],
  ['PRODUCTS', true],
  ['PRODUCTS_BY_CUSTOMER', true],
])('the scenario %s qualifies what lacks a part of its bundle: %s', (scenario, isOffered) => {
  const { post, orderOf } = shop()
  const asked = (items: Record<string, number>) =>
    post('/v1/qualifications', { scenario, order: orderOf(items) }).body.redeemables.data

  const lacking = asked({ prod_kettle: 1 })
  const complete = asked({ prod_kettle: 1, prod_black: 2 })

  expect(lacking.map(({ id }: { id: string }) => id)).toEqual(isOffered ? ['SET'] : [])
  if (isOffered)
    expect(lacking[0].result.bundle.missing).toEqual([
      { id: 'pc_tea', object: 'products_collection', item_quantity: 2 },
    ])
  expect(complete[0].result.bundle).toMatchObject({ quantity: 1 })
})

test('a redemption shows the bundle that it was made with, wherever it is shown', () => {
  const { post, get, orderOf, redeemables, store } = shop()
  const order = orderOf({ prod_kettle: 1, prod_black: 2 })

  const [redemption] = post('/v1/redemptions', { redeemables, order }).body.redemptions

  expect(redemption.bundle).toMatchObject({
    quantity: 1,
    limit: 1,
    identified: [{ id: 'prod_kettle' }, { id: 'pc_tea' }],
  })
  expect(get(`/v1/redemptions/${redemption.id}`).body.bundle).toEqual(redemption.bundle)
  expect(get('/v1/redemptions').body.redemptions[0].bundle).toEqual(redemption.bundle)
  const told = store.outbox.after(0, 1000).find(({ type }) => type === 'redemption.succeeded')?.data
  expect(told).toMatchObject({ redemption: { bundle: redemption.bundle } })
  expect(post(`/v1/redemptions/${redemption.id}/rollback`).body).not.toHaveProperty('bundle')
})

test.each<[string, object]>([
  ['a limit above 100', { ...kettleAndTwoTeas, limit: 101 }],
  ['another condition', { '1': { ...part('product', 'prod_kettle', 1), name: 'order.items.every' } }],
  ['no product', { '1': { ...part('product', 'prod_kettle', 1), conditions: {} } }],
  ['no quantity', { '1': { ...part('product', 'prod_kettle', 1), rules: {} } }],
  ['a quantity of nothing', { '1': part('product', 'prod_kettle', 0) }],
  ['another member', { ...kettleAndTwoTeas, quantity: 2 }],
])('a bundle with %s is refused', (_, bundle) => {
  expect(shop({ bundle }).made).toMatchObject({ status: 400, body: { key: 'invalid_validation_rules' } })
})
