// The checked rows of a job in its SQLite file: written once, then read in pages.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { readStrictJson } from '../../base/strict-json.ts'
import type { Fields, Row } from '../input/row.ts'
import { checksumOf } from './checksum.ts'
import { closeDraft, createJournalFile, publishJournalFile, removeJournalFile } from './journal-file.ts'
import { damagedJournal, guardStorage } from './storage-error.ts'

/** Which rows are read back: all, or only those that can be acted on. */
export type Which = 'all' | 'actable'

/** A row and its position. */
export interface Placed {
  position: number
  row: Row
}

export interface RowStore {
  /** Adds a row after the others. */
  add(row: Row): void
  /** Returns the row with this key that can be acted on; its duplicates cannot. */
  first(key: string): Row | undefined
  /** Ends adding rows. */
  seal(): void
  /** Returns up to `limit` rows after a position; the first position is 1. */
  page(which: Which, after: number, limit: number): Placed[]
  /** Counts the texts for which there are several keys that differ only in how accents are composed. */
  lookalikes(): number
  /** Keeps the rows as the file of a job, under this path and with this header; closes the store. */
  publish(path: string, header: object): Promise<void>
  /** Removes the rows, unless they were published. */
  close(): Promise<void>
}

/**
 * Creates an empty store: a 0600 file in `dir`, which is created (0700) when it is missing.
 *
 * Throws `io` (exit 10) when the disk is full or cannot be written, here and in every method.
 */
export async function openRowStore(dir: string): Promise<RowStore> {
  const path = join(dir, `draft-${randomBytes(6).toString('hex')}.sqlite`)
  const database = await createJournalFile(path)
  guardStorage(() => database.exec('BEGIN'))
  const insert = database.prepare(
    `INSERT INTO row (position, line, key, composed, fields, duplicate_of, problem, sum, ignored, ignored_sum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const byKey = database.prepare('SELECT * FROM row WHERE key = ? AND duplicate_of IS NULL AND problem IS NULL LIMIT 1')
  const page = pagesOf(database)
  let position = 0
  let isPublished = false

  return {
    add({ line, key, fields, ignored, duplicateOf = null, problem = null }) {
      const stored = storedKey(key)
      const composed = /^[\x20-\x7e]*$/.test(key) ? null : storedKey(key.normalize('NFC'))
      const text = JSON.stringify(fields)
      position += 1
      const sum = checksumOf(position, line, stored, text, duplicateOf, problem)
      const besides = ignored === undefined ? null : JSON.stringify(ignored)
      const besidesSum = besides === null ? null : checksumOf(position, besides)
      guardStorage(() =>
        insert.run(position, line, stored, composed, text, duplicateOf, problem, sum, besides, besidesSum),
      )
    },
    first(key) {
      const found = guardStorage(() => byKey.get(storedKey(key)))
      return found && rowOf(found as unknown as StoredRow)
    },
    seal: () => guardStorage(() => database.exec('COMMIT')),
    page,
    lookalikes() {
      const groups =
        'SELECT composed FROM row WHERE composed IS NOT NULL GROUP BY composed HAVING count(DISTINCT key) > 1'
      return guardStorage(() => database.prepare(`SELECT count(*) AS found FROM (${groups})`).get())?.found as number
    },
    async publish(final, header) {
      guardStorage(() => {
        const text = JSON.stringify(header)
        database.prepare('INSERT INTO job (id, header, sum) VALUES (1, ?, ?)').run(text, checksumOf(text))
        closeDraft(database)
      })
      await publishJournalFile(path, final)
      isPublished = true
    },
    async close() {
      if (database.isOpen) database.close()
      if (!isPublished) await removeJournalFile(path)
    },
  }
}

/** Returns a test of whether a job has the same row, which was applied or may have been. */
export function appliedRows(database: DatabaseSync): (row: Pick<Row, 'key' | 'fields'>) => boolean {
  const same = database.prepare(
    `SELECT 1 FROM row JOIN outcome USING (position)
     WHERE key = ? AND fields = ? AND duplicate_of IS NULL AND problem IS NULL AND state IN ('ok', 'ok_inferred', 'unknown') LIMIT 1`,
  )
  return ({ key, fields }) => guardStorage(() => same.get(storedKey(key), JSON.stringify(fields))) !== undefined
}

/** Returns the positions of the rows about an object: by their key, a field, or what the service said about it, such as a new id. */
export function positionsOf(database: DatabaseSync, name: string): number[] {
  const value = `:${JSON.stringify(name)}`
  return guardStorage(() =>
    database
      .prepare(
        `SELECT position FROM row WHERE key = ? AND duplicate_of IS NULL AND problem IS NULL
         UNION SELECT position FROM row WHERE instr(fields, ?) > 0
         UNION SELECT position FROM outcome WHERE instr(results, ?) > 0`,
      )
      .all(storedKey(name), value, value),
  ).map(({ position }) => position as number)
}

/** Returns those of the keys that no row of a job has. */
export function keysLeft(database: DatabaseSync, keys: readonly string[]): string[] {
  const found = guardStorage(() =>
    database
      .prepare('SELECT DISTINCT key FROM row WHERE key IN (SELECT value FROM json_each(?))')
      .all(storedKeys(keys)),
  )
  const there = new Set(found.map(({ key }) => key))
  return keys.filter((key) => !there.has(storedKey(key)))
}

/** Returns the lines of the rows of a job. */
export function linesIn(database: DatabaseSync): number[] {
  return guardStorage(() => database.prepare('SELECT line FROM row').all()).map(({ line }) => line as number)
}

/** Returns keys as a JSON array of what is stored of each. */
export function storedKeys(keys: Iterable<string>): string {
  return JSON.stringify(Array.from(keys, storedKey))
}

/** Returns a reader of the rows in a job's file. Throws `journal` (exit 9) for a row that is not what was written. */
export function pagesOf(database: DatabaseSync): RowStore['page'] {
  const reader = (where: string) => {
    const columns = 'position, line, key, fields, duplicate_of, problem, sum'
    const statement = database.prepare(
      `SELECT ${columns} FROM row WHERE position > ? ${where} ORDER BY position LIMIT ?`,
    )
    // SQLite returns rows as dictionary-mode objects; reading every row of a job from them takes twice as long.
    statement.setReturnArrays(true)
    return statement
  }
  const pages = guardStorage(() => ({
    all: reader(''),
    actable: reader('AND duplicate_of IS NULL AND problem IS NULL'),
  }))
  return (which, after, limit) => guardStorage(() => pages[which].all(after, limit)).map(placedRow)
}

function placedRow(found: unknown): Placed {
  const [position, line, key, fields, duplicate_of, problem, sum] = found as StoredValues
  return { position, row: rowOf({ position, line, key, fields, duplicate_of, problem, sum }) }
}

type StoredValues = [number, number, string, string, number | null, string | null, number]

/** A row of the table. */
export interface StoredRow {
  position: number
  line: number
  key: string
  fields: string
  duplicate_of: number | null
  problem: string | null
  sum: number
  /** Absent where it was not asked for, and in the journal of an earlier version. */
  ignored?: string | null
  ignored_sum?: number | null
}

/** Reads a row of the table. Throws `journal` (exit 9) when it is not what was written. */
export function rowOf(stored: StoredRow): Row {
  const { position, line, key, fields, duplicate_of, problem, sum, ignored = null, ignored_sum = null } = stored
  const isWritten =
    sum === checksumOf(position, line, key, fields, duplicate_of, problem) &&
    ignored_sum === (ignored === null ? null : checksumOf(position, ignored))
  if (!isWritten) throw damagedJournal(`row ${position} is not what was written`)
  return {
    line,
    key: key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key,
    fields: (readStrictJson(fields) as { value: Fields }).value,
    ...(ignored !== null && { ignored: (readStrictJson(ignored) as { value: Fields }).value }),
    duplicateOf: duplicate_of ?? undefined,
    problem: problem ?? undefined,
  }
}

/** As inside JSON quotes: SQLite's text ends at a NUL and cannot hold half a surrogate pair, and equal must mean equal. */
function storedKey(key: string): string {
  return JSON.stringify(key).slice(1, -1)
}
