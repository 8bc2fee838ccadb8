// Creates tables from declarations. All data is in the JSON `doc`; columns are computed from it and can be added later.

import { tokensTable } from '../resources/tokens/store.ts'
import { columnsOf, type Declaration } from './collection.ts'
import type { Database } from './database.ts'
import { jobsTable } from './job-queue.ts'
import { eventSubjectsTable } from './outbox.ts'

/**
 * Creates the declared tables, columns and indexes that the file does not have yet.
 *
 * Drops nothing, so an older promo can still read the file. Cheap when nothing changed: compares one fingerprint.
 */
export function createSchema(db: Database, declarations: readonly Declaration[]): void {
  db.script('CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID')
  const wanted = declarations.flatMap(statementsFor)
  const fingerprint = JSON.stringify([fixedTables, wanted])
  if (db.get<{ value: string }>("SELECT value FROM meta WHERE name = 'layout'")?.value === fingerprint) return
  db.transaction(() => {
    for (const sql of fixedTables) db.script(sql)
    for (const { create, columns, indexes } of wanted) {
      db.script(create.sql)
      const present = new Set(
        db.all<{ name: string }>('SELECT name FROM pragma_table_xinfo(?)', create.table).map((column) => column.name),
      )
      for (const { name, sql } of columns) if (!present.has(name)) db.script(sql)
      for (const sql of indexes) db.script(sql)
    }
    db.run(
      "INSERT INTO meta (name, value) VALUES ('layout', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      fingerprint,
    )
  })
}

/** Quotes a name for SQL. Takes only declared names, never a name from a request. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Returns SQL that reads a field of the document. Dots in the name address nested objects. */
export function jsonField(field: string): string {
  return `doc ->> '$.${field.replaceAll("'", "''")}'`
}

const outboxTable = `CREATE TABLE IF NOT EXISTS outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
  created_at TEXT NOT NULL, entity_id TEXT NOT NULL, group_id TEXT NOT NULL, source TEXT NOT NULL, data TEXT NOT NULL
) STRICT`

const fixedTables = [outboxTable, eventSubjectsTable, jobsTable, tokensTable]

function statementsFor(declared: Declaration) {
  const table = quotedName(declared.name)
  const names = Object.keys(columnsOf(declared))
  const computed = (name: string) => `${quotedName(name)} ANY GENERATED ALWAYS AS (${jsonField(name)}) VIRTUAL`
  return {
    // With all columns at once: to add one later, SQLite reads the whole schema again.
    create: {
      table: declared.name,
      sql: `CREATE TABLE IF NOT EXISTS ${table} (
        project_id TEXT NOT NULL, id TEXT NOT NULL, doc TEXT NOT NULL, binned INTEGER NOT NULL DEFAULT 0,
        ${names.map((name) => `${computed(name)},`).join(' ')}
        UNIQUE (project_id, id)
      ) STRICT`,
    },
    columns: names.map((name) => ({ name, sql: `ALTER TABLE ${table} ADD COLUMN ${computed(name)}` })),
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
    ]),
  }
}
