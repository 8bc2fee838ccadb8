// What a job of many calls does while the service is unavailable, against a real server and by a fake clock.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createClient } from '../../../src/api/client.ts'
import { CallError } from '../../../src/api/outcome/call-error.ts'
import { disableVoucher } from '../../../src/contract/vouchers.ts'
import { type Action, answer } from '../../support/scripted-server.ts'
import { fakeClock } from './pacing/fake-clock.ts'
import { callOf, talkTo } from './talk-to.ts'

const bulk = { retries: 9, maxOutageMs: 600_000, concurrency: 8 }
const ok = answer(200, { ok: true })

afterEach(() => vi.restoreAllMocks())

describe('an outage in the middle of a job', () => {
  test.each<[string, Action]>([
    ['lost answers', { do: 'reset' }],
    ['server errors', answer(500)],
    ['pages of a gateway', { do: 'text', status: 502, text: '<html>Bad gateway</html>' }],
  ])('of a minute (%s) costs no row and few requests', async (_, failure) => {
    const clock = fakeClock()
    const { client, server } = await talkTo((_, index) => (index < 20 || clock.now() > 61_000 ? ok : failure), {
      ...bulk,
      clock,
    })

    const ends = await rowsOf(100, () => client.exchange(callOf('idempotent')))

    expect(ends.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 100 }, () => 'confirmed'))
    expect(server.asked.length).toBeLessThanOrEqual(100 + 24 + 8 + 7)
  })

  test.each<[string, Action]>([
    ['lost answers', { do: 'reset' }],
    ['refusals to serve', answer(503)],
    ['pages of a gateway', { do: 'text', status: 502, text: '<html>Bad gateway</html>' }],
  ])('of five minutes (%s) costs none of the two rows that are left', async (_, failure) => {
    const clock = fakeClock(0.99)
    const isAway = () => clock.now() > 2000 && clock.now() < 302_000
    const { client, server } = await talkTo(() => (isAway() ? failure : ok), { ...bulk, clock })
    await rowsOf(20, () => client.exchange(callOf('idempotent')))
    await clock.sleep(1500)

    const ends = await rowsOf(2, () => client.exchange(callOf('idempotent')))

    expect(ends.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed'])
    // Three for each of the two to notice it, and then 1 + 2 + 4 + 8 + 16 + 32 + 4 × 60 seconds.
    expect(server.asked.length).toBeLessThanOrEqual(20 + 6 + 10 + 2)
  })

  test('leaves unknown only what was in flight, where nothing may be sent twice', async () => {
    const clock = fakeClock()
    const { client, server } = await talkTo((_, index) => (index < 20 || clock.now() > 61_000 ? ok : { do: 'reset' }), {
      ...bulk,
      clock,
    })

    const ends = await rowsOf(200, () => client.exchange(callOf('once')))

    const unknown = ends.filter(({ phase }) => phase === 'ambiguous')
    expect(unknown.length).toBeLessThanOrEqual(24 + 8 + 7)
    expect(ends.filter(({ outcome }) => outcome === 'confirmed')).toHaveLength(200 - unknown.length)
    expect(server.asked).toHaveLength(200)
  })

  test('lets one probe at a time leave', async () => {
    let underWay = 0
    let most = 0
    let sawMany = false
    const { client } = await talkTo(
      async (_, index) => {
        underWay += 1
        if (index < 24) sawMany ||= underWay > 1
        else if (index < 30) most = Math.max(most, underWay)
        await new Promise(setImmediate)
        underWay -= 1
        return index < 30 ? answer(503) : ok
      },
      { ...bulk, clock: { ...fakeClock(), random: () => 0 } },
    )

    await rowsOf(20, () => client.exchange(callOf('idempotent')))

    expect([sawMany, most]).toEqual([true, 1])
  })
})

test('probes leave at their own times and cost their row no attempt', async () => {
  const clock = fakeClock(0.99)
  const times: number[] = []
  const { client } = await talkTo(
    () => {
      times.push(clock.now())
      return times.length > 9 ? ok : answer(503)
    },
    { ...bulk, concurrency: 1, retries: 3, clock },
  )

  expect(await client.exchange(callOf('idempotent'))).toMatchObject({ outcome: 'confirmed', attempts: 10 })
  const noticedAt = times[2] ?? 0
  expect(times.slice(2).map((time) => time - noticedAt)).toEqual([0, 1000, 3000, 7000, 15_000, 31_000, 63_000, 123_000])
})

test('the limits ahead say how long the service has been unavailable', async () => {
  const clock = fakeClock()
  const seen: unknown[] = []
  const { client } = await talkTo(
    (_, index) => {
      seen.push(client.limitsAhead())
      return index === 4 ? ok : { do: 'reset' }
    },
    { ...bulk, concurrency: 1, clock },
  )

  await client.exchange(callOf('idempotent'))

  expect(seen.slice(2)).toEqual([{}, { outageForMs: 1375 }, { outageForMs: 3375 }])
  expect(client.limitsAhead()).toEqual({})
})

describe('an outage that does not end', () => {
  test('ends every call with exit 5, since when, and what to do', async () => {
    const { client, server, clock } = await talkTo([{ do: 'reset' }], bulk)

    const ends = await rowsOf(20, () => client.exchange(callOf('idempotent')))

    expect(ends[0]).toBeInstanceOf(CallError)
    expect(ends[0]).toMatchObject({
      kind: 'network',
      exitCode: 5,
      endsRun: true,
      message: expect.stringMatching(
        /^127\.0\.0\.1:\d+ has returned no useful answer since 2026-01-02T00:00:01\.000Z \(10 min\): the connection was lost before the answer was complete \(\w+\)$/,
      ),
      facts: { hint: 'run the same command again when the service is back', retryable: true },
    })
    expect(new Set(ends.map(({ exitCode, endsRun }) => `${exitCode} ${endsRun}`))).toEqual(new Set(['5 true']))
    expect(clock.now()).toBeLessThanOrEqual(1000 + 600_000)
    // 24 to notice it, 8 in flight, and then 1 + 2 + 4 + 8 + 16 + 32 + 9 × 60 seconds.
    expect(server.asked.length).toBeLessThanOrEqual(24 + 8 + 15)
  })

  test('of less than a minute is told in seconds', async () => {
    const { client } = await talkTo([{ do: 'reset' }], { ...bulk, maxOutageMs: 5000 })

    const [end] = await rowsOf(1, () => client.exchange(callOf('idempotent')))

    expect(end).toMatchObject({ message: expect.stringMatching(/ since 2026-01-02T00:00:0\d\.\d{3}Z \(\d s\): /) })
  })

  test('distinguishes what was sent from what was not', async () => {
    const { client, server } = await talkTo([{ do: 'reset' }], { ...bulk, concurrency: 1 })

    const ends = await rowsOf(6, () => client.exchange(callOf('once')))
    const rest = await rowsOf(1, () => client.exchange(callOf('once')))

    expect(ends.map(({ phase }) => phase)).toEqual(Array.from({ length: 6 }, () => 'ambiguous'))
    expect(rest).toMatchObject([{ phase: 'ambiguous', exitCode: 6, endsRun: false }])
    expect(server.asked).toHaveLength(7)
  })

  test('ends calls that were never sent as not sent', async () => {
    const { client, server } = await talkTo([ok], bulk)
    await server[Symbol.asyncDispose]()

    const ends = await rowsOf(20, () => client.exchange(callOf('once')))

    expect(new Set(ends.map(({ phase, exitCode, endsRun }) => `${phase} ${exitCode} ${endsRun}`))).toEqual(
      new Set(['not_sent 5 true']),
    )
  })

  test('of refusals for too many requests ends after the same time', async () => {
    const { client, clock, server } = await talkTo([answer(429)], { ...bulk, retries: 2 })

    const [end] = await rowsOf(1, () => client.exchange(callOf('once')))

    expect(end).toMatchObject({ exitCode: 5, endsRun: true, phase: 'rejected' })
    expect(end?.attempts).toBeGreaterThan(3)
    expect(clock.now()).toBeGreaterThanOrEqual(601_000)
    expect(server.asked).toHaveLength(end?.attempts ?? 0)
  })
})

test.each([1, 2, 8])(
  'one row that always fails ends by its own attempts, and the job continues (%i at a time)',
  async (concurrency) => {
    const { client, server } = await talkTo(
      ({ url }) => (url.includes('bad') ? answer(500) : answer(200, voucher(url))),
      { ...bulk, concurrency },
    )

    const codes = Array.from({ length: 100 }, (_, index) => (index === 50 ? 'bad' : `c${index}`))
    const send = (index: number) => client.exchange(disableVoucher, { path: { code: codes[index] ?? '' } })
    const ends = await rowsOf(100, send, concurrency)

    expect(ends[50]).toMatchObject({ exitCode: 5, phase: 'ambiguous', attempts: 10, endsRun: false })
    expect(ends.filter(({ outcome }) => outcome === 'confirmed')).toHaveLength(99)
    expect(server.asked).toHaveLength(99 + 10)
  },
)

test('one row that always fails ends by its own attempts, also when no other is left', async () => {
  const { client, server } = await talkTo((_, index) => (index < 20 ? ok : answer(500)), bulk)
  await rowsOf(20, () => client.exchange(callOf('idempotent')))

  const [end] = await rowsOf(1, () => client.exchange(callOf('idempotent')))

  expect(end).toMatchObject({ exitCode: 5, phase: 'ambiguous', attempts: 10, endsRun: false })
  expect(server.asked).toHaveLength(20 + 10)
})

test('a refused request for patience costs a row no attempt', async () => {
  const { client } = await talkTo((_, index) => (index < 12 ? answer(429) : ok), { ...bulk, retries: 2 })

  expect(await client.exchange(callOf('once'))).toMatchObject({ outcome: 'confirmed', attempts: 13 })
})

test('a single call does not wait for the service', async () => {
  const { client, server } = await talkTo([{ do: 'reset' }])

  const ends = await rowsOf(8, () => client.exchange(callOf('idempotent')))
  const after = await rowsOf(1, () => client.exchange(callOf('idempotent')))

  expect(
    [...ends, ...after].every(({ exitCode, attempts, endsRun }) => exitCode === 5 && attempts === 3 && !endsRun),
  ).toBe(true)
  expect(server.asked).toHaveLength(27)
})

test('a wait of hours ends the run and says when to resume', async () => {
  const { client } = await talkTo([answer(429, undefined, { 'retry-after': '7200', date: '' })], bulk)

  await expect(client.call(callOf('once'))).rejects.toMatchObject({
    exitCode: 5,
    endsRun: true,
    facts: { hint: 'run the same command again after 2026-01-02T02:00:01.000Z' },
  })
})

test('refused credentials end the run', async () => {
  const { client } = await talkTo([answer(401, { code: 401, key: 'unauthorized', message: 'Unauthorized' })], bulk)

  await expect(client.call(callOf('once'))).rejects.toMatchObject({ exitCode: 4, endsRun: true, phase: 'rejected' })
})

test('a refused row does not', async () => {
  const { client } = await talkTo([answer(404, { code: 404, key: 'not_found', message: 'Not found' })], bulk)

  await expect(client.call(callOf('once'))).rejects.toMatchObject({ exitCode: 3, endsRun: false })
})

test('a host that is not the service is reported after twenty answers, and the outcome of its rows is unknown', async () => {
  const { client, server } = await talkTo(
    [{ do: 'text', status: 200, text: '<html>Welcome to the hotel</html>' }],
    bulk,
  )

  const ends = await rowsOf(30, () => client.exchange(callOf('once')), 1)

  expect(ends[19]).toMatchObject({
    kind: 'config',
    exitCode: 4,
    endsRun: true,
    phase: 'ambiguous',
    message: `${new URL(server.origin).host} does not look like the service: none of many answers was its own (the answer is a web page, not JSON)`,
  })
  expect(ends[0]).toMatchObject({ exitCode: 6, endsRun: false })
})

test.each([
  {
    what: 'that the user typed',
    describe: undefined,
    error: {
      kind: 'config',
      exitCode: 4,
      message: 'typo.invalid cannot be reached: the host name cannot be found',
      facts: { hint: 'check the base URL, the proxy and the network: promo doctor' },
    },
  },
  {
    what: 'of a shared cluster, which this computer does not find,',
    describe: { profile: 'live', region: 'eu' },
    error: {
      kind: 'network',
      exitCode: 5,
      message: 'region eu (typo.invalid) cannot be reached: the host name cannot be found',
      facts: { hint: 'promo doctor --profile live' },
    },
  },
])('a host name $what ends the run after a second attempt', async ({ describe, error }) => {
  const lookup = vi
    .spyOn(process.getBuiltinModule('node:dns'), 'lookup')
    // The real one has several forms; the client uses the last argument.
    .mockImplementation(((...given: unknown[]) => {
      const callback = given.at(-1) as (error: Error) => void
      setImmediate(() => callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })))
    }) as never)
  const client = createClient({
    origin: 'https://typo.invalid',
    credentials: { application: { id: 'app-id-0000', token: 'app-token-1111' } },
    userAgent: 'promo/test',
    clock: fakeClock(),
    ...(describe && { describe }),
    ...bulk,
  })

  await expect(client.call(callOf('once'))).rejects.toMatchObject({
    ...error,
    endsRun: true,
    phase: 'not_sent',
    attempts: 2,
  })
  expect(lookup).toHaveBeenCalledTimes(2)
  await client.close()
})

interface End {
  outcome?: string
  phase?: string
  exitCode?: number
  attempts?: number
  endsRun?: boolean
}

/** Runs the given number of rows, eight at a time as a job does, and returns their ends in order. */
async function rowsOf(count: number, row: (index: number) => Promise<End>, concurrency = 8): Promise<End[]> {
  const ends: End[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < count; index = next++) {
      ends[index] = await row(index).catch((error: CallError) => error)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return ends
}

function voucher(url: string) {
  return { id: 'v_1', code: url.split('/')[3], object: 'voucher', active: false }
}
