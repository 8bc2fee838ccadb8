import { expect, test } from 'vitest'
import { assigned, ruleOn } from '../../../../support/rules.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const campaign = { campaign_type: 'PROMOTION', type: 'STANDALONE', active: true, metadata: {} }

const tier = (n: number, more: object = {}) => ({
  id: `promo_${n}`,
  name: `Tier ${n}`,
  campaign_id: 'camp_1',
  action: { discount: { type: 'AMOUNT', amount_off: 100 * n, effect: 'APPLY_TO_ORDER' } },
  created_at: `2026-01-0${n}T00:00:00.000Z`,
  ...more,
})

const shop = {
  campaigns: [{ id: 'camp_1', name: 'Sale', ...campaign }],
  promotion_tiers: [tier(1, { metadata: { side: 'left' } }), tier(2), tier(3), tier(4, { active: false })],
  products: [{ id: 'prod_1', name: 'Mug', price: 700 }],
  validation_rules: [
    ruleOn('val_min', 'order.amount', { $more_than: [3000] }),
    ruleOn('val_vip', 'customer.metadata', { $is: [true] }, { property: 'vip' }),
  ],
  validation_rules_assignments: [
    assigned('val_min', 'promo_2', 'promotion_tier'),
    assigned('val_vip', 'promo_3', 'promotion_tier'),
  ],
}

function validating(fixture: object = shop) {
  const sandbox = testSandbox({ fixture })
  const validate = (body: object, query = '') => sandbox.call('POST', '/v1/promotions/validation', { body, query })
  const ids = (body: object, query = '') => validate(body, query).body.promotions.map(({ id }: { id: string }) => id)
  return { ...sandbox, validate, ids }
}

test('every tier that applies is listed, newest first, each alone applied to the order as it was sent', () => {
  const { validate, events } = validating()

  const { status, body } = validate({ order: { amount: 5000 }, customer: { source_id: 'jo', metadata: { vip: true } } })

  const tracking_id = body.tracking_id
  const order = (off: number) => ({
    amount: 5000,
    discount_amount: off,
    total_discount_amount: off,
    total_amount: 5000 - off,
    applied_discount_amount: off,
    total_applied_discount_amount: off,
    metadata: {},
    customer_id: null,
    referrer_id: null,
    object: 'order',
  })
  const none = { data: [], total: 0, data_ref: 'data', object: 'list' }
  expect([status, body.valid, Object.keys(body)]).toEqual([200, true, ['valid', 'tracking_id', 'promotions']])
  expect(body.promotions).toMatchObject([{}, { id: 'promo_2' }, { id: 'promo_1' }])
  expect(body.promotions[0]).toEqual({
    valid: true,
    applicable_to: none,
    inapplicable_to: none,
    tracking_id,
    order: order(300),
    id: 'promo_3',
    name: 'Tier 3',
    discount: { type: 'AMOUNT', amount_off: 300, effect: 'APPLY_TO_ORDER', is_dynamic: false },
    campaign: { id: 'camp_1', start_date: null, expiration_date: null, active: true, object: 'campaign' },
    hierarchy: 3,
    discount_amount: 300,
    applied_discount_amount: 300,
    metadata: {},
    object: 'promotion_tier',
  })
  expect(body.promotions[2].order).toEqual(order(100))
  expect(events()).toEqual([])
})

test('without a tier that applies the answer is not valid and lists nothing', () => {
  expect(validating({}).validate({}).body).toEqual({ valid: false, promotions: [] })
})

test('a tier whose rules fail, or that is disabled, is omitted, and one that applies is enough', () => {
  const { ids, validate } = validating()

  expect(validate({ order: { amount: 3000 } }).body).toMatchObject({ valid: true, promotions: [{ id: 'promo_1' }] })
  expect(ids({ order: { amount: 3001 }, customer: { source_id: 'jo' } })).toEqual(['promo_2', 'promo_1'])
})

test.each([
  [{ order: { amount: 1 } }, ['promo_2', 'promo_1']],
  [{ customer: { metadata: { vip: true } } }, ['promo_3', 'promo_2', 'promo_1']],
])('with audienceRulesOnly, only rules about the customer count: %j', (body, expected) => {
  expect(validating().ids(body, 'audienceRulesOnly=true')).toEqual(expected)
})

test.each([
  ['[promotion_id][conditions][$in][0]=promo_2', ['promo_2']],
  ['[promotion_id][conditions][$is_not]=promo_2', ['promo_1']],
  ['[metadata][side][conditions][$is]=left', ['promo_1']],
  ['[metadata.side][conditions][$is]=right', []],
])('filters restrict the tiers by id and by metadata: %s', (filter, expected) => {
  expect(validating().ids({ order: { amount: 5000 } }, `filters${filter}`)).toEqual(expected)
})

test.each([
  ['?filters[moon][conditions][$is]=1', { order: { amount: 5000 } }, 'invalid_query_params'],
  ['', { customer: { id: 'cust_x' } }, { code: 404, resource_type: 'customer' }],
])('an unknown filter or customer is refused: %s %j', (query, body, error) => {
  validating().ask(`POST /v1/promotions/validation${query}`, body, error)
})

test('only the newest 150 tiers are considered', () => {
  const many = Array.from({ length: 151 }, (_, n) => ({
    ...tier(1),
    id: `promo_${String(n).padStart(3, '0')}`,
    created_at: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
  }))
  const { ids } = validating({ campaigns: shop.campaigns, promotion_tiers: many })

  const found = ids({ order: { amount: 5000 } })

  expect(found).toHaveLength(150)
  expect([found[0], found[149]]).toEqual(['promo_150', 'promo_001'])
})

test('free units appear in the order and not as a discount amount', () => {
  const mug = { discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' } }
  const promotion_tiers = [tier(1, { action: mug })]
  const { validate } = validating({ ...shop, promotion_tiers, validation_rules_assignments: [] })

  const [promotion] = validate({ order: { amount: 5000 } }).body.promotions

  expect(promotion).toMatchObject({ order: { amount: 5700, initial_amount: 5000, total_amount: 5000 } })
  expect(promotion).not.toHaveProperty('discount_amount')
})

test('categories are returned on request', () => {
  const { validate } = validating({
    campaigns: [{ id: 'camp_1', name: 'Sale', ...campaign, category_id: 'cat_1' }],
    categories: [{ id: 'cat_1', name: 'Seasonal', hierarchy: 2, object: 'category' }],
    promotion_tiers: [tier(1, { category_id: 'cat_1' })],
  })
  const [plain, expanded] = [{}, { options: { expand: ['category', 'moon'] } }].map(
    (more) => validate({ order: { amount: 500 }, ...more }).body.promotions[0],
  )

  expect(plain).not.toHaveProperty('categories')
  expect(plain.category_id).toBe('cat_1')
  expect(expanded.categories).toMatchObject([{ id: 'cat_1', name: 'Seasonal' }])
  expect(expanded.campaign).toMatchObject({ category_id: 'cat_1', categories: [{ id: 'cat_1' }] })
})
