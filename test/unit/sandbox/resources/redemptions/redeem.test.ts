import { expect, test } from 'vitest'
import { campaign, off, openShop as open, shop } from '../../../../support/redemptions.ts'

const partial = { stacking_rules: { redeemables_application_mode: 'PARTIAL' } }

test('a code is redeemed: it is counted, the order is paid and the customer is stored', () => {
  const { redeem, voucher, get, events } = open()

  const { status, body } = redeem(['A'], {
    order: { source_id: 'shop-7', amount: 5000 },
    customer: { source_id: 'bob', name: 'Bob' },
    metadata: { till: 3 },
  })

  expect(status).toBe(200)
  expect(body.redemptions).toHaveLength(1)
  expect(body).not.toHaveProperty('parent_redemption')
  const [redemption] = body.redemptions
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
    },
  })
  expect(redemption).not.toHaveProperty('undo')
  expect(redemption.order.customer_id).toBe(redemption.customer_id)
  expect(body.order).toEqual({
    ...redemption.order,
    updated_at: null,
    redemptions: {
      [redemption.id]: {
        date: '2026-05-06T07:08:09.123Z',
        related_object_type: 'voucher',
        related_object_id: 'v_A',
        related_object_parent_id: 'camp_codes',
      },
    },
  })
  expect(redemption.order).not.toHaveProperty('updated_at')
  expect(redemption.order.customer).toEqual({ id: redemption.customer_id, object: 'customer' })
  expect(body).toMatchObject({ skipped_redeemables: [], inapplicable_redeemables: [] })
  expect(voucher('A').redemption.redeemed_quantity).toBe(1)
  expect(get('/v1/customers/bob').body.id).toBe(redemption.customer_id)
  expect(events()).toEqual([
    ['customer.created', redemption.customer_id],
    ['order.created', body.order.id],
    ['order.paid', body.order.id],
    ['redemption.succeeded', redemption.id],
  ])
})

test('a reward that needs no order is redeemed without one', () => {
  const { redeem, voucher, get } = open({
    rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: {} }],
    reward_assignments: [
      { reward_id: 'rew_mug', related_object_id: 'camp_club', parameters: { loyalty: { points: 60 } } },
    ],
  })

  const { status, body } = redeem([{ object: 'voucher', id: 'C', reward: { id: 'rew_mug' } }], { order: undefined })

  expect(status).toBe(200)
  expect(body.redemptions[0]).toMatchObject({ order: null, loyalty_card: { points: 60 }, reward: { name: 'Mug' } })
  expect(body).not.toHaveProperty('order')
  expect(voucher('C').loyalty_card.balance).toBe(40)
  expect(get(`/v1/redemptions/${body.redemptions[0].id}`).body.customer_id).toBeNull()
})

test('a discount code and free units are redeemed for a customer without any order', () => {
  const { redeem, voucher } = open()

  const { status, body } = redeem(['A', 'UNIT'], { order: undefined, customer: { source_id: 'bob' } })

  expect(status).toBe(200)
  expect(body.redemptions).toMatchObject([
    { result: 'SUCCESS', order: null, customer: { source_id: 'bob' } },
    { result: 'SUCCESS', order: null },
  ])
  expect(voucher('A').redemption.redeemed_quantity).toBe(1)
})

test.each([
  [{}, [200, 5000]],
  [{ stacking_rules: { redeemables_no_effect_rule: 'SKIP' } }, [400, 'no_effect']],
])('a code for products takes nothing off an order without lines; the no-effect rule decides: %j', (rules, outcome) => {
  const { redeem } = open({
    ...rules,
    validation_rules: [
      { id: 'val_1', name: 'R', rules: {}, applicable_to: { included: [{ object: 'product', id: 'prod_beans' }] } },
    ],
    validation_rules_assignments: [{ rule_id: 'val_1', related_object_id: 'v_A', related_object_type: 'voucher' }],
  })

  const { status, body } = redeem(['A'], { order: { amount: 5000 } })

  expect([status, body.key ?? body.order.total_amount]).toEqual(outcome)
})

test('a code that is used up is an HTTP error with the id of the attempt, which is stored', () => {
  const { redeem, stored, events } = open()
  redeem(['A'])

  const { status, body } = redeem(['A'], { customer: { source_id: 'ada' } })

  expect(status).toBe(400)
  expect(body).toEqual({
    code: 400,
    key: 'quantity_exceeded',
    message: 'quantity exceeded',
    details: 'A',
    request_id: expect.stringMatching(/^v-/),
    resource_id: expect.stringMatching(/^rf_/),
    resource_type: 'redemption',
  })
  expect(stored(body.resource_id)).toMatchObject({
    result: 'FAILURE',
    status: 'FAILED',
    failure_code: 'quantity_exceeded',
    failure_message: 'quantity exceeded',
    customer_id: 'cust_ada',
    order: null,
    voucher: { code: 'A' },
  })
  expect(events().at(-1)).toEqual(['redemption.failed', body.resource_id])
})

test('an unknown code is a 404 of the attempt', () => {
  const { redeem, stored } = open()

  const { status, body } = redeem(['nope'])

  expect(status).toBe(404)
  expect(body).toMatchObject({
    code: 404,
    key: 'not_found',
    details: 'Cannot find voucher with id nope',
    resource_type: 'redemption',
  })
  expect(stored(body.resource_id)).toMatchObject({ failure_code: 'not_found', related_object_id: 'nope' })
})

test('a failed attempt stores neither customer nor order, and counts nothing', () => {
  const { redeem, voucher, get, events } = open()

  redeem(['A', 'OFF'], { customer: { source_id: 'new' }, order: { source_id: 'o', amount: 5000 } })

  expect(get('/v1/customers/new').status).toBe(404)
  expect(voucher('A').redemption.redeemed_quantity).toBe(0)
  expect(events().map(([type]) => type)).toEqual(['redemption.failed'])
})

test.each([
  ['an unknown customer id', { customer: { id: 'cust_none' } }, 404, 'not_found'],
  ['an unknown order id', { order: { id: 'ord_none' } }, 404, 'not_found'],
  [
    'the same code twice',
    {
      redeemables: [
        { object: 'voucher', id: 'A' },
        { object: 'voucher', id: 'v_A' },
      ],
    },
    400,
    'duplicated_redeemables',
  ],
  ['no redeemables', { redeemables: [] }, 400, 'invalid_payload'],
])('%s is refused before anything is evaluated, and stores no attempt', (_, more, status, key) => {
  const { redeem, list, events } = open()

  const answer = redeem(['A'], more)

  expect([answer.status, answer.body.key]).toEqual([status, key])
  expect(answer.body.resource_type).not.toBe('redemption')
  expect(list().total).toBe(0)
  expect(events()).toEqual([])
})

test('several redeemables have one redemption each and a parent, and one event more than redemptions', () => {
  const { redeem, stored, events } = open()

  const { body } = redeem(['A', 'B/ 1'])

  const [first, second] = body.redemptions
  const parent = body.parent_redemption
  expect([first.redemption, second.redemption]).toEqual([parent.id, parent.id])
  expect(first.order).toEqual({
    id: body.order.id,
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
  expect(stored(first.id).order).toMatchObject({ total_discount_amount: 500, total_applied_discount_amount: 500 })
  expect(stored(second.id).order).toMatchObject({ total_discount_amount: 800, total_applied_discount_amount: 300 })
  expect(parent).toMatchObject({
    related_object_type: 'redemption',
    related_object_id: parent.id,
    order: { total_discount_amount: 800, total_applied_discount_amount: 800, total_amount: 4200 },
    related_redemptions: { redemptions: [{ id: first.id }, { id: second.id }] },
  })
  expect(body.order).toMatchObject(parent.order)
  expect(body.order.redemptions).toMatchObject({
    [parent.id]: { related_object_type: 'redemption', stacked: [first.id, second.id] },
  })
  expect(Object.keys(body.order.redemptions)).toEqual([parent.id])
  expect(stored(parent.id)).toEqual({ ...parent, order: { ...parent.order, updated_at: null } })
  expect(events()).toEqual([
    ['order.created', body.order.id],
    ['order.paid', body.order.id],
    ['redemption.succeeded', first.id],
    ['redemption.succeeded', second.id],
    ['redemption.succeeded', parent.id],
  ])
})

test('with `expand` of the order each of several redemptions shows its own in full', () => {
  expect(open().redeem(['A', 'B/ 1'], { options: { expand: ['order'] } }).body.redemptions).toMatchObject([
    { order: { total_applied_discount_amount: 500 } },
    { order: { total_applied_discount_amount: 300 } },
  ])
})

test('each of several redemptions shows the lines of its own step', () => {
  const { redeem } = open({
    vouchers: ['P', 'Q'].map((code) => ({
      code,
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS' },
    })),
  })

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

  expect(body.skipped_redeemables).toEqual([
    {
      status: 'SKIPPED',
      id: 'B/ 1',
      object: 'voucher',
      result: {
        details: { key: 'applicable_redeemables_limit_exceeded', message: 'Applicable redeemables limit exceeded' },
      },
      metadata: {},
    },
  ])
})

test('a card pays only for what its program offers, at the price of the program', () => {
  const { redeem, voucher } = open({
    campaigns: [...shop.campaigns, { ...campaign, id: 'camp_tea', name: 'Tea', campaign_type: 'LOYALTY_PROGRAM' }],
    rewards: ['mug', 'tea'].map((name) => ({ id: `rew_${name}`, name, type: 'MATERIAL', parameters: {} })),
    reward_assignments: [
      { id: 'rewa_mug', reward_id: 'rew_mug', related_object_id: 'camp_club', parameters: { loyalty: { points: 60 } } },
      { reward_id: 'rew_tea', related_object_id: 'camp_tea', parameters: { loyalty: { points: 1 } } },
    ],
  })
  const pay = (reward: object) =>
    redeem([{ object: 'voucher', id: 'C', reward }], { order: undefined, customer: { id: 'cust_ada' } })

  expect(pay({ id: 'rew_tea' }).body).toMatchObject({ key: 'not_found', details: 'Cannot find reward with id rew_tea' })
  expect(pay({ id: 'rew_mug', points: 1 }).body).toMatchObject({
    key: 'invalid_amount',
    details: 'Reward rew_mug costs 60 points',
  })
  expect(voucher('C').loyalty_card.balance).toBe(100)
  expect(pay({ id: 'rew_mug', points: 60 }).body.redemptions[0].reward).toEqual({
    id: 'rew_mug',
    name: 'mug',
    type: 'MATERIAL',
    parameters: {},
    assignment_id: 'rewa_mug',
    customer: { id: 'cust_ada', name: 'Ada', email: null, source_id: 'ada', metadata: {}, object: 'customer' },
    voucher: null,
    product: null,
    sku: null,
    loyalty_tier_id: null,
    created_at: '2026-05-06T07:08:09.123Z',
    updated_at: null,
    object: 'reward',
  })
  expect(voucher('C').loyalty_card.balance).toBe(40)
})

test('a promotion stack has a parent and a redemption for each of its tiers', () => {
  const { body } = open().redeem([{ object: 'promotion_stack', id: 'stack_1' }])

  expect(body.redemptions.map((one: { promotion_tier: { id: string } }) => one.promotion_tier.id)).toEqual([
    'promo_1',
    'promo_2',
  ])
  expect(body.parent_redemption).toMatchObject({ promotion_stack_id: 'stack_1', order: { total_amount: 4700 } })
})

test('where some may fail, the others are redeemed and the failures listed', () => {
  const { redeem, voucher, list } = open(partial)

  const { status, body } = redeem(['OFF', 'A'])

  expect(status).toBe(200)
  expect(body.redemptions).toHaveLength(1)
  expect(body.parent_redemption.order.total_amount).toBe(4500)
  expect(body.inapplicable_redeemables).toMatchObject([{ id: 'OFF', result: { error: { key: 'voucher_disabled' } } }])
  expect(voucher('A').redemption.redeemed_quantity).toBe(1)
  expect(list('result=FAILURE').total).toBe(0)
})

test('where some may fail, at least one must succeed', () => {
  const { redeem, list } = open(partial)

  expect(redeem(['OFF', 'nope'])).toMatchObject({ status: 400, body: { key: 'voucher_disabled' } })
  expect(list('result=FAILURE').total).toBe(1)
})

test('a request whose redeemables are all skipped is refused with the reason', () => {
  const { redeem } = open({ stacking_rules: { redeemables_no_effect_rule: 'SKIP' } })

  const { status, body } = redeem(['A'], { order: { amount: 5000, discount_amount: 5000 } })

  expect([status, body.key, body.details]).toEqual([400, 'no_effect', 'A'])
})

test('credits leave the gift card with a transaction that names redemption and order', () => {
  const { redeem, voucher, transactions, events } = open()

  const { body } = redeem([{ object: 'voucher', id: 'G', gift: { credits: 400 } }])

  const [redemption] = body.redemptions
  expect(redemption).toMatchObject({ amount: 400, gift: { amount: 400 } })
  expect(voucher('G')).toMatchObject({
    gift: { amount: 1000, balance: 600 },
    redemption: { redeemed_quantity: 1, redeemed_amount: 400 },
  })
  expect(transactions('G')).toMatchObject([
    {
      type: 'CREDITS_REDEMPTION',
      source: null,
      details: {
        balance: { amount: -400, balance: 600 },
        redemption: { id: redemption.id },
        order: { id: body.order.id },
      },
    },
  ])
  expect(events().map(([type]) => type)).toEqual([
    'order.created',
    'order.paid',
    'voucher.gift.transaction.created',
    'redemption.succeeded',
  ])
})

test('points leave the loyalty card for a reward', () => {
  const { redeem, voucher, transactions } = open()

  const { body } = redeem([{ object: 'voucher', id: 'C', reward: { id: 'rew_1', points: 30 } }], {
    customer: { source_id: 'ada' },
  })

  expect(body.redemptions[0]).toMatchObject({
    loyalty_card: { points: 30 },
    reward: { id: 'rew_1', name: 'Coins', updated_at: null },
  })
  expect(body.order.total_discount_amount).toBe(300)
  expect(voucher('C')).toMatchObject({ loyalty_card: { balance: 70 }, redemption: { redeemed_points: 30 } })
  expect(transactions('C').at(-1)).toMatchObject({ type: 'POINTS_REDEMPTION', details: { reward: { id: 'rew_1' } } })
})

test('a gift card on an order that is already paid is counted without a transaction', () => {
  const { redeem, voucher, transactions } = open()

  redeem(['G'], { order: { amount: 5000, discount_amount: 5000 } })

  expect(voucher('G')).toMatchObject({ gift: { balance: 1000 }, redemption: { redeemed_quantity: 1 } })
  expect(transactions('G')).toEqual([])
})

test('a loyalty card of another customer is not redeemed', () => {
  const { status, body } = open().redeem([{ object: 'voucher', id: 'C', reward: { id: 'rew_1' } }], {
    customer: { source_id: 'bob' },
  })

  expect([status, body.key]).toEqual([400, 'invalid_customer'])
})

test('the lock of a session is released by the redemption with its key, and by no other', () => {
  const { redeem, post, del } = open()
  const validate = (key: string) =>
    post('/v1/validations', {
      redeemables: [{ object: 'voucher', id: 'G' }],
      order: { amount: 5000 },
      session: { type: 'LOCK', key },
    }).body.valid
  validate('mine')

  const foreign = redeem([{ object: 'voucher', id: 'G', gift: { credits: 1 } }])
  const own = redeem([{ object: 'voucher', id: 'G', gift: { credits: 600 } }], {
    session: { type: 'LOCK', key: 'mine' },
  })
  const later = redeem([{ object: 'voucher', id: 'G', gift: { credits: 400 } }])

  expect([foreign.status, foreign.body.key]).toEqual([400, 'gift_amount_exceeded'])
  expect([own.status, later.status]).toEqual([200, 200])
  expect(del('/v1/vouchers/G/sessions/mine').status).toBe(404)
})

test('rules that count redemptions count those made here, and not those rolled back', () => {
  const { redeem, rollBack } = open({
    validation_rules: [
      {
        id: 'val_1',
        name: 'Once',
        rules: { 1: { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [1] } }, logic: '1' },
      },
    ],
    validation_rules_assignments: [{ rule_id: 'val_1', related_object_id: 'v_B', related_object_type: 'voucher' }],
  })
  const ada = { customer: { source_id: 'new' } }

  const first = redeem(['B/ 1'], ada)
  const second = redeem(['B/ 1'], ada)
  rollBack(first.body.redemptions[0].id)
  const third = redeem(['B/ 1'], ada)

  expect([first.status, second.status, third.status]).toEqual([200, 400, 200])
  expect(second.body.key).toBe('redemption_rules_violated')
})

test.each([
  ['campaign.redemptions.count', 1, 2],
  ['campaign.redemptions.count.daily', 1, 2],
  ['campaign.redemptions.customers_count', 0, 1],
  ['campaign.orders.amount', 9999, 10_000],
  ['campaign.orders.amount_discounted', 799, 800],
])('two codes of one campaign count together against its %s', (name, tooLittle, enough) => {
  const both = (limit: number) =>
    open({
      vouchers: [
        { id: 'v_A', code: 'A', campaign_id: 'camp_codes', ...off(500) },
        { id: 'v_Z', code: 'Z', campaign_id: 'camp_codes', ...off(300) },
      ],
      validation_rules: [
        {
          id: 'val_1',
          name: 'Budget',
          rules: { 1: { name, conditions: { $less_than_or_equal: [limit] } }, logic: '1' },
        },
      ],
      validation_rules_assignments: [
        { rule_id: 'val_1', related_object_id: 'camp_codes', related_object_type: 'campaign' },
      ],
    }).redeem(['A', 'Z'], { customer: { source_id: 'ada' } }).status

  expect([both(tooLittle), both(enough)]).toEqual([400, 200])
})

test('an order may be redeemed again: earlier discounts stay, and its own are the applied ones', () => {
  const { redeem } = open()
  redeem(['A'], { order: { source_id: 'shop-7', amount: 5000, status: 'CREATED' } })

  expect(redeem(['B/ 1'], { order: { source_id: 'shop-7' } }).body.order).toMatchObject({
    source_id: 'shop-7',
    status: 'PAID',
    amount: 5000,
    discount_amount: 800,
    applied_discount_amount: 300,
    total_amount: 4200,
  })
})

test('for a single code, `expand` decides whether it includes its order', () => {
  const { body } = open().redeem(['B/ 1'], { options: { expand: ['redeemable'] } })

  expect(body.redemptions[0]).not.toHaveProperty('order')
  expect(body.order.total_amount).toBe(4700)
})

test('a tracking id stores the customer it names', () => {
  const { redeem, get } = open()

  const { body } = redeem(['A'], { tracking_id: 'eve' })

  expect(get('/v1/customers/eve').body.id).toBe(body.redemptions[0].customer_id)
})

test('a product marked with override is stored in the catalogue, another is not', () => {
  const { redeem, get } = open()
  const line = (source_id: string, override: boolean) => ({
    source_id,
    related_object: 'product',
    quantity: 1,
    price: 900,
    product: { name: 'Cup', price: 900, override },
  })

  redeem(['A'], { order: { items: [line('cup', true), line('bowl', false)] } })

  expect(get('/v1/products/cup').body).toMatchObject({ name: 'Cup', price: 900 })
  expect(get('/v1/products/bowl').status).toBe(404)
})

test('metadata must fit the schemas of redemptions and of orders', () => {
  const schema = (related_object: string) => ({
    related_object,
    properties: { till: { type: 'number', optional: true } },
  })
  const { redeem, list } = open({ metadata_schemas: [schema('redemption'), schema('order')] })

  const own = redeem(['A'], { metadata: { till: 'three' } })
  const ordered = redeem(['A'], { order: { amount: 5000, metadata: { till: 'three' } } })

  expect([own.body.key, ordered.body.key]).toEqual(['metadata_validation_failed', 'metadata_validation_failed'])
  expect(list().total).toBe(0)
})

test('a paid order earns points after the answer, once', async () => {
  const { redeem, voucher, settled } = open({
    earning_rules: [{ campaign_id: 'camp_club', event: 'order.paid', loyalty: { type: 'FIXED', points: 7 } }],
  })
  const ada = { customer: { source_id: 'ada' } }

  redeem(['A'], { order: { source_id: 'o', amount: 5000, status: 'CREATED' }, ...ada })
  await settled()
  expect(voucher('C').loyalty_card.balance).toBe(100)
  redeem(['B/ 1'], { order: { source_id: 'o' }, ...ada })
  redeem(['B/ 1'], { order: { source_id: 'o' }, ...ada })
  expect(voucher('C').loyalty_card.balance).toBe(100)
  await settled()

  expect(voucher('C').loyalty_card.balance).toBe(107)
})

test('a friend who redeems a referral code becomes a referee and is rewarded after the answer', async () => {
  const { redeem, get, settled, voucher } = open({
    campaigns: [
      ...shop.campaigns,
      {
        ...campaign,
        id: 'camp_friends',
        name: 'Friends',
        campaign_type: 'REFERRAL_PROGRAM',
        referral_program: {
          conversion_event_type: 'redemption',
          referrer_reward: {
            related_object_parent: { id: 'camp_club', name: 'Club', object: 'campaign' },
            type: 'LOYALTY_CARD',
            amount: 50,
          },
        },
      },
    ],
    vouchers: [
      ...shop.vouchers,
      {
        id: 'v_F',
        code: 'F',
        campaign_id: 'camp_friends',
        is_referral_code: true,
        holder_id: 'cust_ada',
        referrer_id: 'cust_ada',
        publish: { count: 1 },
        ...off(100),
      },
    ],
  })

  const { body } = redeem(['F'], { customer: { source_id: 'bob' } })
  await settled()

  expect(body.order.referrer_id).toBe('cust_ada')
  expect(voucher('C').loyalty_card.balance).toBe(150)
  expect(get('/v1/referrals/members/F/holders').body.data).toMatchObject([
    { customer_id: body.redemptions[0].customer_id, holder_role: 'REFEREE' },
  ])
})

test('expired points cannot be spent, even before they are removed from the card', () => {
  const { redeem, post, clock, voucher } = open()
  const path = '/v1/loyalties/members/C/balance'
  post(path, { points: 50, expiration_type: 'CUSTOM_DATE', expiration_date: '2026-05-10' })
  expect(voucher('C').loyalty_card.balance).toBe(150)
  clock.now = '2026-05-20T00:00:00.000Z'

  const { status, body } = redeem([{ object: 'voucher', id: 'C', reward: { id: 'rew_1', points: 120 } }])

  expect([status, body.key]).toEqual([400, 'loyalty_card_points_exceeded'])
  expect(voucher('C').loyalty_card.balance).toBe(100)
})

test('metadata of the lines of an order must fit their schema', () => {
  const properties = { gift_wrap: { type: 'boolean', optional: true } }
  const { redeem } = open({ metadata_schemas: [{ related_object: 'order_item', properties }] })
  const line = (gift_wrap: unknown) => ({ order: { items: [{ product_id: 'prod_beans', metadata: { gift_wrap } }] } })

  expect(redeem(['A'], line('yes')).body.key).toBe('metadata_validation_failed')
  expect(redeem(['A'], line(true)).status).toBe(200)
})

test('an order keeps its customer when a later redemption names none', () => {
  const { redeem } = open()
  redeem(['A'], { order: { source_id: 'o', amount: 5000 }, customer: { source_id: 'ada' } })

  expect(redeem(['B/ 1'], { order: { source_id: 'o' } }).body.order.customer_id).toBe('cust_ada')
})

test('a customer known only by name is stored, under the tracking id if there is one', () => {
  const { redeem } = open()

  const nameless = redeem(['B/ 1'], { customer: { name: 'Eve' } }).body.redemptions[0]
  const tracked = redeem(['B/ 1'], { customer: { name: 'Eve' }, tracking_id: 'eve' }).body.redemptions[0]

  expect(nameless.customer).toMatchObject({ name: 'Eve', source_id: null })
  expect(tracked.customer).toMatchObject({ name: 'Eve', source_id: 'eve' })
})

test('a SKU marked with override is stored in the catalogue when its product exists', () => {
  const { redeem, get } = open()
  const line = (product_id: string, source_id: string) => ({
    product_id,
    sku: { source_id, sku: 'Half a kilo', price: 2500, override: true },
    price: 2500,
  })

  redeem(['A'], { order: { items: [line('prod_beans', 'half'), line('prod_none', 'lost')] } })

  expect(get('/v1/skus/half').body).toMatchObject({ sku: 'Half a kilo', price: 2500, product_id: 'prod_beans' })
  expect(get('/v1/skus/lost').status).toBe(404)
})

test('a customer with two codes of a campaign counts as one customer', () => {
  const { redeem } = open({
    vouchers: [
      { id: 'v_A', code: 'A', campaign_id: 'camp_codes', ...off(500) },
      { id: 'v_Z', code: 'Z', campaign_id: 'camp_codes', ...off(300) },
    ],
    validation_rules: [
      {
        id: 'val_1',
        name: 'One',
        rules: { 1: { name: 'campaign.redemptions.customers_count', conditions: { $is: [1] } }, logic: '1' },
      },
    ],
    validation_rules_assignments: [
      { rule_id: 'val_1', related_object_id: 'camp_codes', related_object_type: 'campaign' },
    ],
  })

  expect(redeem(['A', 'Z'], { customer: { source_id: 'ada' } }).status).toBe(200)
})

test('an event contains redemption, customer, order, campaign, voucher and holder', () => {
  const { redeem, store } = open()
  const ada = { customer: { source_id: 'ada' } }

  const card = redeem([{ object: 'voucher', id: 'C', reward: { id: 'rew_1', points: 30 } }], ada).body
  const stack = redeem([{ object: 'promotion_stack', id: 'stack_1' }], ada).body

  const told = store.outbox.after(0, 100).filter(({ type }) => type === 'redemption.succeeded')
  expect(told.map(({ data }) => data)).toMatchObject([
    {
      redemption: { id: card.redemptions[0].id },
      customer: { id: 'cust_ada' },
      order: { id: card.order.id },
      campaign: { id: 'camp_club' },
      voucher: { code: 'C' },
      holder: { id: 'cust_ada' },
    },
    { promotion_tier: { id: 'promo_1' }, campaign: { id: 'camp_promo' } },
    { promotion_tier: { id: 'promo_2' } },
    { redemption: { id: stack.parent_redemption.id }, promotion_stack: { id: 'stack_1' } },
  ])
})

test('the tier of a redemption shows what was redeemed through it, in answers, lists and roll-backs alike', () => {
  const { redeem, rollBack, stored, list, get } = open()
  const { redemptions } = redeem([{ object: 'promotion_tier', id: 'promo_1' }]).body
  const once = { redemptions: { total_redeemed: 1 }, orders: { total_amount: 5000, total_discount_amount: 100 } }
  const none = { redemptions: { total_redeemed: 0 }, orders: { total_amount: 0, total_discount_amount: 0 } }

  expect(redemptions[0].promotion_tier).toEqual(get('/v1/promotions/tiers/promo_1').body)
  expect(redemptions[0].promotion_tier.summary).toEqual(once)
  expect(stored(redemptions[0].id).promotion_tier.summary).toEqual(once)
  expect(list().redemptions[0].promotion_tier.summary).toEqual(once)
  expect(rollBack(redemptions[0].id).body.promotion_tier.summary).toEqual(none)
})
