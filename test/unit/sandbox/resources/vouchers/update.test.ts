import { expect, test } from 'vitest'
import { testSandbox } from '../../../../support/sandbox.ts'

const fiveOff = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } }

function withVoucher(code = 'A', body: Record<string, unknown> = fiveOff) {
  const sandbox = testSandbox()
  const created = sandbox.post(`/v1/vouchers/${encodeURIComponent(code)}`, body).body
  sandbox.clock.now = '2026-05-07T00:00:00.000Z'
  return { ...sandbox, created }
}

test.each(['disable', 'enable'])('the bulk call of the oldest clients makes no voucher called "%s"', (name) => {
  const { post, get, events } = withVoucher()

  const { status } = post(`/v1/vouchers/${name}`, { ...fiveOff, vouchers: ['A'] })

  expect([status, get(`/v1/vouchers/${name}`).status]).toEqual([404, 404])
  expect(events()).toHaveLength(1)
})

test('disabling a voucher sets active to false and the time of the update, once', () => {
  const { post, created, clock, events } = withVoucher()

  const first = post('/v1/vouchers/A/disable')
  clock.now = '2026-05-08T00:00:00.000Z'
  const second = post('/v1/vouchers/A/disable')

  expect([first.status, first.body]).toEqual([
    200,
    { ...created, active: false, updated_at: '2026-05-07T00:00:00.000Z' },
  ])
  expect([second.status, second.body]).toEqual([200, first.body])
  expect(events()).toEqual([
    ['voucher.created', created.id],
    ['voucher.disabled', created.id],
  ])
})

test('enabling a voucher sets active to true again, once', () => {
  const { post, created, events } = withVoucher('A', { ...fiveOff, active: false })

  const first = post('/v1/vouchers/A/enable').body
  const second = post('/v1/vouchers/A/enable').body

  expect(created).toMatchObject({ active: false, updated_at: null })
  expect(first).toEqual({ ...created, active: true, updated_at: '2026-05-07T00:00:00.000Z' })
  expect(second).toEqual(first)
  expect(events().map(([type]) => type)).toEqual(['voucher.created', 'voucher.enabled'])
})

test('a voucher is found by its id as well as by its code, also where another has that as its code', () => {
  const { get, post, created } = withVoucher()
  post(`/v1/vouchers/${created.id}`, fiveOff)

  expect(get(`/v1/vouchers/${created.id}`).body).toEqual(created)
  expect(post(`/v1/vouchers/${created.id}/disable`).body).toMatchObject({ code: 'A', active: false })
})

test('codes that differ in case are different codes', () => {
  expect(withVoucher('abc').get('/v1/vouchers/ABC').status).toBe(404)
})

test('an update changes the named members, adds to the metadata, and ignores the rest', () => {
  const { put, created, events } = withVoucher('A', { ...fiveOff, metadata: { a: 1, b: 2 }, additional_info: 'old' })

  const { status, body } = put('/v1/vouchers/A', {
    discount: { type: 'AMOUNT', amount_off: 700 },
    expiration_date: '2027-01-01',
    metadata: { b: null, c: 3 },
    category: 'Late',
    code: 'B',
    type: 'GIFT_VOUCHER',
  })

  expect(status).toBe(200)
  expect(body).toEqual({
    ...created,
    discount: { type: 'AMOUNT', amount_off: 700 },
    expiration_date: '2027-01-01T00:00:00.000Z',
    metadata: { a: 1, c: 3 },
    category: 'Late',
    updated_at: '2026-05-07T00:00:00.000Z',
  })
  expect(events().at(-1)).toEqual(['voucher.updated', created.id])
})

test('an update that changes nothing keeps updated_at and records nothing', () => {
  const { put, created, events } = withVoucher('A', { ...fiveOff, metadata: { a: 1 } })

  expect(put('/v1/vouchers/A', { active: true, metadata: { a: 1 } }).body).toEqual(created)
  expect(events()).toEqual([['voucher.created', created.id]])
})

test('an update that would leave a time frame without start is refused', () => {
  const { put } = withVoucher('A', {
    ...fiveOff,
    start_date: '2026-01-01',
    validity_timeframe: { duration: 'P1D', interval: 'P7D' },
  })

  expect(put('/v1/vouchers/A', { start_date: null }).body).toMatchObject({
    key: 'invalid_payload',
    details: "Property .validity_timeframe requires property 'start_date'",
  })
})

test('deleting answers 204 without a body, and lists the voucher in the bin', () => {
  const { del, get, created, events, store } = withVoucher()

  expect(del('/v1/vouchers/A')).toMatchObject({ status: 204, body: undefined })
  expect(get('/v1/vouchers').body.total).toBe(0)
  expect(events().at(-1)).toEqual(['voucher.deleted', created.id])
  expect(store.db.all<{ doc: string }>('SELECT doc FROM bin_entries').map((row) => JSON.parse(row.doc))).toEqual([
    expect.objectContaining({ resource_id: created.id, resource_name: 'A', resource_type: 'voucher' }),
  ])
})

test('deleting with force frees the code', () => {
  const { call, post } = withVoucher()

  expect(call('DELETE', '/v1/vouchers/A', { query: 'force=true' }).status).toBe(204)
  expect(post('/v1/vouchers/A', fiveOff).status).toBe(200)
})

test.each([
  ['with force', 'force=true'],
  ['into the bin, and from there', ''],
])('a card that is deleted %s leaves nothing that only it had', (_, query) => {
  const { call, post, get, del } = testSandbox({
    fixture: {
      campaigns: [
        {
          id: 'camp_club',
          name: 'Club',
          campaign_type: 'LOYALTY_PROGRAM',
          voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
        },
      ],
      vouchers: [{ code: 'CARD', type: 'LOYALTY_CARD', campaign_id: 'camp_club', loyalty_card: { points: 0 } }],
    },
  })
  post('/v1/publications', { voucher: 'CARD', customer: { source_id: 'nia' } })
  post('/v1/loyalties/members/CARD/balance', { points: 50, expiration_date: '2026-12-31' })
  const transactions = () => get('/v1/loyalties/camp_club/transactions').body.data
  const before = transactions()

  call('DELETE', '/v1/vouchers/CARD', { query })
  for (const { id } of get('/v1/trash-bin').body.data) del(`/v1/trash-bin/${id}`)

  expect(before).toHaveLength(1)
  expect(transactions()).toEqual([])
  expect(post('/v1/campaigns/camp_club/vouchers/CARD', {}).status).toBe(200)
})

test('force must be true or false', () => {
  const answer = withVoucher().call('DELETE', '/v1/vouchers/A', { query: 'force=yes' })

  expect(answer.body).toMatchObject({ key: 'invalid_query_params', details: 'Property .force must be boolean' })
})
