// A number and a text that stand for each other, in every body that has one: a published shop plugin sends `source_id` as a
// number, `ttl` as text and prices with a fraction.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../../../src/contract/catalogue.ts'
import { customer } from '../../../../src/contract/customer.ts'
import { newValidation } from '../../../../src/contract/validations.ts'
import { checkBody, checkQuery } from '../../../../src/sandbox/http/check-input.ts'
import { bodyOf, callsWithBody, changesOf, type JsonSchema, sample, schemaOf } from '../../../support/write-calls.ts'

/** What stands for a member as clients send it, and as its schema has it. */
function formsOf(member: JsonSchema, name: string): Array<[sent: unknown, meant: unknown]> {
  const forms = [member, ...(member.anyOf ?? []), ...(member.oneOf ?? [])]
  const number = forms.find(({ type }) => type === 'integer' || type === 'number')
  const text = forms.find(({ type, enum: words, format }) => type === 'string' && !words && format !== 'date-time')
  const least = Math.max(number?.minimum ?? 2, 2)
  if (number && text?.pattern?.includes('\\.')) return [[26.99, '26.990000']]
  if (number) return text ? [] : [[String(least), least]]
  return text && /^(id|.*_id|customer)$/.test(name) ? [[17, '17']] : []
}

const places = callsWithBody.flatMap((endpoint) => {
  const body = endpoint.body as z.ZodType
  const bodies = (which: 0 | 1) =>
    changesOf(schemaOf(endpoint), bodyOf(endpoint), (member, name) => formsOf(member, name).map((pair) => pair[which]))
  const meant = bodies(1)
  return bodies(0)
    .map((sent, at) => [`${endpoint.id} ${sent.path.join('.')}`, body, sent.body, meant[at]?.body] as const)
    .filter(([, , given, expected]) => !body.safeParse(given).success && body.safeParse(expected).success)
})

test('there are such places of each kind', () => {
  const names = places.map(([name]) => name)

  expect(names).toEqual(
    expect.arrayContaining([
      'validations.validate customer.source_id',
      'redemptions.create session.ttl',
      'qualifications.check order.items.0.price',
      'publications.create customer',
      'campaigns.create vouchers_count',
    ]),
  )
  expect(names.length).toBeGreaterThan(500)
})

test.each(places)('%s is read', (_, schema, sent, meant) => {
  expect(checkBody(schema, sent)).toEqual(checkBody(schema, meant))
})

// All that a query holds is text: what is inside its objects, too.
const nested = endpoints.flatMap(({ id, query }) => {
  if (!query) return []
  const schema = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const least = sample(schema, undefined, false)
  const meant = changesOf(schema, least, ({ type }) => (type === 'boolean' ? [true] : type === 'integer' ? [10] : []))
  return meant
    .filter(({ path, body }) => path.length > 1 && query.safeParse(body).success)
    .map(({ path, body }) => [`${id} ${path.join('.')}`, query, body] as const)
})

test('there are such members of queries', () => {
  expect(nested.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'client.vouchers.validate reward.points',
      'client.vouchers.validate item.0.product.override',
    ]),
  )
})

test.each(nested)('%s is read from its text', (_, query, meant) => {
  const sent = JSON.parse(JSON.stringify(meant), (_name, value) => (typeof value === 'object' ? value : String(value)))

  expect(checkQuery(query, sent)).toEqual(meant)
})

test.each<[what: string, schema: z.ZodType, body: object, details: string]>([
  ['a text that is no number', newValidation, { session: { ttl: '7 days' } }, '.session.ttl must be number'],
  ['half a unit', newValidation, { order: { items: [{ quantity: 1.5 }] } }, '.order.items[0].quantity'],
  ['a fraction as an id', customer, { source_id: 1.5 }, '.source_id must be string'],
  ['a number as a name', customer, { source_id: 'a', name: 12 }, '.name must be string'],
])('%s is refused', (_, schema, body, details) => {
  expect(() => checkBody(schema, { redeemables: [{ object: 'voucher', id: 'A' }], ...body })).toThrow(
    expect.objectContaining({ body: expect.objectContaining({ details: expect.stringContaining(details) }) }),
  )
})
