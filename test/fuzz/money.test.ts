// Money: over any cart, any discounts and any order of them, nothing is created, lost or taken below zero.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluateFormula, formulaProblem } from '../../src/sandbox/rules/pricing/formula/parse.ts'
import { holds } from '../support/fuzz.ts'
import { doing } from '../support/redemptions.ts'
import { testSandbox } from '../support/sandbox.ts'

const amount = fc.integer({ min: 0, max: 50_000 })
const percent = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.double({ min: 0, max: 100, noNaN: true }).map((x) => Math.round(x * 100) / 100),
)
const discount = fc.oneof(
  fc.record({
    type: fc.constant('AMOUNT'),
    amount_off: amount,
    effect: fc.constantFrom(
      'APPLY_TO_ORDER',
      'APPLY_TO_ITEMS',
      'APPLY_TO_ITEMS_PROPORTIONALLY',
      'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
      'APPLY_TO_ITEMS_BY_QUANTITY',
    ),
  }),
  fc.record({
    type: fc.constant('PERCENT'),
    percent_off: percent,
    effect: fc.constantFrom('APPLY_TO_ORDER', 'APPLY_TO_ITEMS'),
  }),
  fc.record({
    type: fc.constant('FIXED'),
    fixed_amount: amount,
    effect: fc.constantFrom('APPLY_TO_ORDER', 'APPLY_TO_ITEMS'),
  }),
  fc.record({
    type: fc.constant('UNIT'),
    unit_off: fc.integer({ min: 1, max: 5 }),
    unit_type: fc.constant('prod_beans'),
    effect: fc.constantFrom('ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS'),
  }),
)
const cart = fc.record({
  discounts: fc.array(discount, { minLength: 1, maxLength: 4 }),
  credits: fc.integer({ min: 0, max: 20_000 }),
  points: fc.integer({ min: 0, max: 500 }),
  items: fc.array(
    fc.record({
      product_id: fc.constantFrom('prod_beans', 'prod_mug'),
      quantity: fc.integer({ min: 1, max: 9 }),
      price: amount,
    }),
    { minLength: 1, maxLength: 5 },
  ),
  order: fc.nat(),
})

function shopWith(discounts: readonly object[]) {
  return testSandbox({
    fixture: {
      campaigns: [
        {
          id: 'camp_club',
          name: 'Club',
          campaign_type: 'LOYALTY_PROGRAM',
          type: 'STANDALONE',
          active: true,
          metadata: {},
        },
      ],
      customers: [{ id: 'cust_ada', source_id: 'ada', name: 'Ada', metadata: {} }],
      products: [
        { id: 'prod_beans', source_id: 'beans', name: 'Beans', price: 1500 },
        { id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 990 },
      ],
      vouchers: [
        ...discounts.map((given, at) => ({ id: `v_${at}`, code: `D${at}`, type: 'DISCOUNT_VOUCHER', discount: given })),
        { id: 'v_G', code: 'G', type: 'GIFT_VOUCHER', gift: { amount: 10_000, balance: 10_000 } },
        {
          id: 'v_C',
          code: 'C',
          type: 'LOYALTY_CARD',
          campaign_id: 'camp_club',
          loyalty_card: { points: 300 },
          holder_id: 'cust_ada',
        },
      ],
      rewards: [
        { id: 'rew_1', name: 'Coins', type: 'COIN', parameters: { coin: { exchange_ratio: 0.1, points_ratio: 1 } } },
      ],
    },
  })
}

const sum = (values: readonly (number | undefined)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

test('an order adds up, and redeeming and rolling back restores every balance and every count', () => {
  holds(
    fc.property(cart, ({ discounts, credits, points, items, order }) => {
      const sandbox = shopWith(discounts)
      const { call } = sandbox
      const { rollBack, rollBackAll } = doing(sandbox)
      const paying = [
        ...discounts.map((_, at) => ({ object: 'voucher', id: `D${at}` })),
        ...(credits > 0 ? [{ object: 'voucher', id: 'G', gift: { credits } }] : []),
        ...(points > 0 ? [{ object: 'voucher', id: 'C', reward: { id: 'rew_1', points } }] : []),
      ]
      // No more than five at once; any of them may come first.
      const redeemables = [...paying.slice(order % paying.length), ...paying.slice(0, order % paying.length)].slice(
        0,
        5,
      )
      const before = balances(sandbox)
      const request = { redeemables, order: { items }, customer: { source_id: 'ada' } }

      const validation = call('POST', '/v1/validations', { body: request })
      const redemption = call('POST', '/v1/redemptions', { body: request })

      for (const { body } of [validation, redemption]) if (body.order) mustAddUp(body.order)
      if (redemption.status === 200) {
        const { parent_redemption: parent, redemptions } = redemption.body
        const undone = parent ? rollBackAll(parent.id) : rollBack(redemptions[0].id)
        expect(undone.status).toBe(200)
      }
      expect(balances(sandbox)).toEqual(before)
      expect(sandbox.reports).toEqual([])
    }),
    60,
  )
})

function balances({ call }: ReturnType<typeof testSandbox>) {
  const { vouchers } = call('GET', '/v1/vouchers', { query: 'limit=100' }).body
  return vouchers.map(
    ({
      code,
      gift,
      loyalty_card,
      redemption,
    }: Record<string, { balance?: number; redeemed_quantity?: number; redeemed_amount?: number } | null>) => [
      code,
      gift?.balance,
      loyalty_card?.balance,
      redemption?.redeemed_quantity,
    ],
  )
}

// biome-ignore lint/suspicious/noExplicitAny: any order the service returns.
function mustAddUp(order: any): void {
  const { amount: whole, total_amount, total_discount_amount, items = [] } = order
  expect(total_amount).toBeGreaterThanOrEqual(0)
  expect(total_discount_amount ?? 0).toBeLessThanOrEqual(whole)
  expect(total_discount_amount ?? 0).toBeGreaterThanOrEqual(0)
  expect(total_amount).toBe(whole - (total_discount_amount ?? 0))
  // The order of one of several redeemables may name its items without their amounts.
  if (items.every((item: { amount?: number }) => item.amount !== undefined)) {
    expect(sum(items.map((item: { amount: number }) => item.amount))).toBe(whole)
  }
  for (const item of items) {
    expect(item.discount_amount ?? 0).toBeLessThanOrEqual(item.amount)
    if (item.subtotal_amount !== undefined) expect(item.subtotal_amount).toBeGreaterThanOrEqual(0)
  }
}

test('any formula is a finite number, no number, or refused in words', () => {
  const part = fc.constantFrom(
    '(',
    ')',
    '+',
    '-',
    '*',
    '/',
    '%',
    ';',
    ',',
    '"',
    "'",
    ' ',
    '1',
    '.5',
    '1e9',
    'IF(',
    'MIN(',
    'POW(',
    'ROUND(',
    'ORDER_AMOUNT',
    'ORDER_METADATA("__proto__")',
    'CUSTOMER_METADATA("constructor")',
    'constructor',
    '__proto__',
    'toString',
    'not ',
    ' and ',
    ' or ',
    'is',
    'contains',
    '<',
    '=',
    'true',
  )
  holds(
    fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
      const formula = parts.join('')
      const value = evaluateFormula(formula, { metadata: {}, redeemableMetadata: {} })
      expect(value === undefined || Number.isFinite(value)).toBe(true)
      if (value !== undefined) expect(formulaProblem(formula)).toBeUndefined()
    }),
    500,
  )
})

test('any validation rule is stored or refused in words, and never breaks a validation', () => {
  const leaf = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'customer.metadata',
      'order.amount',
      '$is',
      '$more_than',
      '1 and 2',
      '1 or (2',
      'redemption.count.per_customer',
    ),
  )
  const rule = fc.record({
    name: leaf,
    property: leaf,
    conditions: fc.dictionary(
      fc.constantFrom('$is', '$is_not', '$more_than', '$in', '$bogus', 'constructor'),
      fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })),
      { maxKeys: 2 },
    ),
  })
  const rules = fc.oneof(
    fc.record({
      name: fc.string({ minLength: 1, maxLength: 5 }),
      rules: fc
        .tuple(rule, rule, fc.constantFrom('1', '1 and 2', '1 or 2', '(1', '1 and', '3', 'constructor'))
        .map(([one, other, logic]) => ({ 1: one, 2: other, logic })),
    }),
    fc.record({ name: leaf, rules: fc.jsonValue({ maxDepth: 4 }) }),
  )
  holds(
    fc.property(rules, (body) => {
      const { call, reports } = testSandbox({
        fixture: {
          vouchers: [{ id: 'v_1', code: 'A', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 5 } }],
        },
      })
      const made = call('POST', '/v1/validation-rules', { body })
      if (made.status === 200) {
        call('POST', `/v1/validation-rules/${made.body.id}/assignments`, { body: { voucher: 'A' } })
        call('POST', '/v1/validations', {
          body: { redeemables: [{ object: 'voucher', id: 'A' }], order: { amount: 100 }, customer: { source_id: 'a' } },
        })
      }
      expect([200, 400]).toContain(made.status)
      expect(reports).toEqual([])
    }),
    100,
  )
})
