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
  const given = { name: 'Second', timezone: 'Europe/Warsaw', currency: 'EUR' }

  const { server_side_key, client_side_key, ...shown } = manage(sandbox, 'POST', '', given).body

  const allowed = 'redeem publish list_vouchers create_customer loyalty_events set_voucher_expiration_date'
  const switches = allowed.split(' ').map((name) => [`client_${name}_enabled`, false])
  expect(shown).toEqual({
    ...given,
    id: expect.stringMatching(/^proj_/),
    description: null,
    dial_code: null,
    case_sensitive_codes: true,
    default_code_config: null,
    api_version: 'v2018-08-01',
    webhook_version: 'v2024-01-01',
    cluster_id: 'eu1',
    client_trusted_domains: [],
    ...Object.fromEntries(switches),
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
  expect(manage(sandbox, 'GET', `/${shown.id}`).body).toEqual(shown)
  const data = [{ name: 'Sandbox' }, { name: 'Second' }]
  expect(manage(sandbox, 'GET', '').body).toMatchObject({ object: 'list', data_ref: 'data', data, total: 2 })
})

test('projects are isolated from each other', () => {
  const sandbox = testSandbox()
  const { server_side_key: keys } = manage(sandbox, 'POST', '', { name: 'Second' }).body
  const body = { type: 'DISCOUNT_VOUCHER', discount }

  sandbox.ask('POST /v1/vouchers/A', body, 200)
  const { id } = callAs(sandbox, keys, 'POST', '/v1/vouchers/A', body).body
  expect(callAs(sandbox, keys, 'GET', '/v1/vouchers').body.vouchers).toMatchObject([{ id }])
})

test('settings are changed one by one', () => {
  const sandbox = testSandbox()
  const change = (settings: object) => manage(sandbox, 'PUT', `/${sandbox.project.id}`, settings).body

  const moved = change({ timezone: 'Asia/Tokyo' })
  expect(moved).toMatchObject({ name: 'Sandbox', timezone: 'Asia/Tokyo', updated_at: testNow })
  expect(change({ name: 'Renamed', api_version: 'v1', cluster_id: 'x' })).toEqual({ ...moved, name: 'Renamed' })
  sandbox.ask('GET /v1/vouchers', 200)
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

  expect([id, sandbox.project.id].map((one) => manage(sandbox, 'DELETE', `/${one}`).status)).toEqual([204, 403])
  expect(manage(sandbox, 'GET', `/${id}`).status).toBe(404)
  expect(sandbox.store.in(projects, installation).count()).toBe(1)
  expect(callAs(sandbox, keys, 'GET', '/v1/vouchers').status).toBe(401)
  for (const table of ['vouchers', 'webhooks', 'outbox', 'jobs', 'tokens'])
    expect(sandbox.store.db.all(`SELECT 1 FROM ${table} WHERE project_id = ?`, id)).toEqual([])
})

test('an unknown project is a 404 without key and resource, a wrong pair a 401, a missing feature a 402', () => {
  const sandbox = testSandbox()
  const bare = testSandbox({ fixture: { settings: { missing_features: ['management_api'] } } })
  const headers = { ...managementHeaders(sandbox), 'x-management-token': 'x' }
  const request_id = expect.any(String)

  for (const [{ status, body }, expected] of [
    [
      manage(sandbox, 'GET', '/proj_x/webhooks'),
      { code: 404, message: 'Resource not found', details: 'Cannot find project with id proj_x', request_id },
    ],
    [
      sandbox.call('GET', '/management/v1/projects', { headers }),
      { code: 401, key: 'unauthorized', message: 'Unauthorized' },
    ],
    [
      manage(bare, 'GET', `/${bare.project.id}/webhooks`),
      {
        code: 402,
        key: 'missing_required_feature',
        message: 'Payment required',
        details: 'Your current plan does not include a feature required to perform this operation.',
        request_id,
      },
    ],
  ] as const)
    expect([status, body]).toEqual([expected.code, expected])
})

test.each([
  ['without case-sensitive codes a code is found and taken in any case', false, 200, 409],
  ['with them codes that differ in case are different codes', true, 404, 200],
])('in a project %s', (_, case_sensitive_codes, found, made) => {
  const vouchers = [{ code: 'Spring', discount }]
  const { ask } = testSandbox({ fixture: { settings: { case_sensitive_codes }, vouchers } })

  ask('GET /v1/vouchers/SPRING', found)
  ask('POST /v1/vouchers/spring', { type: 'DISCOUNT_VOUCHER', discount }, made)
})

test('stacking rules are stored once, shown over the defaults, changed partially, and removed', () => {
  const sandbox = testSandbox()
  const path = `/${sandbox.project.id}/stacking-rules`
  const list = () => manage(sandbox, 'GET', path).body
  const only = (one: object) => ({ object: 'list', data_ref: 'data', data: [one], total: 1 })
  const none = list()

  const given = { redeemables_limit: 3, redeemables_application_mode: 'PARTIAL' }
  const created = manage(sandbox, 'POST', path, given).body

  const { id, created_at, updated_at: _, ...settings } = created
  expect(none).toEqual(only({ ...settings, redeemables_limit: 30, redeemables_application_mode: 'ALL' }))
  expect([id, created_at]).toEqual([expect.stringMatching(/^stk_/), testNow])
  expect(created).toMatchObject({ ...given, object: 'stacking_rules', applicable_redeemables_limit: 5 })
  expect(manage(sandbox, 'POST', path, {}).body).toMatchObject({ code: 409, key: 'stacking_rules_exist' })
  const changed = manage(sandbox, 'PUT', `${path}/${id}`, { redeemables_limit: 4 }).body
  expect(changed).toEqual({ ...created, redeemables_limit: 4, updated_at: testNow })
  expect(list()).toEqual(only(changed))
  expect(manage(sandbox, 'PUT', `${path}/stk_x`, {}).status).toBe(404)
  expect(manage(sandbox, 'DELETE', `${path}/${id}`).status).toBe(204)
  expect(list()).toEqual(none)
})

test('an order of grouped redeemables that is not known is refused, not stored and ignored', () => {
  const sandbox = testSandbox()
  const rules = { grouped_redeemables_sorting_rule: 'JOINT_ALWAYS_FIRST' }

  const { status, body } = manage(sandbox, 'POST', `/${sandbox.project.id}/stacking-rules`, rules)

  expect([status, body.key]).toEqual([400, 'invalid_payload'])
  expect(manage(sandbox, 'GET', `/${sandbox.project.id}/stacking-rules`).body.data[0]).not.toHaveProperty('id')
})

test('a fixture sets up its project', () => {
  const fixture = { settings: { timezone: 'Europe/Warsaw' }, stacking_rules: { redeemables_limit: 2 } }
  const sandbox = testSandbox({ fixture })

  expect(manage(sandbox, 'GET', `/${sandbox.project.id}`).body.timezone).toBe('Europe/Warsaw')
  const [rules] = manage(sandbox, 'GET', `/${sandbox.project.id}/stacking-rules`).body.data
  expect(rules).toMatchObject({ id: expect.stringMatching(/^stk_/), redeemables_limit: 2 })
})

test.each([
  [{ settings: { client_allowed_origins: ['*'] } }, 'settings: Property .client_allowed_origins is not a setting'],
  [{ settings: { timezone: 'nowhere' } }, 'settings: Property .timezone must be the IANA name of a time zone'],
  [{ stacking_rules: { redeemables_limit: 0 } }, 'stacking_rules: Property .redeemables_limit must be >= 1'],
])('a fixture that cannot set up its project is refused: %j', (fixture, message) => {
  expect(() => testSandbox({ fixture })).toThrow(message)
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

  const body = { code: 400, details: `Property .${name} is not supported by the embedded service` }
  expect(manage(sandbox, 'PUT', `/${sandbox.project.id}`, settings)).toMatchObject({ status: 400, body })
})

test("a campaign that names no form of codes has that of the project's settings", async () => {
  const sandbox = testSandbox()
  const { ask, settled } = sandbox
  const set = (length: number) =>
    manage(sandbox, 'PUT', `/${sandbox.project.id}`, { default_code_config: { length, charset: 'AB', prefix: 'NL-' } })
  const create = (name: string, more: object, pattern: string) => {
    const voucher = { type: 'DISCOUNT_VOUCHER', discount, ...more }
    const campaign = { name, campaign_type: 'DISCOUNT_COUPONS', vouchers_count: 1, voucher }
    ask('POST /v1/campaigns', campaign, { voucher: { code_config: { pattern } } })
  }

  expect(set(4).status).toBe(200)
  create('One', {}, 'NL-####')
  create('Two', { code_config: { length: 3 } }, '###')
  await settled()
  ask('GET /v1/vouchers?campaign=One', { vouchers: [{ code: expect.stringMatching(/^NL-[AB]{4}$/) }] })
  const details = 'Property .default_code_config is invalid: Codes must NOT have more than 1024 characters'
  expect(set(2000).body).toMatchObject({ key: 'invalid_payload', details })
})

test('there are no locations, and none is found', () => {
  const { ask } = testSandbox()

  ask('GET /v1/locations?limit=5', { object: 'list', data_ref: 'locations', locations: [], total: 0 })
  ask('GET /v1/locations/loc_1', { key: 'not_found', resource_type: 'location' })
})
