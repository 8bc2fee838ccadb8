import { expect, test, vi } from 'vitest'
import { nowhere, promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())

/** Starts a sandbox, calls it this many times, and stops it. */
async function called(flags: string[], times: number): Promise<Response[]> {
  const answers: Response[] = []
  let serving: Promise<void> | undefined
  await promo(['sandbox', 'start', '--json', '--data', ':memory:', ...flags], {
    onStdout(line, stop) {
      serving = (async () => {
        const { url, app_id, app_token } = JSON.parse(line)
        const headers = { 'X-App-Id': app_id, 'X-App-Token': app_token }
        for (let call = 0; call < times; call++) answers.push(await fetch(`${url}/v1/vouchers?limit=1`, { headers }))
        stop('SIGTERM')
      })()
    },
  })
  await serving
  return answers
}

test('--rate-limit answers as the real service limits calls', async () => {
  const [first, second, third] = await called(['--rate-limit', '2/m'], 3)

  expect([first?.status, second?.status, third?.status]).toEqual([200, 200, 429])
  expect(first?.headers.get('x-rate-limit-limit')).toBe('2')
  expect(second?.headers.get('x-rate-limit-remaining')).toBe('0')
  expect(Number(third?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await third?.json()).toMatchObject({ code: 429, message: 'Too many requests hit the API too quickly.' })
})

test('--latency delays every answer', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')

  await called(['--latency', '321ms'], 2)
  const waitsMs = timers.mock.calls.map(([, ms]) => ms)
  timers.mockRestore()

  expect(waitsMs.filter((ms) => ms === 321)).toHaveLength(2)
})

test.each([
  [['--rate-limit', '0/m'], '"0/m" is not a limit of calls; write it like 10/s, 600/m or 5000/h'],
  [['--rate-limit', '10'], '"10" is not a limit of calls'],
  [['--latency', '5'], '"5" is not a duration'],
  [['--time-scale', '0'], '"0" is not a whole number from 1 to 1000000'],
  [['--port', '70000'], '"70000" is not a whole number from 0 to 65535'],
  [['--seed', 'x.json', '--empty'], 'cannot also be provided'],
  [['--seed', `${nowhere}.json`], '/nowhere.json": there is no such file\ntry: check the path: '],
])('%j is refused with exit 2', async (flags, message) => {
  expect(await promo(['sandbox', 'start', ...flags])).toEnd(2, message)
})
