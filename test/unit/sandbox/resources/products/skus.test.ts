import { expect, test } from 'vitest'
import { requestOf, testNow, testSandbox } from '../../../../support/sandbox.ts'

const later = '2026-05-07T00:00:00.000Z'

function withSku(body: Record<string, unknown> = { source_id: 'beans-250', sku: 'Beans 250 g', metadata: { a: 1 } }) {
  const sandbox = testSandbox({ fixture: { products: [{ id: 'prod_1', source_id: 'beans' }, { id: 'prod_2' }] } })
  const created = sandbox.post('/v1/products/beans/skus', body).body
  sandbox.clock.now = later
  return { ...sandbox, created }
}

test('a SKU is stored with every member of its wire form', () => {
  const { created } = withSku({
    source_id: 'beans-250',
    sku: 'Beans 250 g',
    price: 1200,
    currency: 'EUR',
    attributes: { weight: '250 g' },
    image_url: 'https://shop.example/250.png',
    metadata: { bin: 7 },
  })

  expect(created).toEqual({
    id: expect.stringMatching(/^sku_[0-9a-f]{18}$/),
    source_id: 'beans-250',
    product_id: 'prod_1',
    sku: 'Beans 250 g',
    price: 1200,
    currency: 'EUR',
    attributes: { weight: '250 g' },
    image_url: 'https://shop.example/250.png',
    metadata: { bin: 7 },
    created_at: testNow,
    updated_at: null,
    object: 'sku',
  })
})

test('creating a SKU under a known id or source id changes that one', () => {
  const { post, get, created } = withSku()

  const bySource = post('/v1/products/beans/skus', { source_id: 'beans-250', price: 1 }).body
  const byId = post('/v1/products/prod_1/skus', { id: created.id, currency: 'EUR' }).body

  expect(bySource).toEqual({ ...created, price: 1, updated_at: later })
  expect(byId).toEqual({ ...created, price: 1, currency: 'EUR', updated_at: later })
  expect(get('/v1/products/beans/skus').body.total).toBe(1)
})

test('two creations of one source id that arrive together create one SKU', () => {
  const { app, get, credentials } = withSku()
  const request = requestOf(credentials, 'POST', '/v1/products/beans/skus', { body: { source_id: 'twin' } })

  app.handleAll([request, request])

  expect(get('/v1/products/beans/skus').body.total).toBe(2)
})

test('a SKU is read below its product as older clients do, and not below another', () => {
  const { get, created } = withSku()

  expect(get('/v1/products/beans/skus/beans-250')).toMatchObject({ status: 200, body: created })
  expect(get(`/v1/products/prod_2/skus/${created.id}`)).toMatchObject({
    status: 404,
    body: { resource_type: 'sku', resource_id: created.id },
  })
})

test('a SKU of another product is neither moved, changed nor deleted through this one', () => {
  const { post, put, del, get, created } = withSku()
  const wrong = `/v1/products/prod_2/skus/${created.id}`

  const taken = post('/v1/products/prod_2/skus', { source_id: 'beans-250' })

  expect([taken.status, taken.body.resource_id, taken.body.resource_type]).toEqual([409, 'beans-250', 'sku'])
  expect(put(wrong, { price: 1 }).status).toBe(404)
  expect(del(wrong).status).toBe(404)
  expect(get('/v1/skus/beans-250').body).toEqual(created)
})

test('an update changes the named members, replaces the attributes and adds to the metadata', () => {
  const { put, created } = withSku({ source_id: 'a', attributes: { weight: '1', grind: 'fine' }, metadata: { a: 1 } })

  const { body } = put('/v1/products/beans/skus/a', {
    source_id: 'b',
    sku: 'New',
    attributes: { weight: '2' },
    metadata: { b: 2 },
    image_url: '',
  })

  expect(body).toEqual({
    ...created,
    sku: 'New',
    attributes: { weight: '2' },
    metadata: { a: 1, b: 2 },
    image_url: '',
    updated_at: later,
  })
})

test('a SKU is found by either id, and by a source id that needs escaping', () => {
  const { get, created } = withSku({ source_id: '250 g/"fine"?' })

  expect(get(`/v1/skus/${created.id}`).body).toEqual(created)
  expect(get(`/v1/skus/${encodeURIComponent('250 g/"fine"?')}`).body).toEqual(created)
})

test('a deleted SKU keeps its source id taken, force frees it', () => {
  const { call, post, del } = withSku()
  post('/v1/products/beans/skus', { source_id: 'b' })

  const binned = del('/v1/products/beans/skus/beans-250')
  const gone = call('DELETE', '/v1/products/beans/skus/b', { query: 'force=true' })

  expect([binned.status, gone.status]).toEqual([204, 204])
  expect(post('/v1/products/beans/skus', { source_id: 'beans-250' }).status).toBe(409)
  expect(post('/v1/products/beans/skus', { source_id: 'b' }).status).toBe(200)
})

const day = (n: number) => `2026-04-0${n}T00:00:00.000Z`

const fixture = {
  products: [
    { id: 'prod_1', source_id: 'coffee & tea' },
    { id: 'prod_2', source_id: 'grinder' },
    { id: 'prod_3', source_id: 'empty' },
  ],
  skus: [
    { id: 'sku_1', product_id: 'prod_1', sku: 'C', created_at: day(1), updated_at: day(5) },
    { id: 'sku_2', product_id: 'prod_1', sku: 'A', created_at: day(2) },
    { id: 'sku_3', product_id: 'coffee & tea', sku: 'B', created_at: day(3), updated_at: day(4), currency: 'EUR' },
    { id: 'sku_4', product_id: 'grinder', sku: 'Z', created_at: day(2) },
  ],
}

function list(query: string, product = 'coffee & tea') {
  const path = `/v1/products/${encodeURIComponent(product)}/skus`
  return testSandbox({ fixture }).get(path, query.replaceAll('$', '%24'))
}

test('the SKUs of a product are listed under the name that data_ref says, and only they', () => {
  const none = list('', 'empty')
  const one = list('', 'grinder')
  const many = list('')

  expect(none.body).toEqual({ object: 'list', data_ref: 'skus', skus: [], total: 0 })
  expect([one.status, one.body.total, one.body.skus[0].id]).toEqual([200, 1, 'sku_4'])
  expect([many.body.total, many.body.skus.length]).toEqual([3, 3])
})

test.each<[string, string[]]>([
  ['', ['sku_1', 'sku_2', 'sku_3']],
  ['order=created_at', ['sku_1', 'sku_2', 'sku_3']],
  ['order=-created_at', ['sku_3', 'sku_2', 'sku_1']],
  ['order=updated_at', ['sku_2', 'sku_3', 'sku_1']],
  ['order=-updated_at', ['sku_1', 'sku_3', 'sku_2']],
  ['order=code', ['sku_2', 'sku_3', 'sku_1']],
  ['order=-code', ['sku_1', 'sku_3', 'sku_2']],
  ['order=type', ['sku_1', 'sku_2', 'sku_3']],
  ['order=-type', ['sku_3', 'sku_2', 'sku_1']],
  ['order=campaign', ['sku_1', 'sku_2', 'sku_3']],
  ['order=-campaign', ['sku_3', 'sku_2', 'sku_1']],
  ['order=category', ['sku_1', 'sku_2', 'sku_3']],
  ['order=-category', ['sku_3', 'sku_2', 'sku_1']],
  ['limit=2', ['sku_1', 'sku_2']],
  ['limit=2&page=2', ['sku_3']],
  ['page=100', []],
  [`start_date=${day(2)}`, ['sku_2', 'sku_3']],
  [`end_date=${day(2)}`, ['sku_1', 'sku_2']],
  [`start_date=${day(2)}&end_date=${day(2)}`, ['sku_2']],
  ['start_date=2026-04-02T02:00:00%2B02:00&end_date=2026-04-02', ['sku_2']],
  [`start_date=${day(3)}&end_date=${day(1)}`, []],
  ['filters[created_at][conditions][$after][0]=2026-04-01', ['sku_2', 'sku_3']],
  ['filters[updated_at][conditions][$before][0]=2026-04-05', ['sku_3']],
  ['filters[currency][conditions][$is]=EUR', ['sku_3']],
])('SKUs listed by %s', (query, expected) => {
  expect(list(query).body.skus.map((sku: { id: string }) => sku.id)).toEqual(expected)
})

test('the total counts all SKUs in the bounds, not the page', () => {
  expect(list(`limit=1&start_date=${day(2)}`).body).toMatchObject({ total: 2, skus: [{ id: 'sku_2' }] })
})

test('ten SKUs are listed unless a limit says otherwise', () => {
  const { get } = testSandbox({
    fixture: { products: [{ source_id: 'p' }], skus: Array.from({ length: 12 }, () => ({ product_id: 'p' })) },
  })
  const lengthOf = (query: string) => get('/v1/products/p/skus', query).body.skus.length

  expect([lengthOf(''), lengthOf('page=2'), lengthOf('limit=100')]).toEqual([10, 2, 12])
})

test.each([
  ['limit=0', 'Property .limit must be >= 1'],
  ['limit=101', 'Property .limit must be <= 100'],
  ['limit=-1', 'Property .limit must be >= 1'],
  ['limit=abc', 'Property .limit must be number'],
  ['limit=', 'Property .limit must be number'],
  ['limit=2.5', 'Property .limit must be integer'],
  ['page=0', 'Property .page must be >= 1'],
  ['page=101', 'Property .page must be <= 100'],
  ['page=-1', 'Property .page must be >= 1'],
  ['page=abc', 'Property .page must be number'],
  [
    'order=sku',
    'Property .order must be equal to one of the allowed values: created_at, -created_at, updated_at, -updated_at, type, -type, code, -code, campaign, -campaign, category, -category',
  ],
  ['start_date=yesterday', 'Property .start_date cannot be recognized as a ISO-8601 compliant date'],
  ['end_date=2026-02-30', 'Property .end_date cannot be recognized as a ISO-8601 compliant date'],
  [
    'filters[colour][conditions][$is]=red',
    expect.stringContaining('Property .filters.colour is not a field that skus can be filtered by: '),
  ],
])('the query %s is refused with 400', (query, details) => {
  expect(list(query)).toMatchObject({
    status: 400,
    body: { key: 'invalid_query_params', message: 'Invalid query params', details },
  })
})

test('a bad query is reported before an unknown product', () => {
  expect(list('limit=0', 'nobody').status).toBe(400)
})
