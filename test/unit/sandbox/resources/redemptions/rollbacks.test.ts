import { expect, test } from 'vitest'
import { campaign, off, openShop as open, shop } from '../../../../support/redemptions.ts'

const withoutOrder = { stacking_rules: { redeemables_rollback_order_mode: 'WITHOUT_ORDER' } }

const keyOf = ({ status, body }: { status: number; body: { key: string } }) => [status, body.key]

test('a rolled back redemption is no longer counted, and its order is canceled without its discount', () => {
  const { redeem, rollBack, voucher, stored, events } = open()
  const { redemptions, order } = redeem(['A'], { customer: { source_id: 'ada' } }).body
  const [redemption] = redemptions

  const { status, body } = rollBack(redemption.id, { reason: 'changed her mind', metadata: { desk: 2 } })

  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: expect.stringMatching(/^rr_/),
    object: 'redemption_rollback',
    redemption: redemption.id,
    reason: 'changed her mind',
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    customer_id: 'cust_ada',
    metadata: { desk: 2 },
    voucher: { code: 'A', redemption: { redeemed_quantity: 0 } },
    order: { id: order.id, status: 'CANCELED', amount: 5000, total_amount: 5000 },
  })
  expect(body.order).not.toHaveProperty('total_discount_amount')
  expect(voucher('A').redemption.redeemed_quantity).toBe(0)
  expect(stored(redemption.id)).toMatchObject({
    status: 'ROLLED_BACK',
    result: 'SUCCESS',
    related_redemptions: { rollbacks: [{ id: body.id, date: '2026-05-06T07:08:09.123Z' }] },
  })
  expect(stored(body.id)).toEqual(body)
  expect(events().at(-1)).toEqual(['redemption.rollback.succeeded', body.id])
  expect(redeem(['A']).status).toBe(200)
})

test('a rollback of a redemption without a customer has none', () => {
  const { redeem, rollBack, stored } = open()
  const [redemption] = redeem(['A']).body.redemptions

  const { body } = rollBack(redemption.id, {})

  expect([body.customer, stored(body.id).customer]).toEqual([null, null])
  expect(stored(redemption.id)).not.toHaveProperty('customer')
})

test('where orders are not canceled, the order stays paid and keeps its discount', () => {
  const { redeem, rollBack } = open(withoutOrder)
  const { redemptions } = redeem(['A'], { order: { source_id: 'o', amount: 5000 } }).body

  const { body } = rollBack(redemptions[0].id)

  expect(body.order).toMatchObject({ status: 'PAID', total_discount_amount: 500, total_amount: 4500 })
  expect(redeem(['B/ 1'], { order: { source_id: 'o' } }).body.order.total_amount).toBe(4200)
})

test('credits return to the gift card with a transaction that names the rollback', () => {
  const { redeem, rollBack, voucher, transactions, events } = open()
  const { redemptions } = redeem([{ object: 'voucher', id: 'G', gift: { credits: 400 } }]).body

  const { body } = rollBack(redemptions[0].id)

  expect(body).toMatchObject({ amount: -400, gift: { amount: -400 } })
  expect(voucher('G')).toMatchObject({
    gift: { amount: 1000, balance: 1000 },
    redemption: { redeemed_quantity: 0, redeemed_amount: 0 },
  })
  expect(transactions('G').at(-1)).toMatchObject({
    type: 'CREDITS_REFUND',
    details: {
      balance: { amount: 400, balance: 1000 },
      redemption: { id: redemptions[0].id },
      rollback: { id: body.id },
    },
  })
  expect(
    events()
      .map(([type]) => type)
      .slice(-2),
  ).toEqual(['voucher.gift.transaction.created', 'redemption.rollback.succeeded'])
})

test('points return to the loyalty card', () => {
  const { redeem, rollBack, voucher, transactions } = open()
  const id = idOf(redeem([{ object: 'voucher', id: 'C', reward: { id: 'rew_1', points: 30 } }]))

  expect(rollBack(id).body).toMatchObject({ loyalty_card: { points: -30 }, reward: { id: 'rew_1' } })
  expect(voucher('C')).toMatchObject({ loyalty_card: { balance: 100 }, redemption: { redeemed_points: 0 } })
  expect(transactions('C').map(({ type }: { type: string }) => type)).toEqual(['POINTS_REDEMPTION', 'POINTS_REFUND'])
})

function idOf({ body }: ReturnType<ReturnType<typeof open>['redeem']>): string {
  return body.redemptions[0].id
}

test('redemptions made together are rolled back together, each with an event and one for the parent', () => {
  const { redeem, rollBackAll, voucher, stored, events } = open()
  const { parent_redemption, redemptions } = redeem(['A', 'B/ 1', 'G']).body

  const { status, body } = rollBackAll(parent_redemption.id, { reason: 'returned' })

  expect(status).toBe(200)
  expect(body.rollbacks.map((rollback: { redemption: string }) => rollback.redemption)).toEqual(
    redemptions.map(({ id }: { id: string }) => id),
  )
  expect(body.parent_rollback).toMatchObject({ redemption: parent_redemption.id, reason: 'returned' })
  expect(body.order).toMatchObject({ status: 'CANCELED', amount: 5000, total_amount: 5000 })
  expect([voucher('A'), voucher('B/ 1'), voucher('G')].map((one) => one.redemption.redeemed_quantity)).toEqual([
    0, 0, 0,
  ])
  expect(voucher('G').gift.balance).toBe(1000)
  expect(stored(parent_redemption.id).status).toBe('ROLLED_BACK')
  expect(events().filter(([type]) => type === 'redemption.rollback.succeeded')).toHaveLength(4)
})

test('a stack is rolled back by its parent', () => {
  const { redeem, rollBackAll, stored } = open()
  const { parent_redemption, redemptions } = redeem([{ object: 'promotion_stack', id: 'stack_1' }]).body

  expect(rollBackAll(parent_redemption.id).body.rollbacks).toHaveLength(2)
  expect(stored(redemptions[0].id).status).toBe('ROLLED_BACK')
})

test('free units are removed from the order by the rollback', () => {
  const { redeem, rollBack } = open()
  const { redemptions, order } = redeem(['UNIT'], {
    order: { items: [{ product_id: 'prod_beans', quantity: 2 }] },
  }).body
  expect(order).toMatchObject({ amount: 4500, total_amount: 3000 })

  const { body } = rollBack(redemptions[0].id)

  const line = { product_id: 'prod_beans', quantity: 2, amount: 3000, subtotal_amount: 3000 }
  expect(body.order).toMatchObject({ status: 'CANCELED', amount: 3000, total_amount: 3000, items: [line] })
  expect(body.order.items[0]).not.toHaveProperty('discount_quantity')
  expect(body.order).not.toHaveProperty('initial_amount')
})

test('a line of free units only is removed with them', () => {
  const { redeem, rollBack } = open()
  const { redemptions, order } = redeem(['UNIT'], { order: { items: [{ source_id: 'tea', price: 700 }] } }).body

  expect(order.items).toHaveLength(2)
  expect(rollBack(redemptions[0].id).body.order).toMatchObject({
    items: [{ source_id: 'tea', amount: 700 }],
    total_amount: 700,
  })
})

test('what a later redemption took off the same order stays off', () => {
  const { redeem, rollBack } = open()
  const order = { source_id: 'o', amount: 5000 }
  const first = redeem(['A'], { order }).body
  redeem(['B/ 1'], { order: { source_id: 'o' } })

  expect(rollBack(first.redemptions[0].id).body.order).toMatchObject({ discount_amount: 300, total_amount: 4700 })
})

test('a redemption is rolled back once, alone or with others', () => {
  const { redeem, rollBack, rollBackAll, stored, events, voucher } = open()
  const id = idOf(redeem(['A']))
  rollBack(id)

  const { status, body } = rollBack(id)

  expect([status, body.key, body.details, body.resource_type]).toEqual([
    400,
    'already_rolled_back',
    id,
    'redemption_rollback',
  ])
  expect(stored(body.resource_id)).toMatchObject({
    id: expect.stringMatching(/^rrf_/),
    object: 'redemption_rollback',
    result: 'FAILURE',
    status: 'FAILED',
    failure_code: 'already_rolled_back',
  })
  expect(events().at(-1)).toEqual(['redemption.rollback.failed', body.resource_id])
  expect(voucher('A').redemption.redeemed_quantity).toBe(0)
  const parent = redeem(['A', 'B/ 1']).body.parent_redemption.id
  rollBackAll(parent)
  expect(keyOf(rollBackAll(parent))).toEqual([400, 'already_rolled_back'])
})

test('one of several, a parent, a rollback, and a failed attempt cannot be rolled back alone', () => {
  const { redeem, rollBack, voucher } = open()
  const { redemptions, parent_redemption } = redeem(['A', 'B/ 1']).body
  const failed = redeem(['OFF']).body.resource_id
  const single = redeem(['B/ 1']).body.redemptions[0].id
  const rollback = rollBack(single).body.id

  expect([redemptions[0].id, parent_redemption.id, failed, rollback].map((id) => keyOf(rollBack(id)))).toEqual([
    [400, 'invalid_redemption_parent'],
    [400, 'invalid_redemption'],
    [400, 'invalid_redemption'],
    [400, 'invalid_redemption'],
  ])
  expect(rollBack(redemptions[0].id).body.message).toBe('Invalid redemption parent')
  expect(voucher('A').redemption.redeemed_quantity).toBe(1)
})

test('a redemption that is not a parent cannot be rolled back as one', () => {
  const { redeem, rollBackAll } = open()

  expect(keyOf(rollBackAll(idOf(redeem(['A']))))).toEqual([400, 'invalid_redemption_parent'])
})

test('after three months a redemption cannot be rolled back', () => {
  const { redeem, rollBack, clock } = open()
  const [early, late] = [redeem(['A']), redeem(['B/ 1'])].map(idOf) as [string, string]

  clock.now = '2026-08-06T07:08:09.123Z'
  expect(rollBack(early).status).toBe(200)
  clock.now = '2026-08-06T07:08:09.124Z'
  expect(rollBack(late)).toMatchObject({
    status: 400,
    body: { key: 'invalid_redemption', details: `${late} is older than three months` },
  })
})

test('a rollback can change status and metadata of its order, and nothing else', () => {
  const { redeem, rollBack } = open()
  const { redemptions, order } = redeem(['A'], { order: { amount: 5000, metadata: { box: 1 } } }).body
  const { id } = redemptions[0]

  expect(keyOf(rollBack(id, { order: { amount: 1 } }))).toEqual([400, 'invalid_rollback_params'])
  const { body } = rollBack(id, { order: { id: order.id, status: 'FULFILLED', metadata: { returned: true } } })

  expect(body.order).toMatchObject({ status: 'FULFILLED', metadata: { box: 1, returned: true } })
})

test('a rollback may change the customer who redeemed, and a tracking id is hidden', () => {
  const { redeem, rollBack, get } = open()
  const id = idOf(redeem(['A'], ada))

  const { body } = rollBack(id, { customer: { source_id: 'ada', name: 'Ada L.' }, tracking_id: 'clerk' })

  expect(body).toMatchObject({ customer_id: 'cust_ada', tracking_id: expect.stringMatching(/^track_/) })
  expect(get('/v1/customers/ada').body.name).toBe('Ada L.')
})

const ada = { customer: { source_id: 'ada' } }

test.each([
  [{ order: { id: 'ord_other' } }, 400, 'invalid_order', 'Invalid order'],
  [{ order: { source_id: 'shop-8' } }, 400, 'invalid_order', 'Invalid order'],
  [{ customer: { source_id: 'clerk' } }, 400, 'invalid_customer', 'Invalid customer'],
  [{ customer: { id: 'cust_x' } }, 404, 'not_found', 'Resource not found'],
  [{ customer: { name: 'Nobody' } }, 400, 'invalid_customer', 'Invalid customer'],
])(
  'a rollback with what the redemption does not belong to is refused and remembered: %j',
  (stranger, code, key, message) => {
    const { redeem, rollBack, stored, voucher, get } = open()
    const { id } = redeem(['A'], { customer: { source_id: 'ada' }, order: { source_id: 'shop-7', amount: 5000 } }).body
      .redemptions[0]

    const { status, body } = rollBack(id, stranger)

    const [failed] = get('/v1/redemptions').body.redemptions
    expect([status, body.key, body.message]).toEqual([code, key, message])
    if (code === 404) expect(body).toMatchObject({ resource_id: 'cust_x', resource_type: 'customer' })
    else expect(body).toMatchObject({ resource_id: failed.id, resource_type: 'redemption_rollback' })
    if (key === 'invalid_order') expect(body.details).toBe('Order is not related with redemption.')
    expect(stored(failed.id)).toMatchObject({ status: 'FAILED', failure_code: key, customer_id: 'cust_ada' })
    expect(voucher('A').redemption.redeemed_quantity).toBe(1)
    expect(get('/v1/customers/clerk').status).toBe(404)
  },
)

test('a rollback is noted on the order', () => {
  const { redeem, rollBackAll } = open()
  const { parent_redemption, redemptions } = redeem(['A', 'B/ 1']).body

  const { order, rollbacks, parent_rollback } = rollBackAll(parent_redemption.id).body

  expect(order.redemptions).toEqual({
    [parent_redemption.id]: {
      date: '2026-05-06T07:08:09.123Z',
      related_object_type: 'redemption',
      related_object_id: parent_redemption.id,
      stacked: redemptions.map(({ id }: { id: string }) => id),
      rollback_id: parent_rollback.id,
      rollback_date: '2026-05-06T07:08:09.123Z',
      rollback_stacked: rollbacks.map(({ id }: { id: string }) => id),
    },
  })
  expect(rollbacks.map((rollback: { order: { total_amount: number } }) => rollback.order.total_amount)).toEqual([
    4500, 4200,
  ])
})

test('wherever a redemption or a rollback is shown, its order tells whose it is and what it was paid with', () => {
  const { redeem, rollBack, stored, list, get, store } = open()
  const { redemptions } = redeem(['A'], { customer: { source_id: 'ada' } }).body
  const { id } = redemptions[0]
  const paid = { [id]: { date: '2026-05-06T07:08:09.123Z', related_object_type: 'voucher', related_object_id: 'v_A' } }
  const before = stored(id).order

  const { body } = rollBack(id)
  const undone = { [id]: { ...paid[id], rollback_id: body.id, rollback_date: '2026-05-06T07:08:09.123Z' } }
  const shown = [body, stored(id), stored(body.id), ...list().redemptions]
  const [entry] = get('/v1/vouchers/A/redemption').body.redemption_entries
  const events = store.outbox.after(0, 100).filter(({ type }) => type.startsWith('redemption.'))

  expect(redemptions[0].order.redemptions).toMatchObject(paid)
  expect(before).toMatchObject({
    redemptions: paid,
    updated_at: null,
    customer: { id: 'cust_ada', object: 'customer' },
  })
  for (const { order } of [...shown, entry])
    expect(order).toMatchObject({ redemptions: undone, customer: { id: 'cust_ada', object: 'customer' } })
  expect(events.map(({ data }) => (data as { order: { redemptions: object } }).order.redemptions)).toMatchObject([
    paid,
    undone,
  ])
})

test('reason and tracking id may be sent in the query, without a body; the body takes precedence', () => {
  const { redeem, call } = open()
  const [one, two] = ['A', 'B/ 1'].map((code) => redeem([code]).body.redemptions[0].id)
  const query = 'reason=returned&tracking_id=clerk'

  const asked = call('POST', `/v1/redemptions/${one}/rollback`, { query }).body
  const both = call('POST', `/v1/redemptions/${two}/rollback`, { query, body: { reason: 'broken' } }).body

  expect([asked.reason, both.reason]).toEqual(['returned', 'broken'])
  expect(asked.tracking_id).toMatch(/^track_/)
})

test('a redemption of a voucher in the bin can be rolled back', () => {
  const { redeem, rollBack, del } = open()
  const id = idOf(redeem(['A']))
  del('/v1/vouchers/A')

  const { status, body } = rollBack(id)

  expect(status).toBe(200)
  expect(body).not.toHaveProperty('voucher')
})

test('a referral is not rewarded when its redemption was rolled back before', async () => {
  const friends = { ...campaign, id: 'camp_friends', name: 'Friends', campaign_type: 'REFERRAL_PROGRAM' }
  const owned = { campaign_id: 'camp_friends', is_referral_code: true, holder_id: 'cust_ada', publish: { count: 1 } }
  const { redeem, rollBack, settled, get } = open({
    campaigns: [...shop.campaigns, { ...friends, referral_program: { conversion_event_type: 'redemption' } }],
    vouchers: [{ id: 'v_F', code: 'F', ...off(100), ...owned }],
  })
  rollBack(idOf(redeem(['F'], { customer: { source_id: 'bob' } })))

  await settled()

  expect(get('/v1/referrals/members/F/holders').body.data).toEqual([])
})

test('an order that is paid again after its rollback does not earn points again', async () => {
  const { redeem, rollBack, settled, voucher } = open({
    earning_rules: [{ campaign_id: 'camp_club', event: 'order.paid', loyalty: { type: 'FIXED', points: 7 } }],
  })
  const id = idOf(redeem(['A'], { order: { source_id: 'o', amount: 5000 }, ...ada }))
  await settled()

  rollBack(id)
  const { order } = redeem(['A'], { order: { source_id: 'o' }, ...ada }).body
  await settled()

  expect([order.status, voucher('C').loyalty_card.balance]).toEqual(['PAID', 107])
})

test('metadata of a rollback, and of its order, must fit the schemas', () => {
  const properties = { desk: { type: 'number', optional: true } }
  const metadata_schemas = ['redemption', 'order'].map((related_object) => ({ related_object, properties }))
  const { redeem, rollBack, stored } = open({ metadata_schemas })
  const id = idOf(redeem(['A']))
  const metadata = { desk: 'two' }

  for (const body of [{ metadata }, { order: { metadata } }])
    expect(keyOf(rollBack(id, body))).toEqual([400, 'metadata_validation_failed'])
  expect(stored(id).status).toBe('SUCCEEDED')
})
