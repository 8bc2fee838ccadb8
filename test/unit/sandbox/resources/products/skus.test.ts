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
  const given = {
    source_id: 'beans-250',
    sku: 'Beans 250 g',
    price: 1200,
    currency: 'EUR',
    attributes: { weight: '250 g' },
    image_url: 'https://shop.example/250.png',
    metadata: { bin: 7 },
  }

  const id = expect.stringMatching(/^sku_[0-9a-f]{18}$/)
  const dates = { created_at: testNow, updated_at: null }
  expect(withSku(given).created).toEqual({ id, ...given, product_id: 'prod_1', ...dates, object: 'sku' })
})

test('creating a SKU under a known id or source id changes that one', () => {
  const { ask, created } = withSku()
  const changed = { ...created, price: 1, updated_at: later }

  expect(ask('POST /v1/products/beans/skus', { source_id: 'beans-250', price: 1 })).toEqual(changed)
  const byId = { id: created.id, currency: 'EUR' }
  expect(ask('POST /v1/products/prod_1/skus', byId)).toEqual({ ...changed, currency: 'EUR' })
  ask('GET /v1/products/beans/skus', { total: 1 })
})

test('two creations of one source id that arrive together create one SKU', () => {
  const { app, get, credentials } = withSku()
  const request = requestOf(credentials, 'POST', '/v1/products/beans/skus', { body: { source_id: 'twin' } })

  app.handleAll([request, request])

  expect(get('/v1/products/beans/skus').body.total).toBe(2)
})

test('a SKU is read below its product as older clients do, and not below another', () => {
  const { ask, created } = withSku()

  ask('GET /v1/products/beans/skus/beans-250', created)
  const error = { code: 404, resource_type: 'sku', resource_id: created.id }
  ask(`GET /v1/products/prod_2/skus/${created.id}`, error)
})

test('a SKU of another product is neither moved, changed nor deleted through this one', () => {
  const { ask, created } = withSku()
  const wrong = `/v1/products/prod_2/skus/${created.id}`

  const taken = { code: 409, resource_id: 'beans-250', resource_type: 'sku' }
  ask('POST /v1/products/prod_2/skus', { source_id: 'beans-250' }, taken)
  ask(`PUT ${wrong}`, { price: 1 }, 404)
  ask(`DELETE ${wrong}`, 404)
  expect(ask('GET /v1/skus/beans-250')).toEqual(created)
})

test('an update changes the named members, replaces the attributes and adds to the metadata', () => {
  const { ask, created } = withSku({ source_id: 'a', attributes: { weight: '1', grind: 'fine' }, metadata: { a: 1 } })
  const named = { sku: 'New', attributes: { weight: '2' }, image_url: '' }

  const body = ask('PUT /v1/products/beans/skus/a', { ...named, source_id: 'b', metadata: { b: 2 } })

  expect(body).toEqual({ ...created, ...named, metadata: { a: 1, b: 2 }, updated_at: later })
})

test('a SKU is found by either id, and by a source id that needs escaping', () => {
  const { ask, created } = withSku({ source_id: '250 g/"fine"?' })

  for (const id of [created.id, created.source_id])
    expect(ask(`GET /v1/skus/${encodeURIComponent(id)}`)).toEqual(created)
})

test('a deleted SKU keeps its source id taken, force frees it', () => {
  const { ask } = withSku()
  const path = '/v1/products/beans/skus'
  ask(`POST ${path}`, { source_id: 'b' })

  ask(`DELETE ${path}/beans-250`, 204)
  ask(`DELETE ${path}/b?force=true`, 204)
  ask(`POST ${path}`, { source_id: 'beans-250' }, 409)
  ask(`POST ${path}`, { source_id: 'b' }, 200)
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

test.each([
  ['empty', []],
  ['grinder', ['sku_4']],
  ['coffee & tea', ['sku_1', 'sku_2', 'sku_3']],
])('the SKUs of the product "%s" are listed under the name that data_ref says, and only they', (product, ids) => {
  const { status, body } = list('', product)
  const skus = ids.map((id) => expect.objectContaining({ id }))

  expect([status, body]).toEqual([200, { object: 'list', data_ref: 'skus', skus, total: ids.length }])
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
  const skus = Array.from({ length: 12 }, () => ({ product_id: 'p' }))
  const { ask } = testSandbox({ fixture: { products: [{ source_id: 'p' }], skus } })

  for (const [query, length] of Object.entries({ '': 10, 'page=2': 2, 'limit=100': 12 }))
    expect(ask(`GET /v1/products/p/skus?${query}`).skus).toHaveLength(length)
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
