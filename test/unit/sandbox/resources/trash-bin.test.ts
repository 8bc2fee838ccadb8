import { expect, test } from 'vitest'
import { testNow, testSandbox } from '../../../support/sandbox.ts'

const off = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } }

function withBin() {
  const sandbox = testSandbox({ fixture: { validation_rules: [{ id: 'val_1', name: 'Any', rules: {} }] } })
  const { post, del } = sandbox
  const voucher = post('/v1/vouchers/A', { ...off, validation_rules: ['val_1'] }).body
  const product = post('/v1/products', { source_id: 'beans', name: 'Beans' }).body
  const sku = post('/v1/products/beans/skus', { source_id: 'beans-250' }).body
  del('/v1/vouchers/A')
  del('/v1/products/beans')
  return { ...sandbox, voucher, product, sku }
}

test('an empty bin lists nothing', () => {
  const none = { object: 'list', data_ref: 'data', data: [], total: 0, has_more: false }
  expect(testSandbox().ask('GET /v1/trash-bin')).toEqual(none)
})

test('the bin lists its content, newest first', () => {
  const { ask, voucher, product, sku } = withBin()

  const { data } = ask('GET /v1/trash-bin', {
    data: [
      { resource_type: 'product', resource_name: 'Beans', resource_id: product.id },
      { resource_type: 'sku', resource_name: 'beans-250', resource_id: sku.id },
      { resource_type: 'voucher' },
    ],
    total: 3,
  })

  expect(data[1]).toMatchObject({ object: 'sku', resource_parent_id: product.id })
  expect(data[2]).toEqual({
    id: expect.stringMatching(/^tbe_[0-9a-f]{18}$/),
    created_at: testNow,
    resource_id: voucher.id,
    resource_name: 'A',
    resource_type: 'voucher',
    resource_parent_id: null,
    deleted_by_user_id: null,
    object: 'voucher',
  })
})

const named = (...names: string[]) => ({ data: names.map((resource_name) => ({ resource_name })) })

test('a cursor walks the bin in both directions', () => {
  const { ask } = withBin()

  const { more_starting_after } = ask('GET /v1/trash-bin?limit=2', { ...named('Beans', 'beans-250'), has_more: true })
  const next = `GET /v1/trash-bin?limit=2&starting_after_id=${more_starting_after}`
  ask(next, { ...named('A'), has_more: false })
  ask('GET /v1/trash-bin?order=id', { ...named('A', 'beans-250', 'Beans'), has_more: false })
})

test.each([
  ['[resource_type][conditions][%24is]=voucher', 'A'],
  ['[resource_name][conditions][%24starts_with]=beans', 'beans-250'],
])('the bin filtered by %s', (filter, name) => withBin().ask(`GET /v1/trash-bin?filters${filter}`, named(name)))

test.each([
  ['limit=0', 'Property .limit must be >= 1'],
  ['limit=101', 'Property .limit must be <= 100'],
  ['limit=abc', 'Property .limit must be number'],
  [
    'filters[name][conditions][%24is]=A',
    expect.stringContaining('Property .filters.name is not a field that bin_entries can be filtered by: '),
  ],
])('the query %s is refused', (query, details) =>
  testSandbox().ask(`GET /v1/trash-bin?${query}`, { key: 'invalid_query_params', details }),
)

test('deleting an entry frees the code or source id, and removes the rule assignments', () => {
  const { ask, store } = withBin()
  ask('POST /v1/vouchers/A', off, 409)

  for (const { id } of ask('GET /v1/trash-bin').data) {
    expect(ask(`DELETE /v1/trash-bin/${id}`, 204)).toBeUndefined()
    ask(`DELETE /v1/trash-bin/${id}`, 404)
  }

  ask('GET /v1/trash-bin', { data: [] })
  expect(store.db.get('SELECT count(*) AS n FROM validation_rules_assignments')).toMatchObject({ n: 0 })
  ask('POST /v1/vouchers/A', off, 200)
  ask('POST /v1/products', { source_id: 'beans' }, 200)
  ask('POST /v1/products/beans/skus', { source_id: 'beans-250' }, 200)
})

const ofAll = 'GET PUT DELETE'

test.each<[path: string, make: string, body: object, calls: Record<string, string>]>([
  ['/v1/vouchers/X', '/v1/vouchers/X', off, { '': ofAll, '/disable': 'POST', '/enable': 'POST' }],
  ['/v1/customers/x', '/v1/customers', { source_id: 'x' }, { '': ofAll, '/redeemables': 'GET' }],
  ['/v1/products/x', '/v1/products', { source_id: 'x' }, { '': ofAll, '/skus': 'GET POST', '/skus/y': 'PUT DELETE' }],
  ['/v1/products/p/skus/x', '/v1/products/p/skus', { source_id: 'x' }, { '': ofAll }],
])('what is deleted at %s is a 404 in every call about it', (path, at, body, calls) => {
  const { call, ask } = testSandbox({ fixture: { products: [{ source_id: 'p' }] } })
  ask(`POST ${at}`, body)
  ask(`DELETE ${path}`)

  for (const [tail, methods] of Object.entries(calls))
    for (const method of methods.split(' ')) {
      const { status } = call(method, path + tail, method === 'GET' ? {} : { body: {} })
      expect([tail, method, status]).toEqual([tail, method, 404])
    }
})
