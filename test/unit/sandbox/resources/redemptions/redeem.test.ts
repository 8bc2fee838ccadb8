import { expect, test } from 'vitest'
import { campaign, off, openShop as open, shop } from '../../../../support/redemptions.ts'

const partial = { stacking_rules: { redeemables_application_mode: 'PARTIAL' } }
const ada = { customer: { source_id: 'ada' } }
const voucherOf = (id: string, more: object = {}) => ({ object: 'voucher', id, ...more })

/** The members of a fixture that assign one rule. */
const ruled = (related_object_id: string, related_object_type: string, rule: object) => ({
  validation_rules: [{ id: 'val_1', ...rule }],
  validation_rules_assignments: [{ rule_id: 'val_1', related_object_id, related_object_type }],
})
const limitedTo = (name: string, conditions: object) => ({ name: 'R', rules: { 1: { name, conditions }, logic: '1' } })

test('a code is redeemed: it is counted, the order is paid and the customer is stored', () => {
  const { redeem, voucher, ask, events } = open()

  const { status, body } = redeem(['A'], {
    order: { source_id: 'shop-7', amount: 5000 },
    customer: { source_id: 'bob', name: 'Bob' },
    metadata: { till: 3 },
  })

  expect(status).toBe(200)
  expect(body).toMatchObject({ redemptions: [{}], skipped_redeemables: [], inapplicable_redeemables: [] })
  expect(body).not.toHaveProperty('parent_redemption')
  const [redemption] = body.redemptions
  const { id, customer_id, order } = redemption
  expect(redemption).toMatchObject({
    id: expect.stringMatching(/^r_/),
    object: 'redemption',
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    date: '2026-05-06T07:08:09.123Z',
    tracking_id: expect.stringMatching(/^track_/),
    metadata: { till: 3 },
    related_object_type: 'voucher',
    related_object_id: 'v_A',
    campaign_id: 'camp_codes',
    customer: { source_id: 'bob', name: 'Bob', object: 'customer' },
    voucher: { code: 'A', redemption: { quantity: 1, redeemed_quantity: 1 } },
    order: {
      source_id: 'shop-7',
      status: 'PAID',
      amount: 5000,
      total_discount_amount: 500,
      total_amount: 4500,
      total_applied_discount_amount: 500,
      customer_id,
    },
  })
  expect(redemption).not.toHaveProperty('undo')
  const related = { related_object_type: 'voucher', related_object_id: 'v_A', related_object_parent_id: 'camp_codes' }
  const redemptions = { [id]: { date: '2026-05-06T07:08:09.123Z', ...related } }
  expect(body.order).toEqual({ ...order, updated_at: null, redemptions })
  expect(order).not.toHaveProperty('updated_at')
  expect(order.customer).toEqual({ id: customer_id, object: 'customer' })
  expect(voucher('A').redemption.redeemed_quantity).toBe(1)
  ask('GET /v1/customers/bob', { id: customer_id })
  expect(events()).toEqual([
    ['customer.created', customer_id],
    ['order.created', body.order.id],
    ['order.paid', body.order.id],
    ['redemption.succeeded', id],
  ])
})

test('a reward that needs no order is redeemed without one', () => {
  const { redeem, voucher, stored } = open({
    rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: {} }],
    reward_assignments: [
      { reward_id: 'rew_mug', related_object_id: 'camp_club', parameters: { loyalty: { points: 60 } } },
    ],
  })

  const { body } = redeem([voucherOf('C', { reward: { id: 'rew_mug' } })], { order: undefined })

  expect(body.redemptions[0]).toMatchObject({ order: null, loyalty_card: { points: 60 }, reward: { name: 'Mug' } })
  expect(body).not.toHaveProperty('order')
  expect(voucher('C').loyalty_card.balance).toBe(40)
  expect(stored(body.redemptions[0].id).customer_id).toBeNull()
})

test('a discount code and free units are redeemed for a customer without any order', () => {
  const { redeem, voucher } = open()

  const made = { result: 'SUCCESS', order: null }
  expect(redeem(['A', 'UNIT'], { order: undefined, customer: { source_id: 'bob' } })).toMatchObject({
    status: 200,
    body: { redemptions: [{ ...made, customer: { source_id: 'bob' } }, made] },
  })
  expect(voucher('A').redemption.redeemed_quantity).toBe(1)
})

const skipping = { stacking_rules: { redeemables_no_effect_rule: 'SKIP' } }

test.each([
  [{}, [200, 5000]],
  [skipping, [400, 'no_effect']],
])('a code for products takes nothing off an order without lines; the no-effect rule decides: %j', (rules, outcome) => {
  const forBeans = { name: 'R', rules: {}, applicable_to: { included: [{ object: 'product', id: 'prod_beans' }] } }

  const { status, body } = open({ ...rules, ...ruled('v_A', 'voucher', forBeans) }).redeem(['A'])

  expect([status, body.key ?? body.order.total_amount]).toEqual(outcome)
})

test('a code that is used up is an HTTP error with the id of the attempt, which is stored', () => {
  const { redeem, stored, events } = open()
  redeem(['A'])

  const { status, body } = redeem(['A'], ada)

  const message = 'quantity exceeded'
  expect(status).toBe(400)
  expect(body).toEqual({
    code: 400,
    key: 'quantity_exceeded',
    message,
    details: 'A',
    request_id: expect.stringMatching(/^v-/),
    resource_id: expect.stringMatching(/^rf_/),
    resource_type: 'redemption',
  })
  const failure = { failure_code: 'quantity_exceeded', failure_message: message, customer_id: 'cust_ada', order: null }
  const attempt = { result: 'FAILURE', status: 'FAILED', voucher: { code: 'A' } }
  expect(stored(body.resource_id)).toMatchObject({ ...attempt, ...failure })
  expect(events().at(-1)).toEqual(['redemption.failed', body.resource_id])
})

test('an unknown code is a 404 of the attempt', () => {
  const { redeem, stored } = open()

  const { body } = redeem(['nope'])

  expect(body).toMatchObject({ code: 404, details: 'Cannot find voucher with id nope', resource_type: 'redemption' })
  expect(stored(body.resource_id)).toMatchObject({ failure_code: 'not_found', related_object_id: 'nope' })
})

test('a failed attempt stores neither customer nor order, and counts nothing', () => {
  const { redeem, voucher, ask, events } = open()

  redeem(['A', 'OFF'], { customer: { source_id: 'new' }, order: { source_id: 'o', amount: 5000 } })

  ask('GET /v1/customers/new', 'not_found')
  expect(voucher('A').redemption.redeemed_quantity).toBe(0)
  expect(events().map(([type]) => type)).toEqual(['redemption.failed'])
})

test.each([
  ['an unknown customer id', { customer: { id: 'cust_none' } }, 'not_found'],
  ['an unknown order id', { order: { id: 'ord_none' } }, 'not_found'],
  ['the same code twice', { redeemables: [voucherOf('A'), voucherOf('v_A')] }, 'duplicated_redeemables'],
  ['no redeemables', { redeemables: [] }, 'invalid_payload'],
])('%s is refused before anything is evaluated, and stores no attempt', (_, more, key) => {
  const { ask, events } = open()
  const body = { redeemables: [voucherOf('A')], order: { amount: 5000 }, ...more }

  expect(ask('POST /v1/redemptions', body, key).resource_type).not.toBe('redemption')
  ask('GET /v1/redemptions', { total: 0 })
  expect(events()).toEqual([])
})

test('several redeemables have one redemption each and a parent, and one event more than redemptions', () => {
  const { redeem, stored, events } = open()

  const { body } = redeem(['A', 'B/ 1'])

  const [first, second] = body.redemptions
  const { parent_redemption: parent, order } = body
  expect([first.redemption, second.redemption]).toEqual([parent.id, parent.id])
  expect(first.order).toEqual({
    id: order.id,
    source_id: null,
    amount: 5000,
    discount_amount: 500,
    total_discount_amount: 500,
    total_amount: 4500,
    applied_discount_amount: 500,
    total_applied_discount_amount: 500,
    metadata: {},
    object: 'order',
  })
  const amounts = (total: number, applied: number) => ({
    total_discount_amount: total,
    total_applied_discount_amount: applied,
  })
  expect(stored(first.id).order).toMatchObject(amounts(500, 500))
  expect(stored(second.id).order).toMatchObject(amounts(800, 300))
  expect(parent).toMatchObject({
    related_object_type: 'redemption',
    related_object_id: parent.id,
    order: { ...amounts(800, 800), total_amount: 4200 },
    related_redemptions: { redemptions: [{ id: first.id }, { id: second.id }] },
  })
  expect(order).toMatchObject(parent.order)
  const kept = { related_object_type: 'redemption', stacked: [first.id, second.id] }
  expect(Object.entries(order.redemptions)).toEqual([[parent.id, expect.objectContaining(kept)]])
  expect(stored(parent.id)).toEqual({ ...parent, order: { ...parent.order, updated_at: null } })
  expect(events()).toEqual([
    ...['order.created', 'order.paid'].map((type) => [type, order.id]),
    ...[first, second, parent].map(({ id }) => ['redemption.succeeded', id]),
  ])
})

test('with `expand` of the order each of several redemptions shows its own in full', () => {
  expect(open().redeem(['A', 'B/ 1'], { options: { expand: ['order'] } }).body.redemptions).toMatchObject([
    { order: { total_applied_discount_amount: 500 } },
    { order: { total_applied_discount_amount: 300 } },
  ])
})

test('each of several redemptions shows the lines of its own step', () => {
  const discount = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS' }
  const { redeem } = open({ vouchers: ['P', 'Q'].map((code) => ({ code, type: 'DISCOUNT_VOUCHER', discount })) })

  const { body } = redeem(['P', 'Q'], { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } })

  expect(body.redemptions.map(({ order }: { order: { items: object[] } }) => order.items)).toMatchObject([
    [{ quantity: 2, discount_amount: 300, applied_discount_amount: 300, subtotal_amount: 2700 }],
    [{ quantity: 2, discount_amount: 570, applied_discount_amount: 270, subtotal_amount: 2430 }],
  ])
})

test('a redemption that takes nothing off says so, and one without metadata has none', () => {
  const { redeem, stored } = open({ vouchers: [{ id: 'v_0', code: 'ZERO', ...off(0) }] })

  const { body } = redeem(['ZERO'])

  const told = { applied_discount_amount: 0, total_applied_discount_amount: 0, metadata: {}, source_id: null }
  expect(body.order).toMatchObject({ ...told, status: 'PAID', customer_id: null, referrer_id: null, updated_at: null })
  expect(body.redemptions[0]).toMatchObject({ metadata: null, order: told })
  expect(stored(body.redemptions[0].id).metadata).toBeNull()
})

test('what is skipped in a redemption says why', () => {
  const { body } = open({ stacking_rules: { applicable_redeemables_limit: 1 } }).redeem(['A', 'B/ 1'])

  const details = { key: 'applicable_redeemables_limit_exceeded', message: 'Applicable redeemables limit exceeded' }
  expect(body.skipped_redeemables).toEqual([
    { status: 'SKIPPED', id: 'B/ 1', object: 'voucher', result: { details }, metadata: {} },
  ])
})

test('a card pays only for what its program offers, at the price of the program', () => {
  const offer = (related_object_id: string, name: string, points: number) => ({
    id: `rewa_${name}`,
    reward_id: `rew_${name}`,
    related_object_id,
    parameters: { loyalty: { points } },
  })
  const { redeem, voucher } = open({
    campaigns: [...shop.campaigns, { ...campaign, id: 'camp_tea', name: 'Tea', campaign_type: 'LOYALTY_PROGRAM' }],
    rewards: ['mug', 'tea'].map((name) => ({ id: `rew_${name}`, name, type: 'MATERIAL', parameters: {} })),
    reward_assignments: [offer('camp_club', 'mug', 60), offer('camp_tea', 'tea', 1)],
  })
  const pay = (reward: object) =>
    redeem([voucherOf('C', { reward })], { order: undefined, customer: { id: 'cust_ada' } }).body
  const details = 'Reward rew_mug costs 60 points'

  expect(pay({ id: 'rew_tea' })).toMatchObject({ key: 'not_found', details: 'Cannot find reward with id rew_tea' })
  expect(pay({ id: 'rew_mug', points: 1 })).toMatchObject({ key: 'invalid_amount', details })
  expect(voucher('C').loyalty_card.balance).toBe(100)
  expect(pay({ id: 'rew_mug', points: 60 }).redemptions[0].reward).toEqual({
    id: 'rew_mug',
    name: 'mug',
    type: 'MATERIAL',
    parameters: {},
    assignment_id: 'rewa_mug',
    customer: { id: 'cust_ada', name: 'Ada', email: null, source_id: 'ada', metadata: {}, object: 'customer' },
    ...Object.fromEntries(['voucher', 'product', 'sku', 'loyalty_tier_id', 'updated_at'].map((name) => [name, null])),
    created_at: '2026-05-06T07:08:09.123Z',
    object: 'reward',
  })
  expect(voucher('C').loyalty_card.balance).toBe(40)
})

test('a promotion stack has a parent and a redemption for each of its tiers', () => {
  const { body } = open().redeem([{ object: 'promotion_stack', id: 'stack_1' }])

  const tiers = ['promo_1', 'promo_2'].map((id) => ({ promotion_tier: { id } }))
  expect(body.redemptions).toMatchObject(tiers)
  expect(body.parent_redemption).toMatchObject({ promotion_stack_id: 'stack_1', order: { total_amount: 4700 } })
})

test('where some may fail, the others are redeemed and the failures listed, but at least one must succeed', () => {
  const { redeem, voucher, list } = open(partial)
  const inapplicable_redeemables = [{ id: 'OFF', result: { error: { key: 'voucher_disabled' } } }]

  expect(redeem(['OFF', 'A'])).toMatchObject({
    status: 200,
    body: { redemptions: [{}], parent_redemption: { order: { total_amount: 4500 } }, inapplicable_redeemables },
  })
  expect(voucher('A').redemption.redeemed_quantity).toBe(1)
  expect(list('result=FAILURE').total).toBe(0)
  expect(redeem(['OFF', 'nope'])).toMatchObject({ status: 400, body: { key: 'voucher_disabled' } })
  expect(list('result=FAILURE').total).toBe(1)
})

test('a request whose redeemables are all skipped is refused with the reason', () => {
  const { redeem } = open(skipping)
  const body = { key: 'no_effect', details: 'A' }

  expect(redeem(['A'], { order: { amount: 5000, discount_amount: 5000 } })).toMatchObject({ status: 400, body })
})

test('credits leave the gift card with a transaction that names redemption and order', () => {
  const { redeem, voucher, transactions, events } = open()

  const { redemptions, order } = redeem([voucherOf('G', { gift: { credits: 400 } })]).body

  const [{ id }] = redemptions
  expect(redemptions).toMatchObject([{ amount: 400, gift: { amount: 400 } }])
  const counted = { redeemed_quantity: 1, redeemed_amount: 400 }
  expect(voucher('G')).toMatchObject({ gift: { amount: 1000, balance: 600 }, redemption: counted })
  const details = { balance: { amount: -400, balance: 600 }, redemption: { id }, order: { id: order.id } }
  expect(transactions('G')).toMatchObject([{ type: 'CREDITS_REDEMPTION', source: null, details }])
  const types = ['order.created', 'order.paid', 'voucher.gift.transaction.created', 'redemption.succeeded']
  expect(events().map(([type]) => type)).toEqual(types)
})

test('points leave the loyalty card for a reward', () => {
  const { redeem, voucher, transactions } = open()

  const { redemptions, order } = redeem([voucherOf('C', { reward: { id: 'rew_1', points: 30 } })], ada).body

  const reward = { id: 'rew_1', name: 'Coins', updated_at: null }
  expect(redemptions).toMatchObject([{ loyalty_card: { points: 30 }, reward }])
  expect(order.total_discount_amount).toBe(300)
  expect(voucher('C')).toMatchObject({ loyalty_card: { balance: 70 }, redemption: { redeemed_points: 30 } })
  expect(transactions('C').at(-1)).toMatchObject({ type: 'POINTS_REDEMPTION', details: { reward: { id: 'rew_1' } } })
})

test('a gift card on an order that is already paid is counted without a transaction', () => {
  const { redeem, voucher, transactions } = open()

  redeem(['G'], { order: { amount: 5000, discount_amount: 5000 } })

  expect(voucher('G')).toMatchObject({ gift: { balance: 1000 }, redemption: { redeemed_quantity: 1 } })
  expect(transactions('G')).toEqual([])
})

test('the lock of a session is released by the redemption with its key, and by no other', () => {
  const { redeem, ask } = open()
  const session = { type: 'LOCK', key: 'mine' }
  const spend = (credits: number, more?: object) => redeem([voucherOf('G', { gift: { credits } })], more)
  ask('POST /v1/validations', { redeemables: [voucherOf('G')], order: { amount: 5000 }, session })

  expect(spend(1)).toMatchObject({ status: 400, body: { key: 'gift_amount_exceeded' } })
  expect([spend(600, { session }).status, spend(400).status]).toEqual([200, 200])
  ask('DELETE /v1/vouchers/G/sessions/mine', 404)
})

test('rules that count redemptions count those made here, and not those rolled back', () => {
  const once = limitedTo('redemption.count.per_customer', { $less_than_or_equal: [1] })
  const { redeem, rollBack } = open(ruled('v_B', 'voucher', once))
  const redeemed = () => redeem(['B/ 1'], { customer: { source_id: 'new' } })

  const first = redeemed()
  const second = redeemed()
  rollBack(first.body.redemptions[0].id)

  expect(second.body.key).toBe('redemption_rules_violated')
  expect([first.status, second.status, redeemed().status]).toEqual([200, 400, 200])
})

test.each([
  ['campaign.redemptions.count', 1, 2],
  ['campaign.redemptions.count.daily', 1, 2],
  ['campaign.redemptions.customers_count', 0, 1],
  ['campaign.orders.amount', 9999, 10_000],
  ['campaign.orders.amount_discounted', 799, 800],
])('two codes of one campaign count together against its %s, their one customer once', (name, tooLittle, enough) => {
  const both = (limit: number) =>
    open({
      vouchers: [
        { id: 'v_A', code: 'A', campaign_id: 'camp_codes', ...off(500) },
        { id: 'v_Z', code: 'Z', campaign_id: 'camp_codes', ...off(300) },
      ],
      ...ruled('camp_codes', 'campaign', limitedTo(name, { $less_than_or_equal: [limit] })),
    }).redeem(['A', 'Z'], ada).status

  expect([both(tooLittle), both(enough)]).toEqual([400, 200])
})

test('an order may be redeemed again: earlier discounts stay, and its own are the applied ones', () => {
  const { redeem } = open()
  redeem(['A'], { order: { source_id: 'shop-7', amount: 5000, status: 'CREATED' } })

  const { order } = redeem(['B/ 1'], { order: { source_id: 'shop-7' } }).body
  const amounts = { amount: 5000, discount_amount: 800, applied_discount_amount: 300, total_amount: 4200 }
  expect(order).toMatchObject({ source_id: 'shop-7', status: 'PAID', ...amounts })
})

test('for a single code, `expand` decides whether it includes its order', () => {
  const { body } = open().redeem(['B/ 1'], { options: { expand: ['redeemable'] } })

  expect(body.redemptions[0]).not.toHaveProperty('order')
  expect(body.order.total_amount).toBe(4700)
})

test('a product marked with override is stored in the catalogue, and a SKU where its product exists', () => {
  const { redeem, ask } = open()
  const cup = { name: 'Cup', price: 900 }
  const product = (source_id: string, override: boolean) => ({
    source_id,
    related_object: 'product',
    product: { ...cup, override },
    price: 900,
  })
  const half = { sku: 'Half a kilo', price: 2500 }
  const sku = (product_id: string, source_id: string) => ({
    product_id,
    sku: { source_id, ...half, override: true },
    price: 2500,
  })
  const items = [product('cup', true), product('bowl', false), sku('prod_beans', 'half'), sku('prod_none', 'lost')]

  redeem(['A'], { order: { items } })

  ask('GET /v1/products/cup', cup)
  ask('GET /v1/skus/half', { ...half, product_id: 'prod_beans' })
  ask('GET /v1/products/bowl', 404)
  ask('GET /v1/skus/lost', 404)
})

test.each([
  ['redemption', (metadata: object) => ({ metadata })],
  ['order', (metadata: object) => ({ order: { amount: 5000, metadata } })],
  ['order_item', (metadata: object) => ({ order: { items: [{ product_id: 'prod_beans', metadata }] } })],
])('metadata must fit the schema of a %s', (related_object, having) => {
  const properties = { till: { type: 'number', optional: true } }
  const { redeem, list } = open({ metadata_schemas: [{ related_object, properties }] })

  expect(redeem(['A'], having({ till: 'three' })).body.key).toBe('metadata_validation_failed')
  expect(list().total).toBe(0)
  expect(redeem(['A'], having({ till: 3 })).status).toBe(200)
})

test('a paid order earns points after the answer, once', async () => {
  const { redeem, voucher, settled } = open({
    earning_rules: [{ campaign_id: 'camp_club', event: 'order.paid', loyalty: { type: 'FIXED', points: 7 } }],
  })
  const balance = () => voucher('C').loyalty_card.balance

  redeem(['A'], { order: { source_id: 'o', amount: 5000, status: 'CREATED' }, ...ada })
  await settled()
  expect(balance()).toBe(100)
  for (const _ of [1, 2]) redeem(['B/ 1'], { order: { source_id: 'o' }, ...ada })
  expect(balance()).toBe(100)
  await settled()
  expect(balance()).toBe(107)
})

test('a friend who redeems a referral code becomes a referee and is rewarded after the answer', async () => {
  const related_object_parent = { id: 'camp_club', name: 'Club', object: 'campaign' }
  const referrer_reward = { related_object_parent, type: 'LOYALTY_CARD', amount: 50 }
  const referral_program = { conversion_event_type: 'redemption', referrer_reward }
  const friends = { ...campaign, id: 'camp_friends', name: 'Friends', campaign_type: 'REFERRAL_PROGRAM' }
  const owned = { is_referral_code: true, holder_id: 'cust_ada', referrer_id: 'cust_ada', publish: { count: 1 } }
  const { redeem, ask, settled, voucher } = open({
    campaigns: [...shop.campaigns, { ...friends, referral_program }],
    vouchers: [...shop.vouchers, { id: 'v_F', code: 'F', campaign_id: 'camp_friends', ...owned, ...off(100) }],
  })

  const { order, redemptions } = redeem(['F'], { customer: { source_id: 'bob' } }).body
  await settled()

  expect(order.referrer_id).toBe('cust_ada')
  expect(voucher('C').loyalty_card.balance).toBe(150)
  const [{ customer_id }] = redemptions
  ask('GET /v1/referrals/members/F/holders', { data: [{ customer_id, holder_role: 'REFEREE' }] })
})

test('expired points cannot be spent, even before they are removed from the card', () => {
  const { redeem, ask, clock, voucher } = open()
  const expiring = { points: 50, expiration_type: 'CUSTOM_DATE', expiration_date: '2026-05-10' }
  ask('POST /v1/loyalties/members/C/balance', expiring)
  expect(voucher('C').loyalty_card.balance).toBe(150)
  clock.now = '2026-05-20T00:00:00.000Z'

  const { body } = redeem([voucherOf('C', { reward: { id: 'rew_1', points: 120 } })])

  expect(body).toMatchObject({ code: 400, key: 'loyalty_card_points_exceeded' })
  expect(voucher('C').loyalty_card.balance).toBe(100)
})

test('a customer known only by name or tracking id is stored, and an order keeps its own', () => {
  const { redeem } = open()
  const stored = (more: object) => redeem(['B/ 1'], more).body.redemptions[0].customer

  expect(stored({ tracking_id: 'zoe' })).toMatchObject({ source_id: 'zoe' })
  expect(stored({ customer: { name: 'Eve' } })).toMatchObject({ name: 'Eve', source_id: null })
  expect(stored({ customer: { name: 'Eve' }, tracking_id: 'eve' })).toMatchObject({ name: 'Eve', source_id: 'eve' })
  redeem(['A'], { order: { source_id: 'o', amount: 5000 }, ...ada })
  expect(redeem(['B/ 1'], { order: { source_id: 'o' } }).body.order.customer_id).toBe('cust_ada')
})

test('an event contains redemption, customer, order, campaign, voucher and holder', () => {
  const { redeem, store } = open()

  const card = redeem([voucherOf('C', { reward: { id: 'rew_1', points: 30 } })], ada).body
  const stack = redeem([{ object: 'promotion_stack', id: 'stack_1' }], ada).body

  const told = store.outbox.after(0, 100).filter(({ type }) => type === 'redemption.succeeded')
  const who = { customer: { id: 'cust_ada' }, voucher: { code: 'C' }, holder: { id: 'cust_ada' } }
  const what = { redemption: { id: card.redemptions[0].id }, order: { id: card.order.id } }
  expect(told.map(({ data }) => data)).toMatchObject([
    { ...what, ...who, campaign: { id: 'camp_club' } },
    { promotion_tier: { id: 'promo_1' }, campaign: { id: 'camp_promo' } },
    { promotion_tier: { id: 'promo_2' } },
    { redemption: { id: stack.parent_redemption.id }, promotion_stack: { id: 'stack_1' } },
  ])
})

test('the tier of a redemption shows what was redeemed through it, in answers, lists and roll-backs alike', () => {
  const { redeem, rollBack, stored, list, ask } = open()
  const [one] = redeem([{ object: 'promotion_tier', id: 'promo_1' }]).body.redemptions
  const summary = (times: number) => ({
    redemptions: { total_redeemed: times },
    orders: { total_amount: 5000 * times, total_discount_amount: 100 * times },
  })

  expect(one.promotion_tier).toEqual(ask('GET /v1/promotions/tiers/promo_1'))
  for (const { promotion_tier } of [one, stored(one.id), list().redemptions[0]])
    expect(promotion_tier.summary).toEqual(summary(1))
  expect(rollBack(one.id).body.promotion_tier.summary).toEqual(summary(0))
})
