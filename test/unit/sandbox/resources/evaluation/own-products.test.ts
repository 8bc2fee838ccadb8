// Order lines that carry a product of their own. Source: docs/service/pricing.md#line-prices.
import { expect, test } from 'vitest'
import { testSandbox } from '../../../../support/sandbox.ts'

const isRed = { name: 'product.metadata', property: 'color', conditions: { $is: ['red'] } }
const redOnes = { 'metadata.color': { conditions: { $is: ['red'] } } }
const rule = (id: string, more: object) => ({ id, name: id, rules: { '1': isRed, logic: '1' }, ...more })
const fixture = {
  products: [
    { id: 'prod_red', source_id: 'red', name: 'Red', price: 500, metadata: { color: 'red' } },
    { id: 'prod_blue', source_id: 'blue', name: 'Blue', price: 500, metadata: { color: 'blue' } },
    { id: 'prod_plain', source_id: 'plain', name: 'Plain', price: 500 },
  ],
  product_collections: [{ id: 'pc_red', name: 'Red ones', type: 'AUTO_UPDATE', filter: redOnes }],
  vouchers: [
    { id: 'v_rule', code: 'RULE', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
    { id: 'v_lines', code: 'LINES', type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
  ],
  validation_rules: [
    rule('val_1', {}),
    rule('val_2', { rules: {}, applicable_to: { included: [{ object: 'products_collection', id: 'pc_red' }] } }),
  ],
  validation_rules_assignments: [
    { rule_id: 'val_1', related_object_type: 'voucher', related_object_id: 'v_rule' },
    { rule_id: 'val_2', related_object_type: 'voucher', related_object_id: 'v_lines' },
  ],
}

/** Whether a rule about products, and a discount on a collection, hold for an order of one line. */
function judged(line: object) {
  const { post } = testSandbox({ fixture })
  const validated = (id: string) =>
    post('/v1/validations', {
      redeemables: [{ object: 'voucher', id }],
      order: { items: [{ quantity: 1, price: 500, ...line }] },
    }).body
  const [ruled, lines] = [validated('RULE'), validated('LINES')]
  return { isRed: [ruled.valid, lines.order?.total_discount_amount === 50], item: lines.order?.items[0] }
}

const color = (value: string) => ({ metadata: { color: value } })

test.each<[string, object, boolean]>([
  ['a stored product', { product_id: 'prod_red' }, true],
  ['an unknown product that says so', { product: color('red') }, true],
  ['an unknown product that says otherwise', { product: color('blue') }, false],
  ['a stored product of which nothing else is known', { product_id: 'prod_plain', product: color('red') }, true],
  ['a stored product that is another', { product_id: 'prod_blue', product: color('red') }, false],
  ['a stored product that says otherwise', { product_id: 'prod_red', product: color('blue') }, true],
  ['an overridden product', { product_id: 'prod_blue', product: { ...color('red'), override: true } }, true],
  ['an overridden product that was', { product_id: 'prod_red', product: { ...color('blue'), override: true } }, false],
  ['a SKU that says so', { sku: color('red') }, true],
  ['a SKU of a stored product', { product_id: 'prod_plain', sku: color('red') }, true],
])('rules and collections know %s by what is stored and what the line says', (_, line, expected) => {
  expect(judged(line).isRed).toEqual([expected, expected])
})

test('a line answers with the product that was sent, and with what is stored where it says nothing', () => {
  const { item } = judged({ product_id: 'prod_blue', product: { name: 'Sky', ...color('red') }, sku: color('red') })

  expect(item.product).toEqual({ id: 'prod_blue', source_id: 'blue', name: 'Sky', price: 500, ...color('red') })
  expect(item.sku).toEqual(color('red'))
  expect(judged({ product_id: 'prod_red' }).item.product).toEqual({
    id: 'prod_red',
    source_id: 'red',
    name: 'Red',
    price: 500,
  })
})
