import { expect, test } from 'vitest'
import { endpoint } from '../../../../src/contract/endpoint.ts'
import { emptyAnswer } from '../../../../src/contract/fields.ts'
import { getVoucher } from '../../../../src/contract/vouchers.ts'
import { createApp } from '../../../../src/sandbox/http/app.ts'
import { ok, route } from '../../../../src/sandbox/http/route.ts'
import { routerOf } from '../../../../src/sandbox/http/router.ts'
import { timeOrderedIds } from '../../../../src/sandbox/id.ts'
import { resources } from '../../../../src/sandbox/resources.ts'
import { vouchers } from '../../../../src/sandbox/stores/vouchers.ts'
import { managementHeaders } from '../../../support/manage.ts'
import { type CallOptions, requestOf, type TestSandbox, testSandbox } from '../../../support/sandbox.ts'

const fiveOff = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } }

test.each([
  [
    '/v1/vouchers/A/nothing',
    'the calls of its family',
    /GET \/v1\/vouchers\/A\/nothing. It serves: .*POST .*\/disable/,
  ],
  ['/v9/things', 'the families', /It serves: .*\/v1\/vouchers/],
])('a path that is not served (%s) is answered 404 with %s', (path, _, details) => {
  const message = 'Resource not found'
  testSandbox().ask(`GET ${path}`, { key: 'not_found', message, details: expect.stringMatching(details) })
})

test.each([
  ['expand[0]=category', 200],
  ['expand[]=category', 200],
  ['expand=category&expand=category', 200],
  ['expand[0]=category&expand[1]=colour', 400],
  ['limit[]=1&is_referral_code[0]=false', 200],
])('a list where one value is expected (%s) is that value if it has no other', (query, status) =>
  testSandbox().ask(`GET /v1/campaigns?${query}`, status),
)

/** An app on the store of a sandbox, with other resources or parts. */
function appOn({ store, clock }: TestSandbox, more: Partial<Parameters<typeof createApp>[0]>) {
  const id = timeOrderedIds(Date.now, Math.random)
  return createApp({ store, resources, now: () => clock.now, id, report: () => {}, ...more })
}

test('only a request that queues work wakes the runner of the queue', () => {
  const sandbox = testSandbox()
  let woken = 0
  const app = appOn(sandbox, {
    report: (error) => expect.fail(String(error)),
    wake: () => {
      woken += 1
    },
  })
  const post = (path: string, body: object) => app.handle(requestOf(sandbox.credentials, 'POST', path, { body }))

  post('/v1/vouchers/A', fiveOff)
  expect(woken).toBe(0)
  post('/v1/exports', { exported_object: 'voucher' })
  expect(woken).toBe(1)
})

test.each(['PATCH', 'OPTIONS'])('the method %s, that a path does not have, is answered 405 with Allow', (method) => {
  const answer = testSandbox().call(method, '/v1/vouchers/A', { headers: { origin: 'https://example.com' } })

  const allow = 'DELETE, GET, POST, PUT'
  const body = { code: 405, details: `Allowed methods: ${allow}` }
  expect(answer).toMatchObject({ status: 405, headers: { allow }, body })
  expect(Object.keys(answer.headers)).toEqual(['allow', 'x-request-id'])
})

const bare = { 'x-app-id': undefined, 'x-app-token': undefined }

test.each([
  ['no credentials', bare],
  ['half a pair', { 'x-app-token': undefined }],
  ['a wrong token', { 'x-app-token': 'wrong' }],
  ['an empty token', { 'x-app-token': '' }],
  ['an unknown id', { 'x-app-id': 'nobody' }],
  ['a bearer token that was never issued', { ...bare, authorization: 'Bearer t' }],
])('a request with %s is answered 401 with the published body', (_, headers) => {
  const answer = testSandbox().call('GET', '/v1/vouchers', { headers })

  expect([answer.status, answer.body]).toEqual([401, { code: 401, message: 'Unauthorized', key: 'unauthorized' }])
  expect(answer.headers['x-request-id']).toMatch(/^v-[0-9a-f]{18}$/)
})

const managed = route(
  endpoint('test.managed', 'test', {
    call: 'GET /management/v1/projects/{projectId}/things',
    credential: 'management',
    response: emptyAnswer,
    source: 'test',
  }),
  (_, context) => ok({ project: context.project.id }),
)

test('a management call takes the management pair and acts on the project in its path', () => {
  const sandbox = testSandbox()
  const { credentials, project } = sandbox
  const app = appOn(sandbox, { resources: [{ routes: [managed] }] })
  const management = managementHeaders(sandbox)
  const call = (id: string, headers = {}) =>
    app.handle(requestOf(credentials, 'GET', `/management/v1/projects/${id}/things`, { headers }))

  expect(call(project.id, management).body).toEqual({ project: project.id })
  const { body } = call('proj_x', management)
  expect(body).toMatchObject({ code: 404, details: 'Cannot find project with id proj_x' })
  expect(body).not.toHaveProperty('key')
  expect(call(project.id).status).toBe(401)
  expect(call(project.id, { ...management, 'x-management-id': 'wrong' }).status).toBe(401)
})

test('a bearer check decides about bearer tokens, and the call acts on its project', () => {
  const sandbox = testSandbox()
  const { credentials, project } = sandbox
  const app = appOn(sandbox, {
    resources: [
      { bearer: (token) => (token === 'good' ? project : undefined) },
      { routes: [route(getVoucher, (_, context) => ok({ project: context.project.id }))] },
    ],
  })
  const call = (token: string) => {
    const headers = { 'x-app-id': undefined, 'x-app-token': undefined, authorization: `Bearer ${token}` }
    return app.handle(requestOf(credentials, 'GET', '/v1/vouchers/A', { headers }))
  }

  expect(call('good').body).toEqual({ project: project.id })
  expect(call('bad').status).toBe(401)
})

const frame = (statusCode: number, error: string, message: string) => ({ statusCode, error, message })
const ofType = (type: string) => ({ body: fiveOff, headers: { 'content-type': type } })
const notJson = frame(415, 'Unsupported Media Type', 'Content-Type must be application/json')
const tooLarge = 'Payload content length greater than maximum allowed: 10485760'

test.each<[string, CallOptions, ReturnType<typeof frame>]>([
  [
    'malformed JSON',
    { raw: '{"type":', headers: { 'content-type': 'application/json' } },
    frame(400, 'Bad Request', 'Invalid request payload JSON format'),
  ],
  [
    'a body beyond 10 MiB',
    { body: { additional_info: 'x'.repeat(10_485_760) } },
    frame(413, 'Request Entity Too Large', tooLarge),
  ],
  ['a body of type text/plain', ofType('text/plain'), notJson],
  ['a form', ofType('application/x-www-form-urlencoded'), notJson],
])('%s is refused in the shape of the framework', (_, options, body) => {
  const answer = testSandbox().call('POST', '/v1/vouchers/A', options)

  expect([answer.status, answer.body]).toEqual([body.statusCode, body])
})

test.each(['Application/JSON; charset=UTF-8', 'application/vnd.api+json', ''])(
  'a body of type "%s" is JSON',
  (type) => {
    const answer = testSandbox().call('POST', '/v1/vouchers/A', { body: fiveOff, headers: { 'content-type': type } })

    expect(answer.status).toBe(200)
  },
)

test('nesting of 64 levels is accepted and of 65 is refused', () => {
  const { ask } = testSandbox()
  const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  const body = (levels: number) => ({ ...fiveOff, metadata: nested(levels - 1) })

  ask('POST /v1/vouchers/A', body(64), 200)
  const details = 'Payload must NOT be nested deeper than 64 levels'
  ask('POST /v1/vouchers/B', body(65), { key: 'invalid_payload', details })
})

test('a body of half a million members and items is refused before it is parsed', () => {
  const { ask } = testSandbox()
  const many = (count: number) => ({ ...fiveOff, metadata: { list: Array(count).fill(0) } })

  const details = 'Payload must NOT have more than 500000 members and items'
  ask('POST /v1/vouchers/A', many(500_000), { key: 'invalid_payload', details })
  ask('POST /v1/vouchers/B', many(499_000), 200)
})

test('hostile nesting of a hundred thousand levels is refused without harm', () => {
  const { call, reports } = testSandbox()
  const raw = `{"metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`

  expect(call('POST', '/v1/vouchers/A', { raw, headers: { 'content-type': 'application/json' } }).status).toBe(400)
  expect(reports).toEqual([])
})

test.each([
  ['{"type":"DISCOUNT_VOUCHER","code":"HALF\\ud83d"}', 'Property .code must be'],
  ['{"type":"DISCOUNT_VOUCHER","metadata":{"tags":["a","\\udc00"]}}', 'Property .metadata.tags[1] must be'],
  ['{"type":"DISCOUNT_VOUCHER","metadata":{"\\ud83d":1}}', 'Property .metadata.\ufffd must be'],
  ['"\\ud83d"', 'Payload must be'],
])('half of a surrogate pair is refused, because no list could show it again: %s', (raw, details) => {
  const { call, ask } = testSandbox()

  const refused = call('POST', '/v1/vouchers', { raw, headers: { 'content-type': 'application/json' } })

  const problem = `${details} Unicode without half of a surrogate pair`
  expect(refused.body).toMatchObject({ code: 400, key: 'invalid_payload', details: problem })
  ask('POST /v1/vouchers', { ...fiveOff, code: '\u{1f600}' }, 200)
  ask('GET /v1/vouchers', { vouchers: [{ code: '\u{1f600}' }] })
})

test.each(['12345678901234567890', '9007199254740993', '1e400', '-1e400'])(
  'the number %s is refused, because it would be stored as another one',
  (number) => {
    const raw = `{"source_id":"n","metadata":{"big":[${number}]}}`
    const headers = { 'content-type': 'application/json' }

    const details = 'Property .metadata.big[0] must be a number that JSON readers keep exactly'
    const { body } = testSandbox().call('POST', '/v1/customers', { raw, headers })
    expect(body).toMatchObject({ key: 'invalid_payload', details })
  },
)

test.each([
  ['utf-16', 415],
  ['"ISO-8859-1"', 415],
  ['UTF-8', 200],
  ['"utf8"', 200],
])('a body with the charset %s is answered %i', (charset, status) => {
  const { call } = testSandbox({ demo: false })
  const headers = { 'content-type': `application/json; charset=${charset}` }

  expect(call('POST', '/v1/customers', { raw: '{"source_id":"n"}', headers }).status).toBe(status)
})

test('a path segment that is not UTF-8 is answered 400', () => {
  expect(testSandbox().get('/v1/vouchers/%FF').body).toMatchObject({ statusCode: 400, error: 'Bad Request' })
})

test('a failure of the sandbox is answered 500 without its message, and is reported', () => {
  const sandbox = testSandbox()
  const request_id = 'v-000000000000000001'
  const reports: unknown[] = []
  const failing = route(getVoucher, () => {
    throw new Error('secret detail')
  })
  const app = appOn(sandbox, {
    resources: [{ routes: [failing] }],
    id: () => request_id,
    report: (error, requestId) => reports.push([String(error), requestId]),
  })

  const { status, body } = app.handle(requestOf(sandbox.credentials, 'GET', '/v1/vouchers/A'))

  const failure = { code: 500, key: 'internal_error', message: 'Internal server error', request_id }
  expect([status, body]).toEqual([500, failure])
  expect(reports).toEqual([['Error: secret detail', request_id]])
})

test('an error of the main shape carries the same request id as the header', () => {
  const answer = testSandbox().get('/v1/vouchers/A')

  expect(answer.body.request_id).toMatch(/^v-[0-9a-f]{18}$/)
  expect(answer.headers['x-request-id']).toBe(answer.body.request_id)
})

test('a request that fails in a batch is undone alone', () => {
  const { app, credentials, get } = testSandbox()
  const create = (code: string, body: unknown) => requestOf(credentials, 'POST', `/v1/vouchers/${code}`, { body })

  const answers = app.handleAll([create('A', fiveOff), create('A', fiveOff), create('B', {}), create('C', fiveOff)])

  expect(answers.map((answer) => answer.status)).toEqual([200, 409, 400, 200])
  expect(get('/v1/vouchers').body.total).toBe(2)
})

test.each([
  ['POST', '/v1/half', '/v1/half'],
  ['GET', '/v1/half', '/v1/half'],
  ['GET', '/v1/half/{code}', '/v1/half/a%2Fb'],
] as const)('writes of a failing %s of %s are undone, events included', (method, path, requested) => {
  const sandbox = testSandbox()
  const half = route(
    endpoint('test.half', 'test', { call: `${method} ${path}`, response: emptyAnswer, repeat: 'once', source: 'test' }),
    (_, context) => {
      context.in(vouchers).insert({ id: 'v_1', code: 'HALF', created_at: context.now } as never)
      context.emit('customer.deleted', 'cust_1', { customer: { id: 'cust_1', object: 'customer' } })
      throw new Error('in the middle')
    },
  )
  const app = appOn(sandbox, { resources: [{ routes: [{ ...half, isWritingGet: true }] }] })

  const request = requestOf(sandbox.credentials, method, requested)
  const answers = [app.handle(request), ...app.handleAll([request, request])]

  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500])
  expect(sandbox.store.in(vouchers, sandbox.project.id).count()).toBe(0)
  expect(sandbox.events()).toEqual([])
})

test('fixed text in a path wins over a name in braces', () => {
  const at = (path: string) =>
    route(endpoint(path, 'test', { call: `GET ${path}`, response: emptyAnswer, source: 'test' }), () => ok({}))
  const router = routerOf([at('/v1/campaigns/{id}'), at('/v1/campaigns/qualification')])

  expect(router('GET', '/v1/campaigns/qualification').route.endpoint.id).toBe('/v1/campaigns/qualification')
  expect(router('GET', '/v1/campaigns/qualifications').path).toEqual({ id: 'qualifications' })
})
