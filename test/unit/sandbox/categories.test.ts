import { expect, test } from 'vitest'
import { testNow, testSandbox } from '../../support/sandbox.ts'

const later = '2026-05-07T00:00:00.000Z'
const off = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } }

function withCategory() {
  const sandbox = testSandbox()
  const created = sandbox.call('POST', '/v1/categories', { body: { name: 'First Class', hierarchy: 1 } }).body
  sandbox.clock.now = later
  return { ...sandbox, created }
}

test('a category is stored with every member of its wire form', () => {
  const { call, created } = withCategory()

  expect(created).toEqual({
    id: expect.stringMatching(/^cat_[0-9a-f]{18}$/),
    name: 'First Class',
    hierarchy: 1,
    object: 'category',
    created_at: testNow,
    updated_at: null,
  })
  expect(call('GET', `/v1/categories/${created.id}`).body).toEqual(created)
  expect(call('GET', '/v1/categories/First%20Class').body).toEqual(created)
})

test('categories are listed in the order they were made', () => {
  const { call } = testSandbox()
  const none = call('GET', '/v1/categories').body
  const one = call('POST', '/v1/categories', { body: { name: 'B', hierarchy: 2 } }).body
  const two = call('POST', '/v1/categories', { body: { name: 'A', hierarchy: 1 } }).body

  expect(none).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
  expect(call('GET', '/v1/categories').body).toEqual({ object: 'list', data_ref: 'data', data: [one, two], total: 2 })
})

test('a category says how the stacking rules treat it', () => {
  const { call } = testSandbox({
    fixture: {
      categories: ['cat_1', 'cat_2', 'cat_3'].map((id, index) => ({ id, name: id, hierarchy: index })),
      stacking_rules: { exclusive_categories: ['cat_1'], joint_categories: ['cat_2'] },
    },
  })

  const types = call('GET', '/v1/categories').body.data.map(
    (category: { stacking_rules_type?: string }) => category.stacking_rules_type,
  )

  expect(types).toEqual(['EXCLUSIVE', 'JOINT', undefined])
})

test('a name belongs to one category', () => {
  const { call, created } = withCategory()
  call('POST', '/v1/categories', { body: { name: 'Other', hierarchy: 2 } })

  const again = call('POST', '/v1/categories', { body: { name: 'First Class', hierarchy: 5 } })
  const renamed = call('PUT', `/v1/categories/${created.id}`, { body: { name: 'Other', hierarchy: 1 } })

  expect(again.status).toBe(409)
  expect(again.body).toMatchObject({
    key: 'duplicate_found',
    details: 'Duplicated category exists with name First Class',
    resource_type: 'category',
  })
  expect(renamed.status).toBe(409)
})

test.each([
  [{}, "Payload must have required property 'name'"],
  [{ name: 'A' }, "Payload must have required property 'hierarchy'"],
  [{ name: '', hierarchy: 1 }, 'Property .name must NOT have fewer than 1 characters'],
  [{ name: 'A', hierarchy: -1 }, 'Property .hierarchy must be >= 0'],
  [{ name: 'A', hierarchy: 'first' }, 'Property .hierarchy must be number'],
])('the category %j is refused', (body, details) => {
  const { call, created } = withCategory()

  expect(call('POST', '/v1/categories', { body }).body).toMatchObject({ code: 400, key: 'invalid_payload', details })
  expect(call('PUT', `/v1/categories/${created.id}`, { body }).body).toMatchObject({ details })
})

test('a renamed category is what vouchers and campaigns show, and what vouchers are found by', () => {
  const { call, created, store, project } = withCategory()
  call('POST', '/v1/vouchers/A', { body: { ...off, category_id: created.id } })
  call('POST', '/v1/vouchers/B', { body: { ...off, category: 'First Class' } })
  call('POST', '/v1/vouchers/C', { body: { ...off, category: 'A bare name' } })

  const { body } = call('PUT', `/v1/categories/${created.id}`, { body: { name: 'Second', hierarchy: 3 } })

  expect(body).toEqual({ ...created, name: 'Second', hierarchy: 3, updated_at: later })
  expect(call('GET', '/v1/vouchers/A').body).toMatchObject({ category: 'Second', categories: [{ hierarchy: 3 }] })
  expect(call('GET', '/v1/vouchers', { query: 'category=Second' }).body.total).toBe(2)
  expect(call('GET', '/v1/vouchers', { query: 'category=First+Class' }).body.total).toBe(0)
  expect(call('GET', '/v1/vouchers/C').body.category).toBe('A bare name')
  expect(store.outbox.after(0, 10).filter(({ type }) => type === 'voucher.updated')).toEqual([])
  expect(project.id).toMatch(/^proj_/)
})

test('changing only the hierarchy keeps the name, and changing nothing keeps updated_at', () => {
  const { call, created } = withCategory()

  const same = call('PUT', `/v1/categories/${created.id}`, { body: { name: 'First Class', hierarchy: 1 } }).body
  const moved = call('PUT', `/v1/categories/${created.id}`, { body: { name: 'First Class', hierarchy: 9 } }).body

  expect(same).toEqual(created)
  expect(moved).toEqual({ ...created, hierarchy: 9, updated_at: later })
})

test('what was filed under a deleted category is under none', () => {
  const { call, created } = withCategory()
  call('POST', '/v1/vouchers/A', { body: { ...off, category_id: created.id } })

  const { status, body } = call('DELETE', `/v1/categories/${created.id}`)

  expect([status, body]).toEqual([204, undefined])
  expect(call('GET', '/v1/vouchers/A').body).toMatchObject({ category: null, category_id: null, categories: [] })
  expect(call('POST', '/v1/categories', { body: { name: 'First Class', hierarchy: 1 } }).status).toBe(200)
})

test.each([['GET'], ['PUT'], ['DELETE']])('%s of a category that does not exist is a 404', (method) => {
  const { call } = testSandbox()

  const answer = call(method, '/v1/categories/x', method === 'PUT' ? { body: { name: 'A', hierarchy: 1 } } : {})

  expect(answer.body).toMatchObject({
    code: 404,
    details: 'Cannot find category with id x',
    resource_id: 'x',
    resource_type: 'category',
  })
})

test('a category that the service shows can be loaded as it is, one that is wrong is refused', () => {
  const shown = withCategory().created

  const { call } = testSandbox({ fixture: { categories: [shown] } })

  expect(call('GET', `/v1/categories/${shown.id}`).body).toEqual(shown)
  expect(() => testSandbox({ fixture: { categories: [{ name: 'A' }] } })).toThrow(
    "categories[0]: Payload must have required property 'hierarchy'",
  )
  expect(() => testSandbox({ fixture: { categories: [shown, { ...shown, id: 'cat_x' }] } })).toThrow(
    'categories[1]: its id or name is taken',
  )
})
