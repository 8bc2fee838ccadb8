import { expect, test } from 'vitest'
import { isInCollection } from '../../../../src/sandbox/resources/product-collections/members.ts'
import { testNow, testSandbox } from '../../../support/sandbox.ts'

const day = (n: number) => `2026-04-0${n}T00:00:00.000Z`

const catalogue = {
  products: [
    {
      id: 'prod_1',
      source_id: 'beans',
      name: 'Beans',
      created_at: day(1),
      updated_at: day(9),
      metadata: { kind: 'bean' },
    },
    { id: 'prod_2', source_id: 'grinder', name: 'Grinder', created_at: day(2), price: 9900 },
    { id: 'prod_3', name: 'Filter', created_at: day(3), updated_at: day(8) },
  ],
  skus: [
    { id: 'sku_1', source_id: 'beans-250', product_id: 'prod_1', created_at: day(2) },
    { id: 'sku_2', source_id: 'beans-1000', product_id: 'prod_1', created_at: day(4) },
  ],
}

const listed = { id: 'prod_2', object: 'product' }

function withCollections() {
  const sandbox = testSandbox({
    fixture: {
      ...catalogue,
      product_collections: [
        {
          id: 'pc_list',
          name: 'Listed',
          type: 'STATIC',
          products: [{ id: 'beans-250', object: 'sku' }, listed],
          created_at: day(1),
        },
        {
          id: 'pc_bean',
          name: 'Beans',
          type: 'AUTO_UPDATE',
          filter: { 'metadata.kind': { conditions: { $is: ['bean'] } } },
          created_at: day(2),
        },
        { id: 'pc_all', name: 'All products', type: 'AUTO_UPDATE', filter: { junction: 'and' }, created_at: day(3) },
      ],
    },
  })
  const { store, project } = sandbox
  const context = {
    now: testNow,
    store,
    in: (declared: Parameters<typeof store.in>[0]) => store.in(declared, project.id),
  } as Parameters<typeof isInCollection>[2]
  return {
    ...sandbox,
    holds: (id: string, line: Parameters<typeof isInCollection>[1]) => isInCollection(id, line, context),
  }
}

test('a static collection lists products and SKUs, each named by either id and kept once', () => {
  const { post, get } = testSandbox({ fixture: catalogue })

  const { status, body } = post('/v1/product-collections', {
    name: 'Mixed',
    type: 'STATIC',
    products: [
      { id: 'beans', object: 'product' },
      { id: 'prod_1', object: 'product' },
      { id: 'beans-250', product_id: 'beans', object: 'sku' },
    ],
  })

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^pc_[0-9a-f]{18}$/),
    name: 'Mixed',
    type: 'STATIC',
    filter: null,
    products: [
      { id: 'prod_1', product_id: null, object: 'product' },
      { id: 'sku_1', product_id: 'prod_1', object: 'sku' },
    ],
    created_at: testNow,
    updated_at: null,
    object: 'products_collection',
  })
  expect(get(`/v1/product-collections/${body.id}`).body).toEqual(body)
})

test('an automatic collection keeps its filter, and one without conditions contains all products', () => {
  const { post } = testSandbox()
  const filter = { name: { conditions: { $starts_with: ['B'] } } }

  const some = post('/v1/product-collections', { name: 'B', type: 'AUTO_UPDATE', filter }).body
  const all = post('/v1/product-collections', { name: 'All', type: 'AUTO_UPDATE' }).body

  expect([some.filter, some.products]).toEqual([filter, []])
  expect(all.filter).toEqual({})
})

test.each<[string, { product_id?: string; sku_id?: string }, boolean]>([
  ['pc_list', { product_id: 'prod_2' }, true],
  ['pc_list', { product_id: 'grinder' }, true],
  ['pc_list', { product_id: 'prod_1' }, false],
  ['pc_list', { product_id: 'prod_1', sku_id: 'sku_1' }, true],
  ['pc_list', { sku_id: 'beans-250' }, true],
  ['pc_list', { product_id: 'prod_1', sku_id: 'sku_2' }, false],
  ['pc_list', {}, false],
  ['pc_bean', { product_id: 'prod_1' }, true],
  ['pc_bean', { product_id: 'beans' }, true],
  ['pc_bean', { sku_id: 'sku_2' }, true],
  ['pc_bean', { product_id: 'prod_2' }, false],
  ['pc_bean', { product_id: 'unknown' }, false],
  ['pc_all', { product_id: 'prod_3' }, true],
  ['pc_all', { product_id: 'unknown' }, true],
  ['pc_none', { product_id: 'prod_1' }, false],
])('collection %s includes the line %j: %s', (id, line, expected) => {
  expect(withCollections().holds(id, line)).toBe(expected)
})

test('a SKU of a listed product is in the collection, and a deleted product is in none', () => {
  const { post, del, get, holds } = withCollections()
  post('/v1/products/grinder/skus', { source_id: 'grinder-black' })
  const before = holds('pc_list', { sku_id: 'grinder-black' })

  del('/v1/products/grinder')

  expect(before).toBe(true)
  expect(holds('pc_list', { product_id: 'prod_2' })).toBe(false)
  expect(get('/v1/product-collections/pc_list/products').body.total).toBe(1)
})

test.each<[string, string, string[], number]>([
  ['pc_list', '', ['prod_2', 'sku_1'], 2],
  ['pc_list', 'order=-created_at', ['sku_1', 'prod_2'], 2],
  ['pc_list', 'order=updated_at', ['prod_2', 'sku_1'], 2],
  ['pc_list', 'limit=1&page=2', ['sku_1'], 2],
  ['pc_list', 'page=3', [], 2],
  ['pc_bean', '', ['prod_1'], 1],
  ['pc_all', '', ['prod_1', 'prod_2', 'prod_3'], 3],
  ['pc_all', 'order=-updated_at', ['prod_1', 'prod_3', 'prod_2'], 3],
  ['pc_all', 'limit=1&page=2', ['prod_2'], 3],
])('the products of %s listed by "%s"', (id, query, expected, total) => {
  const { body } = withCollections().get(`/v1/product-collections/${id}/products`, query)

  expect(body).toMatchObject({ object: 'list', data_ref: 'data', total })
  expect(body.data.map((item: { id: string }) => item.id)).toEqual(expected)
})

test.each<[string, string[]]>([
  ['', ['pc_all', 'pc_bean', 'pc_list']],
  ['order=created_at', ['pc_list', 'pc_bean', 'pc_all']],
  ['order=name', ['pc_all', 'pc_bean', 'pc_list']],
  ['limit=1&page=2', ['pc_bean']],
])('collections listed by "%s"', (query, expected) => {
  const { body } = withCollections().get('/v1/product-collections', query)

  expect(body.total).toBe(3)
  expect(body.data.map((item: { id: string }) => item.id)).toEqual(expected)
})

test.each([
  ['limit=0', 'Property .limit must be >= 1'],
  ['limit=101', 'Property .limit must be <= 100'],
  ['limit=abc', 'Property .limit must be number'],
  ['page=-1', 'Property .page must be >= 1'],
  ['page=101', 'Property .page must be <= 100'],
])('the query %s is refused by both listings', (query, details) => {
  for (const path of ['/v1/product-collections', '/v1/product-collections/pc_all/products'])
    expect(withCollections().get(path, query).body).toMatchObject({ code: 400, key: 'invalid_query_params', details })
})

const automatic = (filter: object) => ({ name: 'A', type: 'AUTO_UPDATE', filter })

test.each<[details: unknown, body: object]>([
  ["Payload must have required property 'name'", { type: 'STATIC' }],
  ["Payload must have required property 'type'", { name: 'A' }],
  ['Property .type must be equal to one of the allowed values: STATIC, AUTO_UPDATE', { name: 'A', type: 'DYNAMIC' }],
  ['Property .filter is not allowed in a collection of type STATIC', { name: 'A', type: 'STATIC', filter: {} }],
  [
    'Property .products is not allowed in a collection of type AUTO_UPDATE',
    { name: 'A', type: 'AUTO_UPDATE', products: [] },
  ],
  [
    expect.stringContaining('Property .filter.colour is not a field that products can be filtered by: '),
    automatic({ colour: { conditions: { $is: ['red'] } } }),
  ],
  [
    'Property .filter.name.conditions.$like is not an operator of this field',
    automatic({ name: { conditions: { $like: ['x'] } } }),
  ],
  [
    "Property .products[0] should have required property 'object'",
    { name: 'A', type: 'STATIC', products: [{ id: 'x' }] },
  ],
])('a collection is refused: %s', (details, body) => {
  const { post, get } = testSandbox()

  expect(post('/v1/product-collections', body).body).toMatchObject({ code: 400, key: 'invalid_payload', details })
  expect(get('/v1/product-collections').body).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
})

test.each([
  [{ id: 'x', object: 'product' }, 'product'],
  [{ id: 'beans', object: 'sku' }, 'sku'],
  [{ id: 'beans-250', object: 'sku', product_id: 'grinder' }, 'sku'],
])('a collection of the unknown %j is refused', (entry, type) => {
  const { post } = testSandbox({ fixture: catalogue })

  const { body } = post('/v1/product-collections', { name: 'A', type: 'STATIC', products: [entry] })

  expect(body).toMatchObject({ code: 404, resource_id: entry.id, resource_type: type })
})

test('a collection that a rule uses cannot be deleted, any other can, and its products stay', () => {
  const { del, get, post } = withCollections()
  const applicable_to = { included: [{ object: 'products_collection', id: 'pc_bean' }] }
  const { id } = post('/v1/validation-rules', { name: 'Beans only', applicable_to }).body

  expect(del('/v1/product-collections/pc_bean')).toMatchObject({
    status: 400,
    body: { key: 'resource_in_use', details: `The collection is used by validation rule ${id}` },
  })
  expect(del('/v1/product-collections/pc_list')).toMatchObject({ status: 204, body: undefined })
  expect(get('/v1/products/grinder').status).toBe(200)
})

test('collections that the service shows can be loaded as they are', () => {
  const shown = withCollections().get('/v1/product-collections').body.data

  const { get } = testSandbox({ fixture: { ...catalogue, product_collections: shown } })

  expect(get('/v1/product-collections').body.data).toEqual(shown)
})

test('a fixture with a collection of an unknown product is refused', () => {
  const fixture = { product_collections: [{ name: 'A', type: 'STATIC', products: [listed] }] }

  expect(() => testSandbox({ fixture })).toThrow('product_collections[0]: Cannot find product with id prod_2')
})

test('a collection is renamed, and one by conditions gets others', () => {
  const { put, get } = withCollections()
  const filter = { name: { conditions: { $is: ['Filter'] } } }

  const renamed = put('/v1/product-collections/pc_list', { name: 'Short list' })
  const refiltered = put('/v1/product-collections/pc_bean', { filter })

  expect(renamed).toMatchObject({ status: 200, body: { name: 'Short list', type: 'STATIC', updated_at: testNow } })
  expect(renamed.body.products).toHaveLength(2)
  expect(refiltered).toMatchObject({ status: 200, body: { name: 'Beans', filter } })
  expect(get('/v1/product-collections/pc_bean/products').body.data).toMatchObject([{ id: 'prod_3' }])
  expect(get('/v1/product-collections/pc_bean').body).toEqual(refiltered.body)
})

test.each([
  ['a filter of a listed one', 'pc_list', { name: { conditions: { $is: ['x'] } } }],
  ['an empty filter', 'pc_bean', {}],
  ['a filter that is not computed', 'pc_bean', { x: { conditions: { $is: ['x'] } } }],
])('an update with %s is refused', (_, id, filter) => {
  expect(withCollections().put(`/v1/product-collections/${id}`, { filter })).toMatchObject({
    status: 400,
    body: { key: 'invalid_payload' },
  })
})

test('the product of a line counts as it is told, and what is stored counts more unless it is overridden', () => {
  const { post } = withCollections()
  const { id } = post('/v1/validation-rules', {
    name: 'Beans in the cart',
    rules: { 1: { name: 'order.items.any', conditions: { $is: [{ id: 'pc_bean', type: 'products_collection' }] } } },
  }).body
  post('/v1/vouchers/BEANS', {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'AMOUNT', amount_off: 100 },
    validation_rules: [id],
  })
  const valid = (line: object) =>
    post('/v1/validations', {
      redeemables: [{ object: 'voucher', id: 'BEANS' }],
      order: { items: [{ price: 900, ...line }] },
    }).body.valid
  const bean = { metadata: { kind: 'bean' } }

  expect(valid({ product: bean })).toBe(true)
  expect(valid({ product_id: 'new', product: bean })).toBe(true)
  expect(valid({ product: { metadata: { kind: 'mug' } } })).toBe(false)
  expect(valid({ product_id: 'beans', product: { metadata: { kind: 'mug' } } })).toBe(true)
  expect(valid({ product_id: 'beans', product: { metadata: { kind: 'mug' }, override: true } })).toBe(false)
})
