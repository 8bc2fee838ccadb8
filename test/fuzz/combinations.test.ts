// The worst basket of `promo check --combinations`, against drawn orders of drawn projects, all through the service.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdsInTime } from '../support/fuzz.ts'
import { type TestProject, type TestProjects, testProjects } from '../support/projects.ts'

let service: TestProjects

beforeAll(async () => {
  service = await testProjects({ demo: false })
})

afterAll(() => service.close())

const discount = fc.oneof(
  fc.record({ type: fc.constant('AMOUNT'), amount_off: fc.integer({ min: 100, max: 6000 }) }),
  fc.record({ type: fc.constant('PERCENT'), percent_off: fc.integer({ min: 5, max: 60 }) }),
  fc.record({
    type: fc.constant('PERCENT'),
    percent_off: fc.integer({ min: 5, max: 60 }),
    amount_limit: fc.integer({ min: 500, max: 4000 }),
  }),
)
const offer = fc.record({
  discount,
  least: fc.option(fc.integer({ min: 500, max: 9000 }), { nil: undefined }),
  audience: fc.option(fc.constantFrom('student', 'staff'), { nil: undefined }),
})
const project = fc.record({
  offers: fc.array(offer, { minLength: 1, maxLength: 5 }),
  prices: fc.array(fc.integer({ min: 300, max: 9000 }), { minLength: 1, maxLength: 6 }),
  limit: fc.integer({ min: 1, max: 5 }),
  mode: fc.constantFrom('INITIAL_AMOUNT', 'DISCOUNTED_AMOUNT'),
  seed: fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 400, maxLength: 400 }),
})

type Drawn = typeof project extends fc.Arbitrary<infer Value> ? Value : never

/** Makes the project of the offers; returns their codes. */
async function made(shop: TestProject, { offers, prices, limit, mode }: Drawn): Promise<string[]> {
  await shop.call('POST', '/stacking-rules', { applicable_redeemables_limit: limit, discount_calculation_mode: mode })
  for (const [at, price] of prices.entries()) await shop.call('POST', '/v1/products', { source_id: `p${at}`, price })
  const codes = []
  for (const [at, { discount, least, audience }] of offers.entries()) {
    const conditions = [
      ...(least === undefined ? [] : [{ name: 'order.amount', conditions: { $more_than_or_equal: [least] } }]),
      ...(audience === undefined
        ? []
        : [{ name: 'customer.metadata', property: audience, conditions: { $is: [true] } }]),
    ]
    const rules = Object.fromEntries(conditions.map((one, index) => [String(index + 1), one]))
    const logic = Object.keys(rules).join(' and ')
    const rule =
      conditions.length === 0
        ? undefined
        : await shop.call('POST', '/v1/validation-rules', { name: `Rule ${at}`, rules: { ...rules, logic } })
    const code = `CODE-${at}`
    await shop.call('POST', `/v1/vouchers/${code}`, {
      type: 'DISCOUNT_VOUCHER',
      discount: { ...discount, effect: 'APPLY_TO_ORDER' },
      ...(rule && { validation_rules: [rule.id] }),
    })
    codes.push(code)
  }
  return codes
}

/** What a request takes off; 0 where it is not valid. */
async function takenBy(shop: TestProject, request: object): Promise<{ amount: number; discount: number }> {
  const { valid, order, redeemables } = await shop.call('POST', '/v1/validations', request)
  const isWhole = redeemables.every(({ status }: { status: string }) => status === 'APPLICABLE')
  if (!valid || !isWhole) return { amount: 1, discount: 0 }
  return { amount: order.amount, discount: order.total_applied_discount_amount ?? 0 }
}

test('no drawn order is worse than the worst basket, and each basket is what the service says', async () => {
  await holdsInTime(
    fc.asyncProperty(project, async (drawn) => {
      const shop = await service.another()
      const codes = await made(shop, drawn)

      const { stdout } = await shop.promo(['check', '--combinations', '--json'])

      const baskets = JSON.parse(stdout) as { amount: number; discount: number; request: object }[]
      for (const { amount, discount, request } of baskets)
        expect(await takenBy(shop, request)).toEqual({ amount, discount })
      const found = Math.max(0, ...baskets.map(({ amount, discount }) => discount / amount))
      let at = 0
      const next = (below: number) => {
        at += 1
        return (drawn.seed[at % drawn.seed.length] ?? 0) % below
      }
      for (let draw = 0; draw < 60; draw += 1) {
        const order = codes.toSorted(() => next(3) - 1).slice(0, 1 + next(3))
        const redeemables = order.map((id) => ({ object: 'voucher', id }))
        const customer = { source_id: 'drawn', metadata: { student: next(4) > 0, staff: next(4) > 0 } }
        const { amount, discount } = await takenBy(shop, {
          redeemables,
          customer,
          order: { amount: 500 + next(12_000) },
        })
        // Each discount is rounded, and what differs by a thousandth is alike.
        expect(discount / amount).toBeLessThanOrEqual(found + 0.001 + order.length / amount)
      }
    }),
    10,
  )
})
