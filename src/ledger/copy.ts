// The file of the copy: one SQLite database per project, accessible to its owner only, opened with the guards of other state.
import { closeSync, lstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { ownRules, refuseExposedFolder, refuseSharedFile, refuseSharedState } from '../base/files/privacy.ts'
import { makeFolder } from '../base/folder.ts'
import { locklessFolder, withoutLocks } from '../base/lock.ts'
import { companionSuffixes, openSqlite } from '../base/open-sqlite.ts'
import { argumentWords, shellWord } from '../base/shell-word.ts'
import { isSqliteError, reasonOf, whatToDoAbout } from '../base/sqlite.ts'
import { PromoError } from '../errors.ts'
import { applicationId, schema, schemaVersion } from './schema.ts'

export type Value = SQLInputValue

/** An open copy. */
export interface Copy {
  file: string
  get: <Row>(sql: string, ...values: Value[]) => Row | undefined
  all: <Row>(sql: string, ...values: Value[]) => Row[]
  /** Yields rows as they are read; nothing is written meanwhile. */
  each: <Row>(sql: string, ...values: Value[]) => Iterable<Row>
  /** Runs a statement and returns how many rows it changed. */
  run: (sql: string, ...values: Value[]) => number
  /** Runs `work` in one write transaction; an exception undoes everything. */
  transaction: <T>(work: () => T) => T
  /** What the copy says about itself: `project_id`, `base_url`. */
  about: (name: string) => string | undefined
  /** Says whether another process reads or writes it at this moment, so that no write would succeed. */
  isBusy: () => boolean
  database: DatabaseSync
  close: () => void
}

/** The project that a copy belongs to. */
export interface CopiedProject {
  /** Undefined where the profile does not name its project. */
  id: string | undefined
  /** `sandbox`, or scheme and host. */
  service: string
}

export interface CopyOptions {
  /** Opens it for a pull, and creates it where it is missing. */
  writes?: boolean
  /** The project it must belong to, or will; absent: whichever it is. */
  project?: CopiedProject
  /** How the user names the file to another command: `--data FILE`. */
  named?: string
}

/** What names the file, in a next step. */
const setting = 'PROMO_STATE_DIR, or --data,'

/**
 * Opens the copy of a project, by default to read it.
 *
 * Throws `config` (exit 4) for a file that is not this user's alone, that is no copy, has another version, or belongs to another
 * project; `usage` where there is none yet; `io` (exit 10).
 */
export function openCopy(file: string, { writes = false, project, named }: CopyOptions = {}): Copy {
  const isNew = prepare(file, writes, named)
  let database: DatabaseSync | undefined
  try {
    if (!writes) recover(file)
    // Readers are kept out while a write waits for one of them: they wait longer than it does.
    database = openSqlite(file, { timeout: writes ? 1000 : 5000, readOnly: !writes })
    if (isNew || isEmpty(database)) database.exec(schema)
    mustBeACopy(database, file)
    // A commit survives a loss of power, and the file is whole without another beside it once it is closed.
    if (writes) database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL')
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -16384')
    const copy = copyOn(database, file)
    if (project !== undefined) mustBeOf(copy, project, writes)
    return copy
  } catch (error) {
    database?.close()
    throw readable(error, file)
  }
}

/** Makes the file, or refuses the one that is there; returns whether it is new. */
function prepare(file: string, writes: boolean, named = ''): boolean {
  if (file === ':memory:') return true
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined && !writes)
    throw new PromoError('usage', `there is no copy of this project yet: "${file}" does not exist`, {
      hint: `promo ledger pull${named}`,
    })
  if (stat !== undefined) {
    for (const suffix of ['', ...companionSuffixes]) {
      const found = lstatSync(`${file}${suffix}`, { throwIfNoEntry: false })
      if (found !== undefined) refuseSharedFile(`${file}${suffix}`, found)
    }
    return false
  }
  try {
    makeFolder(dirname(file))
    refuseExposedFolder(dirname(file), ownRules())
    refuseSharedState(file)
    // SQLite would make it readable for all, and gives its journal the mode of the file.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    throw readable(error, file)
  }
  return true
}

/** Takes back what a process that was killed had begun to write, which a connection that only reads may not. */
function recover(file: string): void {
  if (lstatSync(`${file}-journal`, { throwIfNoEntry: false }) === undefined) return
  const database = openSqlite(file, { timeout: 5000, mustExist: true })
  try {
    pragma(database, 'user_version')
  } finally {
    database.close()
  }
}

function isEmpty(database: DatabaseSync): boolean {
  const { objects } = database.prepare('SELECT count(*) AS objects FROM sqlite_schema').get() as { objects: number }
  return objects === 0 && pragma(database, 'application_id') === 0
}

function pragma(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
}

function mustBeACopy(database: DatabaseSync, file: string): void {
  if (pragma(database, 'application_id') !== applicationId) throw notACopy(file)
  const version = pragma(database, 'user_version')
  if (version !== schemaVersion)
    throw new PromoError(
      'config',
      `the copy "${file}" has version ${String(version)}, and this promo reads version ${schemaVersion}`,
      { hint: 'pull into a new file: promo ledger pull --data FILE' },
    )
}

function notACopy(file: string, cause?: unknown): PromoError {
  return new PromoError('config', `"${file}" is not a copy made by \`promo ledger pull\`, or is damaged`, {
    hint: 'name another file: --data FILE',
    cause,
  })
}

function mustBeOf(copy: Copy, { id, service }: CopiedProject, writes: boolean): void {
  const [ownId, ownService] = [copy.about('project_id'), copy.about('base_url')]
  if (ownService === undefined) {
    if (!writes) return
    copy.run('INSERT OR REPLACE INTO about VALUES (?, ?), (?, ?)', 'project_id', id ?? null, 'base_url', service)
    return
  }
  // A project has one id, wherever it is served.
  if (ownId === undefined || id === undefined ? ownService === service : ownId === id) return
  const [theirs, ours] = [ownId ?? ownService, id ?? service]
  throw new PromoError(
    'config',
    `"${copy.file}" is the copy of ${theirs} at ${ownService}, and not of ${ours} at ${service}`,
    { hint: `name another file with --data, or remove this one: rm ${shellWord(copy.file)}` },
  )
}

function readable(error: unknown, file: string): unknown {
  if (error instanceof PromoError) return error
  const lockless = locklessFolder(error, file)
  if (lockless !== undefined) return withoutLocks(lockless, setting, error)
  if (isSqliteError(error, 'notADatabase', 'corrupt')) return notACopy(file, error)
  if (isSqliteError(error, 'busy'))
    return new PromoError('held', `the copy "${file}" is in use by another process`, {
      hint: 'wait until it ends',
      retryable: true,
      cause: error,
    })
  const isOfFile =
    isSqliteError(error, 'readOnly', 'ioError', 'full', 'cannotOpen') ||
    typeof (error as NodeJS.ErrnoException).syscall === 'string'
  if (!isOfFile) return error
  return new PromoError('io', `the copy "${file}" cannot be used: ${reasonOf(error)}`, {
    hint: whatToDoAbout(error, setting),
    cause: error,
  })
}

function copyOn(database: DatabaseSync, file: string): Copy {
  const kept = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    let statement = kept.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      kept.set(sql, statement)
    }
    return statement
  }
  const guarded = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      throw readable(error, file)
    }
  }
  const copy: Copy = {
    file,
    database,
    get: <Row>(sql: string, ...values: Value[]) => guarded(() => prepared(sql).get(...values)) as Row | undefined,
    all: <Row>(sql: string, ...values: Value[]) => guarded(() => prepared(sql).all(...values)) as Row[],
    each: <Row>(sql: string, ...values: Value[]) => database.prepare(sql).iterate(...values) as Iterable<Row>,
    run: (sql, ...values) => guarded(() => Number(prepared(sql).run(...values).changes)),
    transaction: (work) =>
      guarded(() => {
        database.exec('BEGIN IMMEDIATE')
        try {
          const result = work()
          database.exec('COMMIT')
          return result
        } catch (error) {
          // A full disk has already ended it.
          if (database.isTransaction) database.exec('ROLLBACK')
          throw error
        }
      }),
    about: (name) =>
      copy.get<{ value: string | null }>('SELECT value FROM about WHERE name = ?', name)?.value ?? undefined,
    isBusy: () => {
      const timeout = pragma(database, 'busy_timeout')
      try {
        database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; ROLLBACK')
        return false
      } catch (error) {
        if (isSqliteError(error, 'busy')) return true
        throw readable(error, file)
      } finally {
        database.exec(`PRAGMA busy_timeout = ${String(timeout)}`)
      }
    },
    close: () => {
      kept.clear()
      if (database.isOpen) database.close()
    },
  }
  return copy
}

/** Returns the command that shows a copy, as shell words. */
export function copyWords(file: string | undefined): string {
  return file === undefined ? '' : ` --data ${argumentWords(file)}`
}
