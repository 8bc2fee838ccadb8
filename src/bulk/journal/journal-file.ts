// The SQLite file of a job: readable only for its owner, opened in one way, its pieces moved together.
import { existsSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isHeldOpen } from '../../base/files/held.ts'
import { identityOf } from '../../base/files/identity.ts'
import { ownRules, refuseExposedFolder, refuseSharedState } from '../../base/files/privacy.ts'
import { makeFolder, syncFolder } from '../../base/folder.ts'
import { locklessFolder, withoutLocks } from '../../base/lock.ts'
import { companionSuffixes, openSqlite } from '../../base/open-sqlite.ts'
import { PromoError } from '../../errors.ts'
import { countSuffix, knownCommits } from './commit-count.ts'
import { isUnderWay, progressIn, progressWriter, unbegun } from './progress.ts'
import { damagedJournal, guardStorage, journalSettings, removedJob, storageError } from './storage-error.ts'

/** The format of journals that this version writes, and the only one it reads. */
export const journalFormat = 3

const schema = `
  BEGIN;
  PRAGMA application_id = 0x70726d6a;
  PRAGMA user_version = ${journalFormat};
  CREATE TABLE job (id INTEGER PRIMARY KEY CHECK (id = 1), header TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
  CREATE TABLE row (
    position INTEGER PRIMARY KEY,
    line INTEGER NOT NULL,
    key TEXT NOT NULL,
    composed TEXT,
    fields TEXT NOT NULL,
    duplicate_of INTEGER,
    problem TEXT,
    sum INTEGER NOT NULL,
    -- What nothing reads but a report; earlier versions neither write nor expect it.
    ignored TEXT,
    ignored_sum INTEGER
  ) STRICT;
  CREATE INDEX row_by_key ON row (key) WHERE duplicate_of IS NULL AND problem IS NULL;
  CREATE INDEX row_by_composed ON row (composed) WHERE composed IS NOT NULL;
  CREATE TABLE progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    begun INTEGER NOT NULL,
    run_started_at INTEGER NOT NULL,
    ended_at INTEGER,
    ended_by TEXT,
    outcomes INTEGER NOT NULL,
    commits INTEGER NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE outcome (
    position INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    lost INTEGER NOT NULL,
    changed INTEGER,
    attempts INTEGER NOT NULL,
    request_id TEXT,
    error TEXT,
    results TEXT,
    begun_at INTEGER,
    request_group INTEGER,
    sum INTEGER NOT NULL
  ) STRICT;
  COMMIT;
`

/**
 * Creates a new file with the tables of a job, mode 0600, in a folder of mode 0700 that is created when it is missing.
 *
 * Nothing in it is durable until it is published. Throws `io` (exit 10), and `config` (exit 4) for a folder that others can
 * change, and then leaves no file.
 */
export async function createJournalFile(path: string): Promise<DatabaseSync> {
  try {
    makeFolder(dirname(path))
    refuseExposedFolder(dirname(path), ownRules())
    // Codes are worth money: SQLite would make the file readable for all users, and uses its mode for its own journal.
    const file = await open(path, 'wx', 0o600)
    await file.close()
  } catch (error) {
    throw storageError(error)
  }
  try {
    return guardStorage(() => {
      const database = openSqlite(path, { timeout: 5000 })
      try {
        // After a crash a draft is worthless, so there is no waiting for the disk, and the rollback journal (for a full
        // disk) stays in memory: it is small, because the rows are one transaction, and new pages need no rollback.
        database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY')
        database.exec(schema)
        progressWriter(database)(unbegun)
      } catch (error) {
        database.close()
        throw orWithoutLocks(error, path)
      }
      return database
    })
  } catch (error) {
    await removeJournalFile(path)
    throw error
  }
}

/** Closes a complete draft, in the mode in which jobs run: changing it later would cost four syncs. */
export function closeDraft(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
}

/**
 * Opens the file of a job to resume it: every commit is durable when it returns.
 *
 * Throws `journal` (exit 9) for a file that another process removes, that is damaged, is not a journal, has another format, or
 * lacks what a run recorded last; `config` (exit 4) for one that is not this user's alone; `io` (exit 10).
 */
export function openJournalFile(path: string, { readOnly = false } = {}): DatabaseSync {
  try {
    return guardStorage(() => openFile(path, readOnly), 'the journal cannot be opened')
  } catch (error) {
    // Its first file goes first: whatever SQLite or a check then misses, this is why.
    throw existsSync(path) || !existsSync(dirname(path)) ? error : removedJob(path)
  }
}

function openFile(path: string, readOnly: boolean): DatabaseSync {
  // What others wrote would be sent with this user's keys, and SQLite would wait for the other end of a pipe.
  refuseSharedState(path, journalSuffixes.slice(1))
  // Before the journal, which is always ahead of it.
  const commits = knownCommits(path)
  const database = openSqlite(path, { timeout: 5000, readOnly, mustExist: !readOnly })
  try {
    mustBeOurs(database)
    mustHaveAll(database, path, commits)
    if (!readOnly) {
      // Readers (`jobs show`) see a running job without stopping it; FULL makes a commit survive a loss of power.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      // On macOS a sync leaves it to the disk when to write; these wait for the disk, and elsewhere change nothing.
      database.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON')
    }
  } catch (error) {
    database.close()
    throw orWithoutLocks(error, path)
  }
  return database
}

function orWithoutLocks(error: unknown, path: string): unknown {
  const lockless = locklessFolder(error, path)
  return lockless === undefined ? error : withoutLocks(lockless, journalSettings, error)
}

function mustBeOurs(database: DatabaseSync): void {
  const { application_id } = database.prepare('PRAGMA application_id').get() as { application_id: number }
  if (application_id !== 0x70726d6a) throw damagedJournal('it is not a journal of promo')
  const { user_version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  if (user_version !== journalFormat) {
    const formats = `it has format ${user_version}, this one reads format ${journalFormat}`
    throw new PromoError('journal', `the journal was written by another version of promo: ${formats}`, {
      hint: 'finish the job with that version, or read its report there',
    })
  }
}

/** The header of SQLite's log: without at least one commit after it, a run has recorded nothing there. */
const emptyLogBytes = 32

/** Checks that a file whose run was killed still has the log of that run: alone it would pass for a job at an earlier time. */
function mustHaveAll(database: DatabaseSync, path: string, commits: number): void {
  const progress = progressIn(database)
  const name = basename(path)
  const hint = `copy all files of the journal again (${name}*), or check with the service what was sent, and send what is missing as a new input`
  if (progress.commits < commits) throw damagedJournal(`the end of ${name}-wal is missing, or was changed`, hint)
  const { journal_mode } = database.prepare('PRAGMA journal_mode').get() as { journal_mode: string }
  if (journal_mode !== 'wal' || !isUnderWay(progress)) return
  const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (bytes <= emptyLogBytes)
    throw damagedJournal(`the last run did not end, and ${name}-wal, which has its latest records, is missing`, hint)
}

/**
 * Makes a closed draft durable and renames it to its final name, durably too: after a crash there is either the complete job
 * under its name, or no job.
 */
export async function publishJournalFile(from: string, to: string): Promise<void> {
  try {
    // Opened for writing, because Windows does not sync a file that is opened for reading.
    const file = await open(from, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(from, to)
    await syncFolder(dirname(to))
  } catch (error) {
    throw storageError(error)
  }
}

/** Returns a function that tells whether a file is still in its place. */
export function watchPlace(path: string): () => boolean {
  const identity = identityOf(path)
  return () => identityOf(path) === identity
}

/** What is added to the name of a journal for the files that belong to it; all but the first only exist during a run. */
export const journalSuffixes = ['', ...companionSuffixes, countSuffix]

/**
 * Removes the file of a job and the files that are kept next to it. Throws `held` (exit 8) where Windows refuses, because another
 * process has one open, and `io` (exit 10) for anything else.
 */
export async function removeJournalFile(path: string): Promise<void> {
  for (const suffix of journalSuffixes) {
    await rm(`${path}${suffix}`, { force: true }).catch((cause: unknown) => {
      if (!isHeldOpen(cause)) throw storageError(cause, 'the journal cannot be removed')
      const hint = 'close it in the other program, or wait until that ends'
      throw new PromoError('held', `"${path}${suffix}" is in use by another process`, { hint, cause })
    })
  }
}
