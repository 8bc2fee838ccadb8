import { expect, test } from 'vitest'
import { installation, projects } from '../../../../src/sandbox/stores/projects.ts'
import { manage, managementHeaders } from '../../../support/manage.ts'
import { type TestSandbox, testNow, testSandbox } from '../../../support/sandbox.ts'

const key = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const discount = { type: 'AMOUNT', amount_off: 100 }

/** Calls with the keys of a project that the management API created. */
function callAs(
  sandbox: TestSandbox,
  keys: { app_id: string; app_token: string },
  method: string,
  path: string,
  body?: unknown,
) {
  return sandbox.call(method, path, { body, headers: { 'x-app-id': keys.app_id, 'x-app-token': keys.app_token } })
}

test('a new project shows its keys once, and its signing secret always', () => {
  const sandbox = testSandbox()

  const created = manage(sandbox, 'POST', '', { name: 'Second', timezone: 'Europe/Warsaw', currency: 'EUR' })
  const read = manage(sandbox, 'GET', `/${created.body.id}`)
  const listed = manage(sandbox, 'GET', '')

  const { server_side_key, client_side_key, ...shown } = created.body
  expect(shown).toEqual({
    id: expect.stringMatching(/^proj_/),
    name: 'Second',
    description: null,
    timezone: 'Europe/Warsaw',
    currency: 'EUR',
    dial_code: null,
    case_sensitive_codes: true,
    default_code_config: null,
    api_version: 'v2018-08-01',
    webhook_version: 'v2024-01-01',
    cluster_id: 'eu1',
    client_trusted_domains: [],
    client_redeem_enabled: false,
    client_publish_enabled: false,
    client_list_vouchers_enabled: false,
    client_create_customer_enabled: false,
    client_loyalty_events_enabled: false,
    client_set_voucher_expiration_date_enabled: false,
    webhooks_callout_notifications: null,
    api_usage_notifications: null,
    is_sandbox: false,
    webhook_token: expect.stringMatching(/^[0-9a-f]{64}$/),
    created_at: testNow,
    updated_at: null,
    object: 'project',
  })
  for (const pair of [server_side_key, client_side_key])
    expect(pair).toEqual({ app_id: expect.stringMatching(key), app_token: expect.stringMatching(key) })
  expect(read.body).toEqual(shown)
  expect(listed.body).toMatchObject({ object: 'list', data_ref: 'data', total: 2 })
  expect(listed.body.data.map((project: { name: string }) => project.name)).toEqual(['Sandbox', 'Second'])
})

test('projects are isolated from each other', () => {
  const sandbox = testSandbox()
  const { server_side_key: keys } = manage(sandbox, 'POST', '', { name: 'Second' }).body

  const first = sandbox.post('/v1/vouchers/A', { type: 'DISCOUNT_VOUCHER', discount })
  const second = callAs(sandbox, keys, 'POST', '/v1/vouchers/A', { type: 'DISCOUNT_VOUCHER', discount })

  expect([first.status, second.status]).toEqual([200, 200])
  expect(callAs(sandbox, keys, 'GET', '/v1/vouchers').body.vouchers.map((one: { id: string }) => one.id)).toEqual([
    second.body.id,
  ])
})

test('settings are changed one by one', () => {
  const sandbox = testSandbox()

  const zone = manage(sandbox, 'PUT', `/${sandbox.project.id}`, { timezone: 'Asia/Tokyo' })
  const name = manage(sandbox, 'PUT', `/${sandbox.project.id}`, { name: 'Renamed', api_version: 'v1', cluster_id: 'x' })

  expect(zone.body).toMatchObject({ name: 'Sandbox', timezone: 'Asia/Tokyo', updated_at: testNow })
  expect(name.body).toEqual({ ...zone.body, name: 'Renamed' })
  expect(sandbox.get('/v1/vouchers').status).toBe(200)
})

test.each([
  ['Property .timezone must be the IANA name of a time zone', { timezone: 'Mars/Olympus' }, 400],
  ['Property .webhook_version must be equal to one of the allowed values: v2024-01-01', { webhook_version: 'v1' }, 400],
  ['Property .api_version must be equal to one of the allowed values: v2018-08-01', { api_version: 'v1' }, 200],
])('an invalid setting is refused: %s', (details, body, updated) => {
  const sandbox = testSandbox()

  expect(manage(sandbox, 'POST', '', { name: 'Second', ...body })).toMatchObject({ status: 400, body: { details } })
  // An update reads over the version that is served.
  expect(manage(sandbox, 'PUT', `/${sandbox.project.id}`, body).status).toBe(updated)
  expect(manage(sandbox, 'GET', '').body.total).toBe(1)
})

test('a deleted project is gone with everything in it; the first one stays', () => {
  const sandbox = testSandbox()
  const { id, server_side_key: keys } = manage(sandbox, 'POST', '', { name: 'Second' }).body
  callAs(sandbox, keys, 'POST', '/v1/vouchers/A', { type: 'DISCOUNT_VOUCHER', discount })
  manage(sandbox, 'POST', `/${id}/webhooks`, { target_url: 'http://127.0.0.1:1', events: ['voucher.created'] })

  const deleted = manage(sandbox, 'DELETE', `/${id}`)
  const first = manage(sandbox, 'DELETE', `/${sandbox.project.id}`)

  expect([deleted.status, first.status]).toEqual([204, 403])
  expect(manage(sandbox, 'GET', `/${id}`)).toMatchObject({ status: 404 })
  expect(sandbox.store.in(projects, installation).count()).toBe(1)
  expect(callAs(sandbox, keys, 'GET', '/v1/vouchers').status).toBe(401)
  for (const table of ['vouchers', 'webhooks', 'outbox', 'jobs', 'tokens'])
    expect(sandbox.store.db.all(`SELECT 1 FROM ${table} WHERE project_id = ?`, id)).toEqual([])
})

test('an unknown project is a 404 without key and resource, a wrong pair a 401, a missing feature a 402', () => {
  const sandbox = testSandbox()
  const bare = testSandbox({ fixture: { settings: { missing_features: ['management_api'] } } })

  const unknown = manage(sandbox, 'GET', '/proj_x/webhooks')
  const wrong = sandbox.call('GET', '/management/v1/projects', {
    headers: { ...managementHeaders(sandbox), 'x-management-token': 'x' },
  })
  const unpaid = manage(bare, 'GET', `/${bare.project.id}/webhooks`)

  const request_id = expect.any(String)
  expect([unknown.status, unknown.body]).toEqual([
    404,
    { code: 404, message: 'Resource not found', details: 'Cannot find project with id proj_x', request_id },
  ])
  expect([wrong.status, wrong.body]).toEqual([401, { code: 401, key: 'unauthorized', message: 'Unauthorized' }])
  expect([unpaid.status, unpaid.body]).toEqual([
    402,
    {
      code: 402,
      key: 'missing_required_feature',
      message: 'Payment required',
      details: 'Your current plan does not include a feature required to perform this operation.',
      request_id,
    },
  ])
})

test.each([
  ['without case-sensitive codes a code is found and taken in any case', false, [200, 409]],
  ['with them codes that differ in case are different codes', true, [404, 200]],
])('in a project %s', (_, case_sensitive_codes, statuses) => {
  const { get, post } = testSandbox({
    fixture: { settings: { case_sensitive_codes }, vouchers: [{ code: 'Spring', discount }] },
  })

  const found = get('/v1/vouchers/SPRING')
  const taken = post('/v1/vouchers/spring', { type: 'DISCOUNT_VOUCHER', discount })

  expect([found.status, taken.status]).toEqual(statuses)
})

test('stacking rules are stored once, shown over the defaults, changed partially, and removed', () => {
  const sandbox = testSandbox()
  const path = `/${sandbox.project.id}/stacking-rules`

  const none = manage(sandbox, 'GET', path).body
  const created = manage(sandbox, 'POST', path, { redeemables_limit: 3, redeemables_application_mode: 'PARTIAL' })
  const again = manage(sandbox, 'POST', path, {})
  const changed = manage(sandbox, 'PUT', `${path}/${created.body.id}`, { redeemables_limit: 4 })
  const listed = manage(sandbox, 'GET', path).body
  const wrong = manage(sandbox, 'PUT', `${path}/stk_x`, {})
  const deleted = manage(sandbox, 'DELETE', `${path}/${created.body.id}`)

  const { id: _, created_at: _created, updated_at: _updated, ...settings } = created.body
  const defaults = { ...settings, redeemables_limit: 30, redeemables_application_mode: 'ALL' }
  expect(none).toEqual({ object: 'list', data_ref: 'data', data: [defaults], total: 1 })
  expect(created.body).toMatchObject({
    id: expect.stringMatching(/^stk_/),
    object: 'stacking_rules',
    created_at: testNow,
    redeemables_limit: 3,
    redeemables_application_mode: 'PARTIAL',
    applicable_redeemables_limit: 5,
  })
  expect([again.status, again.body.key]).toEqual([409, 'stacking_rules_exist'])
  expect(changed.body).toEqual({ ...created.body, redeemables_limit: 4, updated_at: testNow })
  expect(listed).toEqual({ object: 'list', data_ref: 'data', data: [changed.body], total: 1 })
  expect([wrong.status, deleted.status]).toEqual([404, 204])
  expect(manage(sandbox, 'GET', path).body).toEqual(none)
})

test('an order of grouped redeemables that is not known is refused, not stored and ignored', () => {
  const sandbox = testSandbox()
  const rules = { grouped_redeemables_sorting_rule: 'JOINT_ALWAYS_FIRST' }

  const { status, body } = manage(sandbox, 'POST', `/${sandbox.project.id}/stacking-rules`, rules)

  expect([status, body.key]).toEqual([400, 'invalid_payload'])
  expect(manage(sandbox, 'GET', `/${sandbox.project.id}/stacking-rules`).body.data[0]).not.toHaveProperty('id')
})

test('a fixture sets up its project, and is refused when that is impossible', () => {
  const sandbox = testSandbox({
    fixture: { settings: { timezone: 'Europe/Warsaw' }, stacking_rules: { redeemables_limit: 2 } },
  })

  expect(manage(sandbox, 'GET', `/${sandbox.project.id}`).body.timezone).toBe('Europe/Warsaw')
  expect(manage(sandbox, 'GET', `/${sandbox.project.id}/stacking-rules`).body.data[0]).toMatchObject({
    id: expect.stringMatching(/^stk_/),
    redeemables_limit: 2,
  })
  expect(() => testSandbox({ fixture: { settings: { client_allowed_origins: ['*'] } } })).toThrow(
    'settings: Property .client_allowed_origins is not a setting of a project',
  )
  expect(() => testSandbox({ fixture: { settings: { timezone: 'nowhere' } } })).toThrow(
    'settings: Property .timezone must be the IANA name of a time zone',
  )
  expect(() => testSandbox({ fixture: { stacking_rules: { redeemables_limit: 0 } } })).toThrow(
    'stacking_rules: Property .redeemables_limit must be >= 1',
  )
})

test('a project is opened to pages by its settings, and a sandbox project says that it is one', () => {
  const sandbox = testSandbox()
  const made = manage(sandbox, 'POST', '', { name: 'Pages', type: 'SANDBOX', dial_code: '+31' }).body
  const opening = { client_trusted_domains: ['https://shop.example'], client_redeem_enabled: true }

  const changed = manage(sandbox, 'PUT', `/${made.id}`, opening).body

  expect(made).toMatchObject({ id: expect.stringMatching(/^sand_/), is_sandbox: true })
  expect(changed).toMatchObject({ dial_code: '+31', ...opening, client_loyalty_events_enabled: false })
  expect(manage(sandbox, 'GET', `/${made.id}`).body).toEqual(changed)
})

test.each([
  [{ client_set_voucher_expiration_date_enabled: true }, 'client_set_voucher_expiration_date_enabled'],
  [{ webhooks_callout_notifications: {} }, 'webhooks_callout_notifications'],
  [{ api_usage_notifications: {} }, 'api_usage_notifications'],
])('the setting %j is refused by name, since nothing would follow from it', (settings, name) => {
  const sandbox = testSandbox()

  expect(manage(sandbox, 'PUT', `/${sandbox.project.id}`, settings)).toMatchObject({
    status: 400,
    body: { details: `Property .${name} is not supported by the embedded service` },
  })
})

test("a campaign that names no form of codes has that of the project's settings", async () => {
  const sandbox = testSandbox()
  const { post, get, settled } = sandbox
  const set = (length: number) =>
    manage(sandbox, 'PUT', `/${sandbox.project.id}`, { default_code_config: { length, charset: 'AB', prefix: 'NL-' } })
  const voucher = { type: 'DISCOUNT_VOUCHER', discount }
  const create = (name: string, more: object = {}) =>
    post('/v1/campaigns', {
      name,
      campaign_type: 'DISCOUNT_COUPONS',
      vouchers_count: 1,
      voucher: { ...voucher, ...more },
    }).body.voucher.code_config.pattern

  expect(set(4).status).toBe(200)
  expect(create('One')).toBe('NL-####')
  expect(create('Two', { code_config: { length: 3 } })).toBe('###')
  await settled()
  const codes = get('/v1/vouchers', 'campaign=One').body.vouchers.map((one: { code: string }) => one.code)
  expect(codes).toEqual([expect.stringMatching(/^NL-[AB]{4}$/)])
  expect(set(2000).body).toMatchObject({
    key: 'invalid_payload',
    details: 'Property .default_code_config is invalid: Codes must NOT have more than 1024 characters',
  })
})

test('there are no locations, and none is found', () => {
  const { get } = testSandbox()

  const list = get('/v1/locations', 'limit=5')
  const one = get('/v1/locations/loc_1')

  expect(list).toMatchObject({ status: 200, body: { object: 'list', data_ref: 'locations', locations: [], total: 0 } })
  expect([one.status, one.body.key, one.body.resource_type]).toEqual([404, 'not_found', 'location'])
})
