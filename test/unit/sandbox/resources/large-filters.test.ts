// A filter of any size is answered or refused, in every call that takes or stores one, and never fails for others later.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../../../src/contract/catalogue.ts'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { resources } from '../../../../src/sandbox/resources.ts'
import { type TestSandbox, testSandbox } from '../../../support/sandbox.ts'
import { sized } from '../../../support/size.ts'
import { bodyOf, fullShop, senderOf } from '../../../support/write-calls.ts'

const sizes = [1, 999, 1_001, 40_000]
const isWhole = sized({ quick: false, slow: true })
const served = new Set(resources.flatMap(({ routes = [] }) => routes).map(({ endpoint }) => endpoint.id))

/** Where a call has its filter: the members that lead to it. */
function placeOf(schema: z.ZodType | undefined): string[] | undefined {
  return schema && pathTo(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape)
}

interface Shape {
  properties?: Record<string, Shape>
  anyOf?: Shape[]
}

function pathTo({ properties = {}, anyOf = [] }: Shape): string[] | undefined {
  for (const [name, member] of Object.entries(properties)) {
    if (name === 'filter' || name === 'filters') return [name]
    const below = pathTo(member)
    if (below) return [name, ...below]
  }
  return anyOf.map(pathTo).find((path) => path !== undefined)
}

const places = endpoints
  .filter(({ id }) => served.has(id))
  .flatMap((endpoint) =>
    (['query', 'body'] as const).flatMap((part) => {
      const path = placeOf(endpoint[part])
      return path ? [{ endpoint, part, path }] : []
    }),
  )

const fields: Record<string, string> = {
  'qualifications.check': 'resource_id',
  'client.qualifications.check': 'resource_id',
  'promotions.validate': 'promotion_id',
  'client.promotions.validate': 'promotion_id',
}

function filterOf(endpoint: Endpoint, operator: string, size: number) {
  const values = Array.from({ length: size }, (_, at) => `no-such-${at}`)
  return { [fields[endpoint.id] ?? 'id']: { conditions: { [operator]: values } } }
}

function nested(path: readonly string[], value: unknown): object {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value as object)
}

function sent(shop: TestSandbox, { endpoint, part, path }: (typeof places)[number], filter: object) {
  const send = senderOf(shop, endpoint)
  const least = endpoint.body ? (bodyOf(endpoint) as object) : undefined
  if (part === 'body') return send({ ...least, ...typesOf(endpoint), ...nested(path, filter) })
  const [[field, { conditions }]] = Object.entries(filter) as [[string, { conditions: Record<string, string[]> }]]
  const [[operator, values]] = Object.entries(conditions) as [[string, string[]]]
  const name = `filters[${field}][conditions][${operator}][]`
  return send(least, values.map((value) => `${name}=${value}`).join('&'))
}

function typesOf({ id }: Endpoint): object {
  if (id === 'exports.create') return { exported_object: 'voucher' }
  if (id === 'segments.create') return { type: 'auto-update' }
  return id === 'product-collections.create' ? { type: 'AUTO_UPDATE', products: undefined } : {}
}

test('calls with a filter are found in the contract', () => {
  const ids = places.map(({ endpoint }) => endpoint.id)

  expect(ids).toEqual(expect.arrayContaining(['vouchers.list', 'segments.create', 'exports.create']))
  expect(ids.length).toBeGreaterThan(25)
})

test.each(places.map((place) => [`${place.endpoint.id} (${place.part})`, place] as const))(
  '%s answers a filter of any size, or refuses it',
  async (_, place) => {
    const shop = fullShop()
    const answers = ['$in', '$not_in', '$contains', '$starts_with', '$ends_with'].flatMap((operator) =>
      // The other operators take less than 1,001 values, so that two calls show that 40,000 are refused alike.
      sizes
        .filter((size) => size <= 1_001 || (isWhole && operator.endsWith('in')) || largest.includes(place.endpoint.id))
        .map((size) => ({
          operator,
          size,
          status: sent(shop, place, filterOf(place.endpoint, operator, size)).status,
        })),
    )
    await shop.settled()

    const isBody = place.part === 'body' && !place.endpoint.id.includes('qualifications')
    for (const { operator, size, status } of answers) {
      const isAny = size < 1_000 || (isBody && operator.endsWith('in'))
      expect({ operator, size, status }).toEqual({ operator, size, status: isAny ? expect.toSatisfy(isGood) : 400 })
    }
    expect(shop.reports).toEqual([])
  },
  30_000,
)

const largest = ['vouchers.list', 'segments.create']
const isGood = (status: number) => status < 300

test.each(sizes)('a segment, a collection and an export of %d values serve others as before', async (size) => {
  const { ask, settled, reports } = testSandbox({
    fixture: {
      customers: [{ id: 'cust_ada', source_id: 'ada' }],
      products: [{ id: 'prod_beans', name: 'Beans', price: 100 }],
      vouchers: [{ code: 'A', discount: { type: 'AMOUNT', amount_off: 50 } }],
    },
  })
  const others = Array.from({ length: size - 1 }, (_, at) => `no-such-${at}`)
  const filterBy = (id: string) => ({ id: { conditions: { $in: [...others, id] } } })

  const segment = ask('POST /v1/segments', { name: 'S', type: 'auto-update', filter: filterBy('cust_ada') })
  const automatic = { name: 'C', type: 'AUTO_UPDATE', filter: filterBy('prod_beans') }
  const collection = ask('POST /v1/product-collections', automatic)
  const rules = {
    1: { name: 'customer.segment', conditions: { $is: [segment.id] } },
    2: { name: 'product.id', conditions: { $is: [{ id: collection.id, object: 'products_collection' }] } },
    logic: '1 and 2',
  }
  const rule = ask('POST /v1/validation-rules', { name: 'R', rules })
  ask(`POST /v1/validation-rules/${rule.id}/assignments`, { voucher: 'A' }, 200)
  const parameters = { filters: filterBy('cust_ada') }
  const job = ask('POST /v1/exports', { exported_object: 'customer', parameters })
  await settled()

  const order = { items: [{ product_id: 'prod_beans', quantity: 1 }] }
  for (const [source_id, valid] of Object.entries({ ada: true, bob: false })) {
    const asked = { redeemables: [{ object: 'voucher', id: 'A' }], customer: { source_id }, order }
    ask('POST /v1/validations', asked, { valid })
  }
  ask(`GET /v1/product-collections/${collection.id}/products`, { total: 1 })
  ask(`GET /v1/exports/${job.id}`, { status: 'DONE' })
  expect(reports).toEqual([])
})

test.each(sizes)('conditions of any operator on %d values find what one of them finds', (size) => {
  const shop = testSandbox({
    fixture: { customers: [{ id: 'cust_ada', source_id: 'ada', metadata: { level: 5, city: 'Bern' } }] },
  })
  const times = <T>(value: T, other: T) => [...Array<T>(size - 1).fill(other), value]
  const met = (field: string, operator: string, values: unknown[]) => {
    const filter = { [field]: { conditions: { [operator]: values } } }
    const { status, body } = shop.post('/v1/segments', { name: 'S', type: 'passive', filter })
    if (status === 400) return 'refused'
    const { body: found } = shop.get('/v1/customers/ada/segments')
    shop.del(`/v1/segments/${body.id}`)
    return found.data.some(({ id }: { id: string }) => id === body.id)
  }
  const text = size > 1_000 ? 'refused' : true
  const noText = size > 1_000 ? 'refused' : false
  const level = 'metadata.level'
  const city = 'metadata.city'
  const day = 'created_at'

  expect([
    [met(level, '$more_than', times(4, 9)), met(level, '$more_than', times(5, 9))],
    [met(level, '$less_than', times(6, 1)), met(level, '$less_than', times(5, 1))],
    [met(level, '$more_than_equal', times(5, 9)), met(level, '$less_than_equal', times(5, 1))],
    [met(level, '$is', times(5, 1)), met(level, '$is_not', times(5, 1))],
    [met(city, '$starts_with', times('Be', 'x')), met(city, '$starts_with', times('rn', 'x'))],
    [met(city, '$ends_with', times('rn', 'x')), met(city, '$ends_with', times('Be', 'x'))],
    [met(city, '$contains', times('er', 'x')), met(city, '$not_contain', times('er', 'x'))],
    [met(day, '$after', times('2026-05-01', '2027-01-01')), met(day, '$after', times('2026-06-01', '2027-01-01'))],
    [met(day, '$before', times('2026-06-01', '2025-01-01')), met(day, '$before', times('2026-05-01', '2025-01-01'))],
    [met(day, '$less_than_ago', times(1, 0)), met(day, '$more_than_ago', times(1, 2))],
    [met(day, '$is_days_ago', times(0, 3)), met(day, '$is_days_ago', times(1, 3))],
  ]).toEqual([
    [true, false],
    [true, false],
    [true, true],
    [true, false],
    [text, noText],
    [text, noText],
    [text, noText],
    [true, false],
    [true, false],
    [true, false],
    [true, false],
  ])
  expect(shop.reports).toEqual([])
})

test('what is larger than any real filter, rule, charset or export is refused where it is stored', () => {
  const { ask, reports } = fullShop()
  const many = <T>(size: number, item: (at: number) => [string, T]) =>
    Object.fromEntries(Array.from({ length: size }, (_, at) => item(at + 1)))
  const rules = (size: number) => ({
    ...many(size, (at) => [String(at), { name: 'order.amount', conditions: { $more_than: [1] } }]),
    logic: Array.from({ length: size }, (_, at) => at + 1).join(' and '),
  })
  const filter = (size: number) => many(size, (at) => [`metadata.k${at}`, { conditions: { $is: ['x'] } }])
  const problem = (text: string) => ({ code: 400, details: expect.stringContaining(text) })
  const segment = (size: number, answer?: object) =>
    ask('POST /v1/segments', { name: 'S', type: 'passive', filter: filter(size) }, answer)
  const exported = (size: number, answer?: object) =>
    ask('POST /v1/exports', { exported_object: 'voucher', parameters: { fields: Array(size).fill('code') } }, answer)

  ask('POST /v1/validation-rules', { name: 'R', rules: rules(500) })
  ask('POST /v1/validation-rules', { name: 'R', rules: rules(501) }, problem('more than 500'))
  const long = { ...rules(1), logic: '1 or '.repeat(5_000) + 1 }
  ask('POST /v1/validation-rules', { name: 'R', rules: long }, problem('more than 10000 characters'))
  segment(100)
  segment(101, problem('Property .filter must have at most 100 values'))
  exported(500)
  exported(501, problem('An export must have at most 500 fields'))
  const discount = { type: 'AMOUNT', amount_off: 1 }
  const code_config = { charset: 'a'.repeat(1_025) }
  ask('POST /v1/vouchers', { type: 'DISCOUNT_VOUCHER', discount, code_config }, 'invalid_code_config')
  ask('GET /v1/customers/shop-1/segments', 200)
  expect(reports).toEqual([])
})
