import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectedMs } from '../../../../src/api/pacing/limits-ahead.ts'

const minute = { limit: 600, left: 600, resetsInMs: 60_000, periodMs: 60_000 }

test.each<[string, Parameters<typeof expectedMs>, number | undefined]>([
  ['nothing is left', [0, {}, 10], 0],
  ['nothing is known', [100, {}, 0], undefined],
  ['only the speed so far is known', [100, {}, 10], 10_000],
  ['only the rate is known', [100, { perSecond: 5 }, 0], 20_000],
  ['the speed is below the rate', [100, { perSecond: 50 }, 10], 10_000],
  ['the speed was above the rate', [100, { perSecond: 5 }, 10], 20_000],
  ['a pause comes first', [100, { pausedForMs: 3000 }, 10], 13_000],
  ['all fit into the window', [600, { window: minute }, 100], 6000],
  ['the window is used up', [10, { window: { ...minute, left: 0, resetsInMs: 40_000 } }, 100], 40_100],
  ['three windows are needed', [1800, { window: minute }, 300], 122_000],
  ['the windows are never full at this speed', [1800, { window: minute }, 5], 360_000],
  ['nothing but the window is known', [1800, { window: minute }, 0], 120_000],
  [
    'a minute is left of a window that had more',
    [700, { window: { ...minute, left: 100, resetsInMs: 10_000 } }, 100],
    16_000,
  ],
])('when %s, the end is expected accordingly', (_, given, expected) => {
  expect(expectedMs(...given)).toBe(expected)
})

test('more requests never end earlier, and a faster job never later', () => {
  const window = fc.record({
    limit: fc.integer({ min: 1, max: 10_000 }),
    left: fc.nat(10_000),
    resetsInMs: fc.nat(60_000),
    periodMs: fc.integer({ min: 60_000, max: 3_600_000 }),
  })
  fc.assert(
    fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 5000 }), window, (requests, speed, given) => {
      const limitsAhead = { window: { ...given, left: Math.min(given.left, given.limit) } }

      const end = expectedMs(requests, limitsAhead, speed) ?? 0

      expect(expectedMs(requests + 1, limitsAhead, speed)).toBeGreaterThanOrEqual(end - 0.001)
      expect(expectedMs(requests, limitsAhead, speed + 1)).toBeLessThanOrEqual(end + 0.001)
      expect(end).toBeGreaterThanOrEqual(0)
    }),
  )
})
