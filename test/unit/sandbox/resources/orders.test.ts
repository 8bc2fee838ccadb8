import { expect, test } from 'vitest'
import { programs } from '../../../support/loyalty.ts'
import { ended } from '../../../support/rows.ts'
import { testNow, testSandbox } from '../../../support/sandbox.ts'

/** The id of a line, as an answer has it. */
const lineId = expect.stringMatching(/^ordli_[\da-f]{18}$/)

test('an order can be stored without anything said about it', () => {
  const { ask } = testSandbox()

  const body = ask('POST /v1/orders', {}, 200)

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
  expect(ask(`GET /v1/orders/${body.id}`)).toEqual(body)
})

test('an order shows its lines as they were sent, with a total over the prices that are known', () => {
  const unheard = { source_id: 'unheard-of', related_object: 'product', quantity: 2 }
  const priced = { product_id: 'prod_x', quantity: 3, price: 500 }

  const totals = { source_id: 'web-1', amount: 1500, total_amount: 1500 }
  const body = testSandbox().ask('POST /v1/orders', { source_id: 'web-1', items: [unheard, priced] }, totals)

  expect(body.items).toEqual([
    { object: 'order_item', id: lineId, ...unheard },
    { object: 'order_item', id: lineId, ...priced, amount: 1500, subtotal_amount: 1500 },
  ])
  expect(body).not.toHaveProperty('metadata')
})

test('the customer and the referrer of an order are stored, and one without ids is always new', () => {
  const { ask } = testSandbox()
  const order = { amount: 100, customer: { name: 'Ada' }, referrer: { source_id: 'bob' } }

  const [first, second] = [ask('POST /v1/orders', order), ask('POST /v1/orders', order)]

  for (const role of ['customer', 'referrer'])
    expect(first[role]).toEqual({ id: first[`${role}_id`], object: 'customer' })
  ask(`GET /v1/customers/${first.customer_id}`, { name: 'Ada' })
  expect(second.customer_id).not.toBe(first.customer_id)
  expect(second.referrer_id).toBe(first.referrer_id)
  ask('GET /v1/customers/bob', { id: first.referrer_id })
})

test('an order that is sent again under its id or its source id is changed', () => {
  const { ask } = testSandbox()
  const { id } = ask('POST /v1/orders', { source_id: 'web-1', amount: 100 })

  const changed = { id, amount: 200, total_amount: 200, updated_at: testNow }
  ask('POST /v1/orders', { source_id: 'web-1', amount: 200 }, changed)
  ask('POST /v1/orders', { id, status: 'PAID' }, { id, source_id: 'web-1', amount: 200, status: 'PAID' })
  ask('GET /v1/orders', { total: 1 })
})

test('a source id belongs to one order', () => {
  const { ask } = testSandbox()
  ask('POST /v1/orders', { source_id: 'web-1' })
  const { id } = ask('POST /v1/orders', { source_id: 'web-2' })

  ask(`PUT /v1/orders/${id}`, { source_id: 'web-1' }, { key: 'duplicate_found', resource_type: 'order' })
  ask('GET /v1/orders/web-2', { id })
})

test('an update changes what is sent, and what is left out stays', () => {
  const { ask, clock } = testSandbox()
  const lines = [{ product_id: 'prod_x', quantity: 2, price: 500 }]
  const { items } = ask('POST /v1/orders', { source_id: 'web-1', items: lines, metadata: { gift: true, hall: 2 } })
  clock.now = '2026-05-07T00:00:00.000Z'
  const update = (body: object, shown: object) => ask('PUT /v1/orders/web-1', body, { items, ...shown })

  const changed = { amount: 800, total_amount: 800, metadata: { gift: true, hall: 3 }, updated_at: clock.now }
  update({ amount: 800, metadata: { hall: 3 } }, changed)
  update({ status: 'PAID' }, { status: 'PAID', amount: 800 })
  const { metadata } = update({ amount: null, metadata: null }, { amount: 1000, total_amount: 1000 })
  expect(metadata).toEqual({})
})

test('an update without effect changes nothing and records nothing', () => {
  const { ask, events } = testSandbox()
  ask('POST /v1/orders', { source_id: 'web-1', amount: 100 })
  const before = events()

  ask('PUT /v1/orders/web-1', { status: 'CREATED' }, { updated_at: null })
  expect(events()).toEqual(before)
})

test('the metadata of an order and of its lines follow their schemas', () => {
  const properties = { channel: { type: 'string', optional: true } }
  const { ask } = testSandbox({ fixture: { metadata_schemas: [{ related_object: 'order', properties }] } })

  ask('POST /v1/orders', { source_id: 'web-1', metadata: { channel: 7 } }, 'metadata_validation_failed')
  ask('GET /v1/orders', { total: 0 })
})

const ten = { code: 'TEN', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } }
const redeemables = [{ object: 'voucher', id: 'TEN' }]

test('orders are listed newest first, those of redemptions among them', () => {
  const { ask, clock } = testSandbox({ fixture: { vouchers: [ten] } })
  ask('POST /v1/orders', { source_id: 'web-1' })
  clock.now = '2026-05-07T00:00:00.000Z'
  ask('POST /v1/redemptions', { redeemables, order: { source_id: 'web-2', amount: 1000 } })

  const orders = [
    { source_id: 'web-2', status: 'PAID', total_amount: 900, total_discount_amount: 100 },
    { source_id: 'web-1', status: 'CREATED' },
  ]
  ask('GET /v1/orders?limit=5&page=1', { object: 'list', data_ref: 'orders', orders, total: 2 })
  ask('GET /v1/orders?order=status&limit=1', { orders: [{ source_id: 'web-1' }] })
  ask('GET /v1/orders?filters[status][conditions][$is]=PAID', { total: 1 })
})

test('a change that leaves amounts alone keeps what a redemption took off', () => {
  const { ask } = testSandbox({ fixture: { vouchers: [ten] } })
  ask('POST /v1/redemptions', { redeemables, order: { source_id: 'web-2', amount: 1000 } })

  const kept = { total_applied_discount_amount: 100, total_amount: 900 }
  ask('PUT /v1/orders/web-2', { status: 'FULFILLED' }, kept)
  const changed = { amount: 2000, total_discount_amount: 100, total_amount: 1900 }
  ask('PUT /v1/orders/web-2', { amount: 2000 }, changed)
})

test('each change of an order is recorded, and each status it reaches', () => {
  const { ask, events } = testSandbox()
  const { id } = ask('POST /v1/orders', { amount: 100 })
  const statuses = ['PAID', 'FULFILLED', 'CANCELED']
  for (const status of statuses) ask(`PUT /v1/orders/${id}`, { status })

  const types = statuses.flatMap((status) => ['order.updated', `order.${status.toLowerCase()}`])
  expect(events()).toEqual(['order.created', ...types].map((type) => [type, id]))
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
  const { ask, settled } = testSandbox({ fixture: club })
  const send = async (body: Record<string, unknown>, balance: number) => {
    ask('POST /v1/orders', { source_id: 'web-1', ...body })
    await settled()
    ask('GET /v1/vouchers/ADA', { loyalty_card: { balance } })
  }

  await send({ amount: 1000, customer: { source_id: 'ada' } }, 0)
  await send({ status: 'PAID' }, 10)
  await send({ status: 'PAID', amount: 5000 }, 10)
  for (const status of ['CREATED', 'PAID', 'CANCELED', 'PAID']) await send({ status }, 10)
})

test('an order that was paid before a redemption earns nothing more by it', async () => {
  const { ask, settled } = testSandbox({ fixture: { ...club, vouchers: [...club.vouchers, ten] } })
  const customer = { source_id: 'ada' }
  ask('POST /v1/orders', { source_id: 'web-1', status: 'PAID', amount: 1000, customer })
  ask('POST /v1/redemptions', { redeemables, customer, order: { source_id: 'web-1' } })
  await settled()

  ask('GET /v1/vouchers/ADA', { loyalty_card: { balance: 10 } })
})

test('orders can be exported', async () => {
  const { ask, settled } = testSandbox()
  ask('POST /v1/orders', { source_id: 'web-1', amount: 1234 })

  const scheduled = { object: 'export', status: 'SCHEDULED', exported_object: 'order' }
  const { id } = ask('POST /v1/orders/export', { parameters: { fields: ['source_id', 'amount'] } }, scheduled)
  await settled()

  const { pathname, search } = new URL(ask(`GET /v1/exports/${id}`).result.url)
  expect([...ask(`GET ${pathname}${search}`)].join('')).toBe('Source ID,Amount\nweb-1,12.34\n')
})

test('imported orders are history: they record nothing and earn nothing, then or later', async () => {
  const sandbox = testSandbox({ fixture: club })
  const { post, ask, events } = sandbox

  const answer = post('/v1/orders/import', [
    { source_id: 'web-1', status: 'PAID', amount: 1000, customer: { source_id: 'ada' } },
    { source_id: 'web-2', status: 'LOST' },
    { source_id: 'web-3', items: [{ product_id: 'prod_x', quantity: 2, price: 50 }] },
  ])
  const action = await ended(sandbox, answer)

  expect(answer.status).toBe(200)
  const message = '2 order(s) imported successfully, 1 failed.'
  const failed = [{ source_id: 'web-2', row: 2 }]
  expect(action).toMatchObject({ type: 'ORDERS.IMPORT', result: { message, done_count: 2, failed_count: 1, failed } })
  ask('GET /v1/orders/web-1', { status: 'PAID', customer_id: 'cust_ada' })
  ask('GET /v1/orders/web-3', { amount: 100, status: 'CREATED' })
  expect(events()).toEqual([])
  for (const status of ['CREATED', 'PAID']) ask('PUT /v1/orders/web-1', { status })
  await sandbox.settled()
  ask('GET /v1/vouchers/ADA', { loyalty_card: { balance: 0 } })
})

test('an imported order that is refused after its customer was stored leaves no customer behind', async () => {
  const properties = { channel: { type: 'string', optional: true } }
  const sandbox = testSandbox({ fixture: { metadata_schemas: [{ related_object: 'order', properties }] } })

  const answer = sandbox.post('/v1/orders/import', [
    { source_id: 'web-1', customer: { source_id: 'ada' } },
    { source_id: 'web-2', customer: { source_id: 'bob' }, metadata: { channel: 7 } },
    { source_id: 'web-3', customer: { source_id: 'cleo' } },
  ])
  const { result } = await ended(sandbox, answer)

  expect(result).toMatchObject({ done_count: 2, failed: [{ source_id: 'web-2', row: 2 }] })
  sandbox.ask('GET /v1/orders', { total: 2 })
  const customers = ['ada', 'cleo'].map((source_id) => ({ source_id }))
  sandbox.ask('GET /v1/customers?order=source_id', { customers, total: 2 })
})

test('the lines of an order of a fixture say what they are', () => {
  const items = [{ product_id: 'p', quantity: 1, price: 5 }]
  const { get } = testSandbox({ fixture: { orders: [{ id: 'ord_1', status: 'PAID', amount: 5, items }] } })

  expect(get('/v1/orders/ord_1').body.items).toEqual([{ ...items[0], id: lineId, object: 'order_item' }])
})

const idsOf = (order: { items: Array<{ id: string }> }) => order.items.map(({ id }) => id)

test('a line keeps its id in every answer about its order, and a line that comes later gets one', () => {
  const { ask } = testSandbox({ fixture: { products: [{ id: 'prod_mug', name: 'Mug', price: 300 }] } })
  const code = (name: string, discount: object) =>
    ask(`POST /v1/vouchers/${name}`, { type: 'DISCOUNT_VOUCHER', discount })
  code('MUG', { type: 'UNIT', effect: 'ADD_NEW_ITEMS', unit_type: 'prod_mug' })
  code('TEN', { type: 'PERCENT', percent_off: 10 })
  const tea = { source_id: 'tea', price: 500 }
  const pot = { product_id: 'prod_pot', price: 900 }

  const created = ask('POST /v1/orders', { items: [tea, pot, tea] })
  const [first, second, third] = idsOf(created) as [string, string, string]
  const path = `/v1/orders/${created.id}`
  const same = ask(`PUT ${path}`, { items: [tea, pot, tea] })
  const changed = ask(`PUT ${path}`, { items: [pot, { ...tea, id: 'mine' }, { source_id: 'cup', price: 1 }] })
  const [, , cup] = idsOf(changed)
  const kept = [second, first, cup]
  const asked = { redeemables: ['MUG', 'TEN'].map((id) => ({ object: 'voucher', id })), order: { id: created.id } }
  const validated = ask('POST /v1/validations', asked)
  const { order, parent_redemption, redemptions } = ask('POST /v1/redemptions', asked)
  const [mug] = idsOf(order).slice(3)

  expect(new Set([first, second, third, cup, mug]).size).toBe(5)
  expect([idsOf(created), mug]).toEqual([[lineId, lineId, lineId], lineId])
  expect([idsOf(same), same.updated_at]).toEqual([idsOf(created), null])
  expect(idsOf(changed)).toEqual([second, first, lineId])
  expect(idsOf(validated.order).slice(0, 3)).toEqual(kept)
  for (const one of [
    order,
    ...[parent_redemption, ...redemptions].map((redemption) => redemption.order),
    ask(`GET ${path}`),
    ask('GET /v1/orders').orders[0],
    ask(`GET /v1/redemptions/${redemptions[1].id}`).order,
  ])
    expect(idsOf(one)).toEqual([...kept, mug])
  expect(idsOf(ask(`POST /v1/redemptions/${parent_redemption.id}/rollbacks`, {}).order)).toEqual(kept)
})

test('the lines of a qualification have the same ids in all its orders, and those of a validation have none', () => {
  const { ask } = testSandbox()
  ask('POST /v1/vouchers/TEN', { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } })
  const order = { items: [500, 700].map((price) => ({ source_id: 'tea', price })) }

  const body = ask('POST /v1/qualifications', { order })
  expect(idsOf(body.order)).toEqual([lineId, lineId])
  expect(idsOf(body.redeemables.data[0].order)).toEqual(idsOf(body.order))
  const validated = ask('POST /v1/validations', { redeemables: [{ object: 'voucher', id: 'TEN' }], order })
  expect(idsOf(validated.order)).toEqual([undefined, undefined])
})
