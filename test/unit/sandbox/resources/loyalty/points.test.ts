import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clubWith, emptyCard, programs } from '../../../../support/loyalty.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

test('points are added and removed, and each change returns the new balance', () => {
  const { give, card, events } = clubWith(['A'])

  const added = give('A', 100, { reason: 'Welcome' })
  const taken = give('A', -30)

  expect(added.status).toBe(200)
  expect(added.body).toEqual({
    type: 'loyalty_card',
    total: 100,
    object: 'balance',
    points: 100,
    balance: 100,
    operation_type: 'MANUAL',
    related_object: { id: 'v_A', type: 'voucher' },
  })
  expect(taken.body).toMatchObject({ total: 70, points: -30, balance: 70 })
  expect(card('A').loyalty_card).toEqual({ points: 100, balance: 70, subtracted_points: 30 })
  expect(events()).toEqual([
    ['voucher.loyalty_card.transaction.created', 'v_A'],
    ['voucher.loyalty_card.points_added', 'v_A'],
    ['voucher.loyalty_card.transaction.created', 'v_A'],
  ])
})

test('a card is reached by a code that needs escaping, and through its program', () => {
  const { ask, give, card } = clubWith(['GOLD/1 ☕'])
  const path = `/v1/loyalties/${encodeURIComponent('Bean Club / Gold')}/members/${encodeURIComponent('GOLD/1 ☕')}`

  give('GOLD/1 ☕', 5)
  ask(`POST ${path}/balance`, { points: 6 })

  expect(card('GOLD/1 ☕').loyalty_card.balance).toBe(11)
  expect(ask(`GET ${path}`)).toEqual(card('GOLD/1 ☕'))
})

test.each<[Record<string, unknown>, string]>([
  [{ points: 0 }, 'invalid_amount'],
  [{ points: -101 }, 'loyalty_card_points_exceeded'],
  [{ points: 9_007_199_254_740_991 }, 'invalid_amount'],
  [{ points: 1, expiration_type: 'CUSTOM_DATE', expiration_date: '2026-05-06T07:08:09Z' }, 'invalid_expiration_date'],
  [{ points: 1, expiration_type: 'CUSTOM_DATE' }, 'invalid_payload'],
  [{ points: 1, expiration_type: 'NON_EXPIRING', expiration_date: '2027-01-01' }, 'invalid_payload'],
  [{ points: -1, expiration_type: 'NON_EXPIRING' }, 'invalid_payload'],
  [{ points: 1, expiration_type: 'SOON' }, 'invalid_payload'],
  [{ points: 1.5 }, 'invalid_payload'],
  [{}, 'invalid_payload'],
])('the change %o is refused as %s and changes nothing', (body, key) => {
  const { ask, give, card } = clubWith(['A'])
  give('A', 100)

  ask('POST /v1/loyalties/members/A/balance', body, key)
  expect(card('A').loyalty_card).toEqual({ points: 100, balance: 100 })
  expect(ask('GET /v1/loyalties/camp_club/transactions').data).toHaveLength(1)
})

test('points that expire are shown, spent first, and removed after their last instant', async () => {
  const { ask, give, card, clock, settled, events } = clubWith(['A'])
  give('A', 10)
  give('A', 20, { expiration_type: 'CUSTOM_DATE', expiration_date: '2026-06-01T00:00:00Z' })
  give('A', 30, { expiration_date: '2026-07-01' })
  give('A', -5)
  const shows = (balance: number, more: object) =>
    expect(card('A').loyalty_card).toEqual({ points: 60, balance, subtracted_points: 5, ...more })
  const at = async (now: string) => {
    clock.now = now
    await settled()
  }
  const june = { next_expiration_date: '2026-06-01', next_expiration_points: 15 }

  shows(55, june)
  await at('2026-06-01T00:00:00.000Z')
  shows(55, june)
  await at('2026-06-01T00:00:00.001Z')
  shows(40, { expired_points: 15, next_expiration_date: '2026-07-01', next_expiration_points: 30 })
  const balance = { points: -15, balance: 40, total: 40, operation_type: 'AUTOMATIC' }
  const [transaction] = ask('GET /v1/loyalties/members/A/transactions').data
  expect(transaction).toMatchObject({ type: 'POINTS_EXPIRATION', source: 'Automation', details: { balance } })
  expect(events().map(([type]) => type)).toContain('voucher.loyalty_card.points_expired')
  await at('2026-07-02T00:00:00.000Z')
  shows(10, { expired_points: 45 })
})

test('points that expire are listed by the day of expiry, including the spent ones', () => {
  const { ask, give } = clubWith(['A', 'B'])
  const path = (code: string) => `GET /v1/loyalties/camp_club/members/${code}/points-expiration`
  expect(ask(path('A'))).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
  give('A', 10, { expiration_date: '2026-07-01' })
  give('A', 20, { expiration_date: '2026-06-01' })
  give('B', 30, { expiration_date: '2026-06-01' })
  give('A', -25)

  const spent = {
    id: expect.stringMatching(/^lopb_/),
    voucher_id: 'v_A',
    campaign_id: 'camp_club',
    bucket: { total_points: 0 },
    status: 'USED',
    expires_at: '2026-06-01',
    object: 'loyalty_points_bucket',
  }
  ask(path('A'), { data: [spent, { bucket: { total_points: 5 }, status: 'ACTIVE' }], total: 2 })
  ask(path('B'), { data: [{ updated_at: null }] })
  ask(path('X'), 404)
})

test('the unspent part of points that expire stays as it is', () => {
  const { get, give, clock } = clubWith(['A'])
  give('A', 10, { expiration_date: '2026-07-01' })
  give('A', 20, { expiration_date: '2026-06-01' })
  clock.now = '2026-05-07T00:00:00.000Z'

  give('A', -5)

  expect(get('/v1/loyalties/camp_club/members/A/points-expiration').body.data).toMatchObject([
    { bucket: { total_points: 15 }, updated_at: '2026-05-07T00:00:00.000Z' },
    { bucket: { total_points: 10 }, updated_at: null },
  ])
})

test('a single point expires, and not too early when time is scaled', async () => {
  const fixture = { campaigns: programs, vouchers: [emptyCard('A')] }
  const { ask, clock, settled } = testSandbox({ timeScale: 60, fixture })
  ask('POST /v1/loyalties/members/A/balance', { points: 1, expiration_date: '2026-06-06T07:08:09.123Z' })

  for (const [now, balance] of [
    ['2026-05-06T20:00:00.000Z', 1],
    ['2026-06-06T07:08:09.123Z', 1],
    ['2026-06-06T07:08:10.000Z', 0],
  ] as const) {
    clock.now = now
    await settled()
    ask('GET /v1/loyalties/members/A', { loyalty_card: { balance } })
  }
})

test('expired points are neither transferred nor kept by the receiving card', () => {
  const { post, give, card, clock } = clubWith(['A', 'B'])
  for (const code of ['A', 'B']) give(code, 20, { expiration_date: '2026-06-01' })
  give('A', 5)
  clock.now = '2026-06-02T00:00:00.000Z'
  const transfer = (points: number) =>
    post('/v1/loyalties/camp_club/members/B/transfers', [{ code: 'A', points, source_id: '1' }])

  expect(transfer(6).body.key).toBe('loyalty_card_points_exceeded')
  expect(transfer(5).body.loyalty_card).toEqual({ points: 25, balance: 5, expired_points: 20 })
  expect(card('A').loyalty_card).toEqual({ points: 25, balance: 0, expired_points: 20, subtracted_points: 5 })
})

test('expired points do not count even before the sandbox has removed them', () => {
  const { give, card, clock } = clubWith(['A'])
  give('A', 20, { expiration_date: '2026-06-01' })
  clock.now = '2026-06-02T00:00:00.000Z'

  expect(give('A', -20).body.key).toBe('loyalty_card_points_exceeded')
  expect(card('A').loyalty_card.balance).toBe(20)
})

test('a transfer moves points from other cards, and its two transactions reference each other', () => {
  const { ask, give, card } = clubWith(['A', 'B', 'C'])
  give('A', 100)
  give('B', 50)

  const transfers = [
    { code: 'A', points: 30, source_id: 't-1', reason: 'Gift' },
    { code: 'B', points: 50, source_id: 't-2' },
  ]
  const moved = { code: 'C', loyalty_card: { points: 80, balance: 80 } }
  ask('POST /v1/loyalties/camp_club/members/C/transfers', transfers, moved)

  expect(['A', 'B'].map((code) => card(code).loyalty_card.balance)).toEqual([70, 0])
  const rows = ask('GET /v1/loyalties/camp_club/transactions?limit=4').data.toReversed()
  const [firstOut, firstIn] = rows
  expect(rows).toMatchObject(['OUT', 'IN', 'OUT', 'IN'].map((way) => ({ type: `POINTS_TRANSFER_${way}` })))
  expect(firstOut).toMatchObject({
    source_id: 't-1',
    reason: 'Gift',
    voucher_id: 'v_A',
    related_transaction_id: firstIn.id,
    details: { destination_voucher: { id: 'v_C' }, balance: { points: -30, balance: 70 } },
  })
  expect(firstIn).toMatchObject({
    voucher_id: 'v_C',
    related_transaction_id: firstOut.id,
    details: { source_voucher: { id: 'v_A' }, balance: { points: 30, balance: 30 } },
  })
})

test.each<[string, string, unknown[]]>([
  ['more than a card has', 'loyalty_card_points_exceeded', [{ code: 'A', points: 101, source_id: '1' }]],
  ['its own points', 'invalid_voucher', [{ code: 'C', points: 1, source_id: '1' }]],
  ['from an unknown card', 'not_found', [{ code: 'X', points: 1, source_id: '1' }]],
  ['no points', 'invalid_payload', [{ code: 'A', points: 0, source_id: '1' }]],
  ['without a source id', 'invalid_payload', [{ code: 'A', points: 1 }]],
  ['nothing', 'invalid_payload', []],
])('a transfer of %s is refused (%s), including the valid one before it', (_, key, bad) => {
  const { ask, give, card } = clubWith(['A', 'C'])
  give('A', 100)
  const good = bad.length === 0 ? [] : [{ code: 'A', points: 10, source_id: '0' }]

  ask('POST /v1/loyalties/camp_club/members/C/transfers', [...good, ...bad], key)
  expect(['A', 'C'].map((code) => card(code).loyalty_card.balance)).toEqual([100, 0])
})

test('programs are listed without campaigns of other kinds, and read by id and name', () => {
  const { ask } = clubWith()

  const campaigns = [{ id: 'camp_club' }, { id: 'camp_other' }]
  ask('GET /v1/loyalties?order=created_at', { object: 'list', data_ref: 'campaigns', campaigns, total: 2 })
  ask('GET /v1/loyalties/camp_club', { name: 'Bean Club / Gold' })
  ask('GET /v1/loyalties/Bean%20Club%20%2F%20Gold', { id: 'camp_club' })
  for (const none of ['Codes', 'Nope']) ask(`GET /v1/loyalties/${none}`, 404)
})

test('the members of a program are its cards', () => {
  const { ask } = clubWith([], { vouchers: [emptyCard('A'), emptyCard('B'), emptyCard('T', 'camp_other')] })
  const path = '/v1/loyalties/camp_club/members'

  ask(`GET ${path}`, { data_ref: 'vouchers', total: 2 })
  ask(`GET ${path}?order=code`, { vouchers: [{ code: 'A' }, { code: 'B' }] })
  ask(`GET ${path}?order=-code&limit=1&page=2`, { vouchers: [{ code: 'A' }] })
  ask(`GET ${path}?code=B`, { vouchers: [{ code: 'B' }] })
  ask(`GET ${path}?ids[0]=v_A&ids[1]=v_T`, { vouchers: [{ code: 'A' }] })
  ask('GET /v1/loyalties/Nope/members', 404)
  ask(`GET ${path}/T`, 404)
})

const operation = fc.record({
  card: fc.constantFrom('A', 'B'),
  points: fc.integer({ min: -60, max: 60 }),
  days: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
  transfer: fc.boolean(),
})

test('whatever happens to cards, every balance is the sum of its transactions and never negative', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
      const { post, get, give, card, clock, settled } = clubWith(['A', 'B'])
      for (const [index, { card: code, points, days, transfer }] of operations.entries()) {
        clock.now = new Date(Date.parse('2026-05-06T00:00:00Z') + index * 86_400_000).toISOString()
        await settled()
        if (transfer)
          post(`/v1/loyalties/camp_club/members/${code}/transfers`, [
            { code: code === 'A' ? 'B' : 'A', points: Math.abs(points) || 1, source_id: `${index}` },
          ])
        else if (days === undefined || points <= 0) give(code, points)
        else give(code, points, { expiration_date: new Date(Date.parse(clock.now) + days * 86_400_000).toISOString() })
      }

      for (const code of ['A', 'B']) {
        const { points, balance, subtracted_points = 0, expired_points = 0 } = card(code).loyalty_card
        const rows = get(`/v1/loyalties/members/${code}/transactions`, 'limit=100&order=id').body.data
        let sum = 0
        for (const { details } of rows) {
          sum += details.balance.points
          expect(details.balance.balance).toBe(sum)
        }
        expect(balance).toBe(sum)
        expect(balance).toBe(points - subtracted_points - expired_points)
        expect(balance).toBeGreaterThanOrEqual(0)
        expect(card(code).loyalty_card.next_expiration_points ?? 0).toBeLessThanOrEqual(balance)
      }
    }),
    { numRuns: 40 },
  )
})

test('a card shows the expiring points of a fixture at once, and they are taken off before the next change', () => {
  const voucher_id = 'v_A'
  const shown = { voucher_id, bucket: { total_points: 20 }, expires_at: '2026-06-01', object: 'loyalty_points_bucket' }
  const stored = { voucher_id, points: 5, total_points: 9, expires_at: '2026-07-01T00:00:00Z' }
  const vouchers = [emptyCard('A', 'camp_club', { loyalty_card: { points: 50 } })]
  const { card, clock, give } = clubWith([], { vouchers, points_buckets: [stored, shown] })
  const next = (date: string, points: number) => ({ next_expiration_date: date, next_expiration_points: points })

  expect(card('A').loyalty_card).toEqual({ points: 50, balance: 50, ...next('2026-06-01', 20) })
  clock.now = '2026-06-01T23:00:00.000Z'
  expect(give('A', 1).body.balance).toBe(51)
  clock.now = '2026-06-02T00:00:00.000Z'
  expect(give('A', 1).body.balance).toBe(32)
  expect(card('A').loyalty_card).toMatchObject(next('2026-07-01', 5))
})

test.each([
  [5, 'ACTIVE'],
  [0, 'USED'],
])('a bucket of a fixture with %i points is %s unless it says otherwise', (points, status) => {
  const points_buckets = [{ voucher_id: 'v_A', points, total_points: 9, expires_at: '2026-07-01' }]

  clubWith(['A'], { points_buckets }).ask('GET /v1/loyalties/camp_club/members/A/points-expiration', {
    data: [{ status }],
  })
})

test.each<[string, unknown, string]>([
  ['an unknown card', { voucher_id: 'v_X', expires_at: '2026-06-01' }, 'Cannot find voucher with id v_X'],
  ['no expiry', { voucher_id: 'v_A' }, "Payload must have required property 'expires_at'"],
  ['no instant', { voucher_id: 'v_A', expires_at: 'soon' }, 'Property .expires_at'],
])('a fixture with a bucket of %s is refused', (_, bucket, message) => {
  expect(() => clubWith(['A'], { points_buckets: [bucket] })).toThrow(`points_buckets[0]: ${message}`)
})
