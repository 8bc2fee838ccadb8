import { expect, test } from 'vitest'
import { createPace } from '../../../../src/api/pacing/adaptive.ts'

test('there is no limit before the first refusal', () => {
  const pace = createPace()
  pace.sent(0)
  pace.answered(10)

  expect(pace.intervalMs()).toBe(0)
})

test('the first refusal brings the rate to seven tenths of the recent rate', () => {
  const pace = createPace()
  for (let now = 0; now <= 2000; now += 100) pace.sent(now)

  pace.throttled(2000, 1900)

  expect(1000 / pace.intervalMs()).toBeCloseTo(7, 5)
})

test('refusals of one burst slow down once', () => {
  const pace = createPace()
  for (let now = 0; now <= 2000; now += 100) pace.sent(now)

  for (const sentAt of [1700, 1800, 1900]) pace.throttled(2000, sentAt)

  expect(1000 / pace.intervalMs()).toBeCloseTo(7, 5)
})

test('the rate never falls below one request in two seconds', () => {
  const pace = createPace()
  pace.sent(0)

  for (let now = 1000; now < 60_000; now += 1000) pace.throttled(now, now)

  expect(pace.intervalMs()).toBe(2000)
})

test('against a service that accepts ten a second, few requests are refused once the pace is found', () => {
  const service = tokenBucket(10)
  const pace = createPace()
  const answers: { now: number; isRefused: boolean }[] = []

  for (let now = 0; now < 120_000; now += Math.max(10, pace.intervalMs())) {
    pace.sent(now)
    const isRefused = !service(now)
    answers.push({ now, isRefused })
    if (isRefused) pace.throttled(now + 1, now)
    else pace.answered(now + 1)
  }

  const later = answers.filter(({ now }) => now > 30_000)
  expect(later.filter(({ isRefused }) => isRefused).length / later.length).toBeLessThan(0.05)
  expect(later.length).toBeGreaterThan(90 * 8)
})

function tokenBucket(perSecond: number): (now: number) => boolean {
  let tokens = perSecond
  let filledAt = 0
  return (now) => {
    tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1000) * perSecond)
    filledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
