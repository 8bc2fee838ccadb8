// Whole jobs against simulated limits: how long they take, and how often they are refused.
import { describe, expect, test } from 'vitest'
import { parseRate } from '../../../../src/api/pacing/rate.ts'
import { bucketService, refusedShare, type Service, simulatedJob, type Told, windowService } from './simulated-job.ts'

const minuteMs = 60_000

describe('1,800 rows at 600 requests a minute', () => {
  test.each<[Told, 'with-a-call' | 'by-the-clock', number]>([
    ['always', 'with-a-call', 0],
    ['always', 'by-the-clock', 0],
    ['when-refused', 'with-a-call', 8],
    ['when-refused', 'by-the-clock', 8],
    ['retry-after', 'with-a-call', 8],
    ['retry-after', 'by-the-clock', 8],
  ])(
    '(reported %s, windows begin %s) are done within 189 s, and refused in the first window at most',
    async (told, begins, most) => {
      const { elapsedMs, answers } = await simulatedJob({
        rows: 1800,
        service: windowService(600, minuteMs, told, begins),
      })

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1800)
      expect(elapsedMs).toBeLessThanOrEqual(189_000)
      expect(answers.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(most)
      expect(refusedShare(answers, minuteMs)).toBe(0)
    },
  )

  test('asked for by the user take little more than 180 s and are never refused', async () => {
    const { elapsedMs, answers } = await simulatedJob({
      rows: 1800,
      service: windowService(600, minuteMs, 'never'),
      rate: parseRate('600/m'),
    })

    expect(elapsedMs).toBeLessThanOrEqual(188_000)
    expect(refusedShare(answers, 0)).toBe(0)
  })

  test.each<Told>(['always', 'when-refused', 'retry-after', 'never'])(
    'counted second by second (reported %s) are done within 189 s and rarely refused',
    async (told) => {
      const { elapsedMs, answers } = await simulatedJob({ rows: 1800, service: bucketService(() => 10, 10, told) })

      expect(elapsedMs).toBeLessThanOrEqual(189_000)
      expect(refusedShare(answers, minuteMs)).toBeLessThan(0.05)
    },
  )
})

test('a job that slows down for hours of windows still finds out when more is allowed', async () => {
  const since = { limit: 100 }
  const services = {
    100: windowService(100, minuteMs, 'retry-after'),
    600: windowService(600, minuteMs, 'retry-after'),
  }
  const service: Service = (now) => services[since.limit as 100 | 600](now)

  const { answers } = await simulatedJob({
    rows: 1e6,
    service: (now) => {
      if (now > Date.UTC(2026, 0, 2) + 10 * minuteMs) since.limit = 600
      return service(now)
    },
    untilMs: 120 * minuteMs,
  })

  const inTheEnd = answers.filter(({ atMs, status }) => status === 200 && atMs > 110 * minuteMs)
  expect(inTheEnd.length / 10).toBeGreaterThan(150)
  expect(refusedShare(answers, minuteMs)).toBeLessThan(0.05)
})

test('five calls in five seconds, of which eight could run at once, are refused in the first window alone', async () => {
  const { elapsedMs, answers } = await simulatedJob({
    rows: 60,
    service: windowService(5, 5000, 'always'),
    latencyMs: 400,
  })

  expect(answers.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(3)
  expect(refusedShare(answers, 5000)).toBe(0)
  expect(elapsedMs).toBeLessThanOrEqual(75_000)
})

describe('a limit of a few seconds', () => {
  test.each<[number, number, 'with-a-call' | 'by-the-clock', number]>([
    [20, 1000, 'with-a-call', 5],
    [20, 1000, 'by-the-clock', 300],
    [10, 1000, 'with-a-call', 300],
    [10, 1000, 'by-the-clock', 50],
    [100, 5000, 'with-a-call', 50],
    [5, 5000, 'by-the-clock', 300],
  ])(
    '(%i in %i ms, windows begin %s, answers take %i ms) is used, and not passed after its first window',
    async (calls, periodMs, begins, latencyMs) => {
      const { elapsedMs, answers } = await simulatedJob({
        rows: calls * 20,
        service: windowService(calls, periodMs, 'always', begins),
        latencyMs,
      })

      expect(refusedShare(answers, periodMs)).toBe(0)
      expect(elapsedMs).toBeLessThan(20 * periodMs * 1.15)
    },
  )

  test('that another client uses too is hardly exceeded', async () => {
    const shared = windowService(20, 1000, 'always')
    let count = 0
    const service: Service = (now) => {
      count += 1
      if (count % 2 === 0) shared(now)
      return shared(now)
    }

    const { answers } = await simulatedJob({ rows: 400, service })

    expect(refusedShare(answers, 1000)).toBeLessThan(0.05)
  })
})

describe('a service that suddenly takes ten requests a second', () => {
  test.each<[Told, number]>([
    ['when-refused', 5],
    ['when-refused', 400],
    ['retry-after', 5],
    ['retry-after', 400],
    ['never', 5],
    ['never', 50],
    ['never', 400],
  ])(
    '(reported %s, answering after %i ms) refuses less than one in twenty after 30 s, and is used',
    async (told, latencyMs) => {
      const dropAt = 20_000
      const { answers } = await simulatedJob({
        rows: 1e6,
        service: bucketService((sinceMs) => (sinceMs < dropAt ? 1000 : 10), 10, told),
        latencyMs,
        untilMs: dropAt + 120_000,
      })

      expect(refusedShare(answers, dropAt + 30_000)).toBeLessThan(0.05)
      const taken = answers.filter(({ atMs, status }) => atMs > dropAt + 30_000 && status === 200)
      expect(taken.length / 90).toBeGreaterThan(9)
    },
  )
})

test('while the service asks for no requests for two seconds it gets none, a hundred times', async () => {
  const pauses: number[] = []
  const calls: number[] = []
  let count = 0
  const service: Service = (now) => {
    count += 1
    calls.push(now)
    if (count % 20 !== 0) return { status: 200, headers: {} }
    pauses.push(now)
    return { status: 429, headers: { 'retry-after': '2' } }
  }

  await simulatedJob({ rows: 2000, service, latencyMs: 0 })

  expect(pauses.length).toBeGreaterThanOrEqual(100)
  expect(pauses.flatMap((pausedAt) => calls.filter((at) => at > pausedAt && at < pausedAt + 2000))).toEqual([])
})

test('a refusal now and then, whatever the pace, does not bring a fast job to a halt', async () => {
  let count = 0
  const service: Service = () => {
    count += 1
    return { status: count % 100 === 0 ? 429 : 200, headers: {} }
  }

  const { elapsedMs } = await simulatedJob({ rows: 10_000, service, latencyMs: 10 })

  expect(elapsedMs).toBeLessThan(30_000)
})

test('one refusal among the first requests does not slow down the job', async () => {
  let count = 0
  const service: Service = () => {
    count += 1
    return count === 3 ? { status: 429, headers: { 'retry-after': '2' } } : { status: 200, headers: {} }
  }

  const { elapsedMs } = await simulatedJob({ rows: 10_000, service, latencyMs: 10 })

  expect(elapsedMs).toBeLessThan(20_000)
})
