// One process at a time: a lock that the operating system releases when its holder dies, however it dies.
import { randomBytes } from 'node:crypto'
import { closeSync, lstatSync, openSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { PromoError } from '../errors.ts'
import { removeUnlessHeld } from './files/held.ts'
import { identityOf } from './files/identity.ts'
import { refuseSharedFile } from './files/privacy.ts'
import { makeFolder } from './folder.ts'
import { openSqlite } from './open-sqlite.ts'
import { isSqliteError } from './sqlite.ts'

/** The process that holds a lock. */
export interface LockHolder {
  pid: number
  host: string
  /** When it took the lock, ISO 8601 UTC. */
  since: string
}

export interface Lock {
  /** Releases the lock; a second call does nothing. */
  release(): void
  /** Releases the lock and removes its file, unless another process has it open by then. */
  remove(): void
}

/** A lock that was not acquired, with the process that holds it; undefined when the holder has not written its name yet. */
export interface HeldLock {
  heldBy: LockHolder | undefined
  release?: never
  remove?: never
}

export interface LockOptions {
  /** How long the thread waits for another process. */
  patienceMs?: number
  /** What names the folder: where it has no locks, the next step is to name another. */
  setting?: string
  platform?: NodeJS.Platform
}

/** A process that only asks who holds a lock takes it for a moment and must not be mistaken for a holder. */
const takingMs = 200
const askingMs = 50

/**
 * Takes the lock in a small SQLite file of its own, which is created when it is missing; its contents say who holds it.
 *
 * Throws what the file system or SQLite throws, `config` (exit 4) for a file that is not this user's alone, and `io` (exit 10)
 * where the file system has no locks.
 */
export async function tryLock(path: string, holder: LockHolder, options: LockOptions = {}): Promise<Lock | HeldLock> {
  for (;;) {
    await ensureFile(path)
    const identity = identityOf(path)
    const lock = lockOn(path, holder, options)
    // A clean-up may have removed the file in between: a lock on a file without a name excludes no process.
    if (!lock.release || (identity !== undefined && identityOf(path) === identity)) return lock
    lock.release()
  }
}

function lockOn(
  path: string,
  holder: LockHolder,
  { patienceMs = takingMs, setting = 'PROMO_STATE_DIR', platform = process.platform }: LockOptions,
): Lock | HeldLock {
  const database = openSqlite(path, { timeout: patienceMs })
  try {
    // Nothing in the file needs to survive a crash: no process holds the lock after one.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
    for (;;) {
      database.exec('BEGIN IMMEDIATE')
      database.exec('CREATE TABLE IF NOT EXISTS holder (id INTEGER PRIMARY KEY, pid INTEGER, host TEXT, since TEXT)')
      database.prepare('INSERT OR REPLACE INTO holder VALUES (1, ?, ?, ?)').run(holder.pid, holder.host, holder.since)
      // Committed so that other processes can read it, and begun again, because the lock lasts as long as the transaction.
      database.exec('COMMIT; BEGIN IMMEDIATE')
      const now = holderIn(database)
      if (now?.pid === holder.pid && now.since === holder.since) break
      database.exec('ROLLBACK')
    }
  } catch (error) {
    const heldBy = isSqliteError(error, 'busy') ? holderIn(database) : undefined
    database.close()
    // Who can read the name of the holder could lock the file to read it.
    const lockless = heldBy === undefined ? locklessFolder(error, path) : undefined
    if (lockless !== undefined) throw withoutLocks(lockless, setting, error)
    if (isSqliteError(error, 'busy')) return { heldBy }
    throw error
  }
  const release = () => {
    if (database.isOpen) database.close()
  }
  return {
    release,
    remove() {
      // Removed while the lock is held, so that no process locks a file that is about to lose its name. Windows removes a file
      // only while no process has it open, which has the same effect.
      if (platform === 'win32') release()
      try {
        removeUnlessHeld(path, platform)
      } finally {
        release()
      }
    },
  }
}

/**
 * Returns the folder of a file that could not be locked, where the file system is the reason and not another process; undefined
 * for any other error.
 *
 * SQLite reports ENOLCK as a file that is in use, which a file that no other process knows tells from one that is.
 */
export function locklessFolder(error: unknown, path: string): string | undefined {
  const folder = dirname(path)
  if (isSqliteError(error, 'noLock')) return folder
  return isSqliteError(error, 'busy') && !canLockIn(folder) ? folder : undefined
}

/** Returns the error for a folder without locks, exit 10; `setting` is what names it. */
export function withoutLocks(folder: string, setting: string, cause?: unknown): PromoError {
  const message = `the file system of "${folder}" has no locks, without which two processes could write there at once`
  return new PromoError('io', message, { hint: `point ${setting} to a folder on another disk`, cause })
}

function canLockIn(folder: string): boolean {
  const path = join(folder, `lock-${randomBytes(6).toString('hex')}`)
  try {
    closeSync(openSync(path, 'wx', 0o600))
    const database = openSqlite(path)
    try {
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE; ROLLBACK')
    } finally {
      database.close()
    }
    return true
  } catch (error) {
    // Anything else, such as a full disk, says nothing about locks.
    return !isSqliteError(error, 'busy', 'noLock')
  } finally {
    rmSync(path, { force: true })
  }
}

/** Returns who holds a lock; undefined when no process does, or none can. Throws what SQLite throws. */
export function lockHolder(path: string): LockHolder | undefined {
  // Opening it would create it.
  if (!isThere(path)) return undefined
  const database = openSqlite(path, { timeout: askingMs })
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return undefined
  } catch (error) {
    if (isSqliteError(error, 'busy', 'noLock')) return holderIn(database)
    throw error
  } finally {
    database.close()
  }
}

/** Creates the file if it is missing. */
async function ensureFile(path: string): Promise<void> {
  makeFolder(dirname(path))
  isThere(path)
  const file = await open(path, 'a', 0o600)
  await file.close()
}

/** Returns whether there is such a file. Throws `config` (exit 4) where others can hold it, and for what is no file. */
function isThere(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  // SQLite makes a file that was removed in between readable for all. What is in it is only who holds the lock.
  if (stat !== undefined) refuseSharedFile(path, stat, { readable: true })
  return stat !== undefined
}

function holderIn(database: DatabaseSync): LockHolder | undefined {
  try {
    return database.prepare('SELECT pid, host, since FROM holder').get() as LockHolder | undefined
  } catch {
    // Held, but the holder has not written its name yet.
    return undefined
  }
}
