import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  expiresAt,
  lockedBy,
  type SessionLock,
  sessionOf,
} from '../../../../../src/sandbox/rules/eligibility/session.ts'
import type { EvaluatedEntry } from '../../../../../src/sandbox/rules/stacking/entry.ts'
import { newLocks } from '../../../../../src/sandbox/rules/stacking/validation.ts'

const now = '2026-03-18T12:00:00.000Z'

function lock(fields: Partial<SessionLock> = {}): SessionLock {
  return {
    key: 'ssn_a',
    voucher_id: 'v_1',
    quantity: 1,
    credits: 0,
    points: 0,
    expires_at: '2026-03-18T12:00:01.000Z',
    ...fields,
  }
}

/** An applicable entry, as far as sessions use it. */
function applicable(voucherId: string | undefined, credits = 0, points = 0): EvaluatedEntry {
  const candidate = voucherId === undefined ? {} : { voucher: { id: voucherId } }
  return { status: 'APPLICABLE', candidate, incentive: { credits, points } } as EvaluatedEntry
}

test.each([
  [2, 'DAYS', '2026-03-20T12:00:00.000Z'],
  [2, 'HOURS', '2026-03-18T14:00:00.000Z'],
  [2, 'MINUTES', '2026-03-18T12:02:00.000Z'],
  [2, 'SECONDS', '2026-03-18T12:00:02.000Z'],
  [2, 'MILLISECONDS', '2026-03-18T12:00:00.002Z'],
  [2000, 'MICROSECONDS', '2026-03-18T12:00:00.002Z'],
  [1, 'MICROSECONDS', '2026-03-18T12:00:00.001Z'],
  [2_000_000, 'NANOSECONDS', '2026-03-18T12:00:00.002Z'],
  [1e15, 'DAYS', '9999-12-31T23:59:59.999Z'],
] as const)('%d %s from noon end at %s', (ttl, ttl_unit, expected) => {
  expect(expiresAt({ ttl, ttl_unit }, now)).toBe(expected)
})

test('locks of other sessions add up: quantity, credits and points', () => {
  const locks = [lock({ credits: 500 }), lock({ key: 'ssn_b', points: 20 }), lock({ key: 'ssn_c', credits: 70 })]

  expect(lockedBy([], undefined, now)).toEqual({ quantity: 0, credits: 0, points: 0 })
  expect(lockedBy(locks, undefined, now)).toEqual({ quantity: 3, credits: 570, points: 20 })
})

test('a lock is gone at the instant it expires', () => {
  expect(lockedBy([lock({ expires_at: now })], undefined, now).quantity).toBe(0)
  expect(lockedBy([lock({ expires_at: '2026-03-18T12:00:00.001Z' })], undefined, now).quantity).toBe(1)
})

test('a valid validation locks every applicable voucher, and no promotion tier', () => {
  const session = sessionOf({ type: 'LOCK', key: 'mine', ttl: 1, ttl_unit: 'HOURS' }, () => '')
  const skipped = { status: 'SKIPPED', candidate: { voucher: { id: 'v_9' } }, reason: 'no_effect' } as EvaluatedEntry
  const entries = [applicable('v_1', 500), applicable(undefined), skipped, applicable('v_2', 0, 30)]
  const expires_at = '2026-03-18T13:00:00.000Z'

  expect(newLocks({ entries, valid: true }, session, now)).toEqual([
    { key: 'mine', voucher_id: 'v_1', quantity: 1, credits: 500, points: 0, expires_at },
    { key: 'mine', voucher_id: 'v_2', quantity: 1, credits: 0, points: 30, expires_at },
  ])
})

test('sessions never oversell a code, a balance or points', () => {
  const step = fc.record({
    act: fc.constantFrom('validate', 'redeem', 'wait'),
    key: fc.constantFrom('a', 'b', 'c', undefined),
    credits: fc.integer({ min: 1, max: 60 }),
    ttl: fc.integer({ min: 1, max: 5 }),
  })

  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 60 }), (quantity, steps) => {
      const card = { redeemed: 0, balance: 100 }
      const promised = new Map<string, number>()
      let locks: SessionLock[] = []
      let nowMs = Date.parse(now)

      for (const { act, key, credits, ttl } of steps) {
        const at = new Date(nowMs).toISOString()
        const held = lockedBy(locks, key, at)
        const isFree = card.redeemed + held.quantity < quantity && credits <= card.balance - held.credits
        if (act === 'wait') nowMs += 2000
        if (act === 'validate' && isFree && key) {
          const session = sessionOf({ type: 'LOCK', key, ttl, ttl_unit: 'SECONDS' }, () => '')
          const fresh = newLocks({ entries: [applicable('v_1', credits)], valid: true }, session, at)
          locks = [...locks.filter((one) => one.key !== key), ...fresh]
          promised.set(key, credits)
        }
        if (act === 'redeem' && isFree) {
          card.redeemed += 1
          card.balance -= credits
          locks = locks.filter((one) => one.key !== key)
        }

        // All sessions that still hold a lock can be served in full together.
        const live = locks.filter((one) => Date.parse(one.expires_at) > nowMs)
        expect(new Set(live.map((one) => one.key)).size).toBe(live.length)
        expect(card.redeemed + live.length).toBeLessThanOrEqual(quantity)
        expect(live.reduce((sum, one) => sum + (promised.get(one.key) ?? 0), 0)).toBeLessThanOrEqual(card.balance)
      }
    }),
  )
})
