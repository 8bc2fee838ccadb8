import { expect, test } from 'vitest'
import type { Campaign, PromotionTier } from '../../../../../src/sandbox/rules/redeemable.ts'
import { validatePromotions } from '../../../../../src/sandbox/rules/stacking/promotion-validation.ts'
import { type State, snapshotOf } from '../state.ts'

const call = { now: '2026-06-10T12:00:00.000Z' }

const campaign: Campaign = {
  id: 'camp_1',
  name: 'Summer',
  campaign_type: 'PROMOTION',
  active: true,
  category_id: 'cat_1',
  created_at: '2026-01-01T00:00:00.000Z',
}

test('a tier that applies is answered in the documented form', () => {
  const state: State = { tiers: [tier('promo_1', 1)], campaigns: [campaign] }

  expect(validated(state, { customer: { source_id: 'jo' }, order: { amount: 5000 } })).toEqual({
    valid: true,
    tracking_id: 'track_jo',
    promotions: [
      {
        valid: true,
        applicable_to: { data: [], total: 0, data_ref: 'data', object: 'list' },
        inapplicable_to: { data: [], total: 0, data_ref: 'data', object: 'list' },
        tracking_id: 'track_jo',
        order: {
          amount: 5000,
          discount_amount: 500,
          total_discount_amount: 500,
          total_amount: 4500,
          applied_discount_amount: 500,
          total_applied_discount_amount: 500,
          metadata: {},
          customer_id: null,
          referrer_id: null,
          object: 'order',
        },
        id: 'promo_1',
        name: 'Tier promo_1',
        discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER', is_dynamic: false },
        campaign: {
          id: 'camp_1',
          start_date: null,
          expiration_date: null,
          active: true,
          category_id: 'cat_1',
          object: 'campaign',
        },
        hierarchy: 1,
        discount_amount: 500,
        applied_discount_amount: 500,
        metadata: {},
        object: 'promotion_tier',
      },
    ],
  })
})

test('every tier is evaluated on the original order, and the newest comes first', () => {
  const state: State = { tiers: [tier('promo_3', 3), tier('promo_2', 2), tier('promo_1', 1)], campaigns: [campaign] }

  expect(validated(state, { order: { amount: 5000 } }).promotions).toMatchObject([
    { id: 'promo_3', hierarchy: 3, discount_amount: 500 },
    { id: 'promo_2', hierarchy: 2, discount_amount: 500 },
    { id: 'promo_1', hierarchy: 1, discount_amount: 500 },
  ])
})

test('tiers that do not apply are not listed, and without any left the answer is not valid', () => {
  const state: State = { tiers: [tier('promo_1', 1, { active: false })], campaigns: [campaign] }

  expect(validated(state, { order: { amount: 5000 } })).toEqual({ valid: false, promotions: [] })
})

test('free units appear in the order and not as a discount amount', () => {
  const unit = tier('promo_1', 1, {
    action: { discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' } },
  })
  const state: State = { tiers: [unit], campaigns: [campaign], products: [{ id: 'prod_1', price: 700 }] }

  const [promotion] = validated(state, { order: { amount: 5000 } }).promotions as object[]

  expect(promotion).toMatchObject({ order: { amount: 5700, initial_amount: 5000, total_amount: 5000 } })
  expect(promotion).not.toHaveProperty('discount_amount')
})

test('a rule about the audience is checked without an order when only those rules count', () => {
  const state: State = {
    tiers: [tier('promo_1', 1), tier('promo_2', 2)],
    campaigns: [campaign],
    rules: [
      {
        owner: 'promotion_tier',
        id: 'promo_1',
        rule: { id: 'val_1', rules: { '1': { name: 'order.amount', conditions: { $more_than: [9000] } }, logic: '1' } },
      },
      {
        owner: 'promotion_tier',
        id: 'promo_2',
        rule: {
          id: 'val_2',
          rules: { '1': { name: 'customer.metadata', property: 'level', conditions: { $is: ['gold'] } }, logic: '1' },
        },
      },
    ],
  }

  const result = validatePromotions(
    snapshotOf(state),
    { customer: { source_id: 'jo', metadata: { level: 'tin' } } },
    call,
    { audienceRulesOnly: true },
  )

  expect(result).toMatchObject({ body: { promotions: [{ id: 'promo_1' }] } })
})

test('the category expansion adds categories to the campaign and the tier', () => {
  const state: State = {
    tiers: [tier('promo_1', 1)],
    campaigns: [campaign],
    categories: [{ id: 'cat_1', name: 'New', hierarchy: 1, object: 'category' }],
  }

  expect(validated(state, { order: { amount: 5000 }, options: { expand: ['category'] } }).promotions).toMatchObject([
    { campaign: { categories: [{ id: 'cat_1' }] }, categories: [{ id: 'cat_1' }] },
  ])
})

test('a filter excludes tiers before they are evaluated', () => {
  const state: State = { tiers: [tier('promo_1', 1), tier('promo_2', 2)], campaigns: [campaign] }

  const result = validatePromotions(snapshotOf(state), { order: { amount: 5000 } }, call, {
    filter: ({ id }) => id === 'promo_1',
  })

  expect(result).toMatchObject({ body: { promotions: [{ id: 'promo_1' }] } })
})

function tier(id: string, hierarchy: number, more: Partial<PromotionTier> = {}): PromotionTier {
  return {
    id,
    name: `Tier ${id}`,
    campaign_id: 'camp_1',
    hierarchy,
    active: true,
    action: { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' } },
    created_at: new Date(Date.UTC(2026, 0, 1) + hierarchy * 1000).toISOString(),
    ...more,
  }
}

function validated(state: State, request: Parameters<typeof validatePromotions>[1]) {
  const result = validatePromotions(snapshotOf(state), request, call)
  if ('refusal' in result) throw new Error(`refused: ${result.refusal.details}`)
  return result.body
}
