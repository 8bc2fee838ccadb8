import { expect, test } from 'vitest'
import { segments } from '../../../../../src/sandbox/stores/customers.ts'
import { openShop } from '../../../../support/redemptions.ts'
import { testNow } from '../../../../support/sandbox.ts'

/** Ada redeems, is published a code and listed in a segment; Bo redeems as well. */
function busyShop() {
  const shop = openShop({ segments: [{ id: 'seg_1', name: 'VIP', type: 'static', customers: ['ada'] }] })
  const { post, get, redeem } = shop
  redeem(['A'], { customer: { source_id: 'ada', name: 'Ada L.' } })
  redeem(['B/ 1'], { customer: { source_id: 'bo' } })
  post('/v1/publications', { customer: { source_id: 'ada' }, voucher: 'G' })
  const activity = (query = '', customer = 'ada') => get(`/v1/customers/${customer}/activity`, query).body
  return { ...shop, activity }
}

test('the activity of a customer lists the events about them, newest first', () => {
  const { activity, get, events } = busyShop()

  const { data, ...list } = activity()

  expect(list).toEqual({ object: 'list', data_ref: 'data', has_more: false })
  expect(data.map((event: { type: string }) => event.type)).toEqual([
    'voucher.published',
    'publication.succeeded',
    'redemption.succeeded',
    'order.paid',
    'order.created',
    'customer.updated',
  ])
  expect(data[5]).toEqual({
    id: expect.stringMatching(/^evcus_/),
    type: 'customer.updated',
    data: { customer: expect.objectContaining({ id: 'cust_ada', name: 'Ada L.' }) },
    created_at: testNow,
    group_id: expect.stringMatching(/^v-/),
    source: expect.objectContaining({ channel: 'API' }),
  })
  expect(get('/v1/customers/ada/activities').body).toEqual({ ...list, data })
  expect(events().length).toBeGreaterThan(data.length)
  expect(activity('', 'bo').data).toHaveLength(4)
  expect(activity('', 'nobody')).toMatchObject({ code: 404, resource_type: 'customer' })
})

test('a cursor walks the activity in both directions', () => {
  const { activity } = busyShop()
  const page = (query: string, ...types: string[]) => {
    const list = activity(query)
    expect(list).toMatchObject({ data: types.map((type) => ({ type })), more_starting_after: list.data.at(-1).id })
    return list.more_starting_after
  }

  const next = page('limit=3', 'voucher.published', 'publication.succeeded', 'redemption.succeeded')
  expect(activity(`limit=3&starting_after_id=${next}`).data).toMatchObject(
    ['order.paid', 'order.created', 'customer.updated'].map((type) => ({ type })),
  )
  const later = page('limit=1&order=id', 'customer.updated')
  page(`limit=1&order=id&starting_after_id=${later}`, 'order.created')
})

test('the holder of a card has the changes of its points among the activity', () => {
  const { ask } = openShop()

  ask('POST /v1/vouchers/C/balance', { amount: 5 })

  const types = ['voucher.loyalty_card.points_added', 'voucher.loyalty_card.transaction.created']
  ask('GET /v1/customers/cust_ada/activity', { data: types.map((type) => ({ type })) })
})

test('a permanent deletion removes the customer with orders, activity and segments, and counts them', () => {
  const { ask, events, store, project } = busyShop()
  const path = '/v1/customers/ada/permanent-deletion'

  expect(ask(`POST ${path}`, undefined, 200)).toEqual({
    id: expect.stringMatching(/^del_/),
    created_at: testNow,
    related_object: 'customer',
    related_object_id: 'cust_ada',
    status: 'DONE',
    data_json: { events: 3, customer_events: 1, daily_events: 0, segments: 1, orders: 1, order_events: 2, customer: 1 },
    object: 'pernament_deletion',
  })
  ask('GET /v1/customers/ada', 'not_found')
  expect(store.in(segments, project.id).get('seg_1')?.customers).toEqual([])
  expect(events().at(-1)).toEqual(['customer.deleted', 'cust_ada'])
  expect(JSON.stringify(store.outbox.after(0, 1000))).not.toContain('Ada L.')
  expect(store.db.all("SELECT id FROM orders WHERE doc ->> '$.customer_id' = 'cust_ada'")).toEqual([])
  ask('GET /v1/customers/bo', { summary: { orders: { total_count: 1 } } })
  ask(`POST ${path}`, undefined, { code: 404, resource_type: 'customer' })
})
