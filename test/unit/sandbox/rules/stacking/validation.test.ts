import { expect, test } from 'vitest'
import type { RuleTree } from '../../../../../src/sandbox/rules/conditions/rule.ts'
import type { Category, Voucher } from '../../../../../src/sandbox/rules/redeemable.ts'
import { defaultStackingRules, type StackingRules } from '../../../../../src/sandbox/rules/stacking/stacking-rules.ts'
import {
  evaluateRedeemables,
  type ValidationRequest,
  validateRedeemables,
} from '../../../../../src/sandbox/rules/stacking/validation.ts'
import { redeemableAnswer } from '../../../../../src/sandbox/rules/stacking/validation-entry.ts'
import { coupon, giftCard, loyaltyCard, productRule, type State, snapshotOf } from '../state.ts'

const call = { id: 'valid_1', request_id: 'v-1', session_key: 'ssn_1', now: '2026-06-10T12:00:00.000Z' }

const amount = (off: number) => ({ type: 'AMOUNT', amount_off: off, effect: 'APPLY_TO_ORDER' }) as const
const percent = (off: number) => ({ type: 'PERCENT', percent_off: off, effect: 'APPLY_TO_ORDER' }) as const

test('a project may allow fewer redeemables than thirty', () => {
  const snapshot = snapshotOf({ stacking: { redeemables_limit: 1 } })
  const redeemables = ['A', 'B'].map((id) => ({ object: 'voucher', id }) as const)

  const result = validateRedeemables(snapshot, { redeemables }, call)

  expect(result).toMatchObject({ refusal: { details: 'Property .redeemables must NOT have more than 1 items' } })
})

test('each step shows the running order with its own applied fields, and the order at the end their sum', () => {
  const state: State = { vouchers: [coupon('A', amount(1000)), coupon('B', percent(10))] }

  const end = { discount_amount: 2900, total_amount: 17100 }
  expect(validated(state, { order: { amount: 20000 } }, ['A', 'B'])).toMatchObject({
    redeemables: [
      { order: { discount_amount: 1000, applied_discount_amount: 1000, total_amount: 19000 } },
      { order: { ...end, applied_discount_amount: 1900 } },
    ],
    order: { ...end, applied_discount_amount: 2900, total_applied_discount_amount: 2900 },
  })
})

test('a step without effect is applicable and has no applied fields', () => {
  const state: State = { vouchers: [coupon('ALL', amount(5000)), coupon('MORE', amount(100))] }

  const body = validated(state, { order: { amount: 5000 } }, ['ALL', 'MORE'])

  expect(statuses(body)).toEqual(['APPLICABLE', 'APPLICABLE'])
  expect(second(body.redeemables).order).toEqual({
    amount: 5000,
    discount_amount: 5000,
    total_discount_amount: 5000,
    total_amount: 0,
    metadata: {},
    customer_id: null,
    referrer_id: null,
    object: 'order',
  })
})

test('a line keeps its discount, and shows what was applied only in the step that applied it', () => {
  const onItems = { type: 'AMOUNT', amount_off: 300, effect: 'APPLY_TO_ITEMS' } as const
  const state: State = { vouchers: [coupon('ITEM', onItems), coupon('TEN', amount(100))] }

  const body = validated(state, { order: { items: [{ product_id: 'p', quantity: 1, price: 2000 }] } }, ['ITEM', 'TEN'])

  const line = { discount_amount: 300, subtotal_amount: 1700 }
  const sums = { items_discount_amount: 300, discount_amount: 100, total_discount_amount: 400 }
  expect(body).toMatchObject({
    redeemables: [
      { order: { items: [{ ...line, applied_discount_amount: 300 }] } },
      { order: { ...sums, total_applied_discount_amount: 100, items: [line] } },
    ],
    order: { total_applied_discount_amount: 400, items: [{ applied_discount_amount: 300 }] },
  })
  expect((second(body.redeemables).order as { items: object[] }).items[0]).not.toHaveProperty('applied_discount_amount')
})

test('a rule on the initial amount ignores earlier discounts', () => {
  const rules = rule('order.initial_amount', { $more_than: [10000] })
  const state: State = {
    vouchers: [coupon('TENPCT', percent(10)), coupon('OVER100', percent(20))],
    rules: [{ owner: 'voucher', id: 'v_OVER100', rule: { id: 'val_1', rules } }],
  }

  const body = validated(state, { order: { amount: 10500 } }, ['TENPCT', 'OVER100'])

  expect(body).toMatchObject({ valid: true, order: { total_amount: 7560 } })
})

test('in PARTIAL mode failures are listed separately and the rest applies', () => {
  const state: State = {
    vouchers: [coupon('A', amount(1000)), coupon('C', amount(500))],
    stacking: { redeemables_application_mode: 'PARTIAL', applicable_redeemables_limit: 1 },
  }

  expect(validated(state, { order: { amount: 20000 } }, ['NONE', 'A', 'C'])).toMatchObject({
    valid: true,
    redeemables: [{ status: 'APPLICABLE', id: 'A' }],
    inapplicable_redeemables: [{ status: 'INAPPLICABLE', id: 'NONE' }],
    skipped_redeemables: [{ status: 'SKIPPED', id: 'C' }],
    order: { total_amount: 19000 },
  })
})

test('in PARTIAL mode a request with nothing applicable is not valid, and its main list is empty', () => {
  const state: State = { stacking: { redeemables_application_mode: 'PARTIAL' } }

  const body = validated(state, { order: { amount: 20000 } }, ['NONE'])

  const inapplicable_redeemables = [{ status: 'INAPPLICABLE', id: 'NONE' }]
  expect(body).toMatchObject({ valid: false, redeemables: [], inapplicable_redeemables })
  expect(body).not.toHaveProperty('order')
})

const food = category('cat_food', 2)
const late = category('cat_late', 3)
const soon = category('cat_soon', 0)

test('more than five redeemables: the sixth is skipped and the request stays valid', () => {
  const codes = ['A', 'B', 'C', 'D', 'E', 'F']
  const state: State = { vouchers: codes.map((code) => coupon(code, amount(100))) }

  const body = validated(state, { order: { amount: 20000 } }, codes)

  expect(statuses(body)).toEqual([...Array(5).fill('APPLICABLE'), 'SKIPPED'])
  expect(body).toMatchObject({ valid: true, order: { total_discount_amount: 500 } })
  expect(skips(state, codes)).toEqual([
    { key: 'applicable_redeemables_limit_exceeded', message: 'Applicable redeemables limit exceeded' },
  ])
})

test.each<[string, Record<string, Category>, Partial<StackingRules>]>([
  ['of two', { A: food, B: food, C: food }, { applicable_redeemables_per_category_limit: 2 }],
  [
    'for one category, which replaces the general one,',
    { A: food, B: food, C: late, D: late },
    { applicable_redeemables_category_limits: { cat_food: 2 } },
  ],
])('a category limit %s skips the last code, which is one too many', (_, codes, limits) => {
  const state = categorised(codes, limits)
  const names = Object.keys(codes)

  const skipped = [...names.slice(1).map(() => 'APPLICABLE'), 'SKIPPED']
  expect(statuses(validated(state, { order: { amount: 20000 } }, names))).toEqual(skipped)
  expect(skips(state, names)).toMatchObject([{ key: 'applicable_redeemables_per_category_limit_exceeded' }])
})

test('by category hierarchy the lower comes first, and without a category it is 1', () => {
  const state = categorised({ LATE: late, SOON: soon }, { redeemables_sorting_rule: 'CATEGORY_HIERARCHY' })
  state.vouchers?.push(coupon('NONE', amount(100)))

  const body = validated(state, { order: { amount: 20000 } }, ['LATE', 'NONE', 'SOON'])

  expect(ids(body)).toEqual(['SOON', 'NONE', 'LATE'])
})

test('a valid exclusive code displaces the common ones at any position; joint ones stay and come last', () => {
  const kinds = { exclusive_categories: ['cat_late'], joint_categories: ['cat_food'] }
  const state = categorised({ JOINT: food, EXCL: late }, kinds)
  state.vouchers?.push(coupon('COMMON', amount(100)))
  const codes = ['COMMON', 'JOINT', 'EXCL']

  const body = validated(state, { order: { amount: 20000 } }, codes)

  expect(ids(body)).toEqual(['COMMON', 'EXCL', 'JOINT'])
  expect(statuses(body)).toEqual(['SKIPPED', 'APPLICABLE', 'APPLICABLE'])
  expect(skips(state, codes)).toEqual([
    { key: 'exclusion_rules_not_met', message: 'Redeemable cannot be applied due to exclusion rules' },
  ])
  expect(body.valid).toBe(true)
})

test('an exclusive code that fails does not displace the common ones', () => {
  const rules: Partial<StackingRules> = { exclusive_categories: ['cat_late'], redeemables_application_mode: 'PARTIAL' }
  const state = categorised({ EXCL: late }, rules, { active: false })
  state.vouchers?.push(coupon('COMMON', amount(100)))

  const redeemables = [{ id: 'COMMON', status: 'APPLICABLE' }]
  const body = validated(state, { order: { amount: 20000 } }, ['EXCL', 'COMMON'])
  expect(body).toMatchObject({ valid: true, redeemables })
})

test.each([
  ['a second exclusive code is over the limit of one', soon, {}, 'exclusive_redeemables_limit_exceeded'],
  [
    'a second exclusive code of one category is over the limit per category',
    late,
    { applicable_exclusive_redeemables_limit: 5, applicable_redeemables_per_category_limit: 5 },
    'exclusive_redeemables_per_category_limit_exceeded',
  ],
])('%s', (_, other, limits, key) => {
  const state = categorised({ A: late, B: other }, { exclusive_categories: ['cat_late', 'cat_soon'], ...limits })

  expect(skips(state, ['A', 'B'])).toMatchObject([{ key: `applicable_${key}` }])
})

test.each<[Partial<StackingRules>, string[]]>([
  [{ redeemables_no_effect_rule: 'REDEEM_ANYWAY' }, ['APPLICABLE']],
  [{ redeemables_no_effect_rule: 'SKIP' }, ['SKIPPED']],
  [{ redeemables_no_effect_rule: 'SKIP', no_effect_redeem_anyway_categories: ['cat_food'] }, ['APPLICABLE']],
  [{ redeemables_no_effect_rule: 'REDEEM_ANYWAY', no_effect_skip_categories: ['cat_food'] }, ['SKIPPED']],
])('with %j a code without effect is %j, and the request stays valid', (stacking, expected) => {
  const state = categorised({}, stacking)
  state.vouchers = [coupon('ZERO', amount(0), { category_id: 'cat_food' })]

  const body = validated(state, { order: { amount: 20000 } }, ['ZERO'])

  expect([statuses(body), body.valid]).toEqual([expected, true])
})

test.each<[string, Partial<StackingRules>, number]>([
  ['the discounted amount', { discount_calculation_mode: 'DISCOUNTED_AMOUNT' }, 2800],
  ['the initial amount', { discount_calculation_mode: 'INITIAL_AMOUNT' }, 3000],
  ['a base of its category', { initial_amount_mode_categories: ['cat_food'] }, 3000],
])('10 %% and 20 %% of 100.00 on %s come to %i', (_, stacking, total_discount_amount) => {
  const state = categorised({}, stacking)
  state.vouchers = [coupon('A', percent(10)), coupon('B', percent(20), { category_id: 'cat_food' })]

  expect(validated(state, { order: { amount: 10000 } }, ['A', 'B']).order).toMatchObject({ total_discount_amount })
})

test('in ONCE mode an item-level discount leaves discounted lines unchanged', () => {
  const tenOff = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS' } as const
  const rule = productRule('val_1', { included: [{ object: 'product', id: 'prod_1' }] })
  const state: State = {
    vouchers: [coupon('A', tenOff), coupon('B', tenOff)],
    rules: [{ owner: 'voucher', id: 'v_A', rule }],
    stacking: { redeemables_products_application_mode: 'ONCE' },
  }
  const items = [1, 2].map((n) => ({ product_id: `prod_${n}`, quantity: 1, price: n * 1000 }))

  const lines = [{ discount_amount: 100 }, { discount_amount: 200 }]
  expect(validated(state, { order: { items } }, ['A', 'B']).order).toMatchObject({ items: lines })
})

test('a promotion stack is answered as its tiers, in their order', () => {
  const tier = { name: 'T', campaign_id: 'camp_1', hierarchy: 1, active: true, created_at: call.now }
  const state: State = {
    tiers: ['promo_2', 'promo_1'].map((id) => ({ ...tier, id, action: { discount: amount(100) } })),
    stacks: [{ id: 'stack_1', name: 'S', campaign_id: 'camp_1', tiers: { ids: ['promo_1', 'promo_2'] } }],
  }

  const redeemables = [{ object: 'promotion_stack', id: 'stack_1' } as const]
  const body = validated(state, { order: { amount: 1000 }, redeemables })

  expect(ids(body)).toEqual(['promo_1', 'promo_2'])
  expect(body).toMatchObject({ valid: true, order: { total_amount: 800 } })
})

test('a gift card and a loyalty card pay what is left after a discount', () => {
  const state: State = {
    vouchers: [coupon('TEN', amount(1000)), giftCard('GIFT', 3000), loyaltyCard('CARD', 5000)],
    rewards: [
      { id: 'rew_1', name: 'Pay', type: 'COIN', parameters: { coin: { exchange_ratio: 20, points_ratio: 100 } } },
    ],
  }

  const body = validated(state, {
    order: { amount: 10000 },
    redeemables: [
      { object: 'voucher', id: 'TEN' },
      { object: 'voucher', id: 'GIFT', gift: { credits: 2000 } },
      { object: 'voucher', id: 'CARD', reward: { id: 'rew_1', points: 100 } },
    ],
  })

  expect(body.redeemables).toMatchObject([
    { order: { total_amount: 9000 } },
    { result: { gift: { credits: 2000, balance: 3000 } }, order: { total_amount: 7000 } },
    { result: { loyalty_card: { points: 100 } }, order: { total_amount: 5000 } },
  ])
  expect(body.order).toMatchObject({ discount_amount: 5000, total_amount: 5000 })
})

test('the entries contain what a redemption has to store: the order, credits, points and amount of each step', () => {
  const state: State = {
    vouchers: [coupon('TEN', amount(1000)), giftCard('GIFT', 3000), loyaltyCard('CARD', 5000)],
    rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { loyalty: { points: 40 } } }],
  }

  const evaluation = evaluateRedeemables(
    snapshotOf(state),
    {
      order: { amount: 10000 },
      redeemables: [
        { object: 'voucher', id: 'TEN' },
        { object: 'voucher', id: 'v_GIFT', gift: { credits: 2000 } },
        { object: 'voucher', id: 'CARD', reward: { id: 'rew_mug' } },
      ],
    },
    call.now,
  )

  expect(evaluation).toMatchObject({
    valid: true,
    entries: [
      { candidate: { voucher: { code: 'TEN' } }, incentive: { amount: 1000, credits: 0, points: 0 } },
      { candidate: { voucher: { code: 'GIFT' } }, incentive: { amount: 2000, credits: 2000, points: 0 } },
      {
        candidate: { voucher: { code: 'CARD' } },
        incentive: { amount: 0, credits: 0, points: 40, reward: { id: 'rew_mug' } },
      },
    ],
    order: { discount_amount: 3000, applied_discount_amount: 3000 },
  })
})

test('a referral code names the referrer in the order', () => {
  const state: State = { vouchers: [coupon('REF', amount(500), { is_referral_code: true, holder_id: 'cust_ref' })] }

  const body = validated(state, { order: { amount: 2000 } }, ['REF'])

  expect(first(body.redeemables)).toMatchObject({ order: { referrer_id: 'cust_ref', customer_id: null } })
  expect(body.order).toMatchObject({ referrer_id: 'cust_ref' })
})

test('expansions add what they name, and without "order" the orders of the steps are omitted', () => {
  const state = categorised(
    { A: food },
    { joint_categories: ['cat_food'] },
    { campaign_id: 'camp_1', metadata: { a: 1 } },
  )
  state.campaigns = [{ id: 'camp_1', name: 'Spring', campaign_type: 'DISCOUNT_COUPONS', created_at: call.now }]

  const body = validated(state, { order: { amount: 2000 }, options: { expand: ['redeemable', 'category'] } }, ['A'])

  expect(first(body.redeemables)).toMatchObject({
    campaign_name: 'Spring',
    campaign_id: 'camp_1',
    metadata: { a: 1 },
    categories: [{ id: 'cat_food', name: 'cat_food', hierarchy: 2, object: 'category', stacking_rules_type: 'JOINT' }],
  })
  expect(first(body.redeemables)).not.toHaveProperty('order')
  expect(body.order).toMatchObject({ total_amount: 1900 })
})

test('a reward outside the order, and free units without a price, are an effect', () => {
  const state: State = {
    vouchers: [
      loyaltyCard('CARD', 100),
      coupon('SHIP', { type: 'UNIT', unit_off: 1, unit_type: 'prod_5h1pp1ng', effect: 'ADD_NEW_ITEMS' }),
    ],
    rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { loyalty: { points: 40 } } }],
    stacking: { redeemables_no_effect_rule: 'SKIP' },
  }

  const body = validated(state, {
    order: { amount: 1000 },
    redeemables: [
      { object: 'voucher', id: 'CARD', reward: { id: 'rew_mug' } },
      { object: 'voucher', id: 'SHIP' },
    ],
  })

  expect(statuses(body)).toEqual(['APPLICABLE', 'APPLICABLE'])
})

function validated(state: State, request: Partial<ValidationRequest>, codes: string[] = []): Record<string, unknown> {
  const redeemables = codes.map((id) => ({ object: 'voucher', id }) as const)
  const result = validateRedeemables(snapshotOf(state), { redeemables, ...request }, call)
  if ('refusal' in result) throw new Error(`refused: ${result.refusal.details}`)
  return result.body
}

function category(id: string, hierarchy: number): Category {
  return { id, name: id, hierarchy, object: 'category' }
}

function categorised(
  codes: Record<string, Category>,
  stacking: Partial<StackingRules>,
  more: Partial<Voucher> = {},
): State {
  return {
    vouchers: Object.entries(codes).map(([code, { id }]) => coupon(code, amount(100), { category_id: id, ...more })),
    categories: [food, late, soon],
    stacking,
  }
}

function rule(name: string, conditions: Record<string, unknown[]>): RuleTree {
  return { '1': { name, conditions }, logic: '1' }
}

type Item = Record<string, unknown>

function first(list: unknown): Item {
  return (list as Item[])[0] ?? {}
}

function second(list: unknown): Item {
  return (list as Item[])[1] ?? {}
}

function ids(body: Item) {
  return (body.redeemables as Item[]).map(({ id }) => id)
}

function statuses(body: Item) {
  return (body.redeemables as Item[]).map(({ status }) => status)
}

/** The reasons for which a redemption would report redeemables as skipped. */
function skips(state: State, codes: string[]) {
  const redeemables = codes.map((id) => ({ object: 'voucher', id }) as const)
  const result = evaluateRedeemables(snapshotOf(state), { redeemables, order: { amount: 20000 } }, call.now)
  if ('refusal' in result) throw new Error(`refused: ${result.refusal.details}`)
  const wording = { request_id: 'v-1', explainsSkips: true, stackingRules: defaultStackingRules } as const
  return result.entries
    .filter(({ status }) => status === 'SKIPPED')
    .map((entry) => (redeemableAnswer(entry, undefined, wording).result as Item).details)
}
