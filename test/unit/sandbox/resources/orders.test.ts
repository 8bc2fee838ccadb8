import { expect, test } from 'vitest'
import { programs } from '../../../support/loyalty.ts'
import { ended } from '../../../support/rows.ts'
import { testNow, testSandbox } from '../../../support/sandbox.ts'

/** The id of a line, as an answer has it. */
const lineId = expect.stringMatching(/^ordli_[\da-f]{18}$/)

test('an order can be stored without anything said about it', () => {
  const { post, get } = testSandbox()

  const { status, body } = post('/v1/orders', {})

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^ord_/),
    source_id: null,
    created_at: testNow,
    updated_at: null,
    status: 'CREATED',
    customer_id: null,
    referrer_id: null,
    object: 'order',
  })
  expect(get(`/v1/orders/${body.id}`).body).toEqual(body)
})

test('an order shows its lines as they were sent, with a total over the prices that are known', () => {
  const { body } = testSandbox().post('/v1/orders', {
    source_id: 'web-1',
    items: [
      { source_id: 'unheard-of', related_object: 'product', quantity: 2 },
      { product_id: 'prod_x', quantity: 3, price: 500 },
    ],
  })

  expect(body).toMatchObject({ source_id: 'web-1', amount: 1500, total_amount: 1500 })
  expect(body.items).toEqual([
    { object: 'order_item', id: lineId, source_id: 'unheard-of', related_object: 'product', quantity: 2 },
    {
      object: 'order_item',
      id: lineId,
      product_id: 'prod_x',
      quantity: 3,
      price: 500,
      amount: 1500,
      subtotal_amount: 1500,
    },
  ])
  expect(body).not.toHaveProperty('metadata')
})

test('the customer and the referrer of an order are stored, and one without ids is always new', () => {
  const { post, get } = testSandbox()
  const order = { amount: 100, customer: { name: 'Ada' }, referrer: { source_id: 'bob' } }

  const [first, second] = [post('/v1/orders', order), post('/v1/orders', order)]

  expect(first.body.customer).toEqual({ id: first.body.customer_id, object: 'customer' })
  expect(get(`/v1/customers/${first.body.customer_id}`).body.name).toBe('Ada')
  expect(second.body.customer_id).not.toBe(first.body.customer_id)
  expect(second.body.referrer_id).toBe(first.body.referrer_id)
  expect(first.body.referrer).toEqual({ id: first.body.referrer_id, object: 'customer' })
  expect(get('/v1/customers/bob').body.id).toBe(first.body.referrer_id)
})

test('an order that is sent again under its id or its source id is changed', () => {
  const { post, get } = testSandbox()
  const made = post('/v1/orders', { source_id: 'web-1', amount: 100 }).body

  const bySource = post('/v1/orders', { source_id: 'web-1', amount: 200 }).body
  const byId = post('/v1/orders', { id: made.id, status: 'PAID' }).body

  expect(bySource).toMatchObject({ id: made.id, amount: 200, total_amount: 200, updated_at: testNow })
  expect(byId).toMatchObject({ id: made.id, source_id: 'web-1', amount: 200, status: 'PAID' })
  expect(get('/v1/orders').body.total).toBe(1)
})

test('a source id belongs to one order', () => {
  const { post, put, get } = testSandbox()
  post('/v1/orders', { source_id: 'web-1' })
  const other = post('/v1/orders', { source_id: 'web-2' }).body

  const refused = put(`/v1/orders/${other.id}`, { source_id: 'web-1' })

  expect(refused).toMatchObject({ status: 409, body: { key: 'duplicate_found', resource_type: 'order' } })
  expect(get('/v1/orders/web-2').body.id).toBe(other.id)
})

test('an update changes what is sent, and what is left out stays', () => {
  const { post, put, clock } = testSandbox()
  const items = [{ product_id: 'prod_x', quantity: 2, price: 500 }]
  const made = post('/v1/orders', { source_id: 'web-1', items, metadata: { gift: true, hall: 2 } })
  clock.now = '2026-05-07T00:00:00.000Z'

  const updated = put('/v1/orders/web-1', { amount: 800, metadata: { hall: 3 } }).body
  const paid = put('/v1/orders/web-1', { status: 'PAID' }).body
  const withoutAmount = put('/v1/orders/web-1', { amount: null, metadata: null }).body

  expect(updated).toMatchObject({ amount: 800, total_amount: 800, metadata: { gift: true, hall: 3 } })
  expect(updated).toMatchObject({ items: made.body.items, updated_at: '2026-05-07T00:00:00.000Z' })
  expect(paid).toMatchObject({ status: 'PAID', amount: 800, items: made.body.items })
  expect(withoutAmount).toMatchObject({ amount: 1000, total_amount: 1000, metadata: {} })
})

test('an update without effect changes nothing and records nothing', () => {
  const { post, put, events } = testSandbox()
  post('/v1/orders', { source_id: 'web-1', amount: 100 })
  const before = events()

  expect(put('/v1/orders/web-1', { status: 'CREATED' }).body.updated_at).toBeNull()
  expect(events()).toEqual(before)
})

test('the metadata of an order and of its lines follow their schemas', () => {
  const properties = { channel: { type: 'string', optional: true } }
  const { post, get } = testSandbox({ fixture: { metadata_schemas: [{ related_object: 'order', properties }] } })

  const refused = post('/v1/orders', { source_id: 'web-1', metadata: { channel: 7 } })

  expect(refused).toMatchObject({ status: 400, body: { key: 'metadata_validation_failed' } })
  expect(get('/v1/orders').body.total).toBe(0)
})

const ten = { code: 'TEN', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } }
const redeemables = [{ object: 'voucher', id: 'TEN' }]

test('orders are listed newest first, those of redemptions among them', () => {
  const { post, get, clock } = testSandbox({ fixture: { vouchers: [ten] } })
  post('/v1/orders', { source_id: 'web-1' })
  clock.now = '2026-05-07T00:00:00.000Z'
  post('/v1/redemptions', { redeemables, order: { source_id: 'web-2', amount: 1000 } })

  const { body } = get('/v1/orders', 'limit=5&page=1')

  expect(body).toMatchObject({ object: 'list', data_ref: 'orders', total: 2 })
  expect(body.orders).toMatchObject([
    { source_id: 'web-2', status: 'PAID', total_amount: 900, total_discount_amount: 100 },
    { source_id: 'web-1', status: 'CREATED' },
  ])
  expect(get('/v1/orders', 'order=status&limit=1').body.orders).toMatchObject([{ source_id: 'web-1' }])
  expect(get('/v1/orders', 'filters[status][conditions][$is]=PAID').body.total).toBe(1)
})

test('a change that leaves amounts alone keeps what a redemption took off', () => {
  const { post, put } = testSandbox({ fixture: { vouchers: [ten] } })
  post('/v1/redemptions', { redeemables, order: { source_id: 'web-2', amount: 1000 } })

  expect(put('/v1/orders/web-2', { status: 'FULFILLED' }).body).toMatchObject({
    total_applied_discount_amount: 100,
    total_amount: 900,
  })
  expect(put('/v1/orders/web-2', { amount: 2000 }).body).toMatchObject({
    amount: 2000,
    total_discount_amount: 100,
    total_amount: 1900,
  })
})

test('each change of an order is recorded, and each status it reaches', () => {
  const { post, put, events } = testSandbox()
  const { id } = post('/v1/orders', { amount: 100 }).body
  for (const status of ['PAID', 'FULFILLED', 'CANCELED']) put(`/v1/orders/${id}`, { status })

  expect(events()).toEqual([
    ['order.created', id],
    ['order.updated', id],
    ['order.paid', id],
    ['order.updated', id],
    ['order.fulfilled', id],
    ['order.updated', id],
    ['order.canceled', id],
  ])
})

const club = {
  campaigns: programs,
  customers: [{ id: 'cust_ada', source_id: 'ada' }],
  vouchers: [
    { code: 'ADA', type: 'LOYALTY_CARD', campaign_id: 'camp_club', loyalty_card: { points: 0 }, holder_id: 'cust_ada' },
  ],
  earning_rules: [
    {
      campaign_id: 'camp_club',
      event: 'order.paid',
      loyalty: { type: 'PROPORTIONAL', calculation_type: 'ORDER_AMOUNT', order: { amount: { every: 100, points: 1 } } },
    },
  ],
}

test('an order earns points once, when it is first paid, whatever becomes of it later', async () => {
  const { get, post, settled } = testSandbox({ fixture: club })
  const balance = () => get('/v1/vouchers/ADA').body.loyalty_card.balance
  const send = async (body: Record<string, unknown>) => {
    post('/v1/orders', { source_id: 'web-1', ...body })
    await settled()
    return balance()
  }

  expect(await send({ amount: 1000, customer: { source_id: 'ada' } })).toBe(0)
  expect(await send({ status: 'PAID' })).toBe(10)
  expect(await send({ status: 'PAID', amount: 5000 })).toBe(10)
  expect(await send({ status: 'CREATED' })).toBe(10)
  expect(await send({ status: 'PAID' })).toBe(10)
  expect(await send({ status: 'CANCELED' })).toBe(10)
  expect(await send({ status: 'PAID' })).toBe(10)
})

test('an order that was paid before a redemption earns nothing more by it', async () => {
  const { post, get, settled } = testSandbox({ fixture: { ...club, vouchers: [...club.vouchers, ten] } })
  const customer = { source_id: 'ada' }
  post('/v1/orders', { source_id: 'web-1', status: 'PAID', amount: 1000, customer })
  post('/v1/redemptions', { redeemables, customer, order: { source_id: 'web-1' } })
  await settled()

  expect(get('/v1/vouchers/ADA').body.loyalty_card.balance).toBe(10)
})

test('orders can be exported', async () => {
  const { post, get, settled } = testSandbox()
  post('/v1/orders', { source_id: 'web-1', amount: 1234 })

  const { body } = post('/v1/orders/export', { parameters: { fields: ['source_id', 'amount'] } })
  await settled()

  expect(body).toMatchObject({ object: 'export', status: 'SCHEDULED', exported_object: 'order' })
  const { url } = get(`/v1/exports/${body.id}`).body.result
  const { pathname, search } = new URL(url)
  const file = get(pathname, search.slice(1)).body
  expect([...file].join('')).toBe('Source ID,Amount\nweb-1,12.34\n')
})

test('imported orders are history: they record nothing and earn nothing, then or later', async () => {
  const sandbox = testSandbox({ fixture: club })
  const { post, get, put, events } = sandbox

  const answer = post('/v1/orders/import', [
    { source_id: 'web-1', status: 'PAID', amount: 1000, customer: { source_id: 'ada' } },
    { source_id: 'web-2', status: 'LOST' },
    { source_id: 'web-3', items: [{ product_id: 'prod_x', quantity: 2, price: 50 }] },
  ])
  const action = await ended(sandbox, answer)

  expect(answer.status).toBe(200)
  expect(action).toMatchObject({
    type: 'ORDERS.IMPORT',
    result: { message: '2 order(s) imported successfully, 1 failed.', done_count: 2, failed_count: 1 },
  })
  expect(action.result.failed).toMatchObject([{ source_id: 'web-2', row: 2 }])
  expect(get('/v1/orders/web-1').body).toMatchObject({ status: 'PAID', customer_id: 'cust_ada' })
  expect(get('/v1/orders/web-3').body).toMatchObject({ amount: 100, status: 'CREATED' })
  expect(events()).toEqual([])
  put('/v1/orders/web-1', { status: 'CREATED' })
  put('/v1/orders/web-1', { status: 'PAID' })
  await sandbox.settled()
  expect(get('/v1/vouchers/ADA').body.loyalty_card.balance).toBe(0)
})

test('an imported order that is refused after its customer was stored leaves no customer behind', async () => {
  const properties = { channel: { type: 'string', optional: true } }
  const sandbox = testSandbox({ fixture: { metadata_schemas: [{ related_object: 'order', properties }] } })
  const { post, get } = sandbox

  const answer = post('/v1/orders/import', [
    { source_id: 'web-1', customer: { source_id: 'ada' } },
    { source_id: 'web-2', customer: { source_id: 'bob' }, metadata: { channel: 7 } },
    { source_id: 'web-3', customer: { source_id: 'cleo' } },
  ])
  const action = await ended(sandbox, answer)

  expect(action.result).toMatchObject({ done_count: 2, failed: [{ source_id: 'web-2', row: 2 }] })
  expect(get('/v1/orders').body.total).toBe(2)
  expect(get('/v1/customers').body.customers.map((one: { source_id: string }) => one.source_id)).toEqual(
    expect.not.arrayContaining(['bob']),
  )
  expect(get('/v1/customers').body.total).toBe(2)
})

test('the lines of an order of a fixture say what they are', () => {
  const items = [{ product_id: 'p', quantity: 1, price: 5 }]
  const { get } = testSandbox({ fixture: { orders: [{ id: 'ord_1', status: 'PAID', amount: 5, items }] } })

  expect(get('/v1/orders/ord_1').body.items).toEqual([{ ...items[0], id: lineId, object: 'order_item' }])
})

const idsOf = (order: { items: Array<{ id: string }> }) => order.items.map(({ id }) => id)

test('a line keeps its id in every answer about its order, and a line that comes later gets one', () => {
  const { call, get } = testSandbox({ fixture: { products: [{ id: 'prod_mug', name: 'Mug', price: 300 }] } })
  const send = (path: string, body: object, method = 'POST') => call(method, path, { body }).body
  send('/v1/vouchers/MUG', {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'UNIT', effect: 'ADD_NEW_ITEMS', unit_type: 'prod_mug' },
  })
  send('/v1/vouchers/TEN', { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } })
  const [tea, pot] = [
    { source_id: 'tea', price: 500 },
    { product_id: 'prod_pot', price: 900 },
  ]

  const created = send('/v1/orders', { items: [tea, pot, tea] })
  const [first, second, third] = idsOf(created) as [string, string, string]
  const path = `/v1/orders/${created.id}`
  const same = send(path, { items: [tea, pot, tea] }, 'PUT')
  const changed = send(path, { items: [pot, { ...tea, id: 'mine' }, { source_id: 'cup', price: 1 }] }, 'PUT')
  const [, , cup] = idsOf(changed)
  const kept = [second, first, cup]
  const redeemables = ['MUG', 'TEN'].map((id) => ({ object: 'voucher', id }))
  const validated = send('/v1/validations', { redeemables, order: { id: created.id } })
  const redeemed = send('/v1/redemptions', { redeemables, order: { id: created.id } })
  const [mug] = idsOf(redeemed.order).slice(3)

  expect(new Set([first, second, third, cup, mug]).size).toBe(5)
  expect([idsOf(created), mug]).toEqual([[lineId, lineId, lineId], lineId])
  expect([idsOf(same), same.updated_at]).toEqual([idsOf(created), null])
  expect(idsOf(changed)).toEqual([second, first, lineId])
  expect(idsOf(validated.order).slice(0, 3)).toEqual(kept)
  for (const order of [
    redeemed.order,
    redeemed.parent_redemption.order,
    ...redeemed.redemptions.map(({ order }: { order: object }) => order),
    get(path).body,
    get('/v1/orders').body.orders[0],
    get(`/v1/redemptions/${redeemed.redemptions[1].id}`).body.order,
  ])
    expect(idsOf(order)).toEqual([...kept, mug])
  const undone = send(`/v1/redemptions/${redeemed.parent_redemption.id}/rollbacks`, {})
  expect(idsOf(undone.order)).toEqual(kept)
})

test('the lines of a qualification have the same ids in all its orders, and those of a validation have none', () => {
  const { post } = testSandbox()
  post('/v1/vouchers/TEN', { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } })
  const order = {
    items: [
      { source_id: 'tea', price: 500 },
      { source_id: 'tea', price: 700 },
    ],
  }

  const { body } = post('/v1/qualifications', { order })
  const validated = post('/v1/validations', { redeemables: [{ object: 'voucher', id: 'TEN' }], order })

  expect(idsOf(body.order)).toEqual([lineId, lineId])
  expect(idsOf(body.redeemables.data[0].order)).toEqual(idsOf(body.order))
  expect(idsOf(validated.body.order)).toEqual([undefined, undefined])
})
