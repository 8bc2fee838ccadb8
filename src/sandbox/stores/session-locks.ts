// What sessions hold of vouchers until it is redeemed, released or expired.
// Source: docs/service/validations.md#what-a-session-holds.

import type { SessionLock } from '../rules/eligibility/session.ts'
import { collection, type Stored } from '../storage/collection.ts'
import { is, isBeforeOrAfter } from '../storage/conditions.ts'
import type { Table } from '../storage/table.ts'

export interface StoredLock extends Stored, SessionLock {}

/** Locks. There is at most one per voucher and key, because its id is derived from the two. */
export const sessionLocks = collection<StoredLock>('session_locks', 'session', 'lock_', {
  usuallyEmpty: true,
  indexed: { voucher_id: 'text', key: 'text', expires_at: 'date' },
})

/** Finds the lock of a session on a voucher; an expired one counts as absent. */
export function lockOf(table: Table<StoredLock>, voucherId: string, key: string, now: string): StoredLock | undefined {
  const lock = table.get(lockId({ voucher_id: voucherId, key }))
  return lock && lock.expires_at > now ? lock : undefined
}

/**
 * Stores locks; replaces one of the same session on the same voucher. Deletes whatever has expired.
 *
 * ASSUMED A662: the session's locks on other vouchers stay, because one key connects parallel validations.
 */
export function storeLocks(table: Table<StoredLock>, locks: readonly SessionLock[], now: string): void {
  for (const expired of table.all([isBeforeOrAfter(sessionLocks, 'expires_at', 'before', now)]))
    table.remove(expired.id)
  for (const lock of locks) {
    const stored: StoredLock = { id: lockId(lock), created_at: now, ...lock }
    if (!table.update(stored)) table.insert(stored)
  }
}

/** Releases everything a session holds, as a redemption with its key does. */
export function releaseSession(table: Table<StoredLock>, key: string): void {
  for (const lock of table.all([is(sessionLocks, 'key', key)])) table.remove(lock.id)
}

/** Returns the id of a lock. */
export function lockId({ voucher_id, key }: Pick<SessionLock, 'voucher_id' | 'key'>): string {
  return `${sessionLocks.prefix}${voucher_id}/${key}`
}
