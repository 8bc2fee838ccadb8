// What a body may leave out may also be null, in every call that does not update: published clients send all members.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../../../src/contract/catalogue.ts'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { resources } from '../../../../src/sandbox/resources.ts'
import { coupons } from '../../../support/campaigns.ts'
import { managementHeaders } from '../../../support/manage.ts'
import { testSandbox } from '../../../support/sandbox.ts'

interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minItems?: number
  minimum?: number
  format?: string
}

const served = new Set(resources.flatMap(({ routes = [] }) => routes).map(({ endpoint }) => endpoint.id))
const asking = endpoints.filter(
  ({ id, method, body, encoding }) => served.has(id) && method === 'POST' && body && encoding === 'json',
)

test.each(asking.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s answers null members of its body like members that are left out',
  (_, endpoint) => {
    const schema = z.toJSONSchema(endpoint.body as z.ZodType, { io: 'input' }) as JsonSchema
    for (const isDeep of [false, true]) {
      const given = answerTo(endpoint, sample(schema, null, isDeep))
      const omitted = answerTo(endpoint, sample(schema, undefined, isDeep))

      expect(given).toEqual(omitted)
    }
  },
)

test('null stays a refusal where the member is required', () => {
  const { body } = testSandbox().call('POST', '/v1/campaigns', { body: { name: null } })

  expect(body).toMatchObject({ code: 400, key: 'invalid_payload', details: 'Property .name must be string' })
})

test('null is refused in an update of a member that cannot be cleared', () => {
  const { call } = testSandbox()
  call('POST', '/v1/campaigns', { body: coupons('Sale') })

  const { body } = call('PUT', '/v1/campaigns/Sale', { body: { auto_join: null } })

  expect(body).toMatchObject({ code: 400, details: 'Property .auto_join must be boolean' })
})

test.each(['12', '"text"', 'true', 'null'])(
  'a body that is %s makes one voucher of a campaign, as no body does',
  (raw) => {
    const { call } = testSandbox()
    call('POST', '/v1/campaigns', { body: coupons('Sale') })

    const { status, body } = call('POST', '/v1/campaigns/Sale/vouchers', { raw })

    expect([status, body.object]).toEqual([200, 'voucher'])
  },
)

test('a list is refused where one object is asked for', () => {
  const { call } = testSandbox()
  call('POST', '/v1/campaigns', { body: coupons('Sale') })

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
  const { call } = testSandbox()
  call('POST', '/v1/vouchers/SALE', { body: coupons('Sale').voucher })

  expect(call('POST', path, { body }).status).toBe(200)
})

/** The status and the words of an answer, from a service of its own. */
function answerTo({ path, credential }: Endpoint, body: unknown) {
  const sandbox = testSandbox()
  const { client_app_id, client_token } = sandbox.credentials
  const keys = {
    management: managementHeaders(sandbox),
    client: { 'x-client-application-id': client_app_id, 'x-client-token': client_token, origin: 'http://localhost:1' },
  }
  const { status, body: answer } = sandbox.call(
    'POST',
    path.replace('{projectId}', sandbox.project.id).replaceAll(/\{\w+\}/g, 'nothing'),
    { body, headers: { ...(credential in keys && keys[credential as keyof typeof keys]) } },
  )
  return { status, key: answer?.key, details: answer?.details }
}

/** A body with its required members; the others are `filler`, or with `isDeep` the objects among them hold the same. */
function sample(schema: JsonSchema, filler: null | undefined, isDeep: boolean): unknown {
  const one = schema.anyOf?.find(({ type }) => type === 'object') ?? (schema.oneOf ?? schema.anyOf ?? [schema])[0] ?? {}
  if ('const' in one) return one.const
  if (one.enum) return one.enum[0]
  if (one.anyOf || one.oneOf) return sample(one, filler, isDeep)
  if (one.type === 'array')
    return Array.from({ length: one.minItems ?? 0 }, () => sample(one.items ?? {}, filler, isDeep))
  if (one.type !== 'object') return { integer: one.minimum ?? 1, number: 1, boolean: true }[one.type ?? ''] ?? 'text'
  return Object.fromEntries(
    Object.entries(one.properties ?? {}).map(([name, member]) => {
      const isNeeded = one.required?.includes(name) || (isDeep && holdsMembers(member))
      return [name, isNeeded ? sample(member, filler, isDeep) : filler]
    }),
  )
}

function holdsMembers(schema: JsonSchema): boolean {
  return schema.properties !== undefined || (schema.anyOf ?? schema.oneOf ?? []).some(holdsMembers)
}
