import { expect, test } from 'vitest'
import { testSandbox } from '../../../../support/sandbox.ts'

// How validations and metadata schemas use the catalogue, its collections and segments.

const assigned = (rule: string, code: string) => ({
  rule_id: rule,
  related_object_id: code,
  related_object_type: 'voucher',
  object: 'validation_rules_assignment',
})

const percent = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } }

const fixture = {
  products: [
    { id: 'prod_1', source_id: 'beans', name: 'Beans', price: 1000 },
    { id: 'prod_2', source_id: 'grinder', price: 5000 },
  ],
  skus: [{ id: 'sku_1', source_id: 'beans-1000', product_id: 'prod_1', price: 1700 }],
  product_collections: [{ id: 'pc_1', name: 'Beans', type: 'STATIC', products: [{ id: 'prod_1', object: 'product' }] }],
  customers: [{ source_id: 'ada' }, { source_id: 'bo' }],
  segments: [{ id: 'seg_1', name: 'VIP', customers: ['ada'] }],
  validation_rules: [
    {
      id: 'val_1',
      name: 'Beans only',
      rules: {},
      applicable_to: { included: [{ object: 'products_collection', id: 'pc_1', effect: 'APPLY_TO_EVERY' }] },
    },
    {
      id: 'val_2',
      name: 'VIP',
      rules: { 1: { name: 'customer.segment', conditions: { $is: ['seg_1'] }, rules: {} }, logic: '1' },
    },
  ],
  vouchers: [
    { id: 'v_1', code: 'PLAIN', ...percent },
    { id: 'v_2', code: 'BEANS', ...percent, discount: { ...percent.discount, effect: 'APPLY_TO_ITEMS' } },
    { id: 'v_3', code: 'VIP', ...percent },
  ],
  validation_rules_assignments: [assigned('val_1', 'v_2'), assigned('val_2', 'v_3')],
}

function validate(code: string, body: Record<string, unknown>) {
  const { post } = testSandbox({ fixture })
  return post('/v1/validations', { redeemables: [{ object: 'voucher', id: code }], ...body }).body
}

const order = {
  items: [
    { product_id: 'beans', quantity: 2 },
    { source_id: 'beans-1000', related_object: 'sku', quantity: 1 },
    { product_id: 'prod_2', quantity: 1 },
    { product_id: 'unknown', quantity: 1 },
  ],
}

test('an order without prices is priced by the catalogue, the SKU before its product', () => {
  const body = validate('PLAIN', { order })

  expect(body.valid).toBe(true)
  expect(body.order.amount).toBe(8700)
  expect(body.order.items.map((item: { price?: number }) => item.price)).toEqual([1000, 1700, 5000, undefined])
})

test('a discount on a collection applies to its products and their SKUs, nothing else', () => {
  expect(validate('BEANS', { order }).order.total_discount_amount).toBe(370)
})

test.each([
  ['ada', true],
  ['bo', false],
  ['eve', false],
])('a code for a segment, requested by %s, is valid: %s', (source_id, valid) => {
  expect(validate('VIP', { order: { amount: 1000 }, customer: { source_id } }).valid).toBe(valid)
})

test('validating a customer stores nothing', () => {
  const { post, get, events } = testSandbox({ fixture })

  post('/v1/validations', {
    redeemables: [{ object: 'voucher', id: 'PLAIN' }],
    order,
    customer: { source_id: 'new', name: 'New' },
  })

  expect(get('/v1/customers').body.total).toBe(2)
  expect(events()).toEqual([])
})

test.each([
  ['product', '/v1/products', '/v1/products/a'],
  ['customer', '/v1/customers', '/v1/customers/a'],
  ['sku', '/v1/products/beans/skus', '/v1/products/beans/skus/a'],
])('the metadata of a %s must follow its schema, on creation and on update', (kind, create, change) => {
  const { post, put } = testSandbox({
    fixture: {
      products: fixture.products,
      metadata_schemas: [{ related_object: kind, properties: { n: { type: 'number', optional: false } } }],
    },
  })

  const without = post(create, { source_id: 'a' })
  const made = post(create, { source_id: 'a', metadata: { n: 1 } })
  const upserted = post(create, { source_id: 'a', metadata: { n: 'x' } })
  const changed = put(change, { metadata: { n: null } })
  const untouched = put(change, {})

  expect(without.body).toMatchObject({ code: 400, key: 'metadata_validation_failed' })
  expect([made.status, untouched.status]).toEqual([200, 200])
  expect([upserted.body.key, changed.body.key]).toEqual(['metadata_validation_failed', 'metadata_validation_failed'])
})
