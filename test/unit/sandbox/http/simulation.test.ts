import { expect, test, vi } from 'vitest'
import { startSandbox } from '../../../../src/sandbox/embedded.ts'
import { clientSideLimit, rateLimiterOf, withSimulation } from '../../../../src/sandbox/http/rate-limits.ts'
import { requestOf, testSandbox } from '../../../support/sandbox.ts'

test('a limit counts each caller separately, and begins again when its period is over', () => {
  let now = 1_000
  const take = rateLimiterOf(clientSideLimit, () => now)
  const five = Array.from({ length: 5 }, () => take('192.0.2.1'))

  const sixth = take('192.0.2.1')
  const other = take('192.0.2.2')
  now = 5_999
  const early = take('192.0.2.1')
  now = 6_000
  const again = take('192.0.2.1')

  expect(five.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
    [true, 4],
    [true, 3],
    [true, 2],
    [true, 1],
    [true, 0],
  ])
  expect(sixth).toEqual({ isAllowed: false, limit: 5, remaining: 0, resetsAtMs: 6_000 })
  expect([other.remaining, early.isAllowed, again.remaining]).toEqual([4, false, 4])
  expect(again.resetsAtMs).toBe(11_000)
})

test('a flood of callers does not use unlimited memory', () => {
  const take = rateLimiterOf({ calls: 1, periodMs: 1_000 }, () => 0)

  for (let n = 0; n < 25_000; n += 1) take(`caller ${n}`)

  expect(take('caller 24999').isAllowed).toBe(false)
  expect(take('caller 0').isAllowed).toBe(true)
})

test('every answer states what is left of the limit, and one beyond it is a 429 that states when to retry', async () => {
  const sandbox = testSandbox()
  let now = Date.parse('2026-05-06T07:08:09.500Z')
  const answer = withSimulation(
    async (request) => sandbox.app.handle(request),
    { rateLimit: { calls: 2, periodMs: 60_000 } },
    () => now,
  )
  const ask = () => answer(requestOf(sandbox.credentials, 'GET', '/v1/vouchers'))

  const first = await ask()
  const wrong = await answer(requestOf({ ...sandbox.credentials, app_token: 'x' }, 'GET', '/v1/vouchers'))
  now += 1_000
  const over = await ask()
  now += 59_000
  const next = await ask()

  expect(first.headers).toMatchObject({
    'x-rate-limit-limit': '2',
    'x-rate-limit-remaining': '1',
    'x-rate-limit-retry': '1778051350',
  })
  expect([wrong.status, wrong.headers['x-rate-limit-remaining']]).toEqual([401, '0'])
  expect(over).toEqual({
    status: 429,
    headers: {
      'x-rate-limit-limit': '2',
      'x-rate-limit-remaining': '0',
      'x-rate-limit-retry': '1778051350',
      'retry-after': '59',
      'x-rate-limit-type': 'api_calls',
    },
    body: { code: 429, message: 'Too many requests hit the API too quickly.' },
  })
  expect([next.status, next.headers['x-rate-limit-remaining']]).toEqual([200, '1'])
})

test('over a socket a limit and slow answers are simulated on request', async () => {
  const simulation = { latencyMs: 30, rateLimit: { calls: 1, periodMs: 3_600_000 } }
  const sandbox = await startSandbox({ file: ':memory:', port: 0, demo: false, simulation })
  const { app_id, app_token } = sandbox.credentials
  const ask = () => fetch(`${sandbox.url}/v1/vouchers`, { headers: { 'x-app-id': app_id, 'x-app-token': app_token } })

  const timers = vi.spyOn(globalThis, 'setTimeout')
  const first = await ask()
  const waitsMs = timers.mock.calls.map(([, ms]) => ms)
  timers.mockRestore()
  const second = await ask()
  await sandbox.close()

  expect([first.status, first.headers.get('x-rate-limit-remaining')]).toEqual([200, '0'])
  expect(waitsMs).toContain(30)
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '3600'])
  expect(await second.json()).toEqual({ code: 429, message: 'Too many requests hit the API too quickly.' })
})

test('without a simulation, no answer mentions limits', async () => {
  const sandbox = await startSandbox({ file: ':memory:', port: 0, demo: false })

  const answer = await fetch(`${sandbox.url}/v1/vouchers`)
  await sandbox.close()

  expect([...answer.headers.keys()].filter((name) => name.includes('rate'))).toEqual([])
})
