// What a body may leave out may also be null, in every call that does not update: published clients send all members.
import { expect, test } from 'vitest'
import { coupons } from '../../../support/campaigns.ts'
import { testSandbox } from '../../../support/sandbox.ts'
import { sampled } from '../../../support/size.ts'
import { bodyOf, callsWithBody, fullShop, sample, schemaOf, senderOf } from '../../../support/write-calls.ts'

const asking = callsWithBody.filter(({ method }) => method === 'POST')

test.each(sampled(asking, 2).map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s answers null and unknown members of its body like members that are left out, and does the same',
  (_, endpoint) => {
    const isFlat = JSON.stringify(bodyOf(endpoint, null)) === JSON.stringify(bodyOf(endpoint, null, true))
    for (const isDeep of isFlat ? [false] : [false, true]) {
      const [given, omitted] = [null, undefined].map((filler) => {
        const shop = fullShop()
        const sent = bodyOf(endpoint, filler, isDeep)
        const { status, body } = senderOf(shop, endpoint)(filler === null ? sent : withUnknown(sent))
        return { status, body: withoutChance(body), events: shop.events() }
      })

      expect(given).toEqual(omitted)
      if (!isDeep) expect([given?.status, given?.body?.details]).toEqual([expect.toSatisfy(isSuccess), undefined])
    }
  },
)

/** A body with a member that no call knows. */
function withUnknown(body: unknown): unknown {
  return Array.isArray(body) ? body.map(withUnknown) : { ...(body as object), no_such_member: { x: 1 } }
}

/** An answer without what is random in each sandbox: codes, keys, and what is made from them. */
function withoutChance(body: unknown) {
  const random = ['assets', 'app_id', 'app_token', 'channel_id', 'code', 'tracking_id', 'url', 'webhook_token']
  return JSON.parse(
    JSON.stringify(body, (name, value) =>
      random.includes(name) || String(value).startsWith('ssn_') ? typeof value : value,
    ),
  )
}

const isSuccess = (status: number) => status < 300

const ada = 'shop-1'
const stored: Array<[id: string, path: string, name: object]> = [
  ['customers.create', `/v1/customers/${ada}`, { source_id: ada }],
  ['products.create', '/v1/products/beans', { source_id: 'beans' }],
  ['skus.create', '/v1/skus/sku_beans_1kg', { source_id: 'beans-1kg' }],
  ['orders.create', '/v1/orders/ord_1', { source_id: 'web-1' }],
]

test.each(stored)('%s changes nothing of what is stored where its body is null', (id, path, name) => {
  const endpoint = asking.find((one) => one.id === id) as (typeof asking)[number]

  const [given, omitted] = [null, undefined].map((filler) => {
    const shop = fullShop()
    const { status } = senderOf(shop, endpoint)({ ...(sample(schemaOf(endpoint), filler, false) as object), ...name })
    return { status, stored: shop.get(path).body }
  })

  expect(given).toEqual(omitted)
  expect(given?.status).toBe(200)
})

test.each([
  ['a redemption', '/v1/redemptions', { redeemables: [{ object: 'voucher', id: 'LEFT' }], order: { amount: 5000 } }],
  ['a publication', '/v1/publications', { voucher: 'LEFT' }],
  ['an event', '/v1/events', { event: 'tasting_attended' }],
  ['an order', '/v1/orders', { amount: 5 }],
])('%s keeps what is stored of its customer where that is null', (_, path, body) => {
  const shop = fullShop()
  const facts = () => {
    const { name, email, phone, address, metadata } = shop.get(`/v1/customers/${ada}`).body
    return { name, email, phone, address, metadata }
  }
  const before = facts()
  const customer = { source_id: ada, name: null, email: null, phone: null, address: null, metadata: null }

  expect(shop.post(path, { ...body, customer }).status).toBe(200)
  expect(facts()).toEqual(before)
  expect(before.name).toBe('Ada')
})

test('null stays a refusal where the member is required', () => {
  const { body } = testSandbox().post('/v1/campaigns', { name: null })

  expect(body).toMatchObject({ code: 400, key: 'invalid_payload', details: 'Property .name must be string' })
})

test('null is refused in an update of a member that cannot be cleared', () => {
  const { post, put } = testSandbox()
  post('/v1/campaigns', coupons('Sale'))

  const { body } = put('/v1/campaigns/Sale', { auto_join: null })

  expect(body).toMatchObject({ code: 400, details: 'Property .auto_join must be boolean' })
})

test.each(['12', '"text"', 'true', 'null'])(
  'a body that is %s makes one voucher of a campaign, as no body does',
  (raw) => {
    const { call, post } = testSandbox()
    post('/v1/campaigns', coupons('Sale'))

    const { status, body } = call('POST', '/v1/campaigns/Sale/vouchers', { raw })

    expect([status, body.object]).toEqual([200, 'voucher'])
  },
)

test('a list is refused where one object is asked for', () => {
  const { call, post } = testSandbox()
  post('/v1/campaigns', coupons('Sale'))

  const { body } = call('POST', '/v1/campaigns/Sale/vouchers', { raw: '[{}]' })

  expect(body).toMatchObject({ code: 400, details: 'Payload must be object' })
})

test.each([
  ['a customer in a publication', '/v1/publications', { voucher: 'SALE', customer: { source_id: 'x', nick: 1 } }],
  [
    'a line of an order',
    '/v1/validations',
    { redeemables: [{ object: 'voucher', id: 'x' }], order: { items: [{ nick: 1 }] } },
  ],
])('an unknown member of %s is ignored', (_, path, body) => {
  const { post } = testSandbox()
  post('/v1/vouchers/SALE', coupons('Sale').voucher)

  expect(post(path, body).status).toBe(200)
})
