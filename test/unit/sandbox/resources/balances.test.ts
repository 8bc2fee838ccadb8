import { expect, test } from 'vitest'
import { clubWith } from '../../../support/loyalty.ts'
import { testSandbox } from '../../../support/sandbox.ts'

const campaign = { type: 'STATIC', active: true, metadata: {} }
const points = { type: 'LOYALTY_CARD', loyalty_card: { points: 100 }, campaign_id: 'camp_2' }
const fixture = {
  customers: [{ id: 'cust_1', source_id: 'shop/1', metadata: {} }],
  campaigns: [
    { ...campaign, id: 'camp_1', name: 'Gifts & more', campaign_type: 'GIFT_VOUCHERS' },
    { ...campaign, id: 'camp_2', name: 'Club', campaign_type: 'LOYALTY_PROGRAM' },
    { ...campaign, id: 'camp_3', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS' },
  ],
  vouchers: [
    { id: 'v_1', code: 'GIFT/1 €', type: 'GIFT_VOUCHER', gift: { amount: 5000 }, campaign_id: 'camp_1' },
    { id: 'v_2', code: 'CARD', ...points, holder_id: 'cust_1' },
    { id: 'v_3', code: 'FREE', ...points },
    { id: 'v_4', code: 'CODE', discount: { type: 'AMOUNT', amount_off: 1 }, campaign_id: 'camp_3' },
    {
      id: 'v_5',
      code: 'USED',
      type: 'GIFT_VOUCHER',
      gift: { amount: 1000, balance: 300, subtracted_amount: 200 },
      redemption: { redeemed_quantity: 1, redeemed_amount: 500 },
    },
  ],
}

const gift = `/v1/vouchers/${encodeURIComponent('GIFT/1 €')}`

test('adding credits answers with the change and the new balance of the gift card', () => {
  const { post, get, events } = testSandbox({ fixture })

  const { status, body } = post(`${gift}/balance`, { amount: 250, reason: 'Sorry', source_id: 's1' })

  expect(status).toBe(200)
  expect(body).toEqual({
    amount: 250,
    total: 5250,
    balance: 5250,
    type: 'gift_voucher',
    operation_type: 'MANUAL',
    object: 'balance',
    related_object: { id: 'v_1', type: 'voucher' },
  })
  expect(get(gift).body).toMatchObject({
    gift: { amount: 5250, balance: 5250 },
    updated_at: '2026-05-06T07:08:09.123Z',
  })
  expect(events()).toEqual([
    ['voucher.gift.transaction.created', 'v_1'],
    ['voucher.gift.balance_added', 'v_1'],
  ])
})

test('removing credits records a removal and announces no addition', () => {
  const { post, get, events } = testSandbox({ fixture })

  expect(post(`${gift}/balance`, { amount: -1000 }).body).toMatchObject({ amount: -1000, total: 4000, balance: 4000 })
  expect(get(gift).body.gift).toEqual({ amount: 5000, balance: 4000, subtracted_amount: 1000 })
  expect(get(`${gift}/transactions`).body.data).toEqual([
    {
      id: expect.stringMatching(/^vtx_/),
      source_id: null,
      voucher_id: 'v_1',
      campaign_id: 'camp_1',
      source: 'API',
      reason: null,
      type: 'CREDITS_REMOVAL',
      details: {
        balance: {
          type: 'gift_voucher',
          total: 4000,
          object: 'balance',
          amount: -1000,
          balance: 4000,
          operation_type: 'MANUAL',
          related_object: { id: 'v_1', type: 'voucher' },
        },
      },
      related_transaction_id: null,
      created_at: '2026-05-06T07:08:09.123Z',
    },
  ])
  expect(events()).toEqual([['voucher.gift.transaction.created', 'v_1']])
})

test('the points of a held loyalty card change the same way', () => {
  const { post, events, store } = testSandbox({ fixture })

  const { body } = post('/v1/vouchers/v_2/balance', { amount: 20 })

  expect(body).toMatchObject({ amount: 20, points: 20, total: 120, balance: 120, type: 'loyalty_card' })
  expect(events().map(([type]) => type)).toEqual([
    'voucher.loyalty_card.transaction.created',
    'voucher.loyalty_card.points_added',
  ])
  expect(store.outbox.after(0, 1)[0]?.data).toMatchObject({
    transaction: { type: 'POINTS_ADDITION' },
    voucher: { code: 'CARD' },
    campaign: { name: 'Club' },
    holder: { id: 'cust_1' },
  })
})

test('a manual removal from a fixture card stays counted', () => {
  const { post, get } = testSandbox({ fixture })

  expect(post('/v1/vouchers/USED/balance', { amount: -300 }).body).toMatchObject({ total: 500, balance: 0 })
  expect(get('/v1/vouchers/USED').body.gift).toEqual({ amount: 1000, balance: 0, subtracted_amount: 500 })
})

test.each([
  ['more than a gift card holds', gift, { amount: -5001 }, 'gift_amount_exceeded'],
  ['more than a loyalty card holds', '/v1/vouchers/CARD', { amount: -101 }, 'loyalty_card_points_exceeded'],
  ['nothing', gift, { amount: 0 }, 'invalid_amount'],
  ['no amount', gift, {}, 'invalid_payload'],
  ['half a cent', gift, { amount: 0.5 }, 'invalid_payload'],
  ['a discount code', '/v1/vouchers/CODE', { amount: 1 }, 'invalid_add_balance_params'],
])('a change of the balance by %s is refused and stores nothing', (_, path, body, key) => {
  const { get, post, events } = testSandbox({ fixture })
  const before = get(path).body

  expect(post(`${path}/balance`, body)).toMatchObject({ status: 400, body: { key } })
  expect(get(path).body).toEqual(before)
  expect(get(`${path}/transactions`).body.data).toEqual([])
  expect(events()).toEqual([])
})

test.each([
  ['/v1/vouchers/FREE/balance', { amount: 5 }],
  ['/v1/loyalties/members/FREE/balance', { points: 5 }],
  ['/v1/loyalties/camp_2/members/FREE/balance', { points: -5 }],
  ['/v1/loyalties/camp_2/members/FREE/transfers', [{ code: 'CARD', points: 5, source_id: '1' }]],
  ['/v1/loyalties/camp_2/members/CARD/transfers', [{ code: 'FREE', points: 5, source_id: '1' }]],
])('a loyalty card that nobody holds has no balance to change: POST %s %j', (path, body) => {
  const { post, get } = testSandbox({ fixture })

  expect(post(path, body)).toMatchObject({
    status: 400,
    body: { key: 'not_published', message: 'Voucher is not published', details: 'FREE' },
  })
  expect(get('/v1/vouchers/FREE').body.loyalty_card.balance).toBe(100)
  post('/v1/publications', { voucher: 'FREE', customer: { source_id: 'shop/2' } })
  expect(post(path, body).status).toBe(200)
})

test('transactions are walked newest first, or oldest first, after an id', () => {
  const { post, get } = testSandbox({ fixture })
  for (const amount of [1, 2, 3]) post(`${gift}/balance`, { amount })
  const amounts = (body: { data: { details: { balance: { amount: number } } }[] }) =>
    body.data.map(({ details }) => details.balance.amount)

  const first = get(`${gift}/transactions`, 'limit=2').body
  const second = get(`${gift}/transactions`, `limit=2&starting_after_id=${first.more_starting_after}`).body

  expect(amounts(first)).toEqual([3, 2])
  expect(first.has_more).toBe(true)
  expect(amounts(second)).toEqual([1])
  expect(second).toEqual({ object: 'list', data_ref: 'data', data: second.data, has_more: false })
  expect(amounts(get(`${gift}/transactions`, 'order=id').body)).toEqual([1, 2, 3])
  expect(get(`${gift}/transactions`, 'limit=101').body.key).toBe('invalid_query_params')
})

test('the transactions of a campaign are those of all its cards, by id or name', () => {
  const { post, get } = testSandbox({ fixture })
  post(`${gift}/balance`, { amount: 5 })
  post('/v1/vouchers/USED/balance', { amount: 5 })
  post('/v1/vouchers/CARD/balance', { amount: 5 })

  const gifts = get(`/v1/campaigns/${encodeURIComponent('Gifts & more')}/transactions`).body
  const removals = get('/v1/campaigns/camp_2/transactions', 'filters[type][conditions][$is]=POINTS_REMOVAL').body

  expect(gifts.data.map(({ voucher_id }: { voucher_id: string }) => voucher_id)).toEqual(['v_1'])
  expect(get('/v1/campaigns/camp_2/transactions').body.data).toHaveLength(1)
  expect(removals.data).toEqual([])
})

test.each(['campaigns', 'loyalties'])('a campaign without cards has no transactions to list under /%s', (family) => {
  const { get } = testSandbox({ fixture })

  const { status, body } = get(`/v1/${family}/Codes/transactions`)

  expect(status).toBe(200)
  expect(body).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0, has_more: false })
  expect(get(`/v1/${family}/nobody/transactions`).body.details).toBe('Cannot find campaign with id nobody')
})

test('a card takes points by its code, after what has expired was taken off', () => {
  const { post, get, give, clock } = clubWith(['A'])
  give('A', 30, { expiration_type: 'CUSTOM_DATE', expiration_date: '2026-06-01' })
  clock.now = '2026-06-02T00:00:00.000Z'

  const { status, body } = post('/v1/vouchers/A/balance', { amount: 5 })
  const { data } = get('/v1/vouchers/A/transactions', 'order=id').body

  expect([status, body.balance]).toEqual([200, 5])
  expect(data.map((one: { type: string; source: string | null }) => [one.type, one.source])).toEqual([
    ['POINTS_ADDITION', null],
    ['POINTS_EXPIRATION', 'Automation'],
    ['POINTS_ADDITION', 'API'],
  ])
})
