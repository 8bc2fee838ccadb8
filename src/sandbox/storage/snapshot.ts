// Copies of everything in a data file, and going back to one of them. A copy is made by SQLite's own backup, and looked at closely
// before anything is replaced: it may come from anywhere. Source: docs/security.md (S-85).

import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { isFileName, pathBelow } from '../../base/files/path-below.ts'
import { refuseSharedState } from '../../base/files/privacy.ts'
import { removeLeftovers, temporaryBeside } from '../../base/files/temporary.ts'
import { makeFolder } from '../../base/folder.ts'
import { openSqlite } from '../../base/open-sqlite.ts'
import { isSqliteError, reasonOf, whatToDoAbout } from '../../base/sqlite.ts'
import { nextSteps, SandboxError } from '../sandbox-error.ts'
import { type Database, schemaVersion } from './database.ts'
import { isDataFile } from './file.ts'
import { quotedName } from './schema.ts'

/** A snapshot as it is listed. */
export interface Snapshot {
  name: string
  size_bytes: number
  /** By the computer's time. */
  created_at: string
}

const ending = '.snapshot.db'

function isNameOf(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/.test(name) && isFileName(`${name}${ending}`)
}

/** Saves what a database holds under a name, replacing an earlier snapshot of that name. Others may read and write meanwhile. */
export async function saveSnapshot(db: Database, folder: string, name: string): Promise<Snapshot> {
  const path = pathOf(folder, name)
  makeFolder(folder)
  refuseSharedState(path)
  removeLeftovers(folder)
  const temporary = temporaryBeside(path)
  try {
    closeSync(openSync(temporary, 'wx', 0o600))
    await db.backup(temporary)
    finish(temporary)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw unusable(error, path, 'written')
  }
  return snapshotAt(folder, name)
}

/** Makes a copy complete in itself: without the servers of the original, and without their deliveries in flight. */
function finish(path: string): void {
  const copy = openSqlite(path)
  try {
    // What was deleted, such as the tokens of the servers, is overwritten.
    copy.exec('PRAGMA secure_delete=ON; PRAGMA journal_mode=DELETE; DELETE FROM holders')
    copy.exec(
      `UPDATE jobs SET claimed_by = NULL, attempts = attempts - 1, due_at = due_at - ${claimMs} WHERE claimed_by IS NOT NULL`,
    )
  } finally {
    copy.close()
  }
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/** How far a claim moves a job ahead (jobs/runner.ts). */
const claimMs = 30_000

/** Returns the snapshots of a folder by name. */
export function listSnapshots(folder: string): Snapshot[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith(ending),
  )
  return names
    .map(({ name }) => name.slice(0, -ending.length))
    .filter(isNameOf)
    .map((name) => snapshotAt(folder, name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Replaces everything in a database by a snapshot, in one transaction: requests see all of it or nothing. The servers that have the
 * file open stay. Throws SandboxError: `no-file`, `not-a-sandbox`, `newer-schema`, `bad-control`.
 */
export function loadSnapshot(db: Database, folder: string, name: string): Snapshot {
  const path = pathOf(folder, name)
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (!facts) throw new SandboxError('bad-control', `there is no snapshot "${name}"`, { hint: nextSteps.listSnapshots })
  refuseSharedState(path)
  if (!isDataFile(path)) throw damagedSnapshot(path)
  mustBeLike(db, path)
  db.run('ATTACH ? AS source', path)
  try {
    db.transaction(() => replaceAll(db, 'source'))
  } catch (error) {
    throw unusable(error, path, 'loaded')
  } finally {
    db.script('DETACH source')
  }
  return snapshotAt(folder, name)
}

/** The tables of a snapshot are read by the columns of the database: only if it has exactly these, and nothing that runs. */
function mustBeLike(db: Database, path: string): void {
  let copy: DatabaseSync | undefined
  try {
    copy = openSqlite(path, { readOnly: true, enableDoubleQuotedStringLiterals: false })
    copy.exec('PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON')
    const own = copy
    const all = <Row>(sql: string) => own.prepare(sql).all() as Row[]
    const [{ user_version } = { user_version: 0 }] = all<{ user_version: number }>('PRAGMA user_version')
    if (user_version !== schemaVersion)
      throw new SandboxError(
        'newer-schema',
        `the snapshot "${path}" has schema version ${user_version}, and the data file ${schemaVersion}`,
        { hint: nextSteps.sameVersion },
      )
    const [check] = all<{ quick_check: string }>('PRAGMA quick_check(1)')
    const runs = all("SELECT 1 FROM sqlite_schema WHERE type NOT IN ('table', 'index')")
    const shape = JSON.stringify(shapeOf(<Row>(sql: string) => all<Row>(sql)))
    const indexes = <Row>(read: (sql: string) => Row[]) =>
      read("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index'")
    const known = new Set(indexes((sql) => db.all(sql)).map((index) => JSON.stringify(index)))
    // An index on an expression runs it.
    const hasForeign = indexes((sql) => all(sql)).some((index) => !known.has(JSON.stringify(index)))
    if (check?.quick_check !== 'ok' || runs.length > 0 || hasForeign) throw damagedSnapshot(path)
    if (shape !== JSON.stringify(shapeOf((sql) => db.all(sql))))
      throw new SandboxError('bad-control', `the snapshot "${path}" was saved by another version of promo`, {
        hint: nextSteps.sameVersion,
      })
    for (const table of tables((sql) => all(sql)).filter(({ columns }) => columns.includes('doc')))
      if (
        all(
          `SELECT 1 FROM ${quotedName(table.name)} WHERE CASE WHEN json_valid(doc) THEN json_type(doc) <> 'object' ELSE 1 END LIMIT 1`,
        ).length > 0
      )
        throw damagedSnapshot(path)
    const main = all(
      "SELECT 1 FROM projects WHERE id = (SELECT json_extract(value, '$') FROM meta WHERE name = 'fact.main_project')",
    )
    const keyless = all(
      'SELECT 1 FROM projects, json_each(\'["app_id", "app_token", "client_app_id", "client_token", "webhook_secret"]\') AS name WHERE length(coalesce(json_extract(doc, \'$.\' || name.value), \'\')) < 8 UNION ALL SELECT 1 FROM meta, json_each(\'["management_id", "management_token"]\') AS name WHERE meta.name = \'fact.management_keys\' AND length(coalesce(json_extract(meta.value, \'$.\' || name.value), \'\')) < 8',
    )
    if (main.length !== 1 || keyless.length > 0) throw damagedSnapshot(path)
  } catch (error) {
    throw unusable(error, path, 'read')
  } finally {
    copy?.close()
  }
}

interface TableShape {
  name: string
  hasRowid: boolean
  columns: string[]
}

function shapeOf(all: <Row>(sql: string) => Row[]): TableShape[] {
  return tables(all).map(({ columns, ...table }) => ({ ...table, columns: columns.toSorted() }))
}

/** The tables of the schema, those of SQLite and of the servers left out. A virtual table or a hidden column is none of ours. */
function tables(all: <Row>(sql: string) => Row[], schema = 'main'): TableShape[] {
  const found = all<{ name: string; type: string; wr: number }>(`PRAGMA ${schema}.table_list`)
    .filter(({ name }) => !name.startsWith('sqlite_') && name !== 'holders')
    .filter((table) => !('schema' in table) || table.schema === schema)
  return found
    .map(({ name, type, wr }) => {
      const columns = all<{ name: string; hidden: number }>(`PRAGMA ${schema}.table_xinfo(${quotedName(name)})`)
      const own = columns.map((column) => (column.hidden === 0 ? column.name : `hidden ${column.name}`))
      return { name: type === 'table' ? name : `${type} ${name}`, hasRowid: wr === 0, columns: own }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Replaces all tables by those of an attached database, in the order of their rows, in the transaction of the caller. */
function replaceAll(db: Database, source: string): void {
  for (const { name, hasRowid, columns } of tables((sql) => db.all(sql))) {
    const table = quotedName(name)
    const list = columns.map(quotedName).join(', ')
    db.run(`DELETE FROM main.${table} ${unlessLayout(name)}`)
    db.run(
      `INSERT INTO main.${table} (${list}) SELECT ${list} FROM ${source}.${table} ${unlessLayout(name)} ${hasRowid ? 'ORDER BY rowid' : ''}`,
    )
  }
  db.run('DELETE FROM main.sqlite_sequence')
  db.run(
    `INSERT INTO main.sqlite_sequence SELECT name, seq FROM ${source}.${source === 'source' ? 'sqlite_sequence' : 'sequences'}`,
  )
  db.uncache()
}

/** The layout says how the tables of this file are made, not what is in them. */
function unlessLayout(name: string): string {
  return name === 'meta' ? "WHERE name <> 'layout'" : ''
}

/**
 * Returns a function that brings a database back to its beginning, each time in one transaction. The first time everything is removed
 * and what `fill` returns makes the beginning, of which a copy is kept in memory for the next times.
 */
export function beginningOf(db: Database, fill: () => Promise<() => void>): () => Promise<void> {
  let isKept = false
  return async () => {
    if (isKept) return db.transaction(() => replaceAll(db, 'beginning'))
    const fillAgain = await fill()
    db.transaction(() => {
      for (const { name } of tables((sql) => db.all(sql)))
        db.run(`DELETE FROM main.${quotedName(name)} ${unlessLayout(name)}`)
      db.run('DELETE FROM main.sqlite_sequence')
      db.uncache()
      fillAgain()
    })
    db.script("ATTACH ':memory:' AS beginning")
    for (const { name, hasRowid } of tables((sql) => db.all(sql)))
      db.script(
        `CREATE TABLE beginning.${quotedName(name)} AS SELECT * FROM main.${quotedName(name)} ${hasRowid ? 'ORDER BY rowid' : ''}`,
      )
    db.script('CREATE TABLE beginning.sequences AS SELECT * FROM main.sqlite_sequence')
    isKept = true
  }
}

function pathOf(folder: string, name: string): string {
  if (isNameOf(name)) return pathBelow(folder, `${name}${ending}`)
  throw new SandboxError('bad-control', `"${name}" is not the name of a snapshot`, {
    hint: nextSteps.nameSnapshot,
  })
}

function snapshotAt(folder: string, name: string): Snapshot {
  const { size, mtime } = statSync(pathOf(folder, name))
  return { name, size_bytes: size, created_at: mtime.toISOString() }
}

function damagedSnapshot(path: string): SandboxError {
  return new SandboxError('not-a-sandbox', `"${path}" is not a snapshot, or is damaged`, { hint: nextSteps.saveAgain })
}

function unusable(error: unknown, path: string, what: string): unknown {
  if (isSqliteError(error, 'corrupt', 'notADatabase', 'error')) return damagedSnapshot(path)
  if (isSqliteError(error, 'busy'))
    return new SandboxError('held', `the snapshot "${path}" is locked by another process`, { cause: error })
  if (!(error instanceof Error && 'code' in error) || error instanceof SandboxError) return error
  const message = `the snapshot "${path}" cannot be ${what}: ${reasonOf(error)}`
  return new SandboxError('file-access', message, { hint: whatToDoAbout(error), cause: error })
}
