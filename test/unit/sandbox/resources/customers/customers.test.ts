import { expect, test } from 'vitest'
import { segments } from '../../../../../src/sandbox/stores/customers.ts'
import { requestOf, testNow, testSandbox } from '../../../../support/sandbox.ts'

const nothingYet = {
  summary: {
    redemptions: {
      total_redeemed: 0,
      total_failed: 0,
      total_succeeded: 0,
      total_rolled_back: 0,
      total_rollback_failed: 0,
      total_rollback_succeeded: 0,
      gift: { redeemed_amount: 0, amount_to_go: 0 },
      loyalty_card: { redeemed_points: 0, points_to_go: 0 },
    },
    orders: { total_amount: 0, total_count: 0, average_amount: 0, last_order_amount: 0 },
  },
  loyalty: { points: 0, referred_customers: 0, campaigns: {} },
  referrals: { total: 0, campaigns: [] },
  system_metadata: {},
  created_at: testNow,
  object: 'customer',
}
const later = '2026-05-07T00:00:00.000Z'

function withCustomer(body: Record<string, unknown> = { source_id: 'ada', name: 'Ada', metadata: { a: 1, b: 2 } }) {
  const sandbox = testSandbox()
  const created = sandbox.post('/v1/customers', body).body
  sandbox.clock.now = later
  return { ...sandbox, created }
}

test.each(['yesterday', '1990-02-30', '31.12.1990', ''])('the birthdate %j is refused', (birthdate) => {
  const details = 'Property .birthdate cannot be recognized as a ISO-8601 compliant date'
  testSandbox().ask('POST /v1/customers', { source_id: 'ada', birthdate }, { key: 'invalid_payload', details })
})

test('a customer is stored with every member of the wire form', () => {
  const { ask, events } = testSandbox()
  const given = {
    source_id: 'ada@example.com',
    name: 'Ada',
    description: 'First',
    email: 'ada@example.com',
    phone: '+31 6 1234',
    birthdate: '1990-12-31',
    address: { city: 'Utrecht', country: 'NL' },
    metadata: { vip: true },
  }

  const body = ask('POST /v1/customers', given, 200)

  const id = expect.stringMatching(/^cust_[0-9a-f]{18}$/)
  expect(body).toEqual({ id, ...given, ...nothingYet })
  expect(events()).toEqual([['customer.created', body.id]])
})

test('a customer without any id is always new', () => {
  const { ask } = testSandbox()

  const first = ask('POST /v1/customers', {})
  expect(first).toEqual({ id: expect.any(String), source_id: null, name: null, ...nothingYet })
  expect(ask('POST /v1/customers', { object: 'customer' }).id).not.toBe(first.id)
})

test('creating a customer under a known source id changes that one, and records it once', () => {
  const { ask, created, events } = withCustomer()
  const changed = { ...created, metadata: { a: 1, c: 3 }, updated_at: later }

  for (const metadata of [{ b: null, c: 3 }, { c: 3 }])
    expect(ask('POST /v1/customers', { source_id: 'ada', metadata }, 200)).toEqual(changed)
  expect(events()).toEqual(['created', 'updated'].map((act) => [`customer.${act}`, created.id]))
})

test('the id takes precedence when both ids are sent, and the source id never changes', () => {
  const { ask, created } = withCustomer()
  const { id } = created

  const both = { id, source_id: 'other', name: 'Renamed' }
  ask('POST /v1/customers', both, { id, source_id: 'ada', name: 'Renamed' })
  ask('PUT /v1/customers/ada', { id: 'cust_x', source_id: 'other' }, { id, source_id: 'ada' })
})

test('an unknown id is refused, not created', () => {
  const { ask } = testSandbox()
  const error = { code: 404, details: 'Cannot find customer with id cust_x' }

  ask('POST /v1/customers', { id: 'cust_x', source_id: 'ada' }, error)
  ask('GET /v1/customers', { total: 0 })
})

test('two creations of one source id that arrive together create one customer and one event', () => {
  const { app, ask, credentials, events } = testSandbox()
  const request = requestOf(credentials, 'POST', '/v1/customers', { body: { source_id: 'ada' } })

  expect(app.handleAll([request, request, request]).map(({ status }) => status)).toEqual([200, 200, 200])
  ask('GET /v1/customers', { total: 1 })
  expect(events().map(([type]) => type)).toEqual(['customer.created'])
})

test('an update changes the named members; omitted members of an address stay', () => {
  const address = { city: 'Utrecht', country: 'NL', line_1: 'Gracht 1' }
  const { ask, created, events } = withCustomer({ source_id: 'ada', name: 'Ada', phone: '1', address })
  const named = { email: 'new@example.com', country: 'DE' }

  const body = ask('PUT /v1/customers/ada', { ...named, phone: null, address: { country: 'DE', line_1: null } })

  const { phone: _, ...kept } = created
  expect(body).toEqual({ ...kept, ...named, address: { city: 'Utrecht', country: 'DE' }, updated_at: later })
  expect(events().at(-1)).toEqual(['customer.updated', created.id])
})

test('null clears an address, and an address can be given to a customer without one', () => {
  const { ask } = withCustomer({ source_id: 'ada', address: { city: 'Utrecht' } })

  expect(ask('PUT /v1/customers/ada', { address: null })).not.toHaveProperty('address')
  expect(ask('PUT /v1/customers/ada', { address: { city: 'Delft' } }).address).toEqual({ city: 'Delft' })
})

test('an update that changes nothing keeps updated_at and records nothing', () => {
  const { put, created, events } = withCustomer()

  expect(put('/v1/customers/ada', { name: 'Ada', metadata: { a: 1 } }).body).toEqual(created)
  expect(events()).toHaveLength(1)
})

test('a customer is found by either id, and by a source id that needs escaping', () => {
  const source_id = 'ada+1/2@example.com ☕'
  const { ask, created } = withCustomer({ source_id })

  for (const id of [created.id, source_id]) expect(ask(`GET /v1/customers/${encodeURIComponent(id)}`)).toEqual(created)
})

test('a source id that is another customer’s id does not hide that one', () => {
  const { ask, created } = withCustomer()

  expect(ask('POST /v1/customers', { source_id: created.id }).id).not.toBe(created.id)
  expect(ask(`GET /v1/customers/${created.id}`)).toEqual(created)
})

test('a deleted customer is removed from every segment, and frees the source id', () => {
  const { ask, created, events, store, project } = withCustomer()
  ask('POST /v1/customers', { source_id: 'bo' })
  const segment = ask('POST /v1/segments', { name: 'All', customers: ['ada', 'bo'] })

  expect(ask('DELETE /v1/customers/ada', 204)).toBeUndefined()
  expect(events().at(-1)).toEqual(['customer.deleted', created.id])
  expect(store.in(segments, project.id).get(segment.id)?.customers).toHaveLength(1)
  expect(ask('POST /v1/customers', { source_id: 'ada' }).id).not.toBe(created.id)
})

const day = (n: number) => `2026-04-0${n}T00:00:00.000Z`

const fixture = {
  customers: [
    { id: 'cust_1', source_id: 'c', name: 'Ada', created_at: day(1), updated_at: day(5), email: 'a@example.com' },
    { id: 'cust_2', source_id: 'a', name: 'Bo', created_at: day(2), address: { city: 'Delft' } },
    { id: 'cust_3', source_id: 'b', name: 'ada', created_at: day(3), updated_at: day(4) },
    { id: 'cust_4', created_at: day(4) },
  ],
  segments: [{ id: 'seg_1', name: 'Some', type: 'static', customers: ['cust_1', 'a'] }],
}

function list(query: string) {
  return testSandbox({ fixture }).get('/v1/customers', query)
}

test('without customers the list is empty in the full envelope', () => {
  const list = { object: 'list', data_ref: 'customers', customers: [], total: 0, has_more: false }
  expect(testSandbox().ask('GET /v1/customers')).toEqual(list)
})

test.each<[string, string[]]>([
  ['', ['cust_4', 'cust_3', 'cust_2', 'cust_1']],
  ['order=created_at', ['cust_1', 'cust_2', 'cust_3', 'cust_4']],
  ['order=-updated_at', ['cust_1', 'cust_3', 'cust_4', 'cust_2']],
  ['order=source_id', ['cust_4', 'cust_2', 'cust_3', 'cust_1']],
  ['limit=1&page=2', ['cust_3']],
  ['page=99', []],
  ['email=a%40example.com', ['cust_1']],
  ['name=Ada', ['cust_1']],
  ['city=Delft', ['cust_2']],
  ['segment_id=seg_1', ['cust_2', 'cust_1']],
  ['segment_id=seg_x', []],
  [`created_at[after]=${day(1)}&created_at[before]=${day(3)}`, ['cust_2']],
  [`updated_at[after]=${day(4)}`, ['cust_1']],
  [`updated_at[before]=${day(5)}`, ['cust_3']],
  [`starting_after=${day(3)}`, ['cust_2', 'cust_1']],
  [`starting_after=${day(3)}&limit=1`, ['cust_2']],
  [`starting_after=${day(2)}&order=created_at`, ['cust_3', 'cust_4']],
])('customers listed by %s', (query, expected) => {
  expect(list(query).body.customers.map((customer: { id: string }) => customer.id)).toEqual(expected)
})

test('a walk by starting_after returns every customer once and ends', () => {
  const { ask } = testSandbox({ fixture })
  const seen: string[] = []
  let query = 'limit=3'

  for (let more = true; more; ) {
    const { customers, has_more } = ask(`GET /v1/customers?${query}`)
    seen.push(...customers.map(({ id }: { id: string }) => id))
    query = `limit=3&starting_after=${customers.at(-1).created_at}`
    more = has_more
  }

  expect(seen).toEqual(['cust_4', 'cust_3', 'cust_2', 'cust_1'])
})

test('the total counts all matches, and has_more is true while some follow', () => {
  expect(list('limit=2').body).toMatchObject({ total: 4, has_more: true })
  expect(list('limit=2&page=2').body).toMatchObject({ total: 4, has_more: false })
  expect(list(`starting_after=${day(3)}&limit=2`).body).toMatchObject({ total: 4, has_more: false })
})

test.each([
  ['limit=0', 'Property .limit must be >= 1'],
  ['limit=101', 'Property .limit must be <= 100'],
  ['limit=-1', 'Property .limit must be >= 1'],
  ['limit=abc', 'Property .limit must be number'],
  ['page=100', 'Property .page must be <= 99'],
  ['starting_after=cust_1', 'Property .starting_after cannot be recognized as a ISO-8601 compliant date'],
  ['starting_after=2026-01-01&page=2', 'Property .starting_after cannot be combined with property .page'],
  ['starting_after=2026-01-01&order=source_id', 'Property .starting_after requires an order by created_at'],
])('the query %s is refused with 400', (query, details) => {
  expect(list(query)).toMatchObject({ status: 400, body: { key: 'invalid_query_params', details } })
})

const off = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } }

function holding(query = '', answer?: object) {
  const { ask } = testSandbox({
    fixture: {
      campaigns: [{ id: 'camp_1', name: 'R', campaign_type: 'REFERRAL_PROGRAM', type: 'STANDALONE', active: true }],
      customers: fixture.customers,
      vouchers: [
        { id: 'v_1', code: 'A', ...off, holder_id: 'cust_1', created_at: day(1) },
        { id: 'v_2', code: 'B', ...off, holder_id: 'cust_1', is_referral_code: true, campaign_id: 'camp_1' },
        { id: 'v_3', code: 'C', ...off, holder_id: 'cust_2' },
        { id: 'v_4', code: 'G', gift: { amount: 5 }, holder_id: 'cust_1' },
      ],
    },
  })
  return { ask, listed: ask(`GET /v1/customers/c/redeemables?${query.replaceAll('$', '%24')}`, answer) }
}

test('a customer’s redeemables are the codes they hold, newest first', () => {
  const { ask, listed } = holding()

  expect(listed).toMatchObject({ object: 'list', data_ref: 'data', total: 3, has_more: false })
  expect(listed.data[2]).toEqual({
    id: 'v_1',
    created_at: day(1),
    redeemable_id: 'v_1',
    redeemable_object: 'voucher',
    customer_id: 'cust_1',
    holder_role: 'OWNER',
    campaign_id: null,
    campaign_type: null,
    voucher_type: 'DISCOUNT_VOUCHER',
    redeemable: { type: 'voucher', voucher: ask('GET /v1/vouchers/A'), status: 'ACTIVE' },
  })
  expect(listed.data[1]).toMatchObject({ holder_role: 'REFERRER', campaign_type: 'REFERRAL_PROGRAM' })
})

const used = { redemption: { quantity: 1, redeemed_quantity: 1 } }
const ended = { expiration_date: '2026-01-01T00:00:00.000Z' }

test.each([
  ['ACTIVE', { ...off, validity_day_of_week: [1], redemption: { quantity: 2, redeemed_quantity: 1 } }],
  ['DISABLED', { ...off, ...ended, active: false }],
  ['DISABLED', { ...off, campaign_id: 'camp_off' }],
  ['EXPIRED', { ...off, ...ended, ...used }],
  ['EXPIRED', { ...off, campaign_id: 'camp_over' }],
  ['NOT_ACTIVE_YET', { ...off, start_date: '2099-01-01T00:00:00.000Z' }],
  ['USED', { ...off, ...used }],
  ['NO_BALANCE', { gift: { amount: 5, balance: 0, redeemed_amount: 5 } }],
  ['ACTIVE', { gift: { amount: 5 } }],
])('what a customer holds says whether it can be used now: %s, of %j', (status, held) => {
  const campaign = { campaign_type: 'DISCOUNT_COUPONS', type: 'STANDALONE', metadata: {} }
  const { ask } = testSandbox({
    fixture: {
      campaigns: [
        { ...campaign, id: 'camp_off', name: 'Off', active: false },
        { ...campaign, id: 'camp_over', name: 'Over', active: true, ...ended },
      ],
      customers: fixture.customers,
      vouchers: [{ code: 'A', holder_id: 'cust_1', ...held }],
    },
  })

  ask('GET /v1/customers/c/redeemables', { data: [{ redeemable: { status } }] })
})

test.each<[string, string[]]>([
  ['order=id', ['v_1', 'v_2', 'v_4']],
  ['limit=2', ['v_4', 'v_2']],
  ['limit=2&starting_after_id=v_2', ['v_1']],
  ['filters[voucher_type][conditions][$is]=GIFT_VOUCHER', ['v_4']],
  ['filters[redeemable_id][conditions][$is]=v_1', ['v_1']],
])('redeemables listed by %s', (query, expected) => {
  holding(query, { data: expected.map((id) => ({ id })) })
})

test('a page of redeemables shows where the next one starts', () => {
  holding('limit=2', { has_more: true, more_starting_after: 'v_2' })
  expect(holding('limit=3').listed).not.toHaveProperty('more_starting_after')
})

test('redeemables cannot be filtered by fields of vouchers only', () => {
  const fields = 'id, redeemable_id, created_at, campaign_id, voucher_type'
  const details = `Property .filters.code is not a field that redeemables can be filtered by: ${fields}`
  holding('filters[code][conditions][$is]=A', { key: 'invalid_query_params', details })
})

test('a customer that the service shows can be loaded as it is, unknown members included', () => {
  const shown = { ...withCustomer().created, assets: { avatar: 'a.png' } }

  const { get, events } = testSandbox({ fixture: { customers: [{ ...shown, summary: { orders: 3 } }] } })

  expect(get('/v1/customers/ada').body).toEqual(shown)
  expect(events()).toEqual([])
})

test.each<[string, object[], string]>([
  ['a name that is not text', [{ name: 5 }], '[0]: Property .name must be string,null'],
  ['metadata that is not an object', [{ metadata: 'x' }], '[0]: Property .metadata must be object'],
  ['a source id twice', [{ source_id: 'a' }, { source_id: 'a' }], '[1]: its id or source_id is taken'],
])('a fixture with %s is refused', (_, customers, message) => {
  expect(() => testSandbox({ fixture: { customers } })).toThrow(`customers${message}`)
})
