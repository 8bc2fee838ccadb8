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

test.each<[property: object, good: unknown, bad: unknown, must: string]>([
  [{ type: 'string' }, 'spring', 7, "be a string, property is required (actual value is '7')"],
  [{ type: 'string', optional: true }, undefined, 7, "be a string, property is optional (actual value is '7')"],
  [{ type: 'number' }, 1.5, '1', "be a number, property is required (actual value is '1')"],
  [{ type: 'boolean' }, false, 'no', "be a boolean, property is required (actual value is 'no')"],
  [{ type: 'date' }, '2026-05-06', '2026-02-30', "be a date, property is required (actual value is '2026-02-30')"],
  [
    { type: 'datetime' },
    '2026-05-06T07:08:09Z',
    'soon',
    "be a datetime, property is required (actual value is 'soon')",
  ],
  [
    { type: 'image_url' },
    'https://shop.example/a.png',
    'a.png',
    "be an image url, property is required (actual value is 'a.png')",
  ],
  [{ type: 'geopoint' }, '48.85,2.35', '91,0', "be a geopoint, property is required (actual value is '91,0')"],
  [{ type: 'object' }, { a: 1 }, [1], "be an object, property is required (actual value is '[1]')"],
  [
    { type: 'string', array: true },
    ['a', 'b'],
    ['a', 1],
    `be array of strings, property is required (actual value is '["a",1]')`,
  ],
  [{ type: 'string', eq: ['S', 'M'] }, 'M', 'L', "be equal to one of S, M, property is required (actual value is 'L')"],
  [{ type: 'number', gte: 0, lt: 10 }, 0, 10, "be < 10, property is required (actual value is '10')"],
  [{ type: 'string', lengthGte: 2 }, 'ab', 'a', "be at least of length 2, property is required (actual value is 'a')"],
  [{ type: 'string' }, '', undefined, "be a string, property is required (actual value is 'undefined')"],
  [{ type: 'string' }, '', null, "be a string, property is required (actual value is 'undefined')"],
])('metadata is checked against %j', (property, good, bad, must) => {
  const sandbox = withSchema({ x: property })

  expect(create(sandbox, { x: bad })).toMatchObject({
    status: 400,
    body: { key: 'metadata_validation_failed', message: 'Metadata validation failed', details: `x: must ${must}` },
  })
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

  const refused = create(sandbox, { sizes: [{ width: 1 }, { width: 'wide' }] })
  const accepted = create(sandbox, { sizes: [{ width: 1 }] })

  expect(refused.body.details).toBe("sizes.width: must be a number, property is required (actual value is 'wide')")
  expect(accepted.status).toBe(200)
})

test('an update is checked together with the members it keeps', () => {
  const sandbox = withSchema({ x: { type: 'string' }, y: { type: 'number', optional: true } })
  create(sandbox, { x: 'a' })

  const added = sandbox.put('/v1/vouchers/A', { metadata: { y: 1 } })
  const broken = sandbox.put('/v1/vouchers/A', { metadata: { y: 'one' } })
  const removed = sandbox.put('/v1/vouchers/A', { metadata: { x: null } })
  const other = sandbox.put('/v1/vouchers/A', { additional_info: 'note' })

  expect([added.status, broken.status, removed.status, other.status]).toEqual([200, 400, 400, 200])
  expect(other.body.metadata).toEqual({ x: 'a', y: 1 })
})

test('a schema is created, listed by both APIs, changed and deleted', () => {
  const sandbox = testSandbox()
  const path = `/${sandbox.project.id}/metadata-schemas`
  const properties = { season: { type: 'string', optional: true } }

  const created = manage(sandbox, 'POST', path, { related_object: 'voucher', properties })
  const again = manage(sandbox, 'POST', path, { related_object: 'voucher' })
  const changed = manage(sandbox, 'PUT', `${path}/${created.body.id}`, { allow_defined_only: true })
  const alone = manage(sandbox, 'GET', `${path}/${created.body.id}`)
  const listed = manage(sandbox, 'GET', path)
  const mainList = sandbox.get('/v1/metadata-schemas')
  const read = sandbox.get('/v1/metadata-schemas/voucher')
  const deleted = manage(sandbox, 'DELETE', `${path}/${created.body.id}`)

  expect([created.status, created.body]).toEqual([
    200,
    {
      id: expect.stringMatching(/^ms_/),
      created_at: testNow,
      updated_at: null,
      related_object: 'voucher',
      allow_defined_only: false,
      properties,
      object: 'metadata_schema',
    },
  ])
  expect([again.status, again.body.key, again.body.details]).toEqual([
    409,
    'duplicate_found',
    'Duplicated metadata_schema exists with name voucher',
  ])
  expect(changed.body).toEqual({ ...created.body, allow_defined_only: true, updated_at: testNow })
  expect(listed.body).toEqual({ object: 'list', data_ref: 'data', data: [changed.body], total: 1 })
  expect(mainList.body).toEqual({ object: 'list', data_ref: 'schemas', schemas: [changed.body], total: 1 })
  expect(read.body).toEqual(changed.body)
  expect(alone.body).toEqual(changed.body)
  expect(deleted.status).toBe(204)
  expect(sandbox.get('/v1/metadata-schemas/voucher').status).toBe(404)
})

test.each([
  [
    { type: 'color' },
    'Property .properties.x.type must be equal to one of the allowed values: string, number, boolean',
  ],
  [{ type: 'string', pattern: '^a' }, "Property .properties.x must NOT have additional property 'pattern'"],
])('a schema with unsupported content is refused: %j', (property, details) => {
  const sandbox = testSandbox()

  const answer = manage(sandbox, 'POST', `/${sandbox.project.id}/metadata-schemas`, {
    related_object: 'voucher',
    properties: { x: property },
  })

  expect([answer.status, answer.body.key]).toEqual([400, 'invalid_payload'])
  expect(answer.body.details).toContain(details)
})

test('a custom event is defined, listed, changed by definition and deleted, and keeps its name', () => {
  const sandbox = testSandbox()
  const path = `/${sandbox.project.id}/custom-event-schemas`
  const schema = { properties: { amount: { type: 'number' } } }

  const created = manage(sandbox, 'POST', path, { name: 'order.shipped', schema })
  const plain = manage(sandbox, 'POST', path, { name: 'plain' })
  const again = manage(sandbox, 'POST', path, { name: 'plain' })
  const change = (properties: object) =>
    manage(sandbox, 'PUT', `${path}/${created.body.id}`, { name: 'plain', schema: { properties } }).body
  const added = change({ parcel: { type: 'string', optional: true } })
  const retyped = change({ amount: { type: 'string', optional: true } })
  const changed = change({ amount: { type: 'string', deleted: true } })
  const listed = manage(sandbox, 'GET', path)
  const deleted = manage(sandbox, 'DELETE', `${path}/${created.body.id}`)

  expect(created.body).toEqual({
    id: expect.stringMatching(/^ms_/),
    created_at: testNow,
    updated_at: null,
    name: 'order.shipped',
    schema,
    object: 'custom-event-schema',
  })
  expect(plain.body.schema).toEqual({ properties: {} })
  expect(again.status).toBe(409)
  const parcel = { type: 'string', optional: true }
  expect(added).toEqual({
    ...created.body,
    schema: { properties: { amount: { type: 'number' }, parcel } },
    updated_at: testNow,
  })
  expect(retyped.schema.properties).toEqual({ amount: { type: 'string', optional: true }, parcel })
  expect(changed.schema.properties).toEqual({ amount: { type: 'string', deleted: true }, parcel })
  expect(listed.body).toEqual({ object: 'list', data_ref: 'data', data: [changed, plain.body], total: 2 })
  expect([deleted.status, manage(sandbox, 'GET', `${path}/${created.body.id}`).status]).toEqual([204, 404])
})

test('an update replaces the definitions it names and keeps the others', () => {
  const sandbox = testSandbox()
  const path = `/${sandbox.project.id}/metadata-schemas`
  const season = { type: 'string', lengthLt: 9 }
  const shelf = { type: 'number', optional: true }
  const { id } = manage(sandbox, 'POST', path, { related_object: 'voucher', properties: { season, shelf } }).body
  const update = (properties: object) => manage(sandbox, 'PUT', `${path}/${id}`, { properties })

  const replaced = update({ season: { type: 'string', optional: true }, crate: { type: 'boolean', optional: true } })
  const retyped = update({ shelf: { type: 'string' } })
  const removed = update({ season: { type: 'string', deleted: true } })

  expect(replaced.body.properties).toEqual({
    season: { type: 'string', optional: true },
    shelf,
    crate: { type: 'boolean', optional: true },
  })
  expect([retyped.status, retyped.body.key]).toEqual([400, 'invalid_payload'])
  expect(removed.body.properties).toEqual({ ...replaced.body.properties, season: { type: 'string', deleted: true } })
})

test('the metadata of a promotion tier follow their schema', () => {
  const { post, put } = testSandbox({
    fixture: {
      campaigns: [{ id: 'camp_p', name: 'P', campaign_type: 'PROMOTION' }],
      metadata_schemas: [{ related_object: 'promotion_tier', properties: { shelf: { type: 'number' } } }],
    },
  })
  const tier = { name: 'T', action: { discount: { type: 'AMOUNT', amount_off: 100 } } }

  const refused = post('/v1/promotions/camp_p/tiers', tier)
  const made = post('/v1/promotions/camp_p/tiers', { ...tier, metadata: { shelf: 1 } })
  const changed = put(`/v1/promotions/tiers/${made.body.id}`, { metadata: { shelf: 'a' } })

  expect([refused, changed].map(({ status, body }) => [status, body.key])).toEqual([
    [400, 'metadata_validation_failed'],
    [400, 'metadata_validation_failed'],
  ])
  expect(made.status).toBe(200)
})
