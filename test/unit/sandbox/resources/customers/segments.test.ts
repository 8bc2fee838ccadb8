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
  const { ask } = testSandbox({ fixture: { customers } })
  const given = { name: 'VIP', type: 'static' }

  const body = ask('POST /v1/segments', { ...given, customers: ['ada', 'cust_1', 'cust_2'] }, 200)

  expect(body).toEqual({
    ...given,
    id: expect.stringMatching(/^seg_[0-9a-f]{18}$/),
    filter: null,
    created_at: testNow,
    updated_at: null,
    object: 'segment',
  })
  expect(ask(`GET /v1/segments/${body.id}`)).toEqual(body)
  const members = ask(`GET /v1/customers?segment_id=${body.id}`).customers
  expect(members.map(({ id }: { id: string }) => id).toSorted()).toEqual(['cust_1', 'cust_2'])
})

test.each([
  ['with a filter and without a type is computed', { filter: { email: { conditions: { $contains: ['.com'] } } } }, 1],
  ['without a type is a list, empty when no customer is named', {}, 0],
])('a segment %s', (_, members, total) => {
  const { ask } = testSandbox({ fixture: { customers: [{ source_id: 'ada', email: 'ada@example.com' }] } })

  const type = total === 0 ? 'static' : 'auto-update'
  const { id } = ask('POST /v1/segments', { name: 'S', ...members }, { type, ...members })
  ask(`GET /v1/customers?segment_id=${id}`, { total })
})

test('segments are listed in the order of creation', () => {
  const { ask } = testSandbox()
  const list = (...data: object[]) => ({ object: 'list', data_ref: 'data', data, total: data.length })

  expect(ask('GET /v1/segments')).toEqual(list())
  const made = ['B', 'A'].map((name) => ask('POST /v1/segments', { name }))
  expect(ask('GET /v1/segments')).toEqual(list(...made))
})

const computed = (filter: object) => ({ type: 'auto-update', filter })

const onAll = (type: string) => ({ ...computed(club('$is', 'gold')), type, customers: ['ada'] })
const bySum = { 'summary.orders.total_amount': { conditions: { $more_than: [1] } } }
const like = { email: { conditions: { $like: ['a'] } } }

test.each<[details: string, body: object]>([
  ['.type must be equal to one of the allowed values: static, auto-update, passive', { type: 'dynamic' }],
  ['.filter must have a condition', computed({})],
  ['.filter must have a condition', computed({ junction: 'or' })],
  ['.filter must have a condition', { filter: {} }],
  ['.customers is not allowed in a segment of type auto-update', onAll('auto-update')],
  ['.filter.summary.orders.total_amount is not a field that customers can be', computed(bySum)],
  ['.filter.email.conditions.$like is not an operator of this field', computed(like)],
  ['.filter is not allowed in a segment of type static', { type: 'static', filter: {} }],
  ["Payload must have required property 'filter'", { type: 'passive' }],
])('a segment is refused: %s', (details, body) => {
  const { ask } = testSandbox()

  ask(
    'POST /v1/segments',
    { name: 'A', ...body },
    { key: 'invalid_payload', details: expect.stringContaining(details) },
  )
  ask('GET /v1/segments', { total: 0 })
})

test('a segment of a customer that does not exist is refused', () =>
  testSandbox().ask(
    'POST /v1/segments',
    { name: 'A', customers: ['nobody'] },
    {
      code: 404,
      resource_id: 'nobody',
      resource_type: 'customer',
    },
  ))

test('a deleted segment is gone, its customers stay', () => {
  const { ask } = testSandbox({ fixture: { customers } })
  const path = `/v1/segments/${ask('POST /v1/segments', { name: 'A', customers: ['ada'] }).id}`

  expect(ask(`DELETE ${path}`, 204)).toBeUndefined()
  ask('GET /v1/customers/ada', 200)
  ask(`GET ${path}`, 404)
  ask(`DELETE ${path}`, 404)
})

test.each([
  ['seg_1', { id: 'cust_1' }, true],
  ['seg_1', { id: 'cust_2' }, false],
  ['seg_1', {}, false],
  ['seg_x', { id: 'cust_1' }, false],
])(
  'a customer is in the segments that list them, and nobody is in an unknown one: %s, %j',
  (id, customer, expected) => {
    const segments = [{ id: 'seg_1', name: 'A', type: 'static', customers: ['ada'] }]
    const { store, project } = testSandbox({ fixture: { customers, segments } })
    const context = {
      in: (declared: Parameters<typeof store.in>[0]) => store.in(declared, project.id),
      store,
      now: testNow,
    } as Parameters<typeof isInSegment>[2]

    expect(isInSegment(id, customer, context)).toBe(expected)
  },
)

test('segments that the service shows can be loaded as they are', () => {
  const { ask, segment } = clubs(club('$is', 'gold'))
  const shown = [ask('POST /v1/segments', { name: 'A', customers: ['bo'] }), segment]

  const copy = testSandbox({ fixture: { customers: [{ id: 'cust_2', source_id: 'bo' }], segments: shown } })

  for (const one of shown) expect(copy.ask(`GET /v1/segments/${one.id}`)).toEqual(one)
})

test.each<[string, object, string]>([
  ['an unknown customer', { name: 'A', customers: ['x'] }, 'Cannot find customer with id x'],
  ['no condition', { name: 'A', type: 'passive', filter: {} }, 'Property .filter must have'],
])('a fixture with a segment of %s is refused', (_, segment, message) => {
  expect(() => testSandbox({ fixture: { segments: [segment] } })).toThrow(`segments[0]: ${message}`)
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
  const { ask } = sandbox
  const segment = ask('POST /v1/segments', { name: 'Club', type, filter })
  const rules = { '1': { name: 'customer.segment', conditions: { $is: [segment.id] } }, logic: '1' }
  const rule = ask('POST /v1/validation-rules', { name: 'Club', rules })
  const discount = { type: 'AMOUNT', amount_off: 100 }
  ask('POST /v1/vouchers/C', { type: 'DISCOUNT_VOUCHER', discount, validation_rules: [rule.id] })
  const using = { redeemables: [{ object: 'voucher', id: 'C' }], order: { amount: 500 } }
  const mayUse = (customer?: object) => ask('POST /v1/validations', { ...using, ...(customer && { customer }) }).valid
  const members = () =>
    ask(`GET /v1/customers?segment_id=${segment.id}`).customers.map((one: { source_id: string }) => one.source_id)
  return { ...sandbox, segment, mayUse, members }
}

const known = { email: { conditions: { $has_value: '' } } }
const nameless = { email: { conditions: { $is_unknown: '' } } }

test.each<[string, Record<string, unknown>, string[]]>([
  ['equal metadata', club('$is', 'gold'), ['ada']],
  ['other metadata, or none', club('$is_not', 'gold'), ['bo', 'cy']],
  ['one of several values', { 'metadata.club': { conditions: { $in: ['gold', 'silver'] } } }, ['ada', 'bo']],
  ['an attribute', { email: { conditions: { $ends_with: ['@example.com'] } } }, ['ada']],
  ['a part of the address', { 'address.city': { conditions: { $is: ['Delft'] } } }, ['bo']],
  ['one of two conditions', { junction: 'OR', ...club('$is', 'silver'), ...known }, ['ada', 'bo']],
  ['both conditions', { ...club('$is', 'gold'), ...nameless }, []],
])('a segment by %s has the customers who meet it, and rules about it hold for them', (_, filter, expected) => {
  const { segment, members, mayUse } = clubs(filter)

  expect(segment).toMatchObject({ type: 'auto-update', filter, object: 'segment' })
  expect(segment).not.toHaveProperty('customers')
  expect(members().toSorted()).toEqual(expected)
  expect(['ada', 'bo', 'cy'].filter((source_id) => mayUse({ source_id }))).toEqual(expected)
})

test.each([
  ['an active', 'auto-update', ['left', 'entered']],
  ['a passive', 'passive', []],
])('a customer enters and leaves %s segment with a change of the metadata', (_, type, told) => {
  const { ask, members, mayUse, events } = clubs(club('$is', 'gold'), type)

  ask('PUT /v1/customers/ada', { metadata: { club: 'silver' } })
  ask('PUT /v1/customers/cy', { metadata: { club: 'gold' } })

  expect(members()).toEqual(['cy'])
  expect([mayUse({ source_id: 'ada' }), mayUse({ source_id: 'cy' })]).toEqual([false, true])
  expect(events().flatMap(([type]) => /^customer\.segment\.(.*)/.exec(type)?.[1] ?? [])).toEqual(told)
})

test.each([
  [{ source_id: 'new', metadata: { club: 'gold' } }, true],
  [{ source_id: 'new' }, false],
  [undefined, false],
])('a customer who is not stored is in a computed segment by the attributes of the request: %j', (customer, isIn) => {
  expect(clubs(club('$is', 'gold'), 'passive').mayUse(customer)).toBe(isIn)
})

test('the segments of a customer are listed, whether they name the customer or are computed', () => {
  const { ask, segment } = clubs(club('$is', 'gold'))
  const listed = ask('POST /v1/segments', { name: 'Readers', customers: ['ada', 'cy'] })
  const list = (...data: object[]) => ({ object: 'list', data_ref: 'data', data, total: data.length })

  for (const [id, segments] of Object.entries({ ada: [segment, listed], cust_3: [listed], bo: [] }))
    expect(ask(`GET /v1/customers/${id}/segments`)).toEqual(list(...segments))
  const error = { code: 404, resource_type: 'customer', resource_id: 'nobody' }
  ask('GET /v1/customers/nobody/segments', error)
})
