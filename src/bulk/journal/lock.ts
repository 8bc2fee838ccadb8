// The lock of a job: only one process at a time works on it.
import { type Lock, type LockHolder, lockHolder, tryLock } from '../../base/lock.ts'
import { PromoError } from '../../errors.ts'
import { guardStorage, journalSettings, storageError } from './storage-error.ts'

/**
 * Takes the lock of something, the job unless it is named. Throws `held` (exit 8) with the pid and the start time of the process
 * that has it, and `io` (exit 10).
 */
export async function takeLock(path: string, holder: LockHolder, what = 'the job'): Promise<Lock> {
  const lock = await tryLock(path, holder, { setting: journalSettings }).catch((error: unknown) => {
    throw storageError(error, `${what} cannot be locked`)
  })
  if (lock.release) return lock
  const { heldBy } = lock
  const who =
    heldBy === undefined ? 'another process' : `process ${heldBy.pid} on ${heldBy.host}, started ${heldBy.since}`
  throw new PromoError('held', `${what} is held by ${who}`, {
    hint: 'wait until it ends; promo jobs list shows its progress',
    retryable: true,
  })
}

/** Returns who holds a lock; undefined when no process does. Throws `io` (exit 10). */
export function holderOf(path: string): LockHolder | undefined {
  return guardStorage(() => lockHolder(path), 'the lock of the job cannot be read')
}
