import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/sandbox.ts'

const { get, post } = testSandbox({ demo: true })

test('the demo shop sells four products, one of which has a source id that needs escaping', () => {
  expect(get('/v1/products').body.products.map((product: { source_id: string }) => product.source_id)).toEqual([
    'house-blend',
    'yirgacheffe',
    'hand-grinder',
    'filter papers/100',
  ])
  expect(get('/v1/products/filter%20papers%2F100').body.name).toBe('Filter papers, pack of 100')
})

test('House Blend has more SKUs than one page shows, the first being the oldest', () => {
  const first = get('/v1/products/house-blend/skus').body
  const second = get('/v1/products/house-blend/skus', 'page=2').body

  expect([first.total, first.skus.length, second.skus.length]).toEqual([12, 10, 2])
  expect(first.skus[0]).toEqual({
    id: 'sku_19b8d627a800000001',
    source_id: 'house-blend-250-whole',
    product_id: 'prod_19b8d627a800000001',
    sku: 'House Blend 250 g, whole',
    price: 890,
    currency: 'EUR',
    attributes: { weight: '250 g', grind: 'whole' },
    image_url: null,
    metadata: {},
    created_at: '2026-01-05T12:00:00.000Z',
    updated_at: null,
    object: 'sku',
  })
})

test('the two collections contain the coffee and all products', () => {
  const collections = get('/v1/product-collections', 'order=name').body.data
  const held = collections.map(({ id }: { id: string }) => get(`/v1/product-collections/${id}/products`).body.total)

  expect(collections.map(({ name }: { name: string }) => name)).toEqual(['All products', 'Coffee'])
  expect(held).toEqual([4, 2])
})

test('an order at the demo shop is priced by its catalogue', () => {
  const { body } = post('/v1/validations', {
    redeemables: [{ object: 'voucher', id: 'BEANS10' }],
    order: {
      items: [
        { source_id: 'house-blend-1000-whole', related_object: 'sku', quantity: 1 },
        { product_id: 'filter papers/100', quantity: 2 },
      ],
    },
  })

  expect(body).toMatchObject({ valid: true, order: { amount: 3690, total_discount_amount: 369 } })
})
