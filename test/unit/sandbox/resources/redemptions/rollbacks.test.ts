import { expect, test } from 'vitest'
import { campaign, off, openShop as open, shop } from '../../../../support/redemptions.ts'

const ada = { customer: { source_id: 'ada' } }

const keyOf = ({ status, body }: { status: number; body: { key: string } }) => [status, body.key]

test('a rolled back redemption is no longer counted, and its order is canceled without its discount', () => {
  const { redeem, rollBack, voucher, stored, events } = open()
  const { redemptions, order } = redeem(['A'], ada).body
  const [{ id }] = redemptions

  const { status, body } = rollBack(id, { reason: 'changed her mind', metadata: { desk: 2 } })

  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: expect.stringMatching(/^rr_/),
    object: 'redemption_rollback',
    redemption: id,
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
  const rollbacks = [{ id: body.id, date: '2026-05-06T07:08:09.123Z' }]
  expect(stored(id)).toMatchObject({ status: 'ROLLED_BACK', result: 'SUCCESS', related_redemptions: { rollbacks } })
  expect(stored(body.id)).toEqual(body)
  expect(events().at(-1)).toEqual(['redemption.rollback.succeeded', body.id])
  expect(redeem(['A']).status).toBe(200)
})

test('a rollback of a redemption without a customer has none', () => {
  const { redeem, rollBack, stored } = open()
  const id = idOf(redeem(['A']))

  const { body } = rollBack(id, {})

  expect([body.customer, stored(body.id).customer]).toEqual([null, null])
  expect(stored(id)).not.toHaveProperty('customer')
})

test('where orders are not canceled, the order stays paid and keeps its discount', () => {
  const { redeem, rollBack } = open({ stacking_rules: { redeemables_rollback_order_mode: 'WITHOUT_ORDER' } })
  const id = idOf(redeem(['A'], { order: { source_id: 'o', amount: 5000 } }))

  const { order } = rollBack(id).body
  expect(order).toMatchObject({ status: 'PAID', total_discount_amount: 500, total_amount: 4500 })
  expect(redeem(['B/ 1'], { order: { source_id: 'o' } }).body.order.total_amount).toBe(4200)
})

test('credits return to the gift card with a transaction that names the rollback', () => {
  const { redeem, rollBack, voucher, transactions, events } = open()
  const id = idOf(redeem([{ object: 'voucher', id: 'G', gift: { credits: 400 } }]))

  const { body } = rollBack(id)

  expect(body).toMatchObject({ amount: -400, gift: { amount: -400 } })
  const redemption = { redeemed_quantity: 0, redeemed_amount: 0 }
  expect(voucher('G')).toMatchObject({ gift: { amount: 1000, balance: 1000 }, redemption })
  const details = { balance: { amount: 400, balance: 1000 }, redemption: { id }, rollback: { id: body.id } }
  expect(transactions('G').at(-1)).toMatchObject({ type: 'CREDITS_REFUND', details })
  const types = events().map(([type]) => type)
  expect(types.slice(-2)).toEqual(['voucher.gift.transaction.created', 'redemption.rollback.succeeded'])
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
  expect(body).toMatchObject({
    rollbacks: redemptions.map(({ id }: { id: string }) => ({ redemption: id })),
    parent_rollback: { redemption: parent_redemption.id, reason: 'returned' },
    order: { status: 'CANCELED', amount: 5000, total_amount: 5000 },
  })
  for (const code of ['A', 'B/ 1', 'G']) expect(voucher(code).redemption.redeemed_quantity).toBe(0)
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
  const answer = redeem(['UNIT'], { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } })
  expect(answer.body.order).toMatchObject({ amount: 4500, total_amount: 3000 })

  const { order } = rollBack(idOf(answer)).body

  const line = { product_id: 'prod_beans', quantity: 2, amount: 3000, subtotal_amount: 3000 }
  expect(order).toMatchObject({ status: 'CANCELED', amount: 3000, total_amount: 3000, items: [line] })
  expect(order.items[0]).not.toHaveProperty('discount_quantity')
  expect(order).not.toHaveProperty('initial_amount')
})

test('a line of free units only is removed with them', () => {
  const { redeem, rollBack } = open()
  const answer = redeem(['UNIT'], { order: { items: [{ source_id: 'tea', price: 700 }] } })

  expect(answer.body.order.items).toHaveLength(2)
  const items = [{ source_id: 'tea', amount: 700 }]
  expect(rollBack(idOf(answer)).body.order).toMatchObject({ items, total_amount: 700 })
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
  const key = 'already_rolled_back'

  const { body } = rollBack(id)

  expect(body).toMatchObject({ code: 400, key, details: id, resource_type: 'redemption_rollback' })
  expect(stored(body.resource_id)).toMatchObject({
    id: expect.stringMatching(/^rrf_/),
    object: 'redemption_rollback',
    result: 'FAILURE',
    status: 'FAILED',
    failure_code: key,
  })
  expect(events().at(-1)).toEqual(['redemption.rollback.failed', body.resource_id])
  expect(voucher('A').redemption.redeemed_quantity).toBe(0)
  const parent = redeem(['A', 'B/ 1']).body.parent_redemption.id
  rollBackAll(parent)
  expect(keyOf(rollBackAll(parent))).toEqual([400, key])
})

test('one of several, a parent, a rollback, and a failed attempt cannot be rolled back alone', () => {
  const { redeem, rollBack, voucher } = open()
  const { redemptions, parent_redemption } = redeem(['A', 'B/ 1']).body
  const failed = redeem(['OFF']).body.resource_id
  const rollback = rollBack(idOf(redeem(['B/ 1']))).body.id

  const error = { code: 400, key: 'invalid_redemption_parent', message: 'Invalid redemption parent' }
  expect(rollBack(redemptions[0].id).body).toMatchObject(error)
  for (const id of [parent_redemption.id, failed, rollback])
    expect(keyOf(rollBack(id))).toEqual([400, 'invalid_redemption'])
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
  const body = { key: 'invalid_redemption', details: `${late} is older than three months` }
  expect(rollBack(late)).toMatchObject({ status: 400, body })
})

test('a rollback can change status and metadata of its order, and nothing else', () => {
  const { redeem, rollBack } = open()
  const answer = redeem(['A'], { order: { amount: 5000, metadata: { box: 1 } } })
  const id = idOf(answer)

  expect(keyOf(rollBack(id, { order: { amount: 1 } }))).toEqual([400, 'invalid_rollback_params'])
  const changes = { id: answer.body.order.id, status: 'FULFILLED', metadata: { returned: true } }
  expect(rollBack(id, { order: changes }).body.order).toMatchObject({
    ...changes,
    metadata: { box: 1, returned: true },
  })
})

test('a rollback may change the customer who redeemed, and a tracking id is hidden', () => {
  const { redeem, rollBack, get } = open()
  const id = idOf(redeem(['A'], ada))

  const { body } = rollBack(id, { customer: { source_id: 'ada', name: 'Ada L.' }, tracking_id: 'clerk' })

  expect(body).toMatchObject({ customer_id: 'cust_ada', tracking_id: expect.stringMatching(/^track_/) })
  expect(get('/v1/customers/ada').body.name).toBe('Ada L.')
})

test.each([
  [{ order: { id: 'ord_other' } }, 400, 'invalid_order', 'Invalid order'],
  [{ order: { source_id: 'shop-8' } }, 400, 'invalid_order', 'Invalid order'],
  [{ customer: { source_id: 'clerk' } }, 400, 'invalid_customer', 'Invalid customer'],
  [{ customer: { id: 'cust_x' } }, 404, 'not_found', 'Resource not found'],
  [{ customer: { name: 'Nobody' } }, 400, 'invalid_customer', 'Invalid customer'],
])(
  'a rollback with what the redemption does not belong to is refused and remembered: %j',
  (stranger, code, key, message) => {
    const { redeem, rollBack, stored, voucher, list, ask } = open()
    const id = idOf(redeem(['A'], { ...ada, order: { source_id: 'shop-7', amount: 5000 } }))

    const { body } = rollBack(id, stranger)

    const [failed] = list().redemptions
    const rollback = { resource_id: failed.id, resource_type: 'redemption_rollback' }
    const resource = code === 404 ? { resource_id: 'cust_x', resource_type: 'customer' } : rollback
    expect(body).toMatchObject({ code, key, message, ...resource })
    if (key === 'invalid_order') expect(body.details).toBe('Order is not related with redemption.')
    expect(stored(failed.id)).toMatchObject({ status: 'FAILED', failure_code: key, customer_id: 'cust_ada' })
    expect(voucher('A').redemption.redeemed_quantity).toBe(1)
    ask('GET /v1/customers/clerk', 404)
  },
)

test('a rollback is noted on the order', () => {
  const { redeem, rollBackAll } = open()
  const { parent_redemption, redemptions } = redeem(['A', 'B/ 1']).body

  const { order, rollbacks, parent_rollback } = rollBackAll(parent_redemption.id).body

  const ids = (list: { id: string }[]) => list.map(({ id }) => id)
  expect(order.redemptions).toEqual({
    [parent_redemption.id]: {
      date: '2026-05-06T07:08:09.123Z',
      related_object_type: 'redemption',
      related_object_id: parent_redemption.id,
      stacked: ids(redemptions),
      rollback_id: parent_rollback.id,
      rollback_date: '2026-05-06T07:08:09.123Z',
      rollback_stacked: ids(rollbacks),
    },
  })
  expect(rollbacks).toMatchObject([4500, 4200].map((total_amount) => ({ order: { total_amount } })))
})

test('wherever a redemption or a rollback is shown, its order tells whose it is and what it was paid with', () => {
  const { redeem, rollBack, stored, list, ask, store } = open()
  const [{ id, order }] = redeem(['A'], ada).body.redemptions
  const date = '2026-05-06T07:08:09.123Z'
  const paid = { [id]: { date, related_object_type: 'voucher', related_object_id: 'v_A' } }
  const customer = { id: 'cust_ada', object: 'customer' }
  expect(order.redemptions).toMatchObject(paid)
  expect(stored(id).order).toMatchObject({ redemptions: paid, updated_at: null, customer })

  const { body } = rollBack(id)

  const redemptions = { [id]: { ...paid[id], rollback_id: body.id, rollback_date: date } }
  const [entry] = ask('GET /v1/vouchers/A/redemption').redemption_entries
  for (const shown of [body, stored(id), stored(body.id), ...list().redemptions, entry])
    expect(shown.order).toMatchObject({ redemptions, customer })
  const events = store.outbox.after(0, 100).filter(({ type }) => type.startsWith('redemption.'))
  const seen = [paid, redemptions].map((one) => ({ data: { order: { redemptions: one } } }))
  expect(events).toMatchObject(seen)
})

test('reason and tracking id may be sent in the query, without a body; the body takes precedence', () => {
  const { redeem, ask } = open()
  const [one, two] = ['A', 'B/ 1'].map((code) => idOf(redeem([code])))
  const query = 'reason=returned&tracking_id=clerk'

  const tracking_id = expect.stringMatching(/^track_/)
  ask(`POST /v1/redemptions/${one}/rollback?${query}`, undefined, { reason: 'returned', tracking_id })
  ask(`POST /v1/redemptions/${two}/rollback?${query}`, { reason: 'broken' }, { reason: 'broken' })
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
  const { redeem, rollBack, settled, ask } = open({
    campaigns: [...shop.campaigns, { ...friends, referral_program: { conversion_event_type: 'redemption' } }],
    vouchers: [{ id: 'v_F', code: 'F', ...off(100), ...owned }],
  })
  rollBack(idOf(redeem(['F'], { customer: { source_id: 'bob' } })))

  await settled()

  ask('GET /v1/referrals/members/F/holders', { data: [] })
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
