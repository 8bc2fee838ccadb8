// Creates tables from declarations. All data is in the JSON `doc`; columns repeat some of it for indexes, and can be added
// later. They are stored: SQLite would rewrite every index of a computed column whenever the document changes.

import { memoizeFor } from '../../base/memoized.ts'
import { SandboxError } from '../sandbox-error.ts'
import { columnsOf, type Declaration } from './collection.ts'
import { type Database, schemaVersion } from './database.ts'
import { jobsTable } from './job-queue.ts'
import { openServers } from './open-servers.ts'
import { eventSubjectsTable } from './outbox.ts'
import { tokensTable } from './tokens.ts'

/**
 * Creates the declared tables, columns and indexes that the file does not have yet.
 *
 * Drops nothing, so an older promo of the same schema version can still read the file; the columns that it does not know
 * stay empty in what it writes, and are filled here. Cheap when nothing changed: compares one fingerprint. Throws
 * SandboxError `held` when a file of an earlier version is open elsewhere.
 */
export function createSchema(db: Database, declarations: readonly Declaration[]): void {
  db.script('CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID')
  const { wanted, fingerprint } = layoutOf(declarations)
  const layout = db.get<{ value: string }>("SELECT value FROM meta WHERE name = 'layout'")?.value
  if (layout === fingerprint) return
  db.transaction(() => {
    const existing = namesIn(db.all("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    const derived = declarations.flatMap((declared) => declared.derived ?? [])
    for (const sql of [...fixedTables, ...derived.map(({ table }) => table)]) db.script(sql)
    migrate(db, wanted)
    for (const { create, columns, fill, indexes } of wanted) {
      db.script(create.sql)
      // A new table has all columns and nothing to fill, and every run with an embedded service in memory makes all of them.
      if (existing.has(create.table)) {
        const present = namesIn(db.all('SELECT name FROM pragma_table_xinfo(?)', create.table))
        for (const { name, sql } of columns) if (!present.has(name)) db.script(sql)
        db.script(fill)
      }
      for (const sql of indexes) db.script(sql)
    }
    db.run('DELETE FROM tallies')
    for (const declared of declarations) {
      if (!existing.has(declared.name)) continue
      countAll(db, declared)
      declared.derived?.fill(db)
    }
    db.run(
      "INSERT INTO meta (name, value) VALUES ('layout', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      fingerprint,
    )
  })
}

const layoutOf = memoizeFor((declarations: readonly Declaration[]) => {
  const wanted = declarations.flatMap(statementsFor)
  const tallies = declarations.map(({ name, tallied, derived }) => [name, tallied, derived?.table])
  return { wanted, fingerprint: JSON.stringify([fixedTables, wanted, tallies]) }
})

function namesIn(rows: ReadonlyArray<{ name: string }>): Set<string> {
  return new Set(rows.map(({ name }) => name))
}

/**
 * Version 1 had computed columns and no tallies, and looked up the events of customers only; version 2
 * did not say in its header whether it is complete (database.ts).
 */
function migrate(db: Database, wanted: ReadonlyArray<ReturnType<typeof statementsFor>>): void {
  const version = db.get<{ user_version: number }>('PRAGMA user_version')?.user_version
  if (version === schemaVersion) return
  const server = openServers(db)[0]
  if (server)
    throw new SandboxError('held', `process ${server.pid} has the sandbox file open with an earlier version of promo`, {
      hint: 'stop that sandbox first: the file is to be converted',
    })
  for (const { create, columns } of version === 1 ? wanted : []) {
    const table = quotedName(create.table)
    if (!db.get('SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ?', 'table', create.table)) continue
    const names = ['project_id', 'id', 'doc', 'binned'].concat(columns.map(({ name }) => quotedName(name)))
    const values = ['project_id', 'id', 'doc', 'binned'].concat(columns.map(({ name }) => jsonField(name)))
    db.script(`ALTER TABLE ${table} RENAME TO former`)
    db.script(create.sql)
    // Objects of the same instant are listed in the order of their rowids.
    db.script(`INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM former ORDER BY rowid`)
    db.script('DROP TABLE former')
  }
  if (db.get("SELECT 1 FROM sqlite_schema WHERE name = 'event_customers'"))
    db.script('INSERT INTO event_subjects SELECT * FROM event_customers; DROP TABLE event_customers')
  db.script(`PRAGMA user_version=${schemaVersion}`)
}

/** Quotes a name for SQL. Takes only declared names, never a name from a request. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Returns SQL that reads a field of the document, or of another JSON text. Dots in the name address nested objects. */
export function jsonField(field: string, text = 'doc'): string {
  return `${text} ->> '$.${field.replaceAll("'", "''")}'`
}

const outboxTable = `CREATE TABLE IF NOT EXISTS outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
  created_at TEXT NOT NULL, entity_id TEXT NOT NULL, group_id TEXT NOT NULL, source TEXT NOT NULL, data TEXT NOT NULL
) STRICT`

/**
 * How many objects each collection has outside the bin, and how many with each value of its tallied field: to count a
 * million rows takes longer than to list some. A row without a value counts all objects.
 */
const talliesTable = `CREATE TABLE IF NOT EXISTS tallies (
  project_id TEXT NOT NULL, collection TEXT NOT NULL, value ANY NOT NULL, live INTEGER NOT NULL,
  PRIMARY KEY (project_id, collection, value)
) STRICT, WITHOUT ROWID`

function countAll(db: Database, { name, tallied }: Declaration): void {
  const count = (value: string, where: string) =>
    db.run(
      `INSERT INTO tallies SELECT project_id, ?, ${value}, count(*) FROM ${quotedName(name)} WHERE ${where} GROUP BY 1, 3`,
      name,
    )
  count("''", 'binned = 0')
  if (tallied !== undefined) count(quotedName(tallied), `binned = 0 AND ${quotedName(tallied)} <> ''`)
}

const fixedTables = [outboxTable, eventSubjectsTable, jobsTable, tokensTable, talliesTable]

function statementsFor(declared: Declaration) {
  const table = quotedName(declared.name)
  const names = Object.keys(columnsOf(declared))
  return {
    // With all columns at once: to add one later, SQLite reads the whole schema again.
    create: {
      table: declared.name,
      sql: `CREATE TABLE IF NOT EXISTS ${table} (
        project_id TEXT NOT NULL, id TEXT NOT NULL, doc TEXT NOT NULL, binned INTEGER NOT NULL DEFAULT 0,
        ${names.map((name) => `${quotedName(name)} ANY,`).join(' ')}
        UNIQUE (project_id, id)
      ) STRICT`,
    },
    columns: names.map((name) => ({
      name,
      sql: `ALTER TABLE ${table} ADD COLUMN ${quotedName(name)} ANY`,
    })),
    fill: `UPDATE ${table} SET ${names.map((name) => `${quotedName(name)} = ${jsonField(name)}`).join(', ')}
      WHERE ${names.map((name) => `${quotedName(name)} IS NOT ${jsonField(name)}`).join(' OR ')}`,
    indexes: names.flatMap((name) => [
      ...(name === declared.key && declared.keyMayIgnoreCase
        ? [
            `CREATE INDEX IF NOT EXISTS ${quotedName(`${declared.name}.${name}.nocase`)} ON ${table} (project_id, ${quotedName(name)} COLLATE NOCASE)`,
          ]
        : []),
      name === declared.key
        ? // Objects in the bin keep their key, which stays taken (docs/service/projects.md#trash-bin).
          `CREATE UNIQUE INDEX IF NOT EXISTS ${quotedName(`${declared.name}.${name}`)} ON ${table} (project_id, ${quotedName(name)})`
        : `CREATE INDEX IF NOT EXISTS ${quotedName(`${declared.name}.${name}`)} ON ${table} (project_id, binned, ${quotedName(name)}, id)`,
      ...(declared.many?.includes(name)
        ? [
            `CREATE INDEX IF NOT EXISTS ${quotedName(`${declared.name}.${name}.created_at`)} ON ${table} (project_id, binned, ${quotedName(name)}, created_at, id)`,
          ]
        : []),
    ]),
  }
}
