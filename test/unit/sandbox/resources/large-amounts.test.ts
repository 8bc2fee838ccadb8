// Amounts that no JSON reader keeps exactly are refused wherever they are computed, and nothing of the request is stored.
import { expect, test } from 'vitest'
import { callsWithBody, fullShop, senderOf } from '../../../support/write-calls.ts'

const most = Number.MAX_SAFE_INTEGER
const redeemables = [{ object: 'voucher', id: 'LEFT' }]
const customer = { source_id: 'shop-1' }

/** What a call needs besides the order. */
const bodies: Record<string, object> = {
  'redemptions.create': { redeemables },
  'validations.validate': { redeemables },
  'client.redemptions.create': { redeemables },
  'client.validations.validate': { redeemables },
  'qualifications.check': { customer, scenario: 'ALL' },
  'client.qualifications.check': { customer, scenario: 'ALL' },
  'orders.create': {},
}

const taking = callsWithBody.filter(({ id }) => Object.hasOwn(bodies, id))

test('the calls that price an order are known', () => {
  expect(taking.map(({ id }) => id).toSorted()).toEqual(Object.keys(bodies).toSorted())
})

const orders: [what: string, order: object][] = [
  ['a price times a quantity', { items: [{ product_id: 'beans', quantity: 3, price: most }] }],
  ['a quantity of a product', { items: [{ product_id: 'beans', quantity: most }] }],
  [
    'a sum of lines',
    {
      items: [
        { product_id: 'beans', quantity: 1, amount: most },
        { product_id: 'beans', quantity: 1, amount: most },
      ],
    },
  ],
]

test.each(taking.flatMap((endpoint) => orders.map(([what, order]) => [endpoint.id, what, order, endpoint] as const)))(
  '%s refuses %s beyond what JSON keeps',
  (id, _, order, endpoint) => {
    const shop = fullShop()
    const before = shop.events().length
    const orderFields = id === 'orders.create' ? order : { ...bodies[id], order }

    const { status, body } = senderOf(shop, endpoint)(orderFields)

    expect({ status, key: body.key }).toEqual({ status: 400, key: 'invalid_payload' })
    expect(body.details).toContain('must be a number that JSON readers keep exactly')
    expect(shop.events()).toHaveLength(before)
    expect(shop.reports).toEqual([])
  },
)
