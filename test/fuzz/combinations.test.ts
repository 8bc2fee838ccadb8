// The worst basket of `promo check --combinations`, against drawn orders of drawn projects; each basket goes through the service.
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Evaluator, evaluatorOf } from '../../src/sandbox/evaluator.ts'
import { holdsInTime } from '../support/fuzz.ts'
import { type TestProject, type TestProjects, testProjects } from '../support/projects.ts'
import { sized } from '../support/size.ts'

type Wire = Record<string, unknown>

let service: TestProjects

beforeAll(async () => {
  service = await testProjects({ demo: false })
})

afterAll(() => service.close())

const percent = fc.integer({ min: 5, max: 60 })
const amount = fc.integer({ min: 100, max: 6000 })
const order = 'APPLY_TO_ORDER'
const discount = fc.oneof(
  fc.record({ type: fc.constant('AMOUNT'), amount_off: amount, effect: fc.constant(order) }),
  fc.record({ type: fc.constant('PERCENT'), percent_off: percent, effect: fc.constant(order) }),
  fc.record({
    type: fc.constant('PERCENT'),
    percent_off: percent,
    amount_limit: fc.integer({ min: 500, max: 4000 }),
    effect: fc.constant(order),
  }),
  fc.record({ type: fc.constant('AMOUNT'), amount_off: amount, effect: fc.constant('APPLY_TO_ITEMS') }),
  fc.record({ type: fc.constant('PERCENT'), percent_off: percent, effect: fc.constant('APPLY_TO_ITEMS') }),
)
const sometimes = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 2 })
const offer = fc.record({
  form: fc.constantFrom('code', 'code', 'tier', 'codes'),
  discount,
  least: sometimes(fc.integer({ min: 500, max: 9000 })),
  pieces: sometimes(fc.integer({ min: 2, max: 4 })),
  product: sometimes(fc.nat({ max: 5 })),
  audience: sometimes(fc.constantFrom('student', 'staff')),
  segment: sometimes(fc.constantFrom('$is', '$is_not')),
  category: sometimes(fc.nat({ max: 1 })),
})
const project = fc.record({
  // Most are small, so that there is time for many.
  offers: fc.oneof(
    { weight: 2, arbitrary: fc.array(offer, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(offer, { minLength: 1, maxLength: 5 }) },
  ),
  prices: fc.array(fc.integer({ min: 300, max: 9000 }), { minLength: 1, maxLength: 6 }),
  limit: fc.integer({ min: 1, max: 5 }),
  perCategory: fc.integer({ min: 1, max: 2 }),
  isExclusive: fc.boolean(),
  mode: fc.constantFrom('INITIAL_AMOUNT', 'DISCOUNTED_AMOUNT'),
  seed: fc.integer({ min: 1, max: 0x7fff_ffff }),
})

type Drawn = typeof project extends fc.Arbitrary<infer Value> ? Value : never

/** What once was worse: an amount that two codes take off each of many lines, and a least amount for the second. */
const onManyLines: Drawn = {
  offers: [
    {
      form: 'codes',
      discount: { type: 'AMOUNT', amount_off: 2297, effect: 'APPLY_TO_ITEMS' },
      least: 7157,
      pieces: undefined,
      product: undefined,
      audience: undefined,
      segment: undefined,
      category: 1,
    },
  ],
  prices: [5573, 3130],
  limit: 3,
  perCategory: 2,
  isExclusive: false,
  mode: 'DISCOUNTED_AMOUNT',
  seed: 1_607_204_797,
}

/** A project of the service, and the same as one object, for orders by the thousand. */
interface Made {
  shop: TestProject
  redeemables: { object: string; id: string }[]
  lines: Wire[]
  fixture: Record<string, unknown>
}

async function make({ offers, prices, limit, mode, perCategory, isExclusive }: Drawn): Promise<Made> {
  const shop = await service.another()
  const post = (path: string, body: object): Promise<Wire & { id: string }> => shop.call('POST', path, body)
  const all = async (count: number, act: (at: number) => Promise<Wire & { id: string }>) => {
    const made = []
    for (let at = 0; at < count; at += 1) made.push(await act(at))
    return made
  }
  const products = await all(prices.length, (at) => post('/v1/products', { source_id: `p${at}`, price: prices[at] }))
  const [base = { id: '' }] = products
  const sku = await post(`/v1/products/${base.id}/skus`, {
    source_id: 'small',
    price: Math.ceil(Number(prices[0]) / 2),
  })
  const categories = await all(2, (at) => post('/v1/categories', { name: `Category ${at}`, hierarchy: at + 1 }))
  const regular = await post('/v1/customers', { source_id: 'regular', metadata: { student: true, staff: true } })
  const segment = await post('/v1/segments', { name: 'Regulars', type: 'static', customers: [regular.id] })
  const stacking_rules = {
    applicable_redeemables_limit: limit,
    applicable_redeemables_per_category_limit: perCategory,
    discount_calculation_mode: mode,
    ...(isExclusive && { exclusive_categories: [categories[1]?.id] }),
  }
  await post('/stacking-rules', stacking_rules)
  const fixture: Record<string, Wire[]> = {}
  const into = (collection: string, ...wires: Wire[]) => {
    fixture[collection] = [...(fixture[collection] ?? []), ...wires]
  }
  const redeemables: Made['redeemables'] = []
  for (const [
    at,
    { form, discount: taken, least, pieces, product, audience, segment: inside, category },
  ] of offers.entries()) {
    const conditions = [
      ...(least === undefined ? [] : [{ name: 'order.amount', conditions: { $more_than_or_equal: [least] } }]),
      ...(pieces === undefined ? [] : [{ name: 'order.items.count', conditions: { $more_than_or_equal: [pieces] } }]),
      ...(audience === undefined
        ? []
        : [{ name: 'customer.metadata', property: audience, conditions: { $is: [true] } }]),
      ...(inside === undefined ? [] : [{ name: 'customer.segment', conditions: { [inside]: [segment.id] } }]),
    ]
    const rules = Object.fromEntries(conditions.map((one, index) => [String(index + 1), one]))
    const target = products[product ?? -1]
    const rule = await post('/v1/validation-rules', {
      name: `Rule ${at}`,
      rules: conditions.length === 0 ? {} : { ...rules, logic: Object.keys(rules).join(' and ') },
      ...(target && { applicable_to: { included: [{ object: 'product', id: target.id }], included_all: false } }),
    })
    into('validation_rules', rule)
    const filed = category === undefined ? {} : { category_id: categories[category]?.id }
    const assign = (id: string, type: string) =>
      into('validation_rules_assignments', {
        id: `asgm_${at}`,
        rule_id: rule.id,
        related_object_id: id,
        related_object_type: type,
      })
    const add = (object: string, id: unknown) => redeemables.push({ object, id: String(id) })
    const voucher = { type: 'DISCOUNT_VOUCHER', discount: taken, redemption: { quantity: 1 } }
    if (form === 'tier') {
      const campaign = await post('/v1/campaigns', { name: `Campaign ${at}`, campaign_type: 'PROMOTION' })
      const tier = await post(`/v1/promotions/${campaign.id}/tiers`, {
        name: `Tier ${at}`,
        action: { discount: taken },
        ...filed,
        validation_rules: [rule.id],
      })
      into('campaigns', campaign)
      into('promotion_tiers', tier)
      assign(tier.id, 'promotion_tier')
      add('promotion_tier', tier.id)
    } else if (form === 'codes') {
      const campaign = await post('/v1/campaigns', {
        name: `Campaign ${at}`,
        campaign_type: 'DISCOUNT_COUPONS',
        voucher,
        ...filed,
        validation_rules: [rule.id],
      })
      into('campaigns', campaign)
      assign(campaign.id, 'campaign')
      for (const code of [`MANY-${at}-A`, `MANY-${at}-B`]) {
        into('vouchers', await post(`/v1/campaigns/${campaign.id}/vouchers/${code}`, {}))
        add('voucher', code)
      }
    } else {
      const code = `CODE-${at}`
      const made = await post(`/v1/vouchers/${code}`, { ...voucher, ...filed, validation_rules: [rule.id] })
      into('vouchers', made)
      assign(made.id, 'voucher')
      add('voucher', code)
    }
  }
  const lines = [
    ...products.map(({ id }, at) => ({ product_id: id, price: prices[at] })),
    { sku_id: sku.id, price: sku.price },
  ]
  return {
    shop,
    redeemables,
    lines,
    fixture: {
      ...fixture,
      products,
      skus: [sku],
      categories,
      customers: [regular],
      segments: [{ ...segment, customers: [regular.id] }],
      stacking_rules,
    },
  }
}

type Request = Parameters<Evaluator['evaluate']>[0]

const nothing = { amount: 1, discount: 0 }

/** What a request takes off by the service; 0 where not all of it applies. */
async function takenBy(shop: TestProject, request: object): Promise<{ amount: number; discount: number }> {
  const { valid, order, redeemables } = await shop.call('POST', '/v1/validations', request)
  const isWhole = redeemables.every(({ status }: { status: string }) => status === 'APPLICABLE')
  const discount = order?.total_applied_discount_amount ?? 0
  return valid && isWhole && discount > 0 ? { amount: order.amount, discount } : nothing
}

/** Draws numbers below a bound, the same ones from the same seed. */
function drawer(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >> 8) % below
  }
}

function drawnRequest({ redeemables, lines }: Made, next: (below: number) => number): Request {
  const shuffled = redeemables.map((one) => ({ one, at: next(1000) })).toSorted((one, other) => one.at - other.at)
  const items = Array.from({ length: 1 + next(3) }, () => ({ ...lines[next(lines.length)], quantity: 1 + next(6) }))
  const isRegular = next(2) === 0
  return {
    redeemables: shuffled.slice(0, 1 + next(redeemables.length)).map(({ one }) => one),
    customer: {
      source_id: isRegular ? 'regular' : 'drawn',
      metadata: { student: isRegular || next(2) > 0, staff: isRegular || next(2) > 0 },
    },
    order: next(3) === 0 ? { amount: 300 + next(12_000) } : { items },
  } as Request
}

test('no drawn order is worse than the worst basket, and each basket is what the service says', async () => {
  await holdsInTime(
    fc.asyncProperty(project, async (drawn) => {
      const made = await make(drawn)
      const { shop, fixture } = made

      const { stdout, stderr } = await shop.promo(['check', '--combinations', '--json'])

      const baskets = JSON.parse(stdout) as { amount: number; discount: number; request: object }[]
      expect(stderr).not.toContain('left out')
      for (const { amount: whole, discount: off, request } of baskets)
        expect(await takenBy(shop, request)).toEqual({ amount: whole, discount: off })
      const found = Math.max(0, ...baskets.map((one) => one.discount / one.amount))
      const evaluator = await evaluatorOf(fixture, Date.now())
      expect(evaluator.refused).toEqual([])
      const next = drawer(drawn.seed)
      for (let draw = 0; draw < orders; draw += 1) {
        // A connection that ended meanwhile is seen before it is used again.
        if (draw % 500 === 0) await setImmediate()
        const request = drawnRequest(made, next)
        const result = evaluator.evaluate(request) ?? nothing
        // That the evaluation is the service's is shown by some of them.
        if (draw < 5) expect(await takenBy(shop, request)).toEqual(result)
        // Each discount is rounded, and what differs by a thousandth is alike.
        const rounded = request.redeemables?.length ?? 0
        if (result.discount - rounded > (found + 0.001) * result.amount)
          throw new Error(`${JSON.stringify({ request, ...result })} is worse than ${found}`)
      }
      evaluator.close()
    }),
    sized({ quick: 16, slow: 100, full: 300 }),
    [[onManyLines]],
  )
}, 3_600_000)

const orders = sized({ quick: 300, slow: 150, full: 20_000 })
