import { expect, test } from 'vitest'
import { manage } from '../../../support/manage.ts'
import { type TestSandbox, testNow, testSandbox } from '../../../support/sandbox.ts'

const discount = { type: 'AMOUNT', amount_off: 100 }

/** A sandbox whose vouchers have metadata with these properties. */
function withSchema(properties: Record<string, unknown>, allow_defined_only = false): TestSandbox {
  return testSandbox({ fixture: { metadata_schemas: [{ related_object: 'voucher', properties, allow_defined_only }] } })
}

function create(sandbox: TestSandbox, metadata?: Record<string, unknown>) {
  return sandbox.post('/v1/vouchers/A', { type: 'DISCOUNT_VOUCHER', discount, metadata })
}

test('without a schema any metadata is accepted', () => {
  const sandbox = testSandbox()

  const answer = create(sandbox, { season: 7, deep: { list: [1, null] } })

  expect(answer.body.metadata).toEqual({ season: 7, deep: { list: [1, null] } })
})

type Bad = string | number | unknown[] | null | undefined

test.each<[property: object, good: unknown, bad: Bad, must: string, optional?: string]>([
  [{ type: 'string' }, 'spring', 7, 'a string'],
  [{ type: 'string', optional: true }, undefined, 7, 'a string', 'optional'],
  [{ type: 'number' }, 1.5, '1', 'a number'],
  [{ type: 'boolean' }, false, 'no', 'a boolean'],
  [{ type: 'date' }, '2026-05-06', '2026-02-30', 'a date'],
  [{ type: 'datetime' }, '2026-05-06T07:08:09Z', 'soon', 'a datetime'],
  [{ type: 'image_url' }, 'https://shop.example/a.png', 'a.png', 'an image url'],
  [{ type: 'geopoint' }, '48.85,2.35', '91,0', 'a geopoint'],
  [{ type: 'object' }, { a: 1 }, [1], 'an object'],
  [{ type: 'string', array: true }, ['a', 'b'], ['a', 1], 'array of strings'],
  [{ type: 'string', eq: ['S', 'M'] }, 'M', 'L', 'equal to one of S, M'],
  [{ type: 'number', gte: 0, lt: 10 }, 0, 10, '< 10'],
  [{ type: 'string', lengthGte: 2 }, 'ab', 'a', 'at least of length 2'],
  [{ type: 'string' }, '', undefined, 'a string'],
  [{ type: 'string' }, '', null, 'a string'],
])('metadata is checked against %j', (property, good, bad, must, optional = 'required') => {
  const sandbox = withSchema({ x: property })
  const actual = Array.isArray(bad) ? JSON.stringify(bad) : (bad ?? 'undefined')

  const details = `x: must be ${must}, property is ${optional} (actual value is '${actual}')`
  const body = { key: 'metadata_validation_failed', message: 'Metadata validation failed', details }
  expect(create(sandbox, { x: bad })).toMatchObject({ status: 400, body })
  expect(create(sandbox, { x: good }).status).toBe(200)
})

test('a required property is missing even when no metadata is sent', () => {
  expect(create(withSchema({ x: { type: 'string' } })).body.key).toBe('metadata_validation_failed')
})

test('a property that was deleted from its schema is not checked, and no longer defined', () => {
  const deleted = { x: { type: 'string', deleted: true } }

  expect([create(withSchema(deleted), { x: 7 }).status, create(withSchema(deleted)).status]).toEqual([200, 200])
  expect(create(withSchema(deleted, true), { x: 'a' }).body.details).toBe(
    "x: must be defined in the schema, property is not defined (actual value is 'a')",
  )
})

test('undefined properties pass, unless the schema allows defined ones only', () => {
  const open = create(withSchema({ x: { type: 'string' } }), { x: 'a', y: 1 })
  const closed = create(withSchema({ x: { type: 'string' } }, true), { x: 'a', y: 1 })

  expect(open.status).toBe(200)
  expect(closed.body.details).toBe("y: must be defined in the schema, property is not defined (actual value is '1')")
})

test('an object follows the custom schema it names, also inside an array', () => {
  const metadata_schemas = [
    { related_object: 'size', properties: { width: { type: 'number' } } },
    { related_object: 'voucher', properties: { sizes: { type: 'object', objectType: 'size', array: true } } },
  ]
  const sandbox = testSandbox({ fixture: { metadata_schemas } })

  const details = "sizes.width: must be a number, property is required (actual value is 'wide')"
  expect(create(sandbox, { sizes: [{ width: 1 }, { width: 'wide' }] }).body.details).toBe(details)
  expect(create(sandbox, { sizes: [{ width: 1 }] }).status).toBe(200)
})

test('an update is checked together with the members it keeps', () => {
  const sandbox = withSchema({ x: { type: 'string' }, y: { type: 'number', optional: true } })
  create(sandbox, { x: 'a' })
  const { ask } = sandbox

  ask('PUT /v1/vouchers/A', { metadata: { y: 1 } }, 200)
  ask('PUT /v1/vouchers/A', { metadata: { y: 'one' } }, 400)
  ask('PUT /v1/vouchers/A', { metadata: { x: null } }, 400)
  expect(ask('PUT /v1/vouchers/A', { additional_info: 'note' }).metadata).toEqual({ x: 'a', y: 1 })
})

test('a schema is created, listed by both APIs, changed and deleted', () => {
  const sandbox = testSandbox()
  const { ask } = sandbox
  const path = `/${sandbox.project.id}/metadata-schemas`
  const given = { related_object: 'voucher', properties: { season: { type: 'string', optional: true } } }

  const created = manage(sandbox, 'POST', path, given).body
  expect(created).toEqual({
    ...given,
    id: expect.stringMatching(/^ms_/),
    created_at: testNow,
    updated_at: null,
    allow_defined_only: false,
    object: 'metadata_schema',
  })
  const details = 'Duplicated metadata_schema exists with name voucher'
  const again = manage(sandbox, 'POST', path, { related_object: 'voucher' })
  expect(again).toMatchObject({ status: 409, body: { key: 'duplicate_found', details } })
  const one = `${path}/${created.id}`
  const changed = { ...created, allow_defined_only: true, updated_at: testNow }
  expect(manage(sandbox, 'PUT', one, { allow_defined_only: true }).body).toEqual(changed)
  expect(manage(sandbox, 'GET', one).body).toEqual(changed)
  expect(manage(sandbox, 'GET', path).body).toEqual({ object: 'list', data_ref: 'data', data: [changed], total: 1 })
  const list = { object: 'list', data_ref: 'schemas', schemas: [changed], total: 1 }
  expect(ask('GET /v1/metadata-schemas')).toEqual(list)
  expect(ask('GET /v1/metadata-schemas/voucher')).toEqual(changed)
  expect(manage(sandbox, 'DELETE', one).status).toBe(204)
  ask('GET /v1/metadata-schemas/voucher', 404)
})

test.each([
  [{ type: 'color' }, '.properties.x.type must be equal to one of the allowed values: string, number, boolean'],
  [{ type: 'string', pattern: '^a' }, ".properties.x must NOT have additional property 'pattern'"],
])('a schema with unsupported content is refused: %j', (x, problem) => {
  const sandbox = testSandbox()
  const asked = { related_object: 'voucher', properties: { x } }

  const body = { key: 'invalid_payload', details: expect.stringContaining(`Property ${problem}`) }
  const answer = manage(sandbox, 'POST', `/${sandbox.project.id}/metadata-schemas`, asked)
  expect(answer).toMatchObject({ status: 400, body })
})

test('a custom event is defined, listed, changed by definition and deleted, and keeps its name', () => {
  const sandbox = testSandbox()
  const path = `/${sandbox.project.id}/custom-event-schemas`
  const given = { name: 'order.shipped', schema: { properties: { amount: { type: 'number' } } } }
  const parcel = { type: 'string', optional: true }

  const created = manage(sandbox, 'POST', path, given).body
  const plain = manage(sandbox, 'POST', path, { name: 'plain' }).body
  const change = (properties: object) =>
    manage(sandbox, 'PUT', `${path}/${created.id}`, { name: 'plain', schema: { properties } }).body
  const shown = (amount: object) => ({ ...created, schema: { properties: { amount, parcel } }, updated_at: testNow })

  const dates = { created_at: testNow, updated_at: null }
  expect(created).toEqual({ ...given, id: expect.stringMatching(/^ms_/), ...dates, object: 'custom-event-schema' })
  expect(plain.schema).toEqual({ properties: {} })
  expect(manage(sandbox, 'POST', path, { name: 'plain' }).status).toBe(409)
  expect(change({ parcel })).toEqual(shown({ type: 'number' }))
  expect(change({ amount: parcel })).toEqual(shown(parcel))
  const deleted = { type: 'string', deleted: true }
  expect(change({ amount: deleted })).toEqual(shown(deleted))
  const list = { object: 'list', data_ref: 'data', data: [shown(deleted), plain], total: 2 }
  expect(manage(sandbox, 'GET', path).body).toEqual(list)
  expect(manage(sandbox, 'DELETE', `${path}/${created.id}`).status).toBe(204)
  expect(manage(sandbox, 'GET', `${path}/${created.id}`).status).toBe(404)
})

test('an update replaces the definitions it names and keeps the others', () => {
  const sandbox = testSandbox()
  const path = `/${sandbox.project.id}/metadata-schemas`
  const properties = { season: { type: 'string', lengthLt: 9 }, shelf: { type: 'number', optional: true } }
  const { id } = manage(sandbox, 'POST', path, { related_object: 'voucher', properties }).body
  const update = (changed: object) => manage(sandbox, 'PUT', `${path}/${id}`, { properties: changed }).body
  const named = { season: { type: 'string', optional: true }, crate: { type: 'boolean', optional: true } }

  expect(update(named).properties).toEqual({ ...properties, ...named })
  expect(update({ shelf: { type: 'string' } })).toMatchObject({ code: 400, key: 'invalid_payload' })
  const removed = { season: { type: 'string', deleted: true } }
  expect(update(removed).properties).toEqual({ ...properties, ...named, ...removed })
})

const tier = { name: 'T', action: { discount: { type: 'AMOUNT', amount_off: 100 } } }

test.each([
  ['promotion_tier', tier, 'promotions/camp_p/tiers', 'promotions/tiers'],
  ['product', { name: 'P' }, 'products', 'products'],
  ['sku', { sku: '1 kg' }, 'products/prod_1/skus', 'products/prod_1/skus'],
  ['customer', { name: 'C' }, 'customers', 'customers'],
])('the metadata of a %s follow their schema, also when it is changed', (related_object, body, path, one) => {
  const properties = { shelf: { type: 'number' } }
  const { ask } = testSandbox({
    fixture: {
      campaigns: [{ id: 'camp_p', name: 'P', campaign_type: 'PROMOTION' }],
      products: [{ id: 'prod_1', source_id: 'beans' }],
      metadata_schemas: [{ related_object, properties }],
    },
  })

  ask(`POST /v1/${path}`, body, 'metadata_validation_failed')
  const { id } = ask(`POST /v1/${path}`, { ...body, metadata: { shelf: 1 } }, 200)
  ask(`PUT /v1/${one}/${id}`, { metadata: { shelf: 'a' } }, 'metadata_validation_failed')
})
