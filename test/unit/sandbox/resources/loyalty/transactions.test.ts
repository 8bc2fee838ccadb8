import { expect, test } from 'vitest'
import { loyaltyTransactions } from '../../../../../src/sandbox/stores/transactions.ts'
import { clubWith, emptyCard } from '../../../../support/loyalty.ts'

const path = '/v1/loyalties/camp_club/transactions'

test('a program without transactions has an empty list, and shows that there is no more', () => {
  const none = { object: 'list', data_ref: 'data', data: [], has_more: false }
  expect(clubWith().ask(`GET ${path}`, 200)).toEqual(none)
})

test('a transaction is shown with every field of the specification', () => {
  const { get, give } = clubWith(['A'])
  give('A', 42, { reason: 'Sorry', source_id: 'shop-1' })

  expect(get(path).body.data).toEqual([
    {
      id: expect.stringMatching(/^vtx_/),
      source_id: 'shop-1',
      voucher_id: 'v_A',
      campaign_id: 'camp_club',
      source: null,
      reason: 'Sorry',
      type: 'POINTS_ADDITION',
      details: {
        balance: {
          type: 'loyalty_card',
          total: 42,
          object: 'balance',
          points: 42,
          balance: 42,
          operation_type: 'MANUAL',
          related_object: { id: 'v_A', type: 'voucher' },
        },
      },
      related_transaction_id: null,
      created_at: '2026-05-06T07:08:09.123Z',
    },
  ])
})

test.each([
  ['', [3, 2, 1]],
  ['order=-id', [3, 2, 1]],
  ['order=id', [1, 2, 3]],
])('the newest transaction comes first unless the order is reversed: %s', (query, expected) => {
  const { ask, give } = clubWith(['A', 'B'])
  for (const points of [1, 2, 3]) give(points === 2 ? 'B' : 'A', points)

  ask(`GET ${path}?${query}`, { data: expected.map((points) => ({ details: { balance: { points } } })) })
})

test('the pages of a program return every transaction once, and the last one ends the listing', () => {
  const { ask, give } = clubWith(['A'])
  for (let points = 1; points <= 12; points += 1) give('A', points)

  const first = ask(`GET ${path}`, { has_more: true, data: Array(10).fill({}) })
  expect(first.more_starting_after).toBe(first.data[9].id)
  const second = ask(`GET ${path}?starting_after_id=${first.more_starting_after}`, { data: [{}, {}] })
  expect(second).toEqual({ object: 'list', data_ref: 'data', data: second.data, has_more: false })
  expect(new Set([...first.data, ...second.data].map((row: { id: string }) => row.id)).size).toBe(12)
})

test('a program is found by its name, which needs escaping, and has no transactions of others', () => {
  const { ask, give } = clubWith([], { vouchers: [emptyCard('A'), emptyCard('B', 'camp_other')] })
  give('A', 1)
  give('B', 2)

  for (const name of ['camp_club', encodeURIComponent('Bean Club / Gold'), 'camp_other'])
    ask(`GET /v1/loyalties/${name}/transactions`, { data: [{}] })
})

test('filters narrow by transaction, by card and by time', () => {
  const { ask, give, clock } = clubWith(['A', 'B'])
  give('A', 1)
  clock.now = '2026-05-07T00:00:00.000Z'
  give('B', 2)
  const [newer, older] = ask(`GET ${path}`).data

  ask(`GET ${path}?filters[id][conditions][$in][0]=${older.id}`, { data: [older] })
  ask(`GET ${path}?filters[voucher_id][conditions][$is]=v_B`, { data: [newer] })
  ask(`GET ${path}?filters[created_at][conditions][$after]=2026-05-06T12:00:00Z`, { data: [newer] })
  ask(`GET ${path}?filters[voucher_id][conditions][$is]=v_A&filters[id][conditions][$is]=x`, { data: [] })
})

test('the transactions of a card are listed with and without its program', () => {
  const { ask, give } = clubWith(['GOLD/1 ☕', 'B'])
  give('GOLD/1 ☕', 1)
  give('B', 2)
  const member = `members/${encodeURIComponent('GOLD/1 ☕')}/transactions`

  const bare = ask(`GET /v1/loyalties/${member}`, { data: [{ voucher_id: 'v_GOLD/1 ☕' }] })
  expect(ask(`GET /v1/loyalties/camp_club/${member}`)).toEqual(bare)
  ask('GET /v1/loyalties/members/v_B/transactions', { data: [{}] })
})

test.each<[string, string, string]>([
  ['members/CODE', 'voucher', 'CODE'],
  ['camp_other/members/A', 'voucher', 'A'],
  ['camp_codes/members/A', 'campaign', 'camp_codes'],
])('the transactions of %s are a 404 that names the %s', (asked, resource_type, resource_id) => {
  const vouchers = [emptyCard('A'), { code: 'CODE', discount: { type: 'AMOUNT', amount_off: 1 } }]
  const { ask } = clubWith([], { vouchers })

  ask(`GET /v1/loyalties/${asked}/transactions`, { code: 404, resource_type, resource_id })
})

test.each([
  'limit=0',
  'limit=101',
  'limit=ten',
  'order=created_at',
  'filters[colour][conditions][$is]=red',
  'filters[id][conditions][$sounds_like]=x',
  'filters[created_at][conditions][$after]=yesterday',
])('the query %s is refused', (query) => {
  expect(clubWith().get(path, query)).toMatchObject({ status: 400, body: { key: 'invalid_query_params' } })
})

test('the last page of many transactions is found through an index, without sorting', () => {
  const { store, project } = clubWith()
  const plan = store.db.all<{ detail: string }>(
    `EXPLAIN QUERY PLAN SELECT doc FROM loyalty_transactions
     WHERE (project_id = ? AND binned = 0 AND "campaign_id" IS ? AND id < ?) ORDER BY id DESC LIMIT 11`,
    project.id,
    'camp_club',
    'vtx_000000000000000001',
  )

  expect(store.in(loyaltyTransactions, project.id).count()).toBe(0)
  expect(plan.map((step) => step.detail)).toEqual([
    expect.stringMatching(/USING INDEX loyalty_transactions\.campaign_id \(.*campaign_id=\? AND id<\?\)/),
  ])
})

test.each<[string, Record<string, unknown>, string]>([
  ['without an id', { id: undefined }, "loyalty_transactions[0]: Payload must have required property 'id'"],
  ['of an unknown card', { voucher_id: 'v_x' }, 'loyalty_transactions[0]: Cannot find voucher with id v_x'],
  ['of a code that is not a card', { voucher_id: 'v_C' }, 'loyalty_transactions[0]: Cannot find voucher with id v_C'],
  [
    'without a balance',
    { details: {} },
    "loyalty_transactions[0]: Property .details should have required property 'balance'",
  ],
])('a fixture with a transaction %s is refused', (_, more, message) => {
  const row = {
    id: 'vtx_1',
    voucher_id: 'v_A',
    type: 'POINTS_ADDITION',
    details: { balance: { points: 1, balance: 1 } },
  }
  const vouchers = [emptyCard('A'), { id: 'v_C', code: 'C', discount: { type: 'AMOUNT', amount_off: 1 } }]

  expect(() => clubWith([], { vouchers, loyalty_transactions: [{ ...row, ...more }] })).toThrow(message)
  expect(clubWith([], { vouchers, loyalty_transactions: [row] }).get(path).body.data).toMatchObject([
    { id: 'vtx_1', campaign_id: 'camp_club', source: null },
  ])
})
