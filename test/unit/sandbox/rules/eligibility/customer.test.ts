import { expect, test } from 'vitest'
import { resolveCustomer } from '../../../../../src/sandbox/rules/eligibility/customer.ts'
import { snapshotOf } from '../state.ts'

const snapshot = snapshotOf({
  customers: [
    { id: 'cust_1', source_id: 'jo', name: 'Jo', metadata: { level: 'tin', city: 'Bonn' } },
    { id: 'cust_2', source_id: 'al', name: 'Al' },
  ],
})

test('the request overrides stored fields for this evaluation, metadata key by key', () => {
  expect(resolveCustomer(snapshot, { source_id: 'jo', name: 'Joanna', metadata: { level: 'gold' } })).toEqual({
    customer: { id: 'cust_1', source_id: 'jo', name: 'Joanna', metadata: { level: 'gold', city: 'Bonn' } },
    tracking_id: 'track_jo',
  })
})

test('with both ids the id takes precedence, and the stored source id is kept', () => {
  const result = resolveCustomer(snapshot, { id: 'cust_2', source_id: 'jo' })

  expect(result).toMatchObject({ customer: { id: 'cust_2', source_id: 'al', name: 'Al' } })
})

test('an unknown source id is an anonymous customer with a tracking id', () => {
  const result = resolveCustomer(snapshot, { source_id: 'new', metadata: { level: 'gold' } })

  expect(result).toEqual({ customer: { source_id: 'new', metadata: { level: 'gold' } }, tracking_id: 'track_new' })
})

test('a customer with only a name has neither id nor tracking id', () => {
  const result = resolveCustomer(snapshot, { name: 'Jo', email: 'jo@example.com' })

  expect(result).toEqual({ customer: { name: 'Jo', email: 'jo@example.com' } })
})

test.each([
  ['cust_1', 'Jo'],
  ['al', 'Al'],
])('a bare text %s is an id or a source id', (text, name) => {
  expect(resolveCustomer(snapshot, text)).toMatchObject({ customer: { name } })
})

test('no customer and an empty one are the same', () => {
  const none = resolveCustomer(snapshot, undefined)
  const empty = resolveCustomer(snapshot, {})

  expect(none).toEqual({})
  expect(empty).toEqual({})
})
