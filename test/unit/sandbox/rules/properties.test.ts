import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Discount } from '../../../../src/contract/discount.ts'
import { type ApplicableEntry, namesProducts, selectLines } from '../../../../src/sandbox/rules/pricing/applicable.ts'
import { applyDiscount } from '../../../../src/sandbox/rules/pricing/discount.ts'
import { amountDue, calculateOrder, type OrderRequest, totals } from '../../../../src/sandbox/rules/pricing/order.ts'
import { orderAnswer } from '../../../../src/sandbox/rules/pricing/order-answer.ts'
import { evaluateRedeemables } from '../../../../src/sandbox/rules/stacking/validation.ts'
import { coupon, productRule, type State, snapshotOf } from './state.ts'

const amount = fc.integer({ min: 0, max: 50_000 })
const units = fc.integer({ min: 1, max: 9 })

const order: fc.Arbitrary<OrderRequest> = fc
  .array(fc.record({ product_id: fc.constantFrom('prod_a', 'prod_b', 'prod_c'), quantity: units, price: amount }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((items) => ({ items }))

const discount: fc.Arbitrary<Discount> = fc.oneof(
  fc.record(
    {
      type: fc.constant('AMOUNT' as const),
      amount_off: amount,
      aggregated_amount_limit: amount,
      effect: fc.constantFrom(
        'APPLY_TO_ORDER' as const,
        'APPLY_TO_ITEMS' as const,
        'APPLY_TO_ITEMS_BY_QUANTITY' as const,
        'APPLY_TO_ITEMS_PROPORTIONALLY' as const,
        'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY' as const,
      ),
    },
    { requiredKeys: ['type', 'amount_off', 'effect'] },
  ),
  fc.record(
    {
      type: fc.constant('PERCENT' as const),
      percent_off: fc.double({ min: 0, max: 100, noNaN: true }),
      amount_limit: amount,
      aggregated_amount_limit: amount,
      effect: fc.constantFrom('APPLY_TO_ORDER' as const, 'APPLY_TO_ITEMS' as const),
    },
    { requiredKeys: ['type', 'percent_off', 'effect'] },
  ),
  fc.record({
    type: fc.constant('FIXED' as const),
    fixed_amount: amount,
    effect: fc.constantFrom('APPLY_TO_ORDER' as const, 'APPLY_TO_ITEMS' as const),
  }),
  fc.record({
    type: fc.constant('UNIT' as const),
    unit_off: units,
    unit_type: fc.constantFrom('prod_a', 'prod_gift'),
    effect: fc.constantFrom('ADD_NEW_ITEMS' as const, 'ADD_MISSING_ITEMS' as const),
  }),
)

const entry: fc.Arbitrary<ApplicableEntry> = fc.record(
  {
    object: fc.constant('products_collection' as const),
    id: fc.constantFrom('pc_ab', 'pc_c'),
    effect: fc.constantFrom(
      'APPLY_TO_EVERY' as const,
      'APPLY_TO_CHEAPEST' as const,
      'APPLY_FROM_CHEAPEST' as const,
      'APPLY_TO_MOST_EXPENSIVE' as const,
      'APPLY_FROM_MOST_EXPENSIVE' as const,
    ),
    target: fc.constantFrom('ITEM' as const, 'UNIT' as const),
    skip_initially: fc.integer({ min: 0, max: 4 }),
    repeat: fc.integer({ min: 1, max: 4 }),
    quantity_limit: units,
    aggregated_quantity_limit: units,
    amount_limit: amount,
    aggregated_amount_limit: amount,
  },
  { requiredKeys: ['object', 'id'] },
)

const base: State = {
  products: [
    { id: 'prod_gift', price: 990 },
    { id: 'prod_a', price: 500 },
  ],
  collections: { pc_ab: ['prod_a', 'prod_b'], pc_c: ['prod_c'] },
}

test('for every stack, no total is negative, nothing is discounted twice and the lines add up', () => {
  const redeemables = fc.array(fc.tuple(discount, fc.option(fc.array(entry, { minLength: 1, maxLength: 2 }))), {
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(order, redeemables, fc.constantFrom('STACK' as const, 'ONCE' as const), (request, given, mode) => {
      const evaluation = evaluated(request, given, { redeemables_products_application_mode: mode })

      const end = evaluation.order
      if (!end) throw new Error('there is an order')
      const sums = totals(end)
      expect(sums.total_amount).toBeGreaterThanOrEqual(0)
      expect(sums.total_discount_amount).toBeLessThanOrEqual(end.amount ?? 0)
      expect(sums.total_amount + sums.total_discount_amount).toBe(end.amount)
      expect(end.amount).toBe(end.items.reduce((sum, line) => sum + (line.amount ?? 0), 0))
      for (const line of end.items) {
        expect(Number.isInteger(line.discount_amount)).toBe(true)
        expect(line.discount_amount).toBeGreaterThanOrEqual(0)
        expect(line.discount_amount).toBeLessThanOrEqual(line.amount ?? 0)
        expect(line.discount_quantity).toBeLessThanOrEqual(line.quantity)
      }
    }),
  )
})

test('what the steps applied adds up to the values of the final order', () => {
  fc.assert(
    fc.property(
      order,
      fc.array(fc.tuple(discount, fc.constant(null)), { minLength: 1, maxLength: 5 }),
      (request, given) => {
        const { entries, order: end } = evaluated(request, given, {})

        const steps = entries.reduce((sum, one) => sum + (one.status === 'APPLICABLE' ? one.incentive.amount : 0), 0)
        expect(orderAnswer(end ?? orderOf(request)).total_applied_discount_amount ?? 0).toBe(steps)
      },
    ),
  )
})

test('the order of order-level amounts does not matter for the total', () => {
  fc.assert(
    fc.property(amount, fc.array(amount, { minLength: 2, maxLength: 5 }), (whole, offs) => {
      const given = offs.map(
        (amount_off) => [{ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' } as Discount, null] as const,
      )

      const forwards = evaluated({ amount: whole + 1 }, given, {})
      const backwards = evaluated({ amount: whole + 1 }, given.toReversed(), {})

      expect(forwards.order && amountDue(forwards.order)).toBe(backwards.order && amountDue(backwards.order))
    }),
  )
})

test('no limit of a discount or of an entry is exceeded', () => {
  fc.assert(
    fc.property(order, discount, entry, (request, given, limited) => {
      const { order: before, after, shares } = appliedTo(request, given, limited)
      const offs = after.items.map((line, at) => line.discount_amount - (before.items[at]?.discount_amount ?? 0))
      const all = offs.reduce((sum, off) => sum + off, 0)

      if (given.type === 'UNIT' || given.effect === 'APPLY_TO_ORDER') return
      expect(all).toBeLessThanOrEqual(limited.aggregated_amount_limit ?? Infinity)
      for (const off of offs) expect(off).toBeLessThanOrEqual(limited.amount_limit ?? Infinity)
      if ('aggregated_amount_limit' in given) expect(all).toBeLessThanOrEqual(given.aggregated_amount_limit ?? Infinity)
      if ('amount_limit' in given)
        for (const off of offs) expect(off).toBeLessThanOrEqual(given.amount_limit ?? Infinity)
      for (const share of shares) expect(share.units).toBeLessThanOrEqual(limited.quantity_limit ?? Infinity)
      expect(shares.reduce((sum, share) => sum + share.units, 0)).toBeLessThanOrEqual(
        limited.aggregated_quantity_limit ?? Infinity,
      )
    }),
  )
})

test('a proportional split distributes exactly its amount, if the lines can take it', () => {
  fc.assert(
    fc.property(order, amount, fc.boolean(), (request, amount_off, byQuantity) => {
      const before = orderOf(request)
      const effect = byQuantity ? 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY' : 'APPLY_TO_ITEMS_PROPORTIONALLY'

      const { after } = appliedTo(request, { type: 'AMOUNT', amount_off, effect })

      expect(totals(after).items_discount_amount).toBe(Math.min(amount_off, before.amount ?? 0))
    }),
  )
})

function orderOf(request: OrderRequest) {
  const calculated = calculateOrder(snapshotOf(base), request)
  if (!calculated) throw new Error('the request has an order')
  return calculated
}

function appliedTo(request: OrderRequest, given: Discount, limited?: ApplicableEntry) {
  const snapshot = snapshotOf(base)
  const before = orderOf(request)
  const rules = limited ? [{ included: [limited] }] : []
  const result = applyDiscount(before, given, {
    catalogue: snapshot,
    namesProducts: rules.some(namesProducts),
    select: (lines) => selectLines(snapshot, rules, lines),
    formula: { metadata: {}, redeemableMetadata: {} },
  })
  if ('refusal' in result) throw new Error(`refused: ${result.refusal.key}`)
  return { order: before, after: result.order, shares: selectLines(snapshot, rules, before.items).shares }
}

function evaluated(
  request: OrderRequest,
  given: readonly (readonly [Discount, ApplicableEntry[] | null])[],
  stacking: NonNullable<State['stacking']>,
) {
  const state: State = {
    ...base,
    vouchers: given.map(([one], at) => coupon(`C${at}`, one)),
    rules: given.flatMap(([, entries], at) =>
      entries
        ? [{ owner: 'voucher' as const, id: `v_C${at}`, rule: productRule(`val_${at}`, { included: entries }) }]
        : [],
    ),
    stacking: { redeemables_application_mode: 'PARTIAL', ...stacking },
  }
  const redeemables = given.map((_, at) => ({ object: 'voucher' as const, id: `C${at}` }))
  const result = evaluateRedeemables(snapshotOf(state), { redeemables, order: request }, '2026-06-10T12:00:00.000Z')
  if ('refusal' in result) throw new Error(`refused: ${result.refusal.details}`)
  return result
}
