import { expect, test } from 'vitest'
import { earningRules } from '../../../../../src/sandbox/stores/loyalty.ts'
import { clubWith } from '../../../../support/loyalty.ts'

const path = '/v1/loyalties/camp_club/earning-rules'
const fixed = { event: 'cupping_attended', loyalty: { type: 'FIXED', points: 10 } }
const event_schemas = [
  { id: 'ms_cupping', name: 'cupping_attended', schema: { properties: { cups: { type: 'number', optional: true } } } },
]
const rules = { '1': { name: 'order.amount', conditions: { $more_than: [100] }, rules: {} }, logic: '1' }
const validation_rules = [{ id: 'val_1', name: 'Big orders', rules }]

function club() {
  return clubWith([], { event_schemas, validation_rules })
}

test('earning rules are created together, and returned as an array', () => {
  const { post, events } = club()

  const { status, body } = post(path, [
    fixed,
    { event: 'order.paid', loyalty: { points: 1 }, source: { banner: 'Order' } },
  ])

  expect(status).toBe(200)
  expect(body).toHaveLength(2)
  expect(body[0]).toEqual({
    id: expect.stringMatching(/^ern_/),
    automation_id: body[0].id.replace('ern_', 'auto_'),
    campaign_id: 'camp_club',
    event: 'cupping_attended',
    custom_event: { schema_id: 'ms_cupping' },
    loyalty: { type: 'FIXED', points: 10 },
    source: { banner: null, object_id: 'camp_club', object_type: 'campaign' },
    validation_rule_id: null,
    start_date: null,
    expiration_date: null,
    validity_timeframe: null,
    validity_day_of_week: null,
    validity_hours: null,
    active: true,
    metadata: {},
    object: 'earning_rule',
    created_at: '2026-05-06T07:08:09.123Z',
    updated_at: null,
  })
  expect(body[1]).toMatchObject({
    loyalty: { type: 'FIXED', points: 1 },
    custom_event: null,
    source: { banner: 'Order' },
  })
  expect(events()).toEqual([
    ['campaign.earning_rule.assigned', 'camp_club'],
    ['campaign.earning_rule.assigned', 'camp_club'],
  ])
})

test('a rule that an earlier promo stored without its automation has one, also after a change', () => {
  const { post, get, store, project } = club()
  const { automation_id, ...earlier } = post(path, [fixed]).body[0]
  store.in(earningRules, project.id).update(earlier)

  const read = get(`${path}/${earlier.id}`)
  const listed = get(path)
  const disabled = post(`${path}/${earlier.id}/disable`)

  expect(automation_id).toMatch(/^auto_/)
  for (const { body } of [read, disabled, { body: listed.body.data[0] }]) expect(body).toMatchObject({ automation_id })
})

const proportional = (calculation_type: string, more: object = {}) => ({
  loyalty: { type: 'PROPORTIONAL', calculation_type, ...more },
})
const cups = { custom_event: { metadata: { every: 1, points: 1, property: 'cups' } } }

test.each<[string, Record<string, unknown>, number, string]>([
  ['an undefined event', { event: 'nope' }, 404, 'not_found'],
  ['an event by its id', { event: 'ms_cupping' }, 404, 'not_found'],
  ['another schema', { custom_event: { schema_id: 'ms_x' } }, 404, 'not_found'],
  ['a segment', { segment: { id: 'seg_1' } }, 400, 'invalid_payload'],
  ['pending points', { pending_points: { activation_method: 'MANUAL' } }, 400, 'invalid_payload'],
  ['no points', { loyalty: { type: 'FIXED', points: 0 } }, 400, 'invalid_payload'],
  ['another kind of points', { loyalty: { type: 'RANDOM' } }, 400, 'invalid_payload'],
  ['an unknown calculation', { event: 'order.paid', ...proportional('MOON') }, 400, 'invalid_payload'],
  ['a calculation without numbers', { event: 'order.paid', ...proportional('ORDER_AMOUNT') }, 400, 'invalid_payload'],
  [
    'the amount of an order in a custom event',
    proportional('ORDER_AMOUNT', { order: { amount: { every: 100, points: 1 } } }),
    400,
    'invalid_payload',
  ],
  [
    'the metadata of an event in an order',
    { event: 'order.paid', ...proportional('CUSTOM_EVENT_METADATA', cups) },
    400,
    'invalid_payload',
  ],
  ['an unknown validation rule', { validation_rule_id: 'val_x' }, 404, 'not_found'],
  ['an end before the start', { start_date: '2026-02-01', expiration_date: '2026-01-01' }, 400, 'invalid_payload'],
  ['an hour that does not exist', { validity_hours: { daily: [{ start_time: '25:00' }] } }, 400, 'invalid_payload'],
])('an earning rule with %s is refused, and none is stored', (_, members, status, key) => {
  const { post, get, events } = club()

  expect(post(path, [fixed, { ...fixed, ...members }])).toMatchObject({ status, body: { key } })
  expect(get(path).body).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
  expect(events()).toEqual([])
})

test('an update keeps omitted members, clears with null and does not change the event', () => {
  const { post, put, get, clock, events } = club()
  const [rule] = post(path, [{ ...fixed, start_date: '2026-01-01', metadata: { a: 1 } }]).body
  clock.now = '2026-05-07T00:00:00.000Z'

  const { body } = put(`${path}/${rule.id}`, {
    loyalty: { type: 'FIXED', points: 20 },
    start_date: null,
    validation_rule_id: 'val_1',
  })

  expect(body).toEqual({
    ...rule,
    loyalty: { type: 'FIXED', points: 20 },
    start_date: null,
    validation_rule_id: 'val_1',
    updated_at: '2026-05-07T00:00:00.000Z',
  })
  expect(put(`${path}/${rule.id}`, { loyalty: { type: 'FIXED', points: -1 } }).status).toBe(400)
  expect(get(`${path}/${rule.id}`).body).toEqual(body)
  expect(events().map(([type]) => type)).toEqual(['campaign.earning_rule.assigned', 'campaign.earning_rule.updated'])
})

test('an update changes the points of a rule without its type', () => {
  const { post, put, get } = club()
  const ofOrders = proportional('ORDER_AMOUNT', { order: { amount: { every: 100, points: 1 } } })
  const [ofEvent, ofOrder] = post(path, [fixed, { event: 'order.paid', ...ofOrders }]).body.map(
    ({ id }: { id: string }) => `${path}/${id}`,
  )

  expect(put(ofEvent, { loyalty: { points: 4 } }).body.loyalty).toEqual({ type: 'FIXED', points: 4 })
  expect(put(ofOrder, { loyalty: { points: 4 } })).toMatchObject({
    status: 400,
    body: { details: "Property .loyalty should have required property 'calculation_type'" },
  })
  expect(get(ofOrder).body.loyalty).toEqual(ofOrders.loyalty)
})

test('a rule is disabled and enabled, and each is announced once', () => {
  const { post, events } = club()
  const [{ id }] = post(path, [fixed]).body

  const off = [post(`${path}/${id}/disable`).body.active, post(`${path}/${id}/disable`).body.active]
  const on = post(`${path}/${id}/enable`).body.active

  expect([...off, on]).toEqual([false, false, true])
  expect(events().map(([type]) => type)).toEqual([
    'campaign.earning_rule.assigned',
    'campaign.earning_rule.disabled',
    'campaign.earning_rule.enabled',
  ])
})

test('rules are listed by page, newest first, and are gone when they are deleted', () => {
  const { post, get, del } = club()
  const [first, second] = post(path, [fixed, fixed]).body

  expect(get(path, 'limit=1').body).toMatchObject({ data: [{ id: second.id }], total: 2 })
  expect(del(`${path}/${second.id}`).status).toBe(204)
  expect(del(`${path}/${second.id}`).status).toBe(404)
  expect(get(path).body).toMatchObject({ data: [{ id: first.id }], total: 1 })
})

test('a rule is not found in another program than its own, nor one in a campaign of codes', () => {
  const { post, get } = club()
  const [{ id }] = post(path, [fixed]).body

  expect(get(`/v1/loyalties/camp_other/earning-rules/${id}`).status).toBe(404)
  expect(get('/v1/loyalties/Codes/earning-rules').status).toBe(404)
})

test('a rule that is shown can be loaded as it is', () => {
  const shown = club().post(path, [{ ...fixed, source: { banner: 'Cups' }, validation_rule_id: 'val_1' }]).body

  expect(clubWith([], { event_schemas, validation_rules, earning_rules: shown }).get(path).body.data).toEqual(shown)
  expect(() => clubWith([], { earning_rules: shown })).toThrow(
    'earning_rules[0]: Cannot find custom_event_schema with id cupping_attended',
  )
})

test('the metadata of a rule follows the schema of earning rules', () => {
  const { post, put } = clubWith([], {
    event_schemas,
    metadata_schemas: [{ related_object: 'earning_rule', properties: { owner: { type: 'string' } } }],
  })
  const made = post(path, [{ ...fixed, metadata: { owner: 'ada' } }]).body[0]

  expect(post(path, [fixed]).body.key).toBe('metadata_validation_failed')
  expect(put(`${path}/${made.id}`, { metadata: { owner: 1 } }).body.key).toBe('metadata_validation_failed')
})

test('a rule can be assigned to an earning rule, and taken off it', () => {
  const { post, get, del, put } = clubWith([], {
    validation_rules: [
      { id: 'val_1', name: 'One' },
      { id: 'val_2', name: 'Two' },
    ],
  })
  const at = '/v1/loyalties/camp_club/earning-rules'
  const [made] = post(at, [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 1 } }]).body
  const shown = () => get(`${at}/${made.id}`).body.validation_rule_id
  const assign = (rule: string) => post(`/v1/validation-rules/${rule}/assignments`, { earning_rule: made.id }).body
  const rules = () =>
    get('/v1/validation-rules-assignments', `related_object_id=${made.id}`).body.data.map(
      ({ rule_id }: { rule_id: string }) => rule_id,
    )

  const first = assign('val_1')
  const [named, listed] = [shown(), rules()]
  del(`/v1/validation-rules/val_1/assignments/${first.id}`)
  const bare = shown()
  put(`${at}/${made.id}`, { validation_rule_id: 'val_2' })

  expect([named, listed, bare]).toEqual(['val_1', ['val_1'], null])
  expect([shown(), rules()]).toEqual(['val_2', ['val_2']])
  del(`${at}/${made.id}`)
  expect(rules()).toEqual([])
})

test('what an answer about an earning rule holds is taken back', () => {
  const { post, put } = clubWith()
  const at = '/v1/loyalties/camp_club/earning-rules'
  const [made] = post(at, [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 1 } }]).body
  const unset = { segment: null, loyalty_tier: null, pending_points: null, expiration_rules: null }

  expect(put(`${at}/${made.id}`, { ...made, ...unset })).toMatchObject({ status: 200, body: made })
  expect(post(at, [{ ...made, ...unset }]).status).toBe(200)
})
