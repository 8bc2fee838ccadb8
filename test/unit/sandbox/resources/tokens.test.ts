import { expect, test } from 'vitest'
import { manage } from '../../../support/manage.ts'
import { type CallOptions, type TestSandbox, testSandbox } from '../../../support/sandbox.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

function oauth(sandbox: TestSandbox, call: 'token' | 'introspect' | 'token/revoke', raw: string) {
  return sandbox.call('POST', `/v1/oauth/${call}`, { raw, headers: form })
}

function tokenFor(sandbox: TestSandbox, scope: string): string {
  return oauth(sandbox, 'token', `grant_type=client_credentials&scope=${encodeURIComponent(scope)}`).body.access_token
}

/** Calls with a bearer token instead of the key pair. */
function bear(sandbox: TestSandbox, token: string, method: string, path: string, call: CallOptions = {}) {
  const headers = { 'x-app-id': undefined, 'x-app-token': undefined, authorization: `Bearer ${token}` }
  return sandbox.call(method, path, { ...call, headers: { ...headers, ...call.headers } })
}

function later(sandbox: TestSandbox, seconds: number): void {
  sandbox.clock.now = new Date(Date.parse(sandbox.clock.now) + seconds * 1000).toISOString()
}

test('a token lives for 900 seconds and carries the scope that was requested', () => {
  const answer = oauth(testSandbox(), 'token', 'grant_type=client_credentials&scope=api+vouchers+client_api')

  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    access_token: expect.stringMatching(/^[A-Za-z0-9]{50}$/),
    client_id: expect.stringMatching(/^[A-Za-z0-9]{21}$/),
    expires_at: 1778052189,
    expires_in: 900,
    scope: 'api vouchers client_api',
    token_type: 'Bearer',
  })
})

test.each([
  ['vouchers exports', 'GET /v1/vouchers/BEANS10', 200],
  ['api', 'GET /v1/vouchers/BEANS10', 200],
  ['client_api', 'GET /v1/vouchers/BEANS10', 403],
  ['vouchers exports', 'POST /v1/validations', 403],
  ['api', 'POST /v1/oauth/introspect', 401],
  ['api', 'GET /management/v1/projects/PROJECT/webhooks', 401],
])('a token with the scope "%s" grants what that covers: %s is answered %d', (scope, request, status) => {
  const sandbox = testSandbox({ demo: true })
  const [method = '', path = ''] = request.replace('PROJECT', sandbox.project.id).split(' ')
  const isForm = path.includes('oauth')
  const asked = isForm ? { raw: 'access_token=x', headers: form } : {}

  const answer = bear(sandbox, tokenFor(sandbox, scope), method, path, asked)

  expect(answer.status).toBe(status)
  const covered = path.replace('BEANS10', '{code}')
  const details = `The token has the scope "${scope}", which does not cover ${covered}`
  if (status === 403) expect(answer.body).toMatchObject({ code: 403, key: 'forbidden', details })
})

test('a token is introspected with the seconds it has left, until it has none', () => {
  const sandbox = testSandbox()
  const { body: token } = oauth(sandbox, 'token', 'grant_type=client_credentials&scope=api')
  const seen = () => {
    const { status, body } = oauth(sandbox, 'introspect', `access_token=${token.access_token}`)
    return [status, body, bear(sandbox, token.access_token, 'GET', '/v1/vouchers').status]
  }

  later(sandbox, 899)
  expect(seen()).toEqual([200, { ...token, active: true, expires_in: 1 }, 200])
  later(sandbox, 1)
  expect(seen()).toEqual([200, { active: false }, 401])
})

test('a revoked token is invalid at once; revoking it twice is a 404 without a body', () => {
  const sandbox = testSandbox()
  const token = tokenFor(sandbox, 'api')

  for (const status of [204, 404])
    expect(oauth(sandbox, 'token/revoke', `access_token=${token}`)).toMatchObject({ status, body: undefined })
  expect(bear(sandbox, token, 'GET', '/v1/vouchers').status).toBe(401)
  expect(oauth(sandbox, 'introspect', `access_token=${token}`).body).toEqual({ active: false })
})

test.each([
  ['token', 'scope=api', 'invalid_grant_type', 'Invalid grant_type'],
  ['token', 'grant_type=password&scope=api', 'invalid_grant_type', 'Invalid grant_type'],
  ['token', 'grant_type=client_credentials', 'invalid_scope', 'Invalid scope: '],
  ['token', 'grant_type=client_credentials&scope=vouchers,api', 'invalid_scope', 'Invalid scope: vouchers,api'],
  ['token', 'grant_type=client_credentials&scope=api+everything', 'invalid_scope', 'Invalid scope: api everything'],
  ['introspect', '', 'missing_parameters', 'Missing parameters'],
  ['introspect', 'access_token=', 'missing_parameters', 'Missing parameters'],
  ['token/revoke', 'token=x', 'missing_parameters', 'Missing parameters'],
] as const)('the form is refused with its own key: %s %s', (call, raw, key, message) => {
  const sandbox = testSandbox()

  const answer = oauth(sandbox, call, raw)

  expect([answer.status, answer.body]).toEqual([400, { code: 400, key, message, request_id: expect.any(String) }])
})

test('a form sent as JSON is not read', () => {
  expect(testSandbox().post('/v1/oauth/token', { grant_type: 'client_credentials', scope: 'api' }).status).toBe(415)
})

test('a project has 1,000 tokens at most; expired ones do not count', () => {
  const sandbox = testSandbox()
  const ask = () => oauth(sandbox, 'token', 'grant_type=client_credentials&scope=api')
  for (let n = 0; n < 1000; n += 1) ask()

  expect(ask()).toMatchObject({ status: 403, body: { key: 'forbidden' } })
  later(sandbox, 900)
  expect(ask().status).toBe(200)
})

test('a token of another project counts as unknown', () => {
  const sandbox = testSandbox()
  const { server_side_key } = manage(sandbox, 'POST', '', { name: 'Second' }).body
  const headers = { ...form, 'x-app-id': server_side_key.app_id, 'x-app-token': server_side_key.app_token }
  const raw = `access_token=${tokenFor(sandbox, 'api')}`

  expect(sandbox.call('POST', '/v1/oauth/introspect', { raw, headers }).body).toEqual({ active: false })
  expect(sandbox.call('POST', '/v1/oauth/token/revoke', { raw, headers }).status).toBe(404)
  expect(oauth(sandbox, 'introspect', raw).body.active).toBe(true)
})

test('the data file contains no usable token', () => {
  const sandbox = testSandbox()
  const token = tokenFor(sandbox, 'api')

  const rows = sandbox.store.db.all('SELECT * FROM tokens')

  expect(rows.length).toBe(1)
  expect(JSON.stringify(rows)).not.toContain(token)
})
