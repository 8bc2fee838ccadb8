// Every reason why a redeemable cannot be used, as a request shows it (docs/service/validations.md#eligibility-checks).
import { test } from 'vitest'
import { assigned, ruleOn } from '../../../../support/rules.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const fiveOff = { discount: { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ORDER' } }
const onItems = { discount: { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ITEMS' } }
const voucher = (code: string, more: object = fiveOff) => ({ id: `v_${code}`, code, ...more })
const dates = { created_at: '2026-01-01T00:00:00.000Z', metadata: {} }

const campaign = (id: string, campaign_type: string, more: object = {}) => ({
  id,
  name: id,
  campaign_type,
  type: 'STANDALONE',
  active: true,
  ...dates,
  ...more,
})
const over = { expiration_date: '2026-01-31T00:00:00.000Z' }

const shop = {
  campaigns: [
    campaign('camp_off', 'DISCOUNT_COUPONS', { active: false }),
    campaign('camp_over', 'DISCOUNT_COUPONS', over),
    campaign('camp_rule', 'DISCOUNT_COUPONS'),
    campaign('camp_club', 'LOYALTY_PROGRAM'),
    campaign('camp_friends', 'REFERRAL_PROGRAM'),
    campaign('camp_promo', 'PROMOTION'),
    campaign('camp_promo_off', 'PROMOTION', { active: false }),
    campaign('camp_promo_over', 'PROMOTION', over),
  ],
  customers: [
    { id: 'cust_1', source_id: 'jo', metadata: {} },
    { id: 'cust_2', source_id: 'al', metadata: {} },
  ],
  vouchers: [
    voucher('OFF', { ...fiveOff, active: false, ...over }),
    voucher('CAMPAIGNOFF', { ...fiveOff, campaign_id: 'camp_off' }),
    voucher('OVER', { ...fiveOff, expiration_date: '2026-05-06T07:08:09.122Z' }),
    voucher('CAMPAIGNOVER', { ...fiveOff, campaign_id: 'camp_over' }),
    voucher('SOON', { ...fiveOff, start_date: '2026-05-06T07:08:09.124Z' }),
    voucher('SUNDAYS', { ...fiveOff, validity_day_of_week: [0] }),
    voucher('USED', { ...fiveOff, redemption: { quantity: 2, redeemed_quantity: 2 } }),
    voucher('FRIEND', {
      ...fiveOff,
      campaign_id: 'camp_friends',
      holder_id: 'cust_1',
      referrer_id: 'cust_1',
      publish: { count: 1 },
    }),
    voucher('UNHELD', { ...fiveOff, campaign_id: 'camp_friends' }),
    voucher('PLAIN'),
    voucher('ITEMS', onItems),
    voucher('ORDERRULE'),
    voucher('CAMPAIGNRULE', { ...fiveOff, campaign_id: 'camp_rule' }),
    voucher('TOTALRULE'),
    voucher('ITEMRULE'),
    voucher('VIPRULE'),
    voucher('ONCEEACH'),
    voucher('HOLDERRULE', { ...fiveOff, holder_id: 'cust_1' }),
    voucher('GIFT', { gift: { amount: 1000, balance: 700 } }),
    voucher('GIFTRULE', { gift: { amount: 1000, balance: 700 } }),
    voucher('GIFTITEMS', { gift: { amount: 1000, effect: 'APPLY_TO_ITEMS' } }),
    voucher('CARD', { loyalty_card: { points: 50, balance: 50 }, campaign_id: 'camp_club', holder_id: 'cust_1' }),
  ],
  reward_assignments: [{ id: 'rewa_1', reward_id: 'rew_1', related_object_id: 'camp_club' }],
  rewards: [{ id: 'rew_1', name: 'Coins', type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 1 } } }],
  promotion_tiers: [
    { id: 'promo_off', name: 'T', campaign_id: 'camp_promo', action: fiveOff, active: false },
    { id: 'promo_over', name: 'T', campaign_id: 'camp_promo', action: fiveOff, expiration_date: '2026-01-01' },
    { id: 'promo_rule', name: 'T', campaign_id: 'camp_promo', action: fiveOff },
    { id: 'promo_of_off', name: 'T', campaign_id: 'camp_promo_off', action: fiveOff },
    { id: 'promo_of_over', name: 'T', campaign_id: 'camp_promo_over', action: fiveOff },
  ],
  promotion_stacks: [{ id: 'stack_1', name: 'S', campaign_id: 'camp_promo', tiers: { ids: ['promo_off'] } }],
  validation_rules: [
    ruleOn('val_order', 'order.amount', { $more_than: [3000] }),
    ruleOn('val_more', 'order.amount', { $more_than: [4000] }),
    ruleOn('val_total', 'order.total_amount', { $less_than: [1600] }),
    ruleOn('val_items', 'order.items.count', { $more_than: [1] }),
    ruleOn(
      'val_vip',
      'customer.metadata',
      { $is: [true] },
      { property: 'vip', error: { message: 'For regulars only' } },
    ),
    ruleOn('val_once', 'redemption.count.per_customer', { $less_than_or_equal: [1] }),
    ruleOn('val_holder', 'publication.redeemable_by_linked_customer', { $is: [true] }),
  ],
  validation_rules_assignments: [
    assigned('val_order', 'v_ORDERRULE'),
    assigned('val_order', 'v_CAMPAIGNRULE'),
    assigned('val_order', 'camp_rule', 'campaign'),
    assigned('val_more', 'camp_rule', 'campaign'),
    assigned('val_order', 'v_GIFTRULE'),
    assigned('val_total', 'v_TOTALRULE'),
    assigned('val_items', 'v_ITEMRULE'),
    assigned('val_vip', 'v_VIPRULE'),
    assigned('val_once', 'v_ONCEEACH'),
    assigned('val_holder', 'v_HOLDERRULE'),
    assigned('val_order', 'promo_rule', 'promotion_tier'),
  ],
  redemptions: [
    redemption('r_1', 'cust_1', 'SUCCEEDED'),
    redemption('r_2', 'cust_2', 'ROLLED_BACK'),
    redemption('r_3', 'cust_2', 'FAILED', 'FAILURE'),
  ],
}

function redemption(id: string, customer_id: string, status: string, result = 'SUCCESS') {
  return {
    id,
    object: 'redemption',
    result,
    status,
    customer_id,
    campaign_id: null,
    related_object_type: 'voucher',
    related_object_id: 'v_ONCEEACH',
  }
}

const order = { amount: 2000 }
const jo = { customer: { source_id: 'jo' } }
const al = { customer: { source_id: 'al' } }
const tier = (id: string) => ({ object: 'promotion_tier', id })
const violated = (kind: string, id: string) => `${kind} cannot be redeemed because of violated validation rules: ${id}`

const validate = (body: object, answer: object) =>
  testSandbox({ fixture: shop }).ask('POST /v1/validations', { order, ...body }, answer)

// What goes with each key as its message is tested in http/error-texts.test.ts.
// What goes with each key as its message is tested in http/error-texts.test.ts.
test.each<[key: string, details: string, redeemable: object, more?: object]>([
  ['not_found', 'Cannot find voucher with id NOPE', { id: 'NOPE' }],
  ['not_found', 'Cannot find promotion_tier with id NOPE', tier('NOPE')],
  ['not_found', 'Cannot find promotion_stack with id NOPE', { object: 'promotion_stack', id: 'NOPE' }],
  ['voucher_disabled', 'OFF', { id: 'OFF' }],
  ['voucher_disabled', 'CAMPAIGNOFF', { id: 'CAMPAIGNOFF' }],
  ['promotion_inactive', 'Promotion Tier with id: promo_off is disabled.', tier('promo_off')],
  ['promotion_inactive', 'Promotion Tier with id: promo_of_off is disabled.', tier('promo_of_off')],
  [
    'promotion_inactive',
    'Promotion Tier with id: promo_off is disabled.',
    { object: 'promotion_stack', id: 'stack_1' },
  ],
  ['voucher_expired', 'OVER', { id: 'OVER' }],
  ['voucher_expired', 'CAMPAIGNOVER', { id: 'CAMPAIGNOVER' }],
  ['voucher_not_active', 'SOON', { id: 'SOON' }],
  ['voucher_not_active_now', 'SUNDAYS', { id: 'SUNDAYS' }],
  ['promotion_not_active_now', 'promo_over', tier('promo_over')],
  ['promotion_not_active_now', 'promo_of_over', tier('promo_of_over')],
  ['quantity_exceeded', 'USED', { id: 'USED' }],
  ['referrer_not_permitted_to_redeem', 'FRIEND', { id: 'FRIEND' }, jo],
  ['not_published', 'UNHELD', { id: 'UNHELD' }, al],
  ['missing_customer', 'Customer is required to validate rules', { id: 'VIPRULE' }],
  ['missing_order', 'Order is required to validate rules', { id: 'ORDERRULE' }, { order: undefined }],
  ['missing_order_items', 'Order items are required to validate rules', { id: 'ITEMRULE' }],
  ['missing_amount', 'Amount is required to validate rules', { id: 'PLAIN' }, { order: {} }],
  [
    'missing_order_items_amount',
    'Applicable order items with an amount are required',
    { id: 'GIFTITEMS' },
    { order: { amount: 100, items: [{ product_id: 'p', quantity: 1 }] } },
  ],
  ['missing_reward', 'A reward is required when redeeming a LOYALTY_CARD', { id: 'CARD' }, al],
  ['invalid_customer', 'CARD', { id: 'CARD', reward: { id: 'rew_1', points: 1 } }, al],
  ['customer_rules_violated', violated('Discount Coupon', 'val_vip'), { id: 'VIPRULE' }, jo],
  ['customer_rules_violated', violated('Discount Coupon', 'val_holder'), { id: 'HOLDERRULE' }, al],
  ['order_rules_violated', violated('Discount Coupon', 'val_order'), { id: 'ORDERRULE' }],
  ['order_rules_violated', violated('Discount Coupon', 'val_order, val_more'), { id: 'CAMPAIGNRULE' }],
  ['order_rules_violated', violated('Promotion Tier', 'val_order'), tier('promo_rule')],
  ['order_rules_violated', violated('Gift Card', 'val_order'), { id: 'GIFTRULE', gift: { credits: 701 } }],
  ['redemption_rules_violated', violated('Discount Coupon', 'val_once'), { id: 'ONCEEACH' }, jo],
  ['gift_amount_exceeded', 'GIFT', { id: 'GIFT', gift: { credits: 701 } }],
  ['loyalty_card_points_exceeded', 'CARD', { id: 'CARD', reward: { id: 'rew_1', points: 51 } }, jo],
  ['invalid_amount', 'Amount has to be a valid positive number', { id: 'PLAIN' }, { order: { amount: -100 } }],
  ['invalid_amount', 'Amount has to be a valid positive number', { id: 'PLAIN' }, { order: { amount: 0 } }],
])('%s: %s', (key, details, redeemable, more = {}) => {
  const error = { code: key === 'not_found' ? 404 : 400, key, details }
  const redeemables = [{ object: 'voucher', ...redeemable }]

  const judged = [{ status: 'INAPPLICABLE', result: { error, details: { key } } }]
  validate({ redeemables, ...more }, { valid: false, redeemables: judged })
})

test.each([
  ['FRIEND', al],
  ['VIPRULE', { customer: { source_id: 'jo', metadata: { vip: true } } }],
  ['ONCEEACH', al],
  ['HOLDERRULE', jo],
  ['ORDERRULE', { order: { amount: 3001 } }],
  ['CARD', { redeemables: [{ object: 'voucher', id: 'CARD', reward: { id: 'rew_1', points: 5 } }] }],
  ['TOTALRULE', {}],
  ['PLAIN', { order: { items: [{ product_id: 'p', quantity: 1, price: 0 }] } }],
  ['ITEMRULE', { order: { items: [{ product_id: 'p', quantity: 2, price: 900 }] } }],
])('%s applies when its requirements are met', (id, more) => {
  validate({ redeemables: [{ object: 'voucher', id }], ...more }, { valid: true })
})

test("a rule's own message is returned with the general one", () => {
  const message = 'For regulars only'
  const error = { message: 'customer does not match validation rules', error: { message } }
  const result = { error, details: { message, key: 'customer_rules_violated' } }

  validate({ redeemables: [{ object: 'voucher', id: 'VIPRULE' }], ...jo }, { redeemables: [{ result }] })
})

test('a gift card pays the remaining amount, a loyalty card complete blocks of points', () => {
  const card = { object: 'voucher', id: 'CARD', reward: { id: 'rew_1' } }
  const paid = [
    { result: { gift: { credits: 700, balance: 700 } }, order: { total_amount: 1300 } },
    { result: { loyalty_card: { points: 13 } }, order: { total_amount: 0 } },
  ]

  validate({ redeemables: [{ object: 'voucher', id: 'GIFT' }, card], ...jo }, { redeemables: paid })
})

test('the catalogue prices a line without a price, and collections limit what a discount applies to', () => {
  const coffee = { included: [{ object: 'products_collection', id: 'pc_1' }] }
  const products = [{ id: 'prod_1', object: 'product' }]
  const { ask } = testSandbox({
    fixture: {
      products: [
        { id: 'prod_1', source_id: 'beans', name: 'Beans', price: 900 },
        { id: 'prod_2', source_id: 'cup', price: 400 },
      ],
      product_collections: [{ id: 'pc_1', name: 'Coffee', type: 'STATIC', products }],
      vouchers: [voucher('ITEMS', onItems)],
      validation_rules: [{ id: 'val_1', name: 'Coffee', applicable_to: coffee }],
      validation_rules_assignments: [assigned('val_1', 'v_ITEMS')],
    },
  })
  const items = [
    { source_id: 'beans', related_object: 'product', quantity: 2 },
    { product_id: 'prod_2', quantity: 1 },
  ]

  const lines = [{ discount_amount: 500, subtotal_amount: 1300 }, { subtotal_amount: 400 }]
  const totals = { amount: 2200, items_discount_amount: 500, total_amount: 1700, items: lines }
  ask(
    'POST /v1/validations',
    { redeemables: [{ object: 'voucher', id: 'ITEMS' }], order: { items } },
    { order: totals },
  )
})
