import { expect, test } from 'vitest'
import { isInSegment } from '../../../../../src/sandbox/resources/customers/segments.ts'
import { testNow, testSandbox } from '../../../../support/sandbox.ts'

const customers = [
  { id: 'cust_1', source_id: 'ada' },
  { id: 'cust_2', source_id: 'bo' },
]

/** The filter on the key `club` of the metadata; the operand is a bare text, as clients send it. */
const club = (operator: string, value: string) => ({ 'metadata.club': { conditions: { [operator]: value } } })

test('a segment is a list of customers, each named by either id and kept once', () => {
  const { post, get } = testSandbox({ fixture: { customers } })

  const { status, body } = post('/v1/segments', { name: 'VIP', type: 'static', customers: ['ada', 'cust_1', 'cust_2'] })

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^seg_[0-9a-f]{18}$/),
    name: 'VIP',
    type: 'static',
    filter: null,
    created_at: testNow,
    updated_at: null,
    object: 'segment',
  })
  expect(get(`/v1/segments/${body.id}`).body).toEqual(body)
  const members = get('/v1/customers', `segment_id=${body.id}&order=created_at`).body.customers
  expect(members.map(({ id }: { id: string }) => id).toSorted()).toEqual(['cust_1', 'cust_2'])
})

test.each([
  ['with a filter and without a type is computed', { filter: { email: { conditions: { $contains: ['.com'] } } } }, 1],
  ['without a type is a list, empty when no customer is named', {}, 0],
])('a segment %s', (_, members, total) => {
  const { post, get } = testSandbox({ fixture: { customers: [{ source_id: 'ada', email: 'ada@example.com' }] } })

  const { body } = post('/v1/segments', { name: 'S', ...members })

  expect(body).toMatchObject({ type: total === 0 ? 'static' : 'auto-update', ...members })
  expect(get('/v1/customers', `segment_id=${body.id}`).body.total).toBe(total)
})

test('segments are listed in the order of creation', () => {
  const { get, post } = testSandbox()
  const none = get('/v1/segments').body
  const one = post('/v1/segments', { name: 'B' }).body
  const two = post('/v1/segments', { name: 'A' }).body

  expect(none).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
  expect(get('/v1/segments').body).toEqual({ object: 'list', data_ref: 'data', data: [one, two], total: 2 })
})

const computed = (filter: object) => ({ type: 'auto-update', filter })

test.each<[details: unknown, body: object]>([
  ['Property .type must be equal to one of the allowed values: static, auto-update, passive', { type: 'dynamic' }],
  ['Property .filter must have a condition', computed({})],
  ['Property .filter must have a condition', computed({ junction: 'or' })],
  ['Property .filter must have a condition', { filter: {} }],
  ["Payload must have required property 'filter'", { type: 'passive' }],
  [
    'Property .customers is not allowed in a segment of type auto-update',
    { ...computed(club('$is', 'gold')), customers: ['ada'] },
  ],
  [
    expect.stringContaining('Property .filter.summary.orders.total_amount is not a field that customers can be'),
    computed({ 'summary.orders.total_amount': { conditions: { $more_than: [1] } } }),
  ],
  [
    'Property .filter.email.conditions.$like is not an operator of this field',
    computed({ email: { conditions: { $like: ['a'] } } }),
  ],
  ['Property .filter is not allowed in a segment of type static', { type: 'static', filter: {} }],
])('a segment is refused: %s', (details, body) => {
  const { post, get } = testSandbox()

  expect(post('/v1/segments', { name: 'A', ...body }).body).toMatchObject({ key: 'invalid_payload', details })
  expect(get('/v1/segments').body.total).toBe(0)
})

test('a segment of a customer that does not exist is refused', () => {
  expect(testSandbox().post('/v1/segments', { name: 'A', customers: ['nobody'] })).toMatchObject({
    status: 404,
    body: { resource_id: 'nobody', resource_type: 'customer' },
  })
})

test('a deleted segment is gone, its customers stay', () => {
  const { post, del, get } = testSandbox({ fixture: { customers } })
  const path = `/v1/segments/${post('/v1/segments', { name: 'A', customers: ['ada'] }).body.id}`

  expect(del(path)).toMatchObject({ status: 204, body: undefined })
  expect([get('/v1/customers/ada').status, get(path).status, del(path).status]).toEqual([200, 404, 404])
})

test('a customer is in the segments that list them, and no customer is in an unknown one', () => {
  const { store, project } = testSandbox({
    fixture: { customers, segments: [{ id: 'seg_1', name: 'A', type: 'static', customers: ['ada'] }] },
  })
  const context = {
    in: (declared: Parameters<typeof store.in>[0]) => store.in(declared, project.id),
    store,
    now: testNow,
  } as Parameters<typeof isInSegment>[2]

  expect(isInSegment('seg_1', { id: 'cust_1' }, context)).toBe(true)
  expect(isInSegment('seg_1', { id: 'cust_2' }, context)).toBe(false)
  expect(isInSegment('seg_1', {}, context)).toBe(false)
  expect(isInSegment('seg_x', { id: 'cust_1' }, context)).toBe(false)
})

test('segments that the service shows can be loaded as they are', () => {
  const { post, segment } = clubs(club('$is', 'gold'))
  const list = post('/v1/segments', { name: 'A', customers: ['bo'] }).body
  const customers = [{ id: 'cust_2', source_id: 'bo' }]

  const { get } = testSandbox({ fixture: { customers, segments: [list, segment] } })

  for (const shown of [list, segment]) expect(get(`/v1/segments/${shown.id}`).body).toEqual(shown)
})

test.each<[string, unknown, string]>([
  ['an unknown customer', { name: 'A', customers: ['x'] }, 'segments[0]: Cannot find customer with id x'],
  [
    'a filter without a condition',
    { name: 'A', type: 'passive', filter: {} },
    'segments[0]: Property .filter must have',
  ],
])('a fixture with a segment of %s is refused', (_, segment, message) => {
  expect(() => testSandbox({ fixture: { segments: [segment] } })).toThrow(message)
})

/** Ada is in the gold club, Bo in the silver one, Cy in none; a code is for the segment with this filter only. */
function clubs(filter: Record<string, unknown>, type = 'auto-update') {
  const sandbox = testSandbox({
    fixture: {
      customers: [
        { id: 'cust_1', source_id: 'ada', email: 'ada@example.com', metadata: { club: 'gold' } },
        { id: 'cust_2', source_id: 'bo', address: { city: 'Delft' }, metadata: { club: 'silver' } },
        { id: 'cust_3', source_id: 'cy' },
      ],
    },
  })
  const { post, get } = sandbox
  const segment = post('/v1/segments', { name: 'Club', type, filter }).body
  const rules = { '1': { name: 'customer.segment', conditions: { $is: [segment.id] } }, logic: '1' }
  const rule = post('/v1/validation-rules', { name: 'Club', rules }).body
  const discount = { type: 'AMOUNT', amount_off: 100 }
  post('/v1/vouchers/C', { type: 'DISCOUNT_VOUCHER', discount, validation_rules: [rule.id] })
  const mayUse = (customer: unknown) =>
    post('/v1/validations', {
      redeemables: [{ object: 'voucher', id: 'C' }],
      order: { amount: 500 },
      ...(customer ? { customer } : {}),
    }).body.valid
  const members = () =>
    get('/v1/customers', `segment_id=${segment.id}&order=created_at`).body.customers.map(
      (one: { source_id: string }) => one.source_id,
    )
  return { ...sandbox, segment, mayUse, members }
}

test.each<[string, Record<string, unknown>, string[]]>([
  ['equal metadata', club('$is', 'gold'), ['ada']],
  ['other metadata, or none', club('$is_not', 'gold'), ['bo', 'cy']],
  ['one of several values', { 'metadata.club': { conditions: { $in: ['gold', 'silver'] } } }, ['ada', 'bo']],
  ['an attribute', { email: { conditions: { $ends_with: ['@example.com'] } } }, ['ada']],
  ['a part of the address', { 'address.city': { conditions: { $is: ['Delft'] } } }, ['bo']],
  [
    'one of two conditions',
    { junction: 'OR', ...club('$is', 'silver'), email: { conditions: { $has_value: '' } } },
    ['ada', 'bo'],
  ],
  ['both conditions', { ...club('$is', 'gold'), email: { conditions: { $is_unknown: '' } } }, []],
])('a segment by %s has the customers who meet it, and rules about it hold for them', (_, filter, expected) => {
  const { segment, members, mayUse } = clubs(filter)

  expect(segment).toMatchObject({ type: 'auto-update', filter, object: 'segment' })
  expect(segment).not.toHaveProperty('customers')
  expect(members().toSorted()).toEqual(expected)
  expect(['ada', 'bo', 'cy'].filter((source_id) => mayUse({ source_id }))).toEqual(expected)
})

test('a customer enters and leaves a segment with a change of the metadata', () => {
  const { put, members, mayUse } = clubs(club('$is', 'gold'))

  put('/v1/customers/ada', { metadata: { club: 'silver' } })
  put('/v1/customers/cy', { metadata: { club: 'gold' } })

  expect(members()).toEqual(['cy'])
  expect([mayUse({ source_id: 'ada' }), mayUse({ source_id: 'cy' })]).toEqual([false, true])
})

test('a customer who is not stored is in a computed segment by the attributes of the request', () => {
  const { mayUse } = clubs(club('$is', 'gold'), 'passive')

  expect(mayUse({ source_id: 'new', metadata: { club: 'gold' } })).toBe(true)
  expect(mayUse({ source_id: 'new' })).toBe(false)
  expect(mayUse(undefined)).toBe(false)
})

test('the segments of a customer are listed, whether they name the customer or are computed', () => {
  const { post, get, segment } = clubs(club('$is', 'gold'))
  const listed = post('/v1/segments', { name: 'Readers', customers: ['ada', 'cy'] }).body
  const segmentsOf = (id: string) => get(`/v1/customers/${id}/segments`).body

  expect(segmentsOf('ada')).toEqual({ object: 'list', data_ref: 'data', data: [segment, listed], total: 2 })
  expect(segmentsOf('cust_3').data).toEqual([listed])
  expect(segmentsOf('bo')).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
  expect(segmentsOf('nobody')).toMatchObject({ code: 404, resource_type: 'customer', resource_id: 'nobody' })
})
