// A session's lock from a fixture.
import { z } from 'zod'
import { dateTime } from '../../../contract/fields.ts'
import type { Loading } from '../../http/resource.ts'
import { requestOf } from '../../seed/loaded.ts'
import { lockId, type StoredLock } from './session-lock-store.ts'

const wireLock = z.strictObject({
  key: z.string().min(1),
  voucher_id: z.string().min(1),
  quantity: z.int().min(0).optional(),
  credits: z.int().min(0).optional(),
  points: z.int().min(0).optional(),
  expires_at: dateTime,
})

/** Reads a lock; its id is made of what it locks, and it holds one redemption unless it says otherwise. */
export function loadLock(wire: Record<string, unknown>, { now }: Loading): StoredLock {
  const { quantity = 1, credits = 0, points = 0, ...lock } = requestOf(wireLock, wire)
  const expires_at = new Date(lock.expires_at).toISOString()
  return { id: lockId(lock), created_at: now, ...lock, quantity, credits, points, expires_at }
}
