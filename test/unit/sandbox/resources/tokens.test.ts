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
  const sandbox = testSandbox()

  const answer = oauth(sandbox, 'token', 'grant_type=client_credentials&scope=api+vouchers+client_api')

  expect([answer.status, answer.body]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^[A-Za-z0-9]{50}$/),
      client_id: expect.stringMatching(/^[A-Za-z0-9]{21}$/),
      expires_at: 1778052189,
      expires_in: 900,
      scope: 'api vouchers client_api',
      token_type: 'Bearer',
    },
  ])
})

test('a token grants what its scope covers, and nothing else', () => {
  const sandbox = testSandbox({ demo: true })
  const token = tokenFor(sandbox, 'vouchers exports')

  const covered = bear(sandbox, token, 'GET', '/v1/vouchers/BEANS10')
  const outside = bear(sandbox, token, 'POST', '/v1/validations', { body: { redeemables: [] } })
  const everything = bear(sandbox, tokenFor(sandbox, 'api'), 'GET', '/v1/vouchers/BEANS10')
  const clientSide = bear(sandbox, tokenFor(sandbox, 'client_api'), 'GET', '/v1/vouchers/BEANS10')

  expect([covered.status, outside.status, everything.status, clientSide.status]).toEqual([200, 403, 200, 403])
  expect(outside.body).toMatchObject({
    code: 403,
    key: 'forbidden',
    details: 'The token has the scope "vouchers exports", which does not cover /v1/validations',
  })
})

test('a token grants neither the token calls nor the management API', () => {
  const sandbox = testSandbox()
  const token = tokenFor(sandbox, 'api')

  const introspect = bear(sandbox, token, 'POST', '/v1/oauth/introspect', {
    raw: `access_token=${token}`,
    headers: form,
  })
  const webhooks = bear(sandbox, token, 'GET', `/management/v1/projects/${sandbox.project.id}/webhooks`)

  expect([introspect.status, webhooks.status]).toEqual([401, 401])
})

test('a token is introspected with the seconds it has left, until it has none', () => {
  const sandbox = testSandbox()
  const { body: token } = oauth(sandbox, 'token', 'grant_type=client_credentials&scope=api')
  const introspected = () => oauth(sandbox, 'introspect', `access_token=${token.access_token}`)

  later(sandbox, 899)
  const alive = introspected()
  const usable = bear(sandbox, token.access_token, 'GET', '/v1/vouchers').status
  later(sandbox, 1)
  const expired = introspected()
  const useless = bear(sandbox, token.access_token, 'GET', '/v1/vouchers').status

  expect([alive.status, alive.body]).toEqual([200, { ...token, active: true, expires_in: 1 }])
  expect([expired.status, expired.body]).toEqual([200, { active: false }])
  expect([usable, useless]).toEqual([200, 401])
})

test('a revoked token is invalid at once; revoking it twice is a 404 without a body', () => {
  const sandbox = testSandbox()
  const token = tokenFor(sandbox, 'api')

  const first = oauth(sandbox, 'token/revoke', `access_token=${token}`)
  const second = oauth(sandbox, 'token/revoke', `access_token=${token}`)

  expect([first.status, first.body]).toEqual([204, undefined])
  expect([second.status, second.body]).toEqual([404, undefined])
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
  for (let n = 0; n < 1000; n += 1) tokenFor(sandbox, 'api')
  const request = 'grant_type=client_credentials&scope=api'

  const over = oauth(sandbox, 'token', request)
  later(sandbox, 900)
  const after = oauth(sandbox, 'token', request)

  expect([over.status, over.body.key]).toEqual([403, 'forbidden'])
  expect(after.status).toBe(200)
})

test('a token of another project counts as unknown', () => {
  const sandbox = testSandbox()
  const { server_side_key } = manage(sandbox, 'POST', '', { name: 'Second' }).body
  const keys = { 'x-app-id': server_side_key.app_id, 'x-app-token': server_side_key.app_token }
  const raw = `access_token=${tokenFor(sandbox, 'api')}`

  const introspected = sandbox.call('POST', '/v1/oauth/introspect', { raw, headers: { ...form, ...keys } })
  const revoked = sandbox.call('POST', '/v1/oauth/token/revoke', { raw, headers: { ...form, ...keys } })

  expect([introspected.body, revoked.status]).toEqual([{ active: false }, 404])
  expect(oauth(sandbox, 'introspect', raw).body.active).toBe(true)
})

test('the data file contains no usable token', () => {
  const sandbox = testSandbox()
  const token = tokenFor(sandbox, 'api')

  const rows = sandbox.store.db.all('SELECT * FROM tokens')

  expect(rows.length).toBe(1)
  expect(JSON.stringify(rows)).not.toContain(token)
})
