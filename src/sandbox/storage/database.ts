// One SQLite connection: opening it, caching statements, nesting transactions.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { locklessFolder, withoutLocks } from '../../base/lock.ts'
import { loadSqlite, openSqlite } from '../../base/open-sqlite.ts'
import { isSqliteError, reasonOf, whatToDoAbout } from '../../base/sqlite.ts'
import { SandboxError } from '../sandbox-error.ts'
import {
  applicationId,
  inaccessible,
  isLogEmpty,
  lacksItsLog,
  mustBeComplete,
  notASandbox,
  pause,
  placeOf,
  prepareFile,
  settings,
} from './file.ts'

export type Bound = string | number | null

export interface Database {
  get: <Row>(sql: string, ...values: Bound[]) => Row | undefined
  all: <Row>(sql: string, ...values: Bound[]) => Row[]
  /** Runs a statement and returns how many rows it changed. */
  run: (sql: string, ...values: Bound[]) => number
  /** Inserts a row and returns its rowid. */
  insert: (sql: string, ...values: Bound[]) => number
  /** Runs SQL without values, any number of statements. */
  script: (sql: string) => void
  /** Runs `work` in one write transaction, or in a savepoint of the open one; an exception undoes everything. */
  transaction: <T>(work: () => T) => T
  /** Runs `work` inside the open transaction; an exception undoes only its own changes. */
  savepoint: <T>(work: () => T) => T
  /**
   * Runs `work` like `transaction`, with a function that runs one of its acts, of whose changes an exception undoes only its own.
   *
   * In a savepoint SQLite copies each page that is changed, which takes as long as to change it. So there are none unless an act
   * throws after a change: then `HalfWritten` undoes everything, which `work` must let pass, and `work` runs again, with savepoints.
   */
  piecewise: <T>(work: (undoable: <Value>(act: () => Value) => Value) => T) => T
  /** Runs `work` on one state of the file; throws when it writes. */
  reading: <T>(work: () => T) => T
  /**
   * Returns what `read` returned for this key in an earlier transaction or in this one, unless `uncache` was called or writes
   * were undone since then, or another connection has written. Outside a transaction it always reads. Values are
   * shared, so they must not be changed.
   */
  cached: <T>(key: string, read: () => T) => T
  /** Returns what is cached for a key; undefined outside a transaction. */
  peek: <T>(key: string) => T | undefined
  /** Copies everything to a file that exists and is empty; others may read and write meanwhile. */
  backup: (file: string) => Promise<void>
  /** Returns everything as the bytes of a file; undefined before Node 24.16. */
  image: () => Uint8Array | undefined
  /** Drops what is cached, or what is cached for one key; to be called after a write to something that is. */
  uncache: (key?: string) => void
  close: () => void
}

/** An act threw that had changed something already, or whose failure ended the transaction. */
export class HalfWritten extends Error {
  override readonly name = 'HalfWritten'
}

/** How much is cached before all of it is dropped. */
const cachedAtMost = 5000

// Filters produce an unlimited number of statements, declared lists do not. The cache is emptied rather than pruned.
const statementsKept = 400

// Read-only, failing or full disk, or a file that cannot be opened.
const unwritableCodes = ['readOnly', 'ioError', 'full', 'cannotOpen'] as const

/**
 * The version of the tables and documents; files of a later version are refused, those of an earlier one are converted
 * (schema.ts). Raised only together with a migration.
 */
export const schemaVersion = 3

interface OpenOptions {
  evenIncomplete?: boolean
  image?: Uint8Array | undefined
}

/**
 * Opens a sandbox file, created if it does not exist, or `:memory:`.
 *
 * File and folder are accessible to their owner only. A commit survives the end of the process, however it ends, but the
 * latest ones may not survive a loss of power (docs/adr/0014-the-sandbox-survives-its-process.md). Waits up to 5 s for the
 * write of another process. While it is open the header says that the latest writes are in the log, so that a copy without the
 * log is known (docs/adr/0020-a-data-file-knows-that-it-is-complete.md); `evenIncomplete` opens such a file too.
 * One in memory begins as the copy of an `image`.
 * Throws SandboxError: `not-a-sandbox`, `incomplete`, `newer-schema`, `file-access`; the last also later, when the disk is full.
 */
export function openDatabase(file: string, { evenIncomplete = false, image }: OpenOptions = {}): Database {
  if (file !== ':memory:') {
    prepareFile(file)
    if (!evenIncomplete) mustBeComplete(file)
  }
  const connection = connect(file)
  try {
    if (image) connection.deserialize(image)
    claim(connection, file)
    switchToWal(connection)
    // The log has a commit from the start: an empty one is a lost one.
    if (file !== ':memory:' && isLogEmpty(file))
      connection.exec(`BEGIN IMMEDIATE; PRAGMA application_id=0; PRAGMA application_id=${applicationId}; COMMIT`)
    connection.exec(
      'PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;',
    )
    // In KiB. Random codes touch every page of their index: with SQLite's 2 MB, 100,000 new codes took a third longer.
    connection.exec('PRAGMA cache_size=-32768')
    // In pages. All requests wait while 32 MB are copied from the log: at most once in a thousand redemptions, and a page that changes
    // often is copied once.
    connection.exec('PRAGMA wal_autocheckpoint=8000')
  } catch (error) {
    connection.close()
    if (error instanceof SandboxError) throw error
    const lockless = locklessFolder(error, file)
    if (lockless !== undefined) throw withoutLocks(lockless, settings, error)
    if (isSqliteError(error, ...unwritableCodes)) throw unwritable(error)
    throw isSqliteError(error, 'busy')
      ? new SandboxError('held', `the sandbox file "${file}" is locked by another process`, { cause: error })
      : notASandbox(file, error)
  }
  return database(connection, file)
}

function unwritable(error: Error): SandboxError {
  return new SandboxError('file-access', `the sandbox file cannot be written: ${reasonOf(error)}`, {
    hint: whatToDoAbout(error, settings),
    cause: error,
  })
}

function switchToWal(connection: DatabaseSync): void {
  // SQLite's busy timeout does not apply here: two processes that create the file at once collide in this statement.
  for (let attempt = 1; ; attempt += 1) {
    try {
      connection.exec('PRAGMA journal_mode=WAL')
      return
    } catch (error) {
      if (!isSqliteError(error, 'busy') || attempt === 100) throw error
      pause(20)
    }
  }
}

function connect(file: string): DatabaseSync {
  try {
    return openSqlite(file, { timeout: 5000, enableForeignKeyConstraints: true })
  } catch (error) {
    throw inaccessible(file, 'opened', error)
  }
}

/** Says in the header that everything is in the file itself. While another connection has it open that is not so. */
function markComplete(connection: DatabaseSync): void {
  try {
    connection.exec('PRAGMA busy_timeout=0; PRAGMA journal_mode=DELETE')
  } catch {
    // The last one to close it says so.
  }
}

/** Where two connections are closed at once, neither is the last one when it asks. */
function markIfLast(file: string): void {
  if (!lacksItsLog(file)) return
  const connection = connect(file)
  markComplete(connection)
  connection.close()
}

// Before the switch to WAL, so that the mark is in the file itself whatever happens to its log.
function claim(connection: DatabaseSync, file: string): void {
  const facts = connection
    .prepare(
      'SELECT (SELECT application_id FROM pragma_application_id) AS application, (SELECT user_version FROM pragma_user_version) AS version, (SELECT count(*) FROM sqlite_schema) AS objects',
    )
    .get() as { application: number; version: number; objects: number }
  if (facts.objects === 0) {
    connection.exec(
      `BEGIN IMMEDIATE; PRAGMA application_id=${applicationId}; PRAGMA user_version=${schemaVersion}; COMMIT`,
    )
    return
  }
  if (facts.application !== applicationId) throw notASandbox(file)
  if (facts.version > schemaVersion)
    throw new SandboxError(
      'newer-schema',
      `the sandbox file "${file}" has schema version ${facts.version}; this version of promo knows ${schemaVersion}`,
      { hint: 'use another file with --data, or the version of promo that created this one' },
    )
}

function database(connection: DatabaseSync, file: string): Database {
  const mustBeInPlace = placeOf(file)
  const kept = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    let statement = kept.get(sql)
    if (!statement) {
      if (kept.size >= statementsKept) kept.clear()
      statement = connection.prepare(sql)
      kept.set(sql, statement)
    }
    return statement
  }
  const reportUnwritable = <T>(write: () => T): T => {
    try {
      return write()
    } catch (error) {
      throw isSqliteError(error, ...unwritableCodes) ? unwritable(error) : error
    }
  }
  let isReading = false
  const control = (sql: string) => reportUnwritable(() => prepare(sql).run())
  /** Savepoints that are set, of those that were asked for: one is set by the first write in it, and most requests write nothing. */
  let [savepointsSet, savepointsAsked] = [0, 0]
  /** How many rows were written so far, undone writes included. */
  let written = 0
  const beforeWrite = () => {
    // SQLite would refuse it only where another process has written meanwhile.
    if (isReading) throw new Error('a write by work that only reads')
    for (; savepointsSet < savepointsAsked; savepointsSet += 1) control('SAVEPOINT request')
  }
  const change = (sql: string, values: SQLInputValue[]) => {
    beforeWrite()
    const result = reportUnwritable(() => prepare(sql).run(...values))
    written += Number(result.changes)
    return result
  }
  const cache = new Map<string, unknown>()
  let seenVersion: unknown
  /** Of this connection's own writes SQLite says nothing. Source: https://sqlite.org/pragma.html#pragma_data_version */
  const dropIfForeignWrites = () => {
    const { data_version } = prepare('PRAGMA data_version').get() as { data_version: number }
    if (data_version !== seenVersion) cache.clear()
    seenVersion = data_version
  }
  const savepoint = <T>(work: () => T): T => {
    // Outside a transaction, SAVEPOINT would silently begin one: a full disk may end the outer transaction midway.
    if (!connection.isTransaction) throw new Error('the transaction of this savepoint has ended')
    const outer = savepointsAsked
    savepointsAsked += 1
    try {
      const result = work()
      if (savepointsSet > outer) control('RELEASE request')
      return result
    } catch (error) {
      if (savepointsSet > outer) {
        cache.clear()
        if (connection.isTransaction) for (const undo of ['ROLLBACK TO request', 'RELEASE request']) control(undo)
      }
      throw error
    } finally {
      savepointsAsked = outer
      savepointsSet = Math.min(savepointsSet, outer)
    }
  }
  const transaction = <T>(work: () => T): T => {
    if (connection.isTransaction) return savepoint(work)
    return whole('BEGIN IMMEDIATE', work)
  }
  const whole = <T>(begin: string, work: () => T): T => {
    control(begin)
    const before = written
    try {
      mustBeInPlace()
      dropIfForeignWrites()
      const result = work()
      control('COMMIT')
      return result
    } catch (error) {
      // A full disk has already ended the transaction; a second rollback would hide the cause.
      if (connection.isTransaction) control('ROLLBACK')
      if (written !== before) cache.clear()
      throw error
    }
  }
  const unlessHalfWritten = <T>(act: () => T): T => {
    const before = written
    try {
      return act()
    } catch (error) {
      // A full disk may end the transaction midway: what follows would be written outside of it.
      throw written === before && connection.isTransaction ? error : new HalfWritten('undone', { cause: error })
    }
  }
  const piecewise: Database['piecewise'] = (work) => {
    try {
      return transaction(() => work(unlessHalfWritten))
    } catch (error) {
      if (!(error instanceof HalfWritten)) throw error
      return transaction(() => work(savepoint))
    }
  }
  const reading = <T>(work: () => T): T => {
    if (connection.isTransaction) return work()
    return whole('BEGIN', () => {
      isReading = true
      try {
        return work()
      } finally {
        isReading = false
      }
    })
  }
  const readCached = <T>(key: string, read: () => T): T => {
    // Nobody else's writes are seen inside a transaction; outside, to look for them takes longer than to read.
    if (!connection.isTransaction) return read()
    if (cache.has(key)) return cache.get(key) as T
    const value = read()
    if (cache.size >= cachedAtMost) cache.clear()
    cache.set(key, value)
    return value
  }
  return {
    get: <Row>(sql: string, ...values: Bound[]) => prepare(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: Bound[]) => prepare(sql).all(...values) as Row[],
    run: (sql, ...values) => Number(change(sql, values).changes),
    insert: (sql, ...values) => Number(change(sql, values).lastInsertRowid),
    script: (sql) => {
      if (connection.isTransaction) beforeWrite()
      written += 1
      reportUnwritable(() => connection.exec(sql))
    },
    transaction,
    savepoint,
    piecewise,
    reading,
    cached: readCached,
    peek: <T>(key: string) => (connection.isTransaction ? (cache.get(key) as T | undefined) : undefined),
    backup: async (target) => {
      await loadSqlite().backup(connection, target, { rate: 1_000_000 })
    },
    image: () => connection.serialize?.(),
    uncache: (key) => {
      if (key === undefined) cache.clear()
      else cache.delete(key)
    },
    close: () => {
      kept.clear()
      if (file !== ':memory:') markComplete(connection)
      connection.close()
      if (file !== ':memory:') markIfLast(file)
    },
  }
}
