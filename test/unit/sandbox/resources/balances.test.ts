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
  const { ask, events } = testSandbox({ fixture })

  expect(ask(`POST ${gift}/balance`, { amount: 250, reason: 'Sorry', source_id: 's1' }, 200)).toEqual({
    amount: 250,
    total: 5250,
    balance: 5250,
    type: 'gift_voucher',
    operation_type: 'MANUAL',
    object: 'balance',
    related_object: { id: 'v_1', type: 'voucher' },
  })
  ask(`GET ${gift}`, { gift: { amount: 5250, balance: 5250 }, updated_at: '2026-05-06T07:08:09.123Z' })
  expect(events()).toEqual(['transaction.created', 'balance_added'].map((name) => [`voucher.gift.${name}`, 'v_1']))
})

test('removing credits records a removal and announces no addition', () => {
  const { ask, events } = testSandbox({ fixture })
  const change = { amount: -1000, total: 4000, balance: 4000 }

  ask(`POST ${gift}/balance`, { amount: -1000 }, change)
  expect(ask(`GET ${gift}`).gift).toEqual({ amount: 5000, balance: 4000, subtracted_amount: 1000 })
  const related_object = { id: 'v_1', type: 'voucher' }
  expect(ask(`GET ${gift}/transactions`).data).toEqual([
    {
      id: expect.stringMatching(/^vtx_/),
      source_id: null,
      voucher_id: 'v_1',
      campaign_id: 'camp_1',
      source: 'API',
      reason: null,
      type: 'CREDITS_REMOVAL',
      details: {
        balance: { ...change, type: 'gift_voucher', object: 'balance', operation_type: 'MANUAL', related_object },
      },
      related_transaction_id: null,
      created_at: '2026-05-06T07:08:09.123Z',
    },
  ])
  expect(events()).toEqual([['voucher.gift.transaction.created', 'v_1']])
})

test('the points of a held loyalty card change the same way', () => {
  const { ask, events, store } = testSandbox({ fixture })

  const change = { amount: 20, points: 20, total: 120, balance: 120, type: 'loyalty_card' }
  ask('POST /v1/vouchers/v_2/balance', { amount: 20 }, change)

  const types = ['transaction.created', 'points_added'].map((name) => `voucher.loyalty_card.${name}`)
  expect(events().map(([type]) => type)).toEqual(types)
  expect(store.outbox.after(0, 1)[0]?.data).toMatchObject({
    transaction: { type: 'POINTS_ADDITION' },
    voucher: { code: 'CARD' },
    campaign: { name: 'Club' },
    holder: { id: 'cust_1' },
  })
})

test('a manual removal from a fixture card stays counted', () => {
  const { ask } = testSandbox({ fixture })

  ask('POST /v1/vouchers/USED/balance', { amount: -300 }, { total: 500, balance: 0 })
  expect(ask('GET /v1/vouchers/USED').gift).toEqual({ amount: 1000, balance: 0, subtracted_amount: 500 })
})

test.each([
  ['more than a gift card holds', gift, { amount: -5001 }, 'gift_amount_exceeded'],
  ['more than a loyalty card holds', '/v1/vouchers/CARD', { amount: -101 }, 'loyalty_card_points_exceeded'],
  ['nothing', gift, { amount: 0 }, 'invalid_amount'],
  ['no amount', gift, {}, 'invalid_payload'],
  ['half a cent', gift, { amount: 0.5 }, 'invalid_payload'],
  ['a discount code', '/v1/vouchers/CODE', { amount: 1 }, 'invalid_add_balance_params'],
])('a change of the balance by %s is refused and stores nothing', (_, path, body, key) => {
  const { ask, events } = testSandbox({ fixture })
  const before = ask(`GET ${path}`)

  ask(`POST ${path}/balance`, body, key)
  expect(ask(`GET ${path}`)).toEqual(before)
  ask(`GET ${path}/transactions`, { data: [] })
  expect(events()).toEqual([])
})

test.each([
  ['vouchers/FREE/balance', { amount: 5 }],
  ['loyalties/members/FREE/balance', { points: 5 }],
  ['loyalties/camp_2/members/FREE/balance', { points: -5 }],
  ['loyalties/camp_2/members/FREE/transfers', [{ code: 'CARD', points: 5, source_id: '1' }]],
  ['loyalties/camp_2/members/CARD/transfers', [{ code: 'FREE', points: 5, source_id: '1' }]],
])('a loyalty card that nobody holds has no balance to change: POST /v1/%s %j', (path, body) => {
  const { ask } = testSandbox({ fixture })

  const error = { key: 'not_published', message: 'Voucher is not published', details: 'FREE' }
  ask(`POST /v1/${path}`, body, error)
  ask('GET /v1/vouchers/FREE', { loyalty_card: { balance: 100 } })
  ask('POST /v1/publications', { voucher: 'FREE', customer: { source_id: 'shop/2' } })
  ask(`POST /v1/${path}`, body, 200)
})

test('transactions are walked newest first, or oldest first, after an id', () => {
  const { ask } = testSandbox({ fixture })
  for (const amount of [1, 2, 3]) ask(`POST ${gift}/balance`, { amount })
  const list = (query: string, ...amounts: number[]) =>
    ask(`GET ${gift}/transactions?${query}`, { data: amounts.map((amount) => ({ details: { balance: { amount } } })) })

  const { has_more, more_starting_after } = list('limit=2', 3, 2)
  expect(has_more).toBe(true)
  const { data: _, ...rest } = list(`limit=2&starting_after_id=${more_starting_after}`, 1)
  expect(rest).toEqual({ object: 'list', data_ref: 'data', has_more: false })
  list('order=id', 1, 2, 3)
  ask(`GET ${gift}/transactions?limit=101`, 'invalid_query_params')
})

test('the transactions of a campaign are those of all its cards, by id or name', () => {
  const { ask } = testSandbox({ fixture })
  for (const path of [gift, '/v1/vouchers/USED', '/v1/vouchers/CARD']) ask(`POST ${path}/balance`, { amount: 5 })

  const named = encodeURIComponent('Gifts & more')
  ask(`GET /v1/campaigns/${named}/transactions`, { data: [{ voucher_id: 'v_1' }] })
  ask('GET /v1/campaigns/camp_2/transactions', { data: [{}] })
  ask('GET /v1/campaigns/camp_2/transactions?filters[type][conditions][$is]=POINTS_REMOVAL', { data: [] })
})

test.each(['campaigns', 'loyalties'])('a campaign without cards has no transactions to list under /%s', (family) => {
  const { ask } = testSandbox({ fixture })

  const none = { object: 'list', data_ref: 'data', data: [], total: 0, has_more: false }
  expect(ask(`GET /v1/${family}/Codes/transactions`, 200)).toEqual(none)
  ask(`GET /v1/${family}/nobody/transactions`, { code: 404, details: 'Cannot find campaign with id nobody' })
})

test('a card takes points by its code, after what has expired was taken off', () => {
  const { ask, give, clock } = clubWith(['A'])
  give('A', 30, { expiration_type: 'CUSTOM_DATE', expiration_date: '2026-06-01' })
  clock.now = '2026-06-02T00:00:00.000Z'

  ask('POST /v1/vouchers/A/balance', { amount: 5 }, { balance: 5 })
  const data = [
    { type: 'POINTS_ADDITION', source: null },
    { type: 'POINTS_EXPIRATION', source: 'Automation' },
    { type: 'POINTS_ADDITION', source: 'API' },
  ]
  ask('GET /v1/vouchers/A/transactions?order=id', { data })
})
