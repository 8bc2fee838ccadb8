import { expect, test } from 'vitest'
import type { RuleTree, ValidationRule } from '../../../../../src/sandbox/rules/conditions/rule.ts'
import type { Customer } from '../../../../../src/sandbox/rules/eligibility/customer.ts'
import { checkEligibility } from '../../../../../src/sandbox/rules/eligibility/eligibility.ts'
import type { RefusalBody } from '../../../../../src/sandbox/rules/failures.ts'
import { calculateOrder, type OrderRequest } from '../../../../../src/sandbox/rules/pricing/order.ts'
import type {
  Campaign,
  PromotionTier,
  RedeemableRequest,
  Voucher,
} from '../../../../../src/sandbox/rules/redeemable.ts'
import { candidateOf } from '../../../../../src/sandbox/rules/stacking/candidates.ts'
import { coupon, giftCard, loyaltyCard, type State, snapshotOf } from '../state.ts'

const now = '2026-06-10T12:00:00.000Z'
const tenOff = { type: 'AMOUNT', amount_off: 1000, effect: 'APPLY_TO_ORDER' } as const
const order: OrderRequest = { amount: 20000 }

const spring: Campaign = { id: 'camp_1', name: 'Spring', campaign_type: 'DISCOUNT_COUPONS', created_at: now }
const tier: PromotionTier = {
  id: 'promo_1',
  name: 'Ten off',
  campaign_id: 'camp_1',
  hierarchy: 1,
  active: true,
  action: { discount: tenOff },
  created_at: now,
}

test('a code without limits applies', () => {
  const verdict = judged({ vouchers: [coupon('TEN', tenOff)] }, 'TEN')

  expect(verdict).toMatchObject({ applicable: true, incentive: { amount: 1000 } })
})

test.each<[title: string, voucher: Partial<Voucher>, state: State, refusal: Partial<RefusalBody>]>([
  ['disabled', { active: false }, {}, { key: 'voucher_disabled', message: 'voucher is disabled' }],
  [
    'disabled and expired',
    { active: false, expiration_date: '2026-01-01T00:00:00.000Z' },
    {},
    { key: 'voucher_disabled' },
  ],
  [
    'of a disabled campaign',
    { campaign_id: 'camp_1' },
    { campaigns: [{ ...spring, active: false }] },
    { key: 'voucher_disabled', message: 'voucher is disabled' },
  ],
  [
    'expired',
    { expiration_date: '2026-06-10T11:59:59.999Z' },
    {},
    { key: 'voucher_expired', message: 'voucher expired' },
  ],
  [
    'expired with its campaign',
    { campaign_id: 'camp_1', expiration_date: null },
    { campaigns: [{ ...spring, expiration_date: '2026-06-01T00:00:00.000Z' }] },
    { key: 'voucher_expired' },
  ],
  ['not started', { start_date: '2026-06-11T00:00:00.000Z' }, {}, { key: 'voucher_not_active' }],
  [
    'for Sundays',
    { validity_day_of_week: [0] },
    {},
    { key: 'voucher_not_active_now', message: 'voucher not active now' },
  ],
  ['used up', { redemption: { quantity: 2, redeemed_quantity: 2 } }, {}, { key: 'quantity_exceeded' }],
  [
    'held by another session',
    { redemption: { quantity: 1, redeemed_quantity: 0 } },
    { locks: [lock('other', '2026-06-11T00:00:00.000Z')] },
    { key: 'quantity_exceeded' },
  ],
])('a code that is %s is refused with its code as details', (_, voucher, state, refusal) => {
  const verdict = judged({ ...state, vouchers: [coupon('TEN', tenOff, voucher)] }, 'TEN')

  expect(verdict).toMatchObject({ applicable: false, refusal: { code: 400, details: 'TEN', ...refusal } })
})

test.each([
  ['own-key', '2026-06-11T00:00:00.000Z'],
  ['other', '2026-06-10T11:00:00.000Z'],
])('a lock of session %s until %s does not block a code', (key, until) => {
  const state: State = {
    vouchers: [coupon('TEN', tenOff, { redemption: { quantity: 1, redeemed_quantity: 0 } })],
    locks: [lock(key, until)],
  }

  expect(judged(state, 'TEN', { sessionKey: 'own-key' }).applicable).toBe(true)
})

test.each([
  ['voucher', 'NONE', 'Cannot find voucher with id NONE'],
  ['promotion_tier', 'promo_x', 'Cannot find promotion_tier with id promo_x'],
] as const)('an unknown %s is not found', (object, id, details) => {
  expect(judged({}, id, { request: { object, id } })).toEqual({
    applicable: false,
    refusal: {
      code: 404,
      key: 'not_found',
      message: 'Resource not found',
      details,
      resource_id: id,
      resource_type: object,
    },
  })
})

test.each<[string, Partial<PromotionTier>, Partial<Campaign>]>([
  ['itself', { active: false }, {}],
  ['its campaign', {}, { active: false }],
])('a tier is inactive when %s is disabled', (_, own, parent) => {
  const verdict = judged({ tiers: [{ ...tier, ...own }], campaigns: [{ ...spring, ...parent }] }, 'promo_1', {
    request: { object: 'promotion_tier', id: 'promo_1' },
  })

  expect(verdict).toEqual({
    applicable: false,
    refusal: {
      code: 400,
      key: 'promotion_inactive',
      message: 'Inactive Promotion',
      details: 'Promotion Tier with id: promo_1 is disabled.',
    },
  })
})

test('a tier without dates of its own ends with its campaign', () => {
  const state: State = { tiers: [tier], campaigns: [{ ...spring, expiration_date: '2026-06-01T00:00:00.000Z' }] }

  expect(judged(state, 'promo_1', { request: { object: 'promotion_tier', id: 'promo_1' } })).toMatchObject({
    refusal: { key: 'promotion_not_active_now', message: 'promotion not active now', details: 'promo_1' },
  })
})

test('a referrer may not redeem their own code', () => {
  const state: State = {
    vouchers: [coupon('REF', tenOff, { is_referral_code: true, holder_id: 'cust_1' })],
    published: ['v_REF'],
  }

  expect(judged(state, 'REF', { customer: { id: 'cust_1' } })).toMatchObject({
    refusal: {
      code: 400,
      key: 'referrer_not_permitted_to_redeem',
      message: 'voucher cannot be redeemed by referrer',
      details: 'REF',
    },
  })
})

test('a referral code that was never published is refused', () => {
  const verdict = judged({ vouchers: [coupon('REF', tenOff, { is_referral_code: true })] }, 'REF')

  expect(verdict).toMatchObject({ refusal: { key: 'not_published' } })
})

test('a rule about customers requires one', () => {
  const state = ruled({ id: 'val_1', rules: rule('customer.metadata', { $is: ['gold'] }, 'level') })

  expect(judged(state, 'TEN')).toEqual({
    applicable: false,
    refusal: {
      code: 400,
      key: 'missing_customer',
      message: 'Missing customer',
      details: 'Customer is required to validate rules',
    },
  })
})

test.each<[RuleTree, Partial<RefusalBody>]>([
  [
    rule('customer.metadata', { $is: ['gold'] }, 'level'),
    { key: 'customer_rules_violated', message: 'customer does not match validation rules' },
  ],
  [
    rule('order.amount', { $more_than: [50000] }),
    { key: 'order_rules_violated', message: 'order does not match validation rules' },
  ],
  [
    rule('redemption.metadata', { $is: ['web'] }, 'channel'),
    { key: 'redemption_rules_violated', message: 'redemption does not match validation rules' },
  ],
])('a violated rule %j names itself', (rules, refusal) => {
  const verdict = judged(ruled({ id: 'val_1', rules }), 'TEN', {
    customer: { source_id: 'a', metadata: { level: 'tin' } },
  })

  expect(verdict).toMatchObject({
    refusal: {
      code: 400,
      details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_1',
      ...refusal,
    },
  })
})

test("all violated rules are named, and a rule's own message is included", () => {
  const state = ruled(
    { id: 'val_1', rules: rule('order.amount', { $more_than: [50000] }), error: { message: 'Spend more' } },
    { id: 'val_2', rules: rule('order.amount', { $more_than: [60000] }) },
  )

  expect(judged(state, 'TEN')).toMatchObject({
    refusal: {
      message: 'order does not match validation rules',
      details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_1, val_2',
      error: { message: 'Spend more' },
    },
  })
})

test('a rule assigned to a code and to its campaign is named once', () => {
  const rules = rule('order.amount', { $more_than: [50000] })
  const state: State = {
    vouchers: [coupon('TEN', tenOff, { campaign_id: 'camp_1' })],
    campaigns: [spring],
    rules: [
      { owner: 'voucher', id: 'v_TEN', rule: { id: 'val_1', rules } },
      { owner: 'campaign', id: 'camp_1', rule: { id: 'val_1', rules } },
    ],
  }

  expect(judged(state, 'TEN')).toMatchObject({
    refusal: { details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_1' },
  })
})

test('the rules of its campaign apply to a code too', () => {
  const state: State = {
    vouchers: [coupon('TEN', tenOff, { campaign_id: 'camp_1' })],
    campaigns: [spring],
    rules: [
      { owner: 'campaign', id: 'camp_1', rule: { id: 'val_c', rules: rule('order.amount', { $more_than: [50000] }) } },
    ],
  }

  expect(judged(state, 'TEN')).toMatchObject({ refusal: { key: 'order_rules_violated' } })
})

test('a rule on the total sees the order after the incentive', () => {
  const state = ruled({ id: 'val_1', rules: rule('order.total_amount', { $less_than: [19500] }) })

  expect(judged(state, 'TEN').applicable).toBe(true)
})

test('a loyalty card without a reward is refused before its holder is checked', () => {
  const verdict = judged({ vouchers: [loyaltyCard('CARD', 100)] }, 'CARD', { customer: { id: 'cust_1' } })

  expect(verdict).toMatchObject({ refusal: { key: 'missing_reward' } })
})

test('only the holder of a loyalty card may use it, when a customer is given', () => {
  const state: State = {
    vouchers: [loyaltyCard('CARD', 100)],
    rewards: [{ id: 'rew_1', name: 'Pay', type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 1 } } }],
    holders: [['cust_1', 'v_CARD']],
  }
  const request: RedeemableRequest = { object: 'voucher', id: 'CARD', reward: { id: 'rew_1', points: 5 } }

  const anonymous = judged(state, 'CARD', { request })
  const holder = judged(state, 'CARD', { request, customer: { id: 'cust_1' } })
  const stranger = judged(state, 'CARD', { request, customer: { id: 'cust_2' } })

  expect(anonymous).toMatchObject({ applicable: true, incentive: { points: 5, amount: 500 } })
  expect(holder.applicable).toBe(true)
  expect(stranger).toEqual({
    applicable: false,
    refusal: {
      code: 400,
      key: 'invalid_customer',
      message: 'Customer must be a holder of a loyalty card.',
      details: 'CARD',
    },
  })
})

test('a violated rule is reported before a balance that is too small', () => {
  const state: State = {
    vouchers: [giftCard('GIFT', 100)],
    rules: [
      { owner: 'voucher', id: 'v_GIFT', rule: { id: 'val_1', rules: rule('order.amount', { $more_than: [50000] }) } },
    ],
  }
  const request: RedeemableRequest = { object: 'voucher', id: 'GIFT', gift: { credits: 200 } }

  expect(judged(state, 'GIFT', { request })).toMatchObject({
    refusal: {
      key: 'order_rules_violated',
      details: 'Gift Card cannot be redeemed because of violated validation rules: val_1',
    },
  })
})

test('what another session holds of a gift card cannot be spent', () => {
  const state: State = {
    vouchers: [giftCard('GIFT', 100)],
    locks: [{ ...lock('other', '2026-06-11T00:00:00.000Z', 'v_GIFT'), credits: 60 }],
  }

  const verdict = judged(state, 'GIFT', { request: { object: 'voucher', id: 'GIFT', gift: { credits: 50 } } })

  expect(verdict).toMatchObject({ refusal: { key: 'gift_amount_exceeded' } })
})

test.each([-100, 10.5, 0])('an order amount of %s is not valid', (amount) => {
  expect(judged({ vouchers: [coupon('TEN', tenOff)] }, 'TEN', { order: { amount } })).toEqual({
    applicable: false,
    refusal: {
      code: 400,
      key: 'invalid_amount',
      message: 'Invalid Amount',
      details: 'Amount has to be a valid positive number',
    },
  })
})

test('a cart of free products is a valid order', () => {
  const items = [{ product_id: 'prod_1', quantity: 1, price: 0 }]

  const verdict = judged({ vouchers: [coupon('TEN', tenOff)] }, 'TEN', { order: { items } })

  expect(verdict).toMatchObject({ applicable: true, incentive: { amount: 0 } })
})

interface Given {
  request?: RedeemableRequest
  customer?: Customer
  order?: OrderRequest
  sessionKey?: string
}

function judged(state: State, id: string, given: Given = {}) {
  const snapshot = snapshotOf(state)
  const calculated = calculateOrder(snapshot, given.order ?? order)
  return checkEligibility(candidateOf(snapshot, given.request ?? { object: 'voucher', id }), {
    snapshot,
    now,
    metadata: {},
    ...(given.customer && { customer: given.customer }),
    ...(calculated && { order: calculated, initialOrder: calculated }),
    ...(given.sessionKey !== undefined && { sessionKey: given.sessionKey }),
  })
}

function lock(key: string, expires_at: string, voucher_id = 'v_TEN') {
  return { key, voucher_id, quantity: 1, credits: 0, points: 0, expires_at }
}

function rule(name: string, conditions: Record<string, unknown[]>, property?: string): RuleTree {
  return { '1': { name, conditions, ...(property !== undefined && { property }) }, logic: '1' }
}

function ruled(...rules: ValidationRule[]): State {
  return {
    vouchers: [coupon('TEN', tenOff)],
    rules: rules.map((one) => ({ owner: 'voucher', id: 'v_TEN', rule: one })),
  }
}
