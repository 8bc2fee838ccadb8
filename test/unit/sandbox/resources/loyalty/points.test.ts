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
  const { post, get, give, card } = clubWith(['GOLD/1 ☕'])

  give('GOLD/1 ☕', 5)
  const path = `/v1/loyalties/${encodeURIComponent('Bean Club / Gold')}/members/${encodeURIComponent('GOLD/1 ☕')}`
  post(`${path}/balance`, { points: 6 })

  expect(card('GOLD/1 ☕').loyalty_card.balance).toBe(11)
  expect(get(path).body).toEqual(card('GOLD/1 ☕'))
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
  const { post, get, give, card } = clubWith(['A'])
  give('A', 100)

  expect(post('/v1/loyalties/members/A/balance', body)).toMatchObject({ status: 400, body: { key } })
  expect(card('A').loyalty_card).toEqual({ points: 100, balance: 100 })
  expect(get('/v1/loyalties/camp_club/transactions').body.data).toHaveLength(1)
})

test('points that expire are shown, spent first, and removed after their last instant', async () => {
  const { get, give, card, clock, settled, events } = clubWith(['A'])
  give('A', 10)
  give('A', 20, { expiration_type: 'CUSTOM_DATE', expiration_date: '2026-06-01T00:00:00Z' })
  give('A', 30, { expiration_date: '2026-07-01' })
  give('A', -5)
  const before = card('A').loyalty_card

  clock.now = '2026-06-01T00:00:00.000Z'
  await settled()
  const atTheInstant = card('A').loyalty_card
  clock.now = '2026-06-01T00:00:00.001Z'
  await settled()

  expect(before).toEqual({
    points: 60,
    balance: 55,
    subtracted_points: 5,
    next_expiration_date: '2026-06-01',
    next_expiration_points: 15,
  })
  expect(atTheInstant).toEqual(before)
  expect(card('A').loyalty_card).toEqual({
    points: 60,
    balance: 40,
    subtracted_points: 5,
    expired_points: 15,
    next_expiration_date: '2026-07-01',
    next_expiration_points: 30,
  })
  expect(get('/v1/loyalties/members/A/transactions').body.data[0]).toMatchObject({
    type: 'POINTS_EXPIRATION',
    source: 'Automation',
    details: { balance: { points: -15, balance: 40, total: 40, operation_type: 'AUTOMATIC' } },
  })
  expect(events().map(([type]) => type)).toContain('voucher.loyalty_card.points_expired')
  clock.now = '2026-07-02T00:00:00.000Z'
  await settled()
  expect(card('A').loyalty_card).toEqual({ points: 60, balance: 10, subtracted_points: 5, expired_points: 45 })
})

test('points that expire are listed by the day of expiry, including the spent ones', () => {
  const { get, give } = clubWith(['A', 'B'])
  const path = '/v1/loyalties/camp_club/members/A/points-expiration'
  const empty = get(path).body
  give('A', 10, { expiration_date: '2026-07-01' })
  give('A', 20, { expiration_date: '2026-06-01' })
  give('B', 30, { expiration_date: '2026-06-01' })
  give('A', -25)

  expect(empty).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
  expect(get(path).body).toMatchObject({
    data: [
      {
        id: expect.stringMatching(/^lopb_/),
        voucher_id: 'v_A',
        campaign_id: 'camp_club',
        bucket: { total_points: 0 },
        status: 'USED',
        expires_at: '2026-06-01',
        object: 'loyalty_points_bucket',
      },
      { bucket: { total_points: 5 }, status: 'ACTIVE' },
    ],
    total: 2,
  })
  expect(get(path.replace('/A/', '/B/')).body.data).toMatchObject([{ updated_at: null }])
  expect(get(path.replace('/A/', '/X/')).status).toBe(404)
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
  const { post, get, clock, settled } = testSandbox({
    timeScale: 60,
    fixture: { campaigns: programs, vouchers: [emptyCard('A')] },
  })
  post('/v1/loyalties/members/A/balance', { points: 1, expiration_date: '2026-06-06T07:08:09.123Z' })
  const balanceAt = async (now: string) => {
    clock.now = now
    await settled()
    return get('/v1/loyalties/members/A').body.loyalty_card.balance
  }

  expect(await balanceAt('2026-05-06T20:00:00.000Z')).toBe(1)
  expect(await balanceAt('2026-06-06T07:08:09.123Z')).toBe(1)
  expect(await balanceAt('2026-06-06T07:08:10.000Z')).toBe(0)
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
  const { post, get, give, card } = clubWith(['A', 'B', 'C'])
  give('A', 100)
  give('B', 50)

  const { status, body } = post('/v1/loyalties/camp_club/members/C/transfers', [
    { code: 'A', points: 30, source_id: 't-1', reason: 'Gift' },
    { code: 'B', points: 50, source_id: 't-2' },
  ])
  const [secondIn, secondOut, firstIn, firstOut] = get('/v1/loyalties/camp_club/transactions').body.data

  expect(status).toBe(200)
  expect(body).toMatchObject({ code: 'C', loyalty_card: { points: 80, balance: 80 } })
  expect([card('A'), card('B')].map((voucher) => voucher.loyalty_card.balance)).toEqual([70, 0])
  expect([firstOut, firstIn, secondOut, secondIn].map((row) => row.type)).toEqual([
    'POINTS_TRANSFER_OUT',
    'POINTS_TRANSFER_IN',
    'POINTS_TRANSFER_OUT',
    'POINTS_TRANSFER_IN',
  ])
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

test.each<[string, number, string, unknown[]]>([
  ['more than a card has', 400, 'loyalty_card_points_exceeded', [{ code: 'A', points: 101, source_id: '1' }]],
  ['its own points', 400, 'invalid_voucher', [{ code: 'C', points: 1, source_id: '1' }]],
  ['from an unknown card', 404, 'not_found', [{ code: 'X', points: 1, source_id: '1' }]],
  ['no points', 400, 'invalid_payload', [{ code: 'A', points: 0, source_id: '1' }]],
  ['without a source id', 400, 'invalid_payload', [{ code: 'A', points: 1 }]],
  ['nothing', 400, 'invalid_payload', []],
])('a transfer of %s is refused (%i %s), including the valid one before it', (_, status, key, bad) => {
  const { post, give, card } = clubWith(['A', 'C'])
  give('A', 100)
  const good = bad.length === 0 ? [] : [{ code: 'A', points: 10, source_id: '0' }]

  expect(post('/v1/loyalties/camp_club/members/C/transfers', [...good, ...bad])).toMatchObject({
    status,
    body: { key },
  })
  expect(['A', 'C'].map((code) => card(code).loyalty_card.balance)).toEqual([100, 0])
})

test('programs are listed without campaigns of other kinds, and read by id and name', () => {
  const { get } = clubWith()

  const { body } = get('/v1/loyalties', 'order=created_at')

  expect(body).toMatchObject({ object: 'list', data_ref: 'campaigns', total: 2 })
  expect(body.campaigns.map((campaign: { id: string }) => campaign.id)).toEqual(['camp_club', 'camp_other'])
  expect(get('/v1/loyalties/camp_club').body).toMatchObject({ name: 'Bean Club / Gold' })
  expect(get('/v1/loyalties/Bean%20Club%20%2F%20Gold').body.id).toBe('camp_club')
  expect(get('/v1/loyalties/Codes').status).toBe(404)
  expect(get('/v1/loyalties/Nope').status).toBe(404)
})

test('the members of a program are its cards', () => {
  const { get } = clubWith([], { vouchers: [emptyCard('A'), emptyCard('B'), emptyCard('T', 'camp_other')] })
  const codes = (query: string) =>
    get('/v1/loyalties/camp_club/members', query).body.vouchers.map(({ code }: { code: string }) => code)

  expect(get('/v1/loyalties/camp_club/members').body).toMatchObject({ data_ref: 'vouchers', total: 2 })
  expect(codes('order=code')).toEqual(['A', 'B'])
  expect(codes('order=-code&limit=1&page=2')).toEqual(['A'])
  expect(codes('code=B')).toEqual(['B'])
  expect(codes('ids[0]=v_A&ids[1]=v_T')).toEqual(['A'])
  expect(get('/v1/loyalties/Nope/members').status).toBe(404)
  expect(get('/v1/loyalties/camp_club/members/T').status).toBe(404)
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
  const card = emptyCard('A', 'camp_club', { loyalty_card: { points: 50 } })
  const shown = {
    voucher_id: 'v_A',
    bucket: { total_points: 20 },
    expires_at: '2026-06-01',
    object: 'loyalty_points_bucket',
  }
  const stored = { voucher_id: 'v_A', points: 5, total_points: 9, expires_at: '2026-07-01T00:00:00Z' }
  const club = clubWith([], { vouchers: [card], points_buckets: [stored, shown] })

  expect(club.card('A').loyalty_card).toEqual({
    points: 50,
    balance: 50,
    next_expiration_date: '2026-06-01',
    next_expiration_points: 20,
  })
  club.clock.now = '2026-06-01T23:00:00.000Z'
  expect(club.give('A', 1).body.balance).toBe(51)
  club.clock.now = '2026-06-02T00:00:00.000Z'
  expect(club.give('A', 1).body.balance).toBe(32)
  expect(club.card('A').loyalty_card).toMatchObject({ next_expiration_date: '2026-07-01', next_expiration_points: 5 })
})

test.each<[string, unknown, string]>([
  ['an unknown card', { voucher_id: 'v_X', expires_at: '2026-06-01' }, 'Cannot find voucher with id v_X'],
  ['no expiry', { voucher_id: 'v_A' }, "Payload must have required property 'expires_at'"],
  ['no instant', { voucher_id: 'v_A', expires_at: 'soon' }, 'Property .expires_at'],
])('a fixture with a bucket of %s is refused', (_, bucket, message) => {
  expect(() => clubWith(['A'], { points_buckets: [bucket] })).toThrow(`points_buckets[0]: ${message}`)
})
