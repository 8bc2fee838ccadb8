import { expect, test } from 'vitest'
import { requestOf, testNow, testSandbox } from '../../../../support/sandbox.ts'

const later = '2026-05-07T00:00:00.000Z'

function withProduct(body: Record<string, unknown> = { source_id: 'beans', name: 'Beans', metadata: { a: 1, b: 2 } }) {
  const sandbox = testSandbox()
  const created = sandbox.post('/v1/products', body).body
  sandbox.clock.now = later
  return { ...sandbox, created }
}

test('a product is stored with every member of its wire form', () => {
  const { ask, events } = testSandbox()
  const given = {
    source_id: 'beans',
    name: 'Beans',
    price: 1450,
    image_url: 'https://shop.example/beans.png',
    metadata: { roast: 'dark' },
  }

  expect(ask('POST /v1/products', { ...given, attributes: ['weight', 'grind', 'weight'] }, 200)).toEqual({
    ...given,
    id: expect.stringMatching(/^prod_[0-9a-f]{18}$/),
    object: 'product',
    attributes: ['weight', 'grind'],
    created_at: testNow,
    updated_at: null,
  })
  expect(events()).toEqual([])
})

test('a product may have no members, and each creation makes another', () => {
  const { ask } = testSandbox()
  const none = { source_id: null, name: null, price: null, attributes: [], metadata: {}, image_url: null }

  expect(ask('POST /v1/products', {}, none).id).not.toBe(ask('POST /v1/products', {}).id)
})

test('creating a product under a known source id changes that one', () => {
  const { ask, created } = withProduct()
  const body = ask('POST /v1/products', { source_id: 'beans', price: 900, metadata: { b: null, c: 3 } }, 200)

  expect(body).toEqual({ ...created, price: 900, metadata: { a: 1, c: 3 }, updated_at: later })
  ask('GET /v1/products', { total: 1 })
})

test('the id takes precedence when a product is created with both ids', () => {
  const { ask, created } = withProduct()
  const known = { id: created.id, name: 'Renamed' }

  ask('POST /v1/products', { ...known, source_id: 'other' }, { ...known, source_id: 'beans' })
})

test('an id that does not exist yet becomes the id of the new product', () => {
  const { ask } = testSandbox()
  const mine = { id: 'prod_mine', name: 'Mine' }

  ask('POST /v1/products', mine, mine)
  ask('GET /v1/products/prod_mine', mine)
})

test('a new id with the source id of another product is refused', () => {
  const details = 'Duplicated product exists with id beans'
  const error = { key: 'duplicate_found', details, resource_id: 'beans', resource_type: 'product' }
  withProduct().ask('POST /v1/products', { id: 'prod_mine', source_id: 'beans' }, error)
})

test('two creations of one source id that arrive together create one product', () => {
  const { app, get, credentials } = testSandbox()
  const request = (name: string) =>
    requestOf(credentials, 'POST', '/v1/products', { body: { source_id: 'beans', name } })

  expect(app.handleAll([request('One'), request('Two')]).map(({ status }) => status)).toEqual([200, 200])
  expect(get('/v1/products').body).toMatchObject({ total: 1, products: [{ name: 'Two' }] })
})

test('an update changes the named members and never the ids', () => {
  const { ask, created } = withProduct()
  const named = { name: null, attributes: ['size'], price: 5, image_url: 'https://x.example/' }

  const body = ask('PUT /v1/products/beans', { ...named, id: 'prod_x', source_id: 'x' })

  expect(body).toEqual({ ...created, ...named, updated_at: later })
})

test('an update that changes nothing keeps updated_at', () => {
  const { put, created } = withProduct()

  expect(put('/v1/products/beans', { name: 'Beans', metadata: { a: 1 } }).body).toEqual(created)
})

test('a product is found by either id, and by a source id that needs escaping', () => {
  const { ask, created } = withProduct({ source_id: 'coffee & tea/50% ☕' })

  for (const id of [created.id, created.source_id])
    ask(`GET /v1/products/${encodeURIComponent(id)}`, { id: created.id })
})

test('a product shows its SKUs, oldest first, unless they are hidden', () => {
  const { ask, clock } = withProduct()
  const first = ask('POST /v1/products/beans/skus', { sku: 'Z' })
  clock.now = '2026-05-08T00:00:00.000Z'
  const second = ask('POST /v1/products/beans/skus', { sku: 'A' })

  const skus = { object: 'list', data_ref: 'data', data: [first, second], total: 2 }
  expect(ask('GET /v1/products/beans').skus).toEqual(skus)
  expect(ask('GET /v1/products/beans?hide=sku')).not.toHaveProperty('skus')
  const details = 'Property .hide must be equal to one of the allowed values: sku'
  ask('GET /v1/products/beans?hide=name', { key: 'invalid_query_params', details })
})

test('a product without SKUs shows no list of them', () => {
  expect(withProduct().get('/v1/products/beans').body).not.toHaveProperty('skus')
})

test('a deleted product keeps its ids taken, its SKUs are deleted with it, and force frees everything', () => {
  const { ask, created } = withProduct()
  ask('POST /v1/products/beans/skus', { source_id: 'beans-250' })
  ask('POST /v1/products', { source_id: 'grinder' })
  ask('POST /v1/products/grinder/skus', { source_id: 'grinder-black' })

  expect(ask('DELETE /v1/products/beans', 204)).toBeUndefined()
  expect(ask('DELETE /v1/products/grinder?force=true', 204)).toBeUndefined()
  for (const sku of ['beans-250', 'grinder-black']) ask(`GET /v1/skus/${sku}`, 404)
  ask('POST /v1/products', { source_id: 'beans' }, 409)
  ask('POST /v1/products', { id: created.id }, { key: 'duplicate_found', resource_id: created.id })
  ask('POST /v1/products', { source_id: 'grinder' }, 200)
  ask('POST /v1/products/grinder/skus', { source_id: 'grinder-black' }, 200)
})

const day = (n: number) => `2026-04-0${n}T00:00:00.000Z`

const fixture = {
  products: [
    { id: 'prod_1', source_id: 'c', name: 'Cup', created_at: day(1), updated_at: day(5), price: 300 },
    { id: 'prod_2', source_id: 'a', name: 'Beans', created_at: day(2), metadata: { roast: 'dark' } },
    {
      id: 'prod_3',
      source_id: 'b',
      name: null,
      metadata: null,
      attributes: null,
      created_at: day(3),
      updated_at: day(4),
    },
  ],
}

function ids(query: string): string[] {
  const { body } = testSandbox({ fixture }).get('/v1/products', query.replaceAll('$', '%24'))
  return body.products.map((product: { id: string }) => product.id)
}

test.each<[string, string[]]>([
  ['', ['prod_1', 'prod_2', 'prod_3']],
  ['order=created_at', ['prod_1', 'prod_2', 'prod_3']],
  ['order=-created_at', ['prod_3', 'prod_2', 'prod_1']],
  ['order=updated_at', ['prod_2', 'prod_3', 'prod_1']],
  ['order=code', ['prod_3', 'prod_2', 'prod_1']],
  ['order=-code', ['prod_1', 'prod_2', 'prod_3']],
  ['order=type', ['prod_1', 'prod_2', 'prod_3']],
  ['order=-campaign', ['prod_3', 'prod_2', 'prod_1']],
  ['limit=1&page=2', ['prod_2']],
  [`start_date=${day(2)}`, ['prod_2', 'prod_3']],
  [`end_date=${day(2)}`, ['prod_1', 'prod_2']],
  ['filters[name][conditions][$is]=Beans', ['prod_2']],
  ['filters[price][conditions][$more_than]=299', ['prod_1']],
  ['filters[metadata.roast][conditions][$is]=dark', ['prod_2']],
])('products listed by %s', (query, expected) => {
  expect(ids(query)).toEqual(expected)
})

test('a product of a fixture keeps its dates, and one that the service shows can be loaded as it is', () => {
  const shown = testSandbox({ fixture }).get('/v1/products/a').body

  expect(testSandbox({ fixture: { products: [shown] } }).get('/v1/products/a').body).toEqual(shown)
  expect(shown).toMatchObject({ id: 'prod_2', created_at: day(2), updated_at: null, attributes: [], price: null })
})

test.each<[string, object, string]>([
  ['without a numeric price', { products: [{ price: '5' }] }, 'products[0]: Property .price must be number,null'],
  ['with a date that is none', { products: [{ created_at: 'soon' }] }, 'products[0]: Property .created_at cannot be'],
  ['with an id that is no text', { products: [{ id: 5 }] }, 'products[0]: Property .id must be string'],
  [
    'with a source id twice',
    { products: [{ source_id: 'a' }, { source_id: 'a' }] },
    'products[1]: its id or source_id',
  ],
  ['with a SKU of no product', { skus: [{ sku: 'A' }] }, "skus[0]: Payload must have required property 'product_id'"],
  ['with a SKU of an unknown product', { skus: [{ product_id: 'x' }] }, 'skus[0]: Cannot find product with id x'],
])('a fixture %s is refused', (_, given, message) => {
  expect(() => testSandbox({ fixture: given })).toThrow(message)
})
