// The SQLite file in which checked rows wait for their turn. The only file of bulk/ that speaks SQL.
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EXIT, PromoError } from '../errors.ts'
import type { Fields, Row } from './row.ts'
import { loadSqlite } from './sqlite.ts'
import { readJson } from './strict-json.ts'

/** Which rows are read back: all, or only those that can be acted on. */
export type Which = 'all' | 'actable'

export interface RowStore {
  /** Adds a row behind the others. */
  add(row: Row): void
  /** Gives the row with this key that can be acted on; the duplicates of it cannot. */
  first(key: string): Row | undefined
  /** Makes the rows durable; nothing can be added after it. */
  seal(): void
  /** Gives up to `limit` rows behind a position; the first position is 1. */
  page(which: Which, after: number, limit: number): { position: number; row: Row }[]
  /** Counts texts that are written by several keys which differ only in how accents are composed. */
  lookalikes(): number
  /** Removes the file. */
  close(): Promise<void>
}

const schema = `
  CREATE TABLE row (
    position INTEGER PRIMARY KEY,
    line INTEGER NOT NULL,
    key TEXT NOT NULL,
    composed TEXT,
    fields TEXT NOT NULL,
    duplicate_of INTEGER,
    problem TEXT
  ) STRICT;
  CREATE INDEX row_by_key ON row (key) WHERE duplicate_of IS NULL AND problem IS NULL;
  CREATE INDEX row_by_composed ON row (composed) WHERE composed IS NOT NULL;
  BEGIN;
`

/**
 * Makes an empty store: a 0600 file in a new 0700 folder below `dir`, which is made when it is missing.
 *
 * Throws `io` (exit 10) when the disk is full or cannot be written, here and in every method.
 */
export async function openRowStore(dir: string): Promise<RowStore> {
  const folder = await newFolder(dir)
  const path = join(folder, 'rows.sqlite')
  const { DatabaseSync } = loadSqlite()
  const database = guarded(() => {
    const opened = new DatabaseSync(path, { timeout: 5000 })
    opened.exec(schema)
    return opened
  })
  const insert = database.prepare(
    'INSERT INTO row (line, key, composed, fields, duplicate_of, problem) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const byKey = database.prepare('SELECT * FROM row WHERE key = ? AND duplicate_of IS NULL AND problem IS NULL LIMIT 1')
  const pages = {
    all: database.prepare('SELECT * FROM row WHERE position > ? ORDER BY position LIMIT ?'),
    actable: database.prepare(
      'SELECT * FROM row WHERE position > ? AND duplicate_of IS NULL AND problem IS NULL ORDER BY position LIMIT ?',
    ),
  }

  return {
    add({ line, key, fields, duplicateOf, problem }) {
      const composed = /^[\x20-\x7e]*$/.test(key) ? null : storedKey(key.normalize('NFC'))
      guarded(() =>
        insert.run(line, storedKey(key), composed, JSON.stringify(fields), duplicateOf ?? null, problem ?? null),
      )
    },
    first(key) {
      const found = guarded(() => byKey.get(storedKey(key)))
      return found && rowOf(found as unknown as StoredRow)
    },
    seal: () => guarded(() => database.exec('COMMIT')),
    page: (which, after, limit) =>
      guarded(() => pages[which].all(after, limit)).map((found) => {
        const stored = found as unknown as StoredRow
        return { position: stored.position, row: rowOf(stored) }
      }),
    lookalikes() {
      const groups =
        'SELECT composed FROM row WHERE composed IS NOT NULL GROUP BY composed HAVING count(DISTINCT key) > 1'
      return guarded(() => database.prepare(`SELECT count(*) AS found FROM (${groups})`).get())?.found as number
    },
    async close() {
      if (database.isOpen) database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface StoredRow {
  position: number
  line: number
  key: string
  fields: string
  duplicate_of: number | null
  problem: string | null
}

function rowOf({ line, key, fields, duplicate_of, problem }: StoredRow): Row {
  return {
    line,
    key: JSON.parse(`"${key}"`) as string,
    fields: (readJson(fields) as { value: Fields }).value,
    ...(duplicate_of === null ? {} : { duplicateOf: duplicate_of }),
    ...(problem === null ? {} : { problem }),
  }
}

/** As inside JSON quotes: SQLite's text ends at a NUL and cannot hold half a surrogate pair, and equal must mean equal. */
function storedKey(key: string): string {
  return JSON.stringify(key).slice(1, -1)
}

async function newFolder(dir: string): Promise<string> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const folder = await mkdtemp(join(dir, 'rows-'))
    // Codes are worth money: SQLite would make the file readable for all, and gives its journal the file's own mode.
    const file = await open(join(folder, 'rows.sqlite'), 'wx', 0o600)
    await file.close()
    return folder
  } catch (error) {
    throw storageError(error)
  }
}

function guarded<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw storageError(error)
  }
}

function storageError(error: unknown): PromoError {
  const reason = error instanceof Error ? error.message : String(error)
  return new PromoError('io', EXIT.io, `the rows cannot be kept in the state folder: ${reason}`, {
    hint: 'free some space, or point PROMO_STATE_DIR to another disk',
    cause: error,
  })
}
