// Sessions: what a validation holds of a voucher until a redemption or until it expires.
// Source: docs/service/validations.md#what-a-session-holds.
import type { Locked, SessionLock, SessionRequest } from '../model.ts'
import type { Stacked } from '../stacking/stacking.ts'

/** A session as it is answered: key and lifetime filled in. */
export type Session = Required<SessionRequest>

const unitMs: Readonly<Record<Session['ttl_unit'], number>> = {
  DAYS: 86_400_000,
  HOURS: 3_600_000,
  MINUTES: 60_000,
  SECONDS: 1000,
  MILLISECONDS: 1,
  MICROSECONDS: 0.001,
  NANOSECONDS: 0.000_001,
}

const endOfTime = Date.parse('9999-12-31T23:59:59.999Z')

/** Fills in what a request leaves out: a key, and seven days. `makeKey` gives `ssn_` and 32 letters or digits. */
export function sessionOf(request: SessionRequest, makeKey: () => string): Session {
  return {
    type: request.type,
    key: request.key || makeKey(),
    ttl: request.ttl ?? 7,
    // ASSUMED A661: a number without a unit counts days, the default unit.
    ttl_unit: request.ttl_unit ?? 'DAYS',
  }
}

/** When a session that begins now lets go. Parts of a millisecond count as a whole one; 31 December 9999 is the latest. */
export function expiresAt(session: Pick<Session, 'ttl' | 'ttl_unit'>, now: string): string {
  const lastsMs = Math.ceil(session.ttl * unitMs[session.ttl_unit])
  return new Date(Math.min(Date.parse(now) + lastsMs, endOfTime)).toISOString()
}

/**
 * Adds up what other sessions hold of a voucher; a lock has expired at its `expires_at`.
 *
 * The locks are those of one voucher. A request without a key (undefined) is foreign to every session.
 */
export function lockedBy(locks: readonly SessionLock[], ownKey: string | undefined, now: string): Locked {
  const foreign = locks.filter((lock) => lock.key !== ownKey && Date.parse(lock.expires_at) > Date.parse(now))
  return {
    quantity: sum(foreign, (lock) => lock.quantity),
    credits: sum(foreign, (lock) => lock.credits),
    points: sum(foreign, (lock) => lock.points),
  }
}

/**
 * What a session locks after a validation: one redemption, the credits and the points of every applicable voucher.
 *
 * Nothing when the validation as a whole is not valid; promotion tiers are never locked.
 */
export function newLocks(stacked: Pick<Stacked, 'entries' | 'valid'>, session: Session, now: string): SessionLock[] {
  if (!stacked.valid) return []
  const expires_at = expiresAt(session, now)
  return stacked.entries.flatMap((entry) => {
    if (entry.status !== 'APPLICABLE' || !entry.candidate.voucher) return []
    const { credits, points } = entry.incentive
    return [{ key: session.key, voucher_id: entry.candidate.voucher.id, quantity: 1, credits, points, expires_at }]
  })
}

/**
 * Puts new locks among stored ones. A lock of the same session on the same voucher is overwritten, not added to.
 *
 * ASSUMED A662: what the session holds of other vouchers stays, because one key ties parallel validations together.
 */
export function withLocks(stored: readonly SessionLock[], fresh: readonly SessionLock[]): SessionLock[] {
  const isReplaced = (old: SessionLock) =>
    fresh.some((lock) => lock.key === old.key && lock.voucher_id === old.voucher_id)
  return [...stored.filter((lock) => !isReplaced(lock)), ...fresh]
}

function sum(locks: readonly SessionLock[], of: (lock: SessionLock) => number): number {
  return locks.reduce((total, lock) => total + of(lock), 0)
}
