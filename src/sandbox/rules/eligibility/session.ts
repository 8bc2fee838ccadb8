// Sessions: what a validation reserves of a voucher until a redemption or until it expires.
// Source: docs/service/validations.md#what-a-session-holds.

import type { z } from 'zod'
import { dayMs } from '../../../base/duration.ts'
import { sum } from '../../../base/list.ts'
import type { AllRequired } from '../../../contract/fields.ts'
import type { session } from '../../../contract/session.ts'

/** A session as answers show it: with key and lifetime. */
export type ValidationSession = AllRequired<z.output<typeof session>>

export type SessionRequest = Pick<ValidationSession, 'type'> & Partial<ValidationSession>

/** What one session holds of one voucher. */
export interface SessionLock {
  key: string
  voucher_id: string
  /** Redemptions held: 1. */
  quantity: number
  credits: number
  points: number
  expires_at: string
}

/** What unexpired locks of other sessions take from a voucher: what `lockedBy` returns. */
export interface LockedAmounts {
  quantity: number
  credits: number
  points: number
}

const unitMs: Readonly<Record<ValidationSession['ttl_unit'], number>> = {
  DAYS: dayMs,
  HOURS: 3_600_000,
  MINUTES: 60_000,
  SECONDS: 1000,
  MILLISECONDS: 1,
  MICROSECONDS: 0.001,
  NANOSECONDS: 0.000_001,
}

const endOfTime = Date.parse('9999-12-31T23:59:59.999Z')

/** Fills in what a request omits: a key, and seven days. `makeKey` returns `ssn_` and 32 letters or digits. */
export function sessionOf(request: SessionRequest, makeKey: () => string): ValidationSession {
  return {
    type: request.type,
    key: request.key || makeKey(),
    ttl: request.ttl ?? 7,
    // ASSUMED A661: a number without a unit counts days, the default unit.
    ttl_unit: request.ttl_unit ?? 'DAYS',
  }
}

/** Returns when a session that begins now expires, 31 December 9999 at the latest. Fractions of a millisecond round up. */
export function expiresAt(session: Pick<ValidationSession, 'ttl' | 'ttl_unit'>, now: string): string {
  const lastsMs = Math.ceil(session.ttl * unitMs[session.ttl_unit])
  return new Date(Math.min(Date.parse(now) + lastsMs, endOfTime)).toISOString()
}

/**
 * Adds up what other sessions hold of a voucher; a lock has expired at its `expires_at`.
 *
 * The locks are those of one voucher. A request without a key (undefined) belongs to no session.
 */
export function lockedBy(locks: readonly SessionLock[], ownKey: string | undefined, now: string): LockedAmounts {
  const foreign = locks.filter((lock) => lock.key !== ownKey && Date.parse(lock.expires_at) > Date.parse(now))
  return {
    quantity: sum(foreign, (lock) => lock.quantity),
    credits: sum(foreign, (lock) => lock.credits),
    points: sum(foreign, (lock) => lock.points),
  }
}
