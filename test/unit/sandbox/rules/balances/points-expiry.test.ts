import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  expirePoints,
  nextExpiration,
  type PointsBucket,
  spendNearestFirst,
} from '../../../../../src/sandbox/rules/balances/points-expiry.ts'

const never = { points: 10, expires_at: null }
const june = { points: 20, expires_at: '2026-06-30T00:00:00.000Z' }
const april = { points: 30, expires_at: '2026-04-30T00:00:00.000Z' }
const buckets: PointsBucket[] = [never, june, april]

test.each([
  [0, [10, 20, 30]],
  [25, [10, 20, 5]],
  [35, [10, 15, 0]],
  [55, [5, 0, 0]],
  [60, [0, 0, 0]],
  [99, [0, 0, 0]],
])('spending %d points takes those that expire next first, and those that never expire last', (points, expected) => {
  expect(spendNearestFirst(buckets, points).map((bucket) => bucket.points)).toEqual(expected)
})

test('of points that expire together the older bucket is spent first', () => {
  const [first, second] = spendNearestFirst([june, { ...june }], 5)

  expect([first?.points, second?.points]).toEqual([15, 20])
})

test('points expire after their instant, not at it', () => {
  expect(expirePoints([], '2026-05-01T00:00:00.000Z')).toEqual({ expired: 0, buckets: [] })
  expect(expirePoints(buckets, '2026-04-30T00:00:00.000Z').expired).toBe(0)
  expect(expirePoints(buckets, '2026-04-30T00:00:00.001Z')).toEqual({
    expired: 30,
    buckets: [never, june, { ...april, points: 0 }],
  })
})

test('the next expiration adds up the points of its day and ignores empty buckets', () => {
  const later = { points: 5, expires_at: '2026-06-30T18:00:00.000Z' }
  const dayOf = (instant: string) => instant.slice(0, 10)

  expect(nextExpiration([never], dayOf)).toBeUndefined()
  expect(nextExpiration([{ ...april, points: 1 }], dayOf)?.next_expiration_points).toBe(1)
  expect(nextExpiration(buckets, dayOf)).toEqual({ next_expiration_date: '2026-04-30', next_expiration_points: 30 })
  expect(nextExpiration([never, later, june, { ...april, points: 0 }], dayOf)).toEqual({
    next_expiration_date: '2026-06-30',
    next_expiration_points: 25,
  })
})

test('spending takes exactly the requested points, and never more than available', () => {
  const day = fc.integer({ min: 1, max: 28 })
  const bucket = fc.record({
    points: fc.nat(100),
    expires_at: fc.oneof(
      fc.constant(null),
      day.map((n) => `2026-05-${String(n).padStart(2, '0')}T00:00:00.000Z`),
    ),
  })

  fc.assert(
    fc.property(fc.array(bucket, { maxLength: 10 }), fc.nat(500), (given, points) => {
      const sum = (list: readonly PointsBucket[]) => list.reduce((total, one) => total + one.points, 0)

      const left = spendNearestFirst(given, points)

      expect(sum(given) - sum(left)).toBe(Math.min(points, sum(given)))
      expect(left.every((one, at) => one.points >= 0 && one.points <= (given[at]?.points ?? 0))).toBe(true)
    }),
  )
})
