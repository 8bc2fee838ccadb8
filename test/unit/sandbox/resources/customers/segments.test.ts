import { expect, test } from 'vitest'
import { isInSegment } from '../../../../../src/sandbox/resources/customers/segment.ts'
import { testNow, testSandbox } from '../../../../support/sandbox.ts'

const customers = [
  { id: 'cust_1', source_id: 'ada' },
  { id: 'cust_2', source_id: 'bo' },
]

test('a segment is a list of customers, each named by either id and kept once', () => {
  const { call } = testSandbox({ fixture: { customers } })

  const { status, body } = call('POST', '/v1/segments', {
    body: { name: 'VIP', type: 'static', customers: ['ada', 'cust_1', 'cust_2'] },
  })

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^seg_[0-9a-f]{18}$/),
    name: 'VIP',
    type: 'static',
    customers: ['cust_1', 'cust_2'],
    filter: null,
    created_at: testNow,
    updated_at: null,
    object: 'segment',
  })
  expect(call('GET', `/v1/segments/${body.id}`).body).toEqual(body)
})

test('a segment without a type is a list, empty when no customer is named', () => {
  const { call } = testSandbox()

  expect(call('POST', '/v1/segments', { body: { name: 'Nobody' } }).body).toMatchObject({
    type: 'static',
    customers: [],
  })
})

test('segments are listed in the order of creation', () => {
  const { call } = testSandbox()
  const none = call('GET', '/v1/segments').body
  const one = call('POST', '/v1/segments', { body: { name: 'B' } }).body
  const two = call('POST', '/v1/segments', { body: { name: 'A' } }).body

  expect(none).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
  expect(call('GET', '/v1/segments').body).toEqual({ object: 'list', data_ref: 'data', data: [one, two], total: 2 })
})

test.each([
  [{}, "Payload must have required property 'name'"],
  [{ name: '' }, 'Property .name must NOT have fewer than 1 characters'],
  [
    { name: 'A', type: 'dynamic' },
    'Property .type must be equal to one of the allowed values: static, auto-update, passive',
  ],
  [
    { name: 'A', type: 'auto-update', filter: {} },
    'Property .type must be static: the sandbox does not compute auto-update segments',
  ],
  [{ name: 'A', type: 'passive' }, 'Property .type must be static: the sandbox does not compute passive segments'],
  [{ name: 'A', filter: {} }, 'Property .filter is not allowed in a segment of type static'],
  [{ name: 'A', customers: [5] }, 'Property .customers[0] must be string'],
])('the segment %j is refused', (body, details) => {
  const { call } = testSandbox()

  const answer = call('POST', '/v1/segments', { body })

  expect(answer.body).toMatchObject({ code: 400, key: 'invalid_payload', details })
  expect(call('GET', '/v1/segments').body.total).toBe(0)
})

test('a segment of a customer that does not exist is refused', () => {
  const { call } = testSandbox()

  const { status, body } = call('POST', '/v1/segments', { body: { name: 'A', customers: ['nobody'] } })

  expect([status, body.resource_id, body.resource_type]).toEqual([404, 'nobody', 'customer'])
})

test('a deleted segment is gone, its customers stay', () => {
  const { call } = testSandbox({ fixture: { customers } })
  const { id } = call('POST', '/v1/segments', { body: { name: 'A', customers: ['ada'] } }).body

  const { status, body } = call('DELETE', `/v1/segments/${id}`)

  expect([status, body]).toEqual([204, undefined])
  expect(call('GET', '/v1/customers/ada').status).toBe(200)
  expect(call('GET', `/v1/segments/${id}`).body).toMatchObject({
    code: 404,
    details: `Cannot find segment with id ${id}`,
    resource_type: 'segment',
  })
  expect(call('DELETE', `/v1/segments/${id}`).status).toBe(404)
})

test('a customer is in the segments that list them, and no customer is in an unknown one', () => {
  const { store, project } = testSandbox({
    fixture: { customers, segments: [{ id: 'seg_1', name: 'A', type: 'static', customers: ['ada'] }] },
  })
  const context = { in: (declared: Parameters<typeof store.in>[0]) => store.in(declared, project.id) } as Parameters<
    typeof isInSegment
  >[2]

  expect(isInSegment('seg_1', { id: 'cust_1' }, context)).toBe(true)
  expect(isInSegment('seg_1', { id: 'cust_2' }, context)).toBe(false)
  expect(isInSegment('seg_1', {}, context)).toBe(false)
  expect(isInSegment('seg_x', { id: 'cust_1' }, context)).toBe(false)
})

test('a segment that the service shows can be loaded as it is', () => {
  const made = testSandbox({ fixture: { customers } })
  const shown = made.call('POST', '/v1/segments', { body: { name: 'A', customers: ['bo'] } }).body

  const { call } = testSandbox({ fixture: { customers, segments: [shown] } })

  expect(call('GET', `/v1/segments/${shown.id}`).body).toEqual(shown)
})

test.each<[string, unknown, string]>([
  ['an unknown customer', { name: 'A', customers: ['x'] }, 'segments[0]: Cannot find customer with id x'],
  ['a computed type', { name: 'A', type: 'passive' }, 'segments[0]: Property .type must be static'],
])('a fixture with a segment of %s is refused', (_, segment, message) => {
  expect(() => testSandbox({ fixture: { segments: [segment] } })).toThrow(message)
})
