// One process at a time: a lock that the operating system releases when its holder dies, however it dies.
import { lstatSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isHeldOpen } from './files/held.ts'
import { identityOf } from './files/identity.ts'
import { refuseSharedFile } from './files/privacy.ts'
import { makeFolder } from './folder.ts'
import { isSqliteError, loadSqlite } from './sqlite.ts'

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

/** A process that only asks who holds a lock takes it for a moment and must not be mistaken for a holder. */
const takingMs = 200
const askingMs = 50

/**
 * Takes the lock in a small SQLite file of its own, which is created when it is missing; its contents say who holds it.
 *
 * `patienceMs` blocks the thread. Throws what the file system or SQLite throws, and `config` (exit 4) for a file that is not this
 * user's alone.
 */
export async function tryLock(
  path: string,
  holder: LockHolder,
  patienceMs = takingMs,
  platform: NodeJS.Platform = process.platform,
): Promise<Lock | HeldLock> {
  for (;;) {
    await ensureFile(path)
    const identity = identityOf(path)
    const lock = lockOn(path, holder, patienceMs, platform)
    // A clean-up may have removed the file in between: a lock on a file without a name excludes no process.
    if (!lock.release || (identity !== undefined && identityOf(path) === identity)) return lock
    lock.release()
  }
}

function lockOn(path: string, holder: LockHolder, patienceMs: number, platform: NodeJS.Platform): Lock | HeldLock {
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: patienceMs })
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
        rmSync(path, { force: true })
      } catch (error) {
        if (!isHeldOpen(error, platform)) throw error
      } finally {
        release()
      }
    },
  }
}

/** Returns who holds a lock; undefined when no process does. Throws what SQLite throws. */
export function lockHolder(path: string): LockHolder | undefined {
  // Opening it would create it.
  if (!isThere(path)) return undefined
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: askingMs })
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return undefined
  } catch (error) {
    if (isSqliteError(error, 'busy')) return holderIn(database)
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
