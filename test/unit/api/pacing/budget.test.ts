import { describe, expect, test } from 'vitest'
import { createBudget } from '../../../../src/api/pacing/budget.ts'

const wallMs = Date.UTC(2026, 0, 2)

describe('a budget the service reports', () => {
  test('is not known at first, and then everything fits', () => {
    const budget = createBudget()

    expect([budget.obstacle(0, 100), budget.window(0)]).toEqual([0, undefined])
  })

  test('is waited for when it is used up, until the instant the service names', () => {
    const budget = createBudget()

    budget.answered(told(0, 30), false, 0, 100, wallMs)

    expect([budget.obstacle(100, 0), budget.obstacle(30_099, 0), budget.obstacle(30_100, 0)]).toEqual([30_000, 1, 0])
  })

  test('is never overdrawn by requests in flight', () => {
    const budget = createBudget()

    budget.answered(told(3, 30), false, 0, 100, wallMs)

    expect([budget.obstacle(100, 2), budget.obstacle(100, 3)]).toEqual([0, 'answer'])
  })

  test('is the lowest of the answers of one window, which overtake each other', () => {
    const budget = createBudget()

    budget.answered(told(1, 30), false, 0, 100, wallMs)
    budget.answered(told(2, 31), false, 0, 100, wallMs)

    expect(budget.window(100)).toEqual({ limit: 600, left: 1, resetsInMs: 30_000, periodMs: 60_000 })
  })

  test('is new when its window ends later', () => {
    const budget = createBudget()

    budget.answered(told(0, 30), false, 0, 100, wallMs)
    budget.answered(told(599, 60), false, 0, 100, wallMs)

    expect(budget.window(100)).toEqual({ limit: 600, left: 599, resetsInMs: 60_000, periodMs: 60_000 })
  })

  test('is not overdrawn after its end either, before the first answer of the next window', () => {
    const budget = createBudget()
    budget.answered({ ...told(0, 5), 'x-rate-limit-limit': '3' }, false, 0, 100, wallMs)

    const waits = [1, 2, 3, 4].map(() => {
      const wait = budget.obstacle(5100, 3)
      budget.sent(5100)
      return wait
    })

    expect(waits).toEqual([0, 0, 0, 'answer'])
  })

  test.each([
    ['a minute', 42, 60_000],
    ['an hour', 1800, 3_600_000],
    ['five seconds', 5, 5000],
    ['more than an hour', 7200, 7_200_000],
  ])('of %s is recognised in its middle', (_, seconds, periodMs) => {
    const budget = createBudget()

    budget.answered(told(10, seconds), false, 0, 0, wallMs)

    expect(budget.window(0)?.periodMs).toBe(periodMs)
  })

  test.each<[string, Record<string, string>]>([
    ['no instant', { 'x-rate-limit-remaining': '0', 'x-rate-limit-limit': '5' }],
    ['an instant that is over', { ...told(0, -1) }],
    ['a remainder that is no number', { ...told(0, 30), 'x-rate-limit-remaining': 'none' }],
  ])('with %s holds back no request', (_, headers) => {
    const budget = createBudget()

    budget.answered(headers, false, 0, 0, wallMs)

    expect(budget.obstacle(0, 100)).toBe(0)
  })
})

describe('a budget the service does not report', () => {
  test('is what was accepted before a refusal, in a minute', () => {
    const budget = createBudget()
    spend(budget, 100, 0)
    budget.refused(0, 50_000, 10_000)

    spend(budget, 100, 60_000)

    expect([budget.obstacle(61_000, 0), budget.obstacle(120_000, 0)]).toEqual([59_000, 0])
  })

  test('counts what left before the refusal and was accepted after it', () => {
    const budget = createBudget()
    spend(budget, 100, 0)
    budget.refused(0, 50_000, 10_000)

    budget.answered({}, false, 9000, 10_001, wallMs)

    expect(budget.window(10_001)?.limit).toBe(101)
  })

  test.each([
    ['the wait is short', 100, 2000, 10_000],
    ['the wait is longer than a minute', 100, 200_000, 10_000],
    ['the first request is long ago', 100, 50_000, 90_000],
    ['little was accepted', 19, 50_000, 10_000],
  ])('is not guessed when %s', (_, accepted, waitMs, now) => {
    const budget = createBudget()
    spend(budget, accepted, 0)

    budget.refused(0, waitMs, now)

    expect(budget.window(now)).toBeUndefined()
  })

  test('is tried for more after five full windows without a refusal', () => {
    const budget = createBudget()
    spend(budget, 100, 0)
    budget.refused(0, 50_000, 10_000)

    const limits: unknown[] = []
    for (let minute = 1; minute <= 7; minute += 1) {
      budget.obstacle(minute * 60_000, 0)
      limits.push(budget.window(minute * 60_000)?.limit)
      spend(budget, 100, minute * 60_000)
    }

    expect(limits).toEqual([100, 100, 100, 100, 100, 125, 125])
  })
})

function told(left: number, seconds: number): Record<string, string> {
  return {
    'x-rate-limit-limit': '600',
    'x-rate-limit-remaining': String(left),
    'x-rate-limit-retry': String(wallMs / 1000 + seconds),
  }
}

function spend(budget: ReturnType<typeof createBudget>, count: number, now: number): void {
  for (let done = 0; done < count; done += 1) {
    budget.sent(now)
    budget.answered({}, false, now, now, wallMs)
  }
}
