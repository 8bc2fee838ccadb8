// One process at a time on a job: a lock that the operating system takes back when its holder dies, however it dies.
import { existsSync, statSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { EXIT, PromoError } from '../../errors.ts'
import { loadSqlite } from '../sqlite.ts'
import { guarded, storageError } from './storage-error.ts'

/** Who works on a job. */
export interface LockHolder {
  pid: number
  host: string
  /** When it took the lock, ISO 8601 UTC. */
  since: string
}

export interface Lock {
  release(): void
}

const busy = 5 /* SQLITE_BUSY */

/** Whoever only asks who holds a lock has it for a moment, which must not look like a job that runs. */
const patienceMs = { taking: 200, asking: 50 }

/**
 * Takes the lock in a small file of its own, which is made when it is missing; its contents say who holds it.
 *
 * Throws `held` (exit 8) with the pid and the start time of the process that has it, and `io` (exit 10).
 */
export async function takeLock(path: string, holder: LockHolder): Promise<Lock> {
  for (;;) {
    const ino = await ensureFile(path)
    const lock = lockOn(path, holder)
    // Somebody who clears up may have removed the file in between: a lock on what has no name keeps nobody away.
    if (statSync(path, { throwIfNoEntry: false })?.ino === ino) return lock
    lock.release()
  }
}

function lockOn(path: string, holder: LockHolder): Lock {
  const database = guarded(
    () => new (loadSqlite().DatabaseSync)(path, { timeout: patienceMs.taking }),
    'the job cannot be locked',
  )
  try {
    // Nothing in it needs to survive a crash: whoever reads it after one finds that nobody holds it.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
    for (;;) {
      database.exec('BEGIN IMMEDIATE')
      database.exec('CREATE TABLE IF NOT EXISTS holder (id INTEGER PRIMARY KEY, pid INTEGER, host TEXT, since TEXT)')
      database.prepare('INSERT OR REPLACE INTO holder VALUES (1, ?, ?, ?)').run(holder.pid, holder.host, holder.since)
      // Committed, because nobody can read what is not; and begun again, because the lock lives as long as this does.
      database.exec('COMMIT; BEGIN IMMEDIATE')
      const now = holderIn(database)
      if (now?.pid === holder.pid && now.since === holder.since) break
      database.exec('ROLLBACK')
    }
  } catch (error) {
    const current = isBusy(error) ? holderIn(database) : undefined
    database.close()
    if (isBusy(error)) throw held(current)
    throw storageError(error, 'the job cannot be locked')
  }
  return {
    release() {
      if (database.isOpen) database.close()
    },
  }
}

/** Says who holds a lock; undefined when nobody does. Throws `io`. */
export function holderOf(path: string): LockHolder | undefined {
  // Opening it would make it.
  if (!existsSync(path)) return undefined
  const database = guarded(
    () => new (loadSqlite().DatabaseSync)(path, { timeout: patienceMs.asking }),
    'the lock cannot be read',
  )
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return undefined
  } catch (error) {
    if (isBusy(error)) return holderIn(database)
    throw storageError(error, 'the lock of the job cannot be read')
  } finally {
    database.close()
  }
}

/** Gives the number of the file. */
async function ensureFile(path: string): Promise<number> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, 'a', 0o600)
    const { ino } = await file.stat()
    await file.close()
    return ino
  } catch (error) {
    throw storageError(error, 'the job cannot be locked')
  }
}

function holderIn(database: DatabaseSync): LockHolder | undefined {
  try {
    return database.prepare('SELECT pid, host, since FROM holder').get() as LockHolder | undefined
  } catch {
    // Taken, but its holder has not written its name yet.
    return undefined
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: unknown } | null)?.errcode === busy
}

function held(holder: LockHolder | undefined): PromoError {
  const who =
    holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}, started ${holder.since}`
  return new PromoError('held', EXIT.held, `the job is held by ${who}`, {
    hint: 'wait until it ends; promo jobs list shows how far it is',
    retryable: true,
  })
}
