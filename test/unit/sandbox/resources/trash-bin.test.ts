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
  const { get } = testSandbox()

  expect(get('/v1/trash-bin').body).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0, has_more: false })
})

test('the bin lists its content, newest first', () => {
  const { get, voucher, product, sku } = withBin()

  const { body } = get('/v1/trash-bin')

  expect(body.data.map((entry: Record<string, unknown>) => [entry.resource_type, entry.resource_name])).toEqual([
    ['product', 'Beans'],
    ['sku', 'beans-250'],
    ['voucher', 'A'],
  ])
  expect(body.total).toBe(3)
  expect(body.data[1]).toMatchObject({ object: 'sku', resource_parent_id: product.id })
  expect(body.data.map((entry: Record<string, unknown>) => entry.resource_id)).toEqual([product.id, sku.id, voucher.id])
  expect(body.data[2]).toEqual({
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

test('a cursor walks the bin in both directions', () => {
  const { get } = withBin()
  const names = (query: string) => {
    const { body } = get('/v1/trash-bin', query)
    return [body.data.map((entry: { resource_name: string }) => entry.resource_name), body.has_more]
  }
  const second = get('/v1/trash-bin', 'limit=2').body.more_starting_after

  expect(names('limit=2')).toEqual([['Beans', 'beans-250'], true])
  expect(names(`limit=2&starting_after_id=${second}`)).toEqual([['A'], false])
  expect(names('order=id')).toEqual([['A', 'beans-250', 'Beans'], false])
})

test.each<[string, string[]]>([
  ['filters[resource_type][conditions][$is]=voucher', ['A']],
  ['filters[resource_name][conditions][$starts_with]=beans', ['beans-250']],
])('the bin filtered by %s', (query, expected) => {
  const { body } = withBin().get('/v1/trash-bin', query.replaceAll('$', '%24'))

  expect(body.data.map((entry: { resource_name: string }) => entry.resource_name)).toEqual(expected)
})

test.each([
  ['limit=0', 'Property .limit must be >= 1'],
  ['limit=101', 'Property .limit must be <= 100'],
  ['limit=abc', 'Property .limit must be number'],
  [
    'filters[name][conditions][$is]=A',
    expect.stringContaining('Property .filters.name is not a field that bin_entries can be filtered by: '),
  ],
])('the query %s is refused', (query, details) => {
  const answer = testSandbox().get('/v1/trash-bin', query.replaceAll('$', '%24'))

  expect(answer.body).toMatchObject({ code: 400, key: 'invalid_query_params', details })
})

test('deleting an entry frees the code or source id, and removes the rule assignments', () => {
  const { post, get, del, store } = withBin()
  const taken = post('/v1/vouchers/A', off).status

  for (const { id } of get('/v1/trash-bin').body.data)
    expect(del(`/v1/trash-bin/${id}`)).toMatchObject({ status: 204, body: undefined })

  expect(taken).toBe(409)
  expect(get('/v1/trash-bin').body.data).toEqual([])
  expect(store.db.get('SELECT count(*) AS n FROM validation_rules_assignments')).toMatchObject({ n: 0 })
  expect(post('/v1/vouchers/A', off).status).toBe(200)
  expect(post('/v1/products', { source_id: 'beans' }).status).toBe(200)
  expect(post('/v1/products/beans/skus', { source_id: 'beans-250' }).status).toBe(200)
})

test('an entry that was deleted is a 404', () => {
  const { get, del } = withBin()
  const [{ id }] = get('/v1/trash-bin').body.data

  expect([del(`/v1/trash-bin/${id}`).status, del(`/v1/trash-bin/${id}`).status]).toEqual([204, 404])
})

const discounted = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } }
const ofAll = ['GET', 'PUT', 'DELETE']

test.each<[path: string, make: [path: string, body: object], calls: Array<[tail: string, methods: string[]]>]>([
  [
    '/v1/vouchers/X',
    ['/v1/vouchers/X', discounted],
    [
      ['', ofAll],
      ['/disable', ['POST']],
      ['/enable', ['POST']],
    ],
  ],
  [
    '/v1/customers/x',
    ['/v1/customers', { source_id: 'x' }],
    [
      ['', ofAll],
      ['/redeemables', ['GET']],
    ],
  ],
  [
    '/v1/products/x',
    ['/v1/products', { source_id: 'x' }],
    [
      ['', ofAll],
      ['/skus', ['GET', 'POST']],
      ['/skus/y', ['PUT', 'DELETE']],
    ],
  ],
  ['/v1/products/p/skus/x', ['/v1/products/p/skus', { source_id: 'x' }], [['', ofAll]]],
])('what is deleted at %s is a 404 in every call about it', (path, [at, body], calls) => {
  const { call, post, del } = testSandbox({ fixture: { products: [{ source_id: 'p' }] } })
  post(at, body)
  del(path)

  for (const [tail, methods] of calls)
    for (const method of methods)
      expect([tail, method, call(method, path + tail, method === 'GET' ? {} : { body: {} }).status]).toEqual([
        tail,
        method,
        404,
      ])
})
