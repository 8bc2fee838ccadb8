import { expect, test } from 'vitest'
import { isInCollection } from '../../../../src/sandbox/resources/product-collections/members.ts'
import { testNow, testSandbox } from '../../../support/sandbox.ts'

const day = (n: number) => `2026-04-0${n}T00:00:00.000Z`

const catalogue = {
  products: [
    { id: 'prod_1', source_id: 'beans', created_at: day(1), updated_at: day(9), metadata: { kind: 'bean' } },
    { id: 'prod_2', source_id: 'grinder', name: 'Grinder', created_at: day(2), price: 9900 },
    { id: 'prod_3', name: 'Filter', created_at: day(3), updated_at: day(8) },
  ],
  skus: [
    { id: 'sku_1', source_id: 'beans-250', product_id: 'prod_1', created_at: day(2) },
    { id: 'sku_2', source_id: 'beans-1000', product_id: 'prod_1', created_at: day(4) },
  ],
}

const listed = { id: 'prod_2', object: 'product' }

const ofBeans = { 'metadata.kind': { conditions: { $is: ['bean'] } } }
const collections = [
  { id: 'pc_list', name: 'Listed', type: 'STATIC', products: [{ id: 'beans-250', object: 'sku' }, listed] },
  { id: 'pc_bean', name: 'Beans', type: 'AUTO_UPDATE', filter: ofBeans },
  { id: 'pc_all', name: 'All products', type: 'AUTO_UPDATE', filter: { junction: 'and' } },
].map((one, at) => ({ ...one, created_at: day(at + 1) }))

function withCollections() {
  const sandbox = testSandbox({ fixture: { ...catalogue, product_collections: collections } })
  const { store, project } = sandbox
  const context = {
    now: testNow,
    store,
    in: (declared: Parameters<typeof store.in>[0]) => store.in(declared, project.id),
  } as Parameters<typeof isInCollection>[2]
  const holds = (id: string, line: Parameters<typeof isInCollection>[1]) => isInCollection(id, line, context)
  return { ...sandbox, holds }
}

test('a static collection lists products and SKUs, each named by either id and kept once', () => {
  const { ask } = testSandbox({ fixture: catalogue })
  const given = { name: 'Mixed', type: 'STATIC' }
  const products = [
    { id: 'beans', object: 'product' },
    { id: 'prod_1', object: 'product' },
    { id: 'beans-250', product_id: 'beans', object: 'sku' },
  ]

  const body = ask('POST /v1/product-collections', { ...given, products }, 200)

  expect(body).toEqual({
    ...given,
    id: expect.stringMatching(/^pc_[0-9a-f]{18}$/),
    filter: null,
    products: [
      { id: 'prod_1', product_id: null, object: 'product' },
      { id: 'sku_1', product_id: 'prod_1', object: 'sku' },
    ],
    created_at: testNow,
    updated_at: null,
    object: 'products_collection',
  })
  expect(ask(`GET /v1/product-collections/${body.id}`)).toEqual(body)
})

test.each([{ name: { conditions: { $starts_with: ['B'] } } }, undefined])(
  'an automatic collection keeps its filter, and one without conditions contains all products: %j',
  (filter) => {
    const body = testSandbox().ask('POST /v1/product-collections', { name: 'B', type: 'AUTO_UPDATE', filter })

    expect([body.filter, body.products]).toEqual([filter ?? {}, []])
  },
)

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
  const { ask, holds } = withCollections()
  ask('POST /v1/products/grinder/skus', { source_id: 'grinder-black' })
  expect(holds('pc_list', { sku_id: 'grinder-black' })).toBe(true)

  ask('DELETE /v1/products/grinder')

  expect(holds('pc_list', { product_id: 'prod_2' })).toBe(false)
  ask('GET /v1/product-collections/pc_list/products', { total: 1 })
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
  const list = { object: 'list', data_ref: 'data', data: expected.map((one) => ({ id: one })), total }
  withCollections().ask(`GET /v1/product-collections/${id}/products?${query}`, list)
})

test.each<[string, string[]]>([
  ['', ['pc_all', 'pc_bean', 'pc_list']],
  ['order=created_at', ['pc_list', 'pc_bean', 'pc_all']],
  ['order=name', ['pc_all', 'pc_bean', 'pc_list']],
  ['limit=1&page=2', ['pc_bean']],
])('collections listed by "%s"', (query, expected) => {
  withCollections().ask(`GET /v1/product-collections?${query}`, { data: expected.map((id) => ({ id })), total: 3 })
})

test.each([
  ['limit=0', 'Property .limit must be >= 1'],
  ['limit=101', 'Property .limit must be <= 100'],
  ['limit=abc', 'Property .limit must be number'],
  ['page=-1', 'Property .page must be >= 1'],
  ['page=101', 'Property .page must be <= 100'],
])('the query %s is refused by both listings', (query, details) => {
  for (const path of ['/v1/product-collections', '/v1/product-collections/pc_all/products'])
    withCollections().ask(`GET ${path}?${query}`, { key: 'invalid_query_params', details })
})

const automatic = (filter: object) => ({ name: 'A', type: 'AUTO_UPDATE', filter })

const red = { colour: { conditions: { $is: ['red'] } } }
const like = { name: { conditions: { $like: ['x'] } } }
const list = (more: object) => ({ name: 'A', type: 'STATIC', ...more })

test.each<[details: string, body: object]>([
  ["Payload must have required property 'name'", { type: 'STATIC' }],
  ["Payload must have required property 'type'", { name: 'A' }],
  ['Property .type must be equal to one of the allowed values: STATIC, AUTO_UPDATE', list({ type: 'DYNAMIC' })],
  ['Property .filter is not allowed in a collection of type STATIC', list({ filter: {} })],
  ['.products is not allowed in a collection of type AUTO_UPDATE', list({ type: 'AUTO_UPDATE', products: [] })],
  ['Property .filter.colour is not a field that products can be filtered by: ', automatic(red)],
  ['Property .filter.name.conditions.$like is not an operator of this field', automatic(like)],
  ["Property .products[0] should have required property 'object'", list({ products: [{ id: 'x' }] })],
])('a collection is refused: %s', (details, body) => {
  const { ask } = testSandbox()

  ask('POST /v1/product-collections', body, { key: 'invalid_payload', details: expect.stringContaining(details) })
  expect(ask('GET /v1/product-collections')).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
})

test.each([
  [{ id: 'x', object: 'product' }, 'product'],
  [{ id: 'beans', object: 'sku' }, 'sku'],
  [{ id: 'beans-250', object: 'sku', product_id: 'grinder' }, 'sku'],
])('a collection of the unknown %j is refused', (entry, resource_type) => {
  const { ask } = testSandbox({ fixture: catalogue })

  ask('POST /v1/product-collections', list({ products: [entry] }), { code: 404, resource_id: entry.id, resource_type })
})

test('a collection that a rule uses cannot be deleted, any other can, and its products stay', () => {
  const { ask } = withCollections()
  const applicable_to = { included: [{ object: 'products_collection', id: 'pc_bean' }] }
  const { id } = ask('POST /v1/validation-rules', { name: 'Beans only', applicable_to })

  const details = `The collection is used by validation rule ${id}`
  ask('DELETE /v1/product-collections/pc_bean', { key: 'resource_in_use', details })
  expect(ask('DELETE /v1/product-collections/pc_list', 204)).toBeUndefined()
  ask('GET /v1/products/grinder', 200)
})

test('collections that the service shows can be loaded as they are', () => {
  const shown = withCollections().ask('GET /v1/product-collections').data

  const copy = testSandbox({ fixture: { ...catalogue, product_collections: shown } })

  expect(copy.ask('GET /v1/product-collections').data).toEqual(shown)
})

test('a fixture with a collection of an unknown product is refused', () => {
  const fixture = { product_collections: [{ name: 'A', type: 'STATIC', products: [listed] }] }

  expect(() => testSandbox({ fixture })).toThrow('product_collections[0]: Cannot find product with id prod_2')
})

test('a collection is renamed, and one by conditions gets others', () => {
  const { ask } = withCollections()
  const filter = { name: { conditions: { $is: ['Filter'] } } }

  const renamed = { name: 'Short list', type: 'STATIC', updated_at: testNow, products: [{}, {}] }
  ask('PUT /v1/product-collections/pc_list', { name: 'Short list' }, renamed)
  const changed = ask('PUT /v1/product-collections/pc_bean', { filter }, { name: 'Beans', filter })
  ask('GET /v1/product-collections/pc_bean/products', { data: [{ id: 'prod_3' }] })
  expect(ask('GET /v1/product-collections/pc_bean')).toEqual(changed)
})

test.each([
  ['a filter of a listed one', 'pc_list', { name: { conditions: { $is: ['x'] } } }],
  ['an empty filter', 'pc_bean', {}],
  ['a filter that is not computed', 'pc_bean', { x: { conditions: { $is: ['x'] } } }],
])('an update with %s is refused', (_, id, filter) =>
  withCollections().ask(`PUT /v1/product-collections/${id}`, { filter }, 'invalid_payload'),
)

const bean = { metadata: { kind: 'bean' } }
const mug = { metadata: { kind: 'mug' } }

test.each([
  [{ product: bean }, true],
  [{ product_id: 'new', product: bean }, true],
  [{ product: mug }, false],
  [{ product_id: 'beans', product: mug }, true],
  [{ product_id: 'beans', product: { ...mug, override: true } }, false],
])('the product of a line counts as told; a stored one counts more unless overridden: %j', (line, valid) => {
  const { ask } = withCollections()
  const conditions = { $is: [{ id: 'pc_bean', type: 'products_collection' }] }
  const rules = { 1: { name: 'order.items.any', conditions } }
  const { id } = ask('POST /v1/validation-rules', { name: 'Beans in the cart', rules })
  const discount = { type: 'AMOUNT', amount_off: 100 }
  ask('POST /v1/vouchers/BEANS', { type: 'DISCOUNT_VOUCHER', discount, validation_rules: [id] })

  const redeemables = [{ object: 'voucher', id: 'BEANS' }]
  ask('POST /v1/validations', { redeemables, order: { items: [{ price: 900, ...line }] } }, { valid })
})
