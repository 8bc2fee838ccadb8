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
  const { ask, events } = club()
  const paid = { event: 'order.paid', loyalty: { points: 1 }, source: { banner: 'Order' } }

  const body = ask(`POST ${path}`, [fixed, paid], 200)

  expect(body).toMatchObject([
    {},
    { loyalty: { type: 'FIXED', points: 1 }, custom_event: null, source: { banner: 'Order' } },
  ])
  expect(body[0]).toEqual({
    ...fixed,
    id: expect.stringMatching(/^ern_/),
    automation_id: body[0].id.replace('ern_', 'auto_'),
    campaign_id: 'camp_club',
    custom_event: { schema_id: 'ms_cupping' },
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
  expect(events()).toEqual(Array(2).fill(['campaign.earning_rule.assigned', 'camp_club']))
})

test('a rule that an earlier promo stored without its automation has one, also after a change', () => {
  const { ask, store, project } = club()
  const { automation_id, ...earlier } = ask(`POST ${path}`, [fixed])[0]
  store.in(earningRules, project.id).update(earlier)

  expect(automation_id).toMatch(/^auto_/)
  ask(`GET ${path}/${earlier.id}`, { automation_id })
  ask(`GET ${path}`, { data: [{ automation_id }] })
  ask(`POST ${path}/${earlier.id}/disable`, undefined, { automation_id })
})

const proportional = (calculation_type: string, more: object = {}) => ({
  loyalty: { type: 'PROPORTIONAL', calculation_type, ...more },
})
const cups = { custom_event: { metadata: { every: 1, points: 1, property: 'cups' } } }

const paid = { event: 'order.paid' }
const perAmount = { order: { amount: { every: 100, points: 1 } } }

test.each<[string, Record<string, unknown>, string?]>([
  ['an undefined event', { event: 'nope' }, 'not_found'],
  ['an event by its id', { event: 'ms_cupping' }, 'not_found'],
  ['another schema', { custom_event: { schema_id: 'ms_x' } }, 'not_found'],
  ['an unknown validation rule', { validation_rule_id: 'val_x' }, 'not_found'],
  ['a segment', { segment: { id: 'seg_1' } }],
  ['pending points', { pending_points: { activation_method: 'MANUAL' } }],
  ['no points', { loyalty: { type: 'FIXED', points: 0 } }],
  ['another kind of points', { loyalty: { type: 'RANDOM' } }],
  ['an unknown calculation', { ...paid, ...proportional('MOON') }],
  ['a calculation without numbers', { ...paid, ...proportional('ORDER_AMOUNT') }],
  ['the amount of an order in a custom event', proportional('ORDER_AMOUNT', perAmount)],
  ['the metadata of an event in an order', { ...paid, ...proportional('CUSTOM_EVENT_METADATA', cups) }],
  ['an end before the start', { start_date: '2026-02-01', expiration_date: '2026-01-01' }],
  ['an hour that does not exist', { validity_hours: { daily: [{ start_time: '25:00' }] } }],
])('an earning rule with %s is refused, and none is stored', (_, members, key = 'invalid_payload') => {
  const { ask, events } = club()

  ask(`POST ${path}`, [fixed, { ...fixed, ...members }], key)
  expect(ask(`GET ${path}`)).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
  expect(events()).toEqual([])
})

test('an update keeps omitted members, clears with null and does not change the event', () => {
  const { ask, clock, events } = club()
  const [rule] = ask(`POST ${path}`, [{ ...fixed, start_date: '2026-01-01', metadata: { a: 1 } }])
  clock.now = '2026-05-07T00:00:00.000Z'
  const named = { loyalty: { type: 'FIXED', points: 20 }, start_date: null, validation_rule_id: 'val_1' }

  const body = ask(`PUT ${path}/${rule.id}`, named)

  expect(body).toEqual({ ...rule, ...named, updated_at: '2026-05-07T00:00:00.000Z' })
  ask(`PUT ${path}/${rule.id}`, { loyalty: { type: 'FIXED', points: -1 } }, 400)
  expect(ask(`GET ${path}/${rule.id}`)).toEqual(body)
  expect(events().map(([type]) => type)).toEqual(['campaign.earning_rule.assigned', 'campaign.earning_rule.updated'])
})

test('an update changes the points of a rule without its type', () => {
  const { ask } = club()
  const ofOrders = proportional('ORDER_AMOUNT', perAmount)
  const [ofEvent, ofOrder] = ask(`POST ${path}`, [fixed, { ...paid, ...ofOrders }])

  const { loyalty } = ask(`PUT ${path}/${ofEvent.id}`, { loyalty: { points: 4 } })
  expect(loyalty).toEqual({ type: 'FIXED', points: 4 })
  const details = "Property .loyalty should have required property 'calculation_type'"
  ask(`PUT ${path}/${ofOrder.id}`, { loyalty: { points: 4 } }, { code: 400, details })
  expect(ask(`GET ${path}/${ofOrder.id}`).loyalty).toEqual(ofOrders.loyalty)
})

test('a rule is disabled and enabled, and each is announced once', () => {
  const { ask, events } = club()
  const [{ id }] = ask(`POST ${path}`, [fixed])

  for (const act of ['disable', 'disable', 'enable'])
    ask(`POST ${path}/${id}/${act}`, undefined, { active: act === 'enable' })
  const types = ['assigned', 'disabled', 'enabled'].map((act) => `campaign.earning_rule.${act}`)
  expect(events().map(([type]) => type)).toEqual(types)
})

test('rules are listed by page, newest first, and are gone when they are deleted', () => {
  const { ask } = club()
  const [first, second] = ask(`POST ${path}`, [fixed, fixed])

  ask(`GET ${path}?limit=1`, { data: [{ id: second.id }], total: 2 })
  ask(`DELETE ${path}/${second.id}`, 204)
  ask(`DELETE ${path}/${second.id}`, 404)
  ask(`GET ${path}`, { data: [{ id: first.id }], total: 1 })
})

test('a rule is not found in another program than its own, nor one in a campaign of codes', () => {
  const { ask } = club()
  const [{ id }] = ask(`POST ${path}`, [fixed])

  for (const wrong of [`camp_other/earning-rules/${id}`, 'Codes/earning-rules']) ask(`GET /v1/loyalties/${wrong}`, 404)
})

test('a rule that is shown can be loaded as it is', () => {
  const asked = [{ ...fixed, source: { banner: 'Cups' }, validation_rule_id: 'val_1' }]
  const shown = club().ask(`POST ${path}`, asked)

  expect(clubWith([], { event_schemas, validation_rules, earning_rules: shown }).ask(`GET ${path}`).data).toEqual(shown)
  const problem = 'earning_rules[0]: Cannot find custom_event_schema with id cupping_attended'
  expect(() => clubWith([], { earning_rules: shown })).toThrow(problem)
})

test('the metadata of a rule follows the schema of earning rules', () => {
  const schema = { related_object: 'earning_rule', properties: { owner: { type: 'string' } } }
  const { ask } = clubWith([], { event_schemas, metadata_schemas: [schema] })
  const [{ id }] = ask(`POST ${path}`, [{ ...fixed, metadata: { owner: 'ada' } }])

  ask(`POST ${path}`, [fixed], 'metadata_validation_failed')
  ask(`PUT ${path}/${id}`, { metadata: { owner: 1 } }, 'metadata_validation_failed')
})

test('a rule can be assigned to an earning rule, and taken off it', () => {
  const rules = ['val_1', 'val_2'].map((id) => ({ id, name: id }))
  const { ask } = clubWith([], { validation_rules: rules })
  const [{ id }] = ask(`POST ${path}`, [{ ...paid, loyalty: { type: 'FIXED', points: 1 } }])
  const lists = (...ids: string[]) =>
    ask(`GET /v1/validation-rules-assignments?related_object_id=${id}`, { data: ids.map((rule_id) => ({ rule_id })) })
  const shows = (rule: string | null) => ask(`GET ${path}/${id}`, { validation_rule_id: rule })

  const first = ask('POST /v1/validation-rules/val_1/assignments', { earning_rule: id })
  shows('val_1')
  lists('val_1')
  ask(`DELETE /v1/validation-rules/val_1/assignments/${first.id}`)
  shows(null)
  ask(`PUT ${path}/${id}`, { validation_rule_id: 'val_2' })
  shows('val_2')
  lists('val_2')
  ask(`DELETE ${path}/${id}`)
  lists()
})

test('what an answer about an earning rule holds is taken back', () => {
  const { ask } = clubWith()
  const [made] = ask(`POST ${path}`, [{ ...paid, loyalty: { type: 'FIXED', points: 1 } }])
  const unset = { segment: null, loyalty_tier: null, pending_points: null, expiration_rules: null }

  ask(`PUT ${path}/${made.id}`, { ...made, ...unset }, made)
  ask(`POST ${path}`, [{ ...made, ...unset }], 200)
})
