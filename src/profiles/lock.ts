// One writer at a time in the settings folder.
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { tryLock } from '../base/lock.ts'
import { reasonOf, whatToDoAbout } from '../base/sqlite.ts'
import { PromoError } from '../errors.ts'

export interface LockOptions {
  /** The time to wait for another writer before giving up. */
  waitMs?: number
}

/** What names the settings folder. */
const setting = 'PROMO_CONFIG_DIR'

/**
 * Runs the work while no other process writes to the folder; waits for one that does.
 *
 * Throws `held` (exit 8) when the wait times out, and `io` (exit 10) when the folder cannot be written to.
 */
export async function withLock<T>(dir: string, work: () => T | Promise<T>, options: LockOptions = {}): Promise<T> {
  const { waitMs = 20_000 } = options
  const path = join(dir, 'settings.lock')
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  const deadline = Date.now() + waitMs
  for (;;) {
    // Without patience: the other writer may be in this very thread.
    const lock = await tryLock(path, holder, { patienceMs: 0, setting }).catch((cause: unknown) => {
      if (cause instanceof PromoError) throw cause
      throw new PromoError('io', `the settings cannot be changed: "${path}" cannot be created: ${reasonOf(cause)}`, {
        hint: whatToDoAbout(cause, setting),
        cause,
      })
    })
    if (lock.release) {
      try {
        return await work()
      } finally {
        lock.remove()
      }
    }
    if (Date.now() > deadline) {
      const who = lock.heldBy === undefined ? 'another promo' : `process ${lock.heldBy.pid} on ${lock.heldBy.host}`
      throw new PromoError('held', `${who} is changing the settings and does not finish`, {
        hint: 'wait until it ends, then run it again',
        retryable: true,
      })
    }
    // Random waits, so that twenty writers do not all wake at once.
    await sleepMs(5 + Math.random() * 20)
  }
}
