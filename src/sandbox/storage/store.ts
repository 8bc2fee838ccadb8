// The interface to the sandbox's stored state: collections by project, recorded events, jobs, a few named facts.
import type { Collection, Declaration, Stored } from './collection.ts'
import { type Database, openDatabase } from './database.ts'
import { type JobQueue, jobQueueOf } from './job-queue.ts'
import { type Outbox, outboxOf } from './outbox.ts'
import { createSchema } from './schema.ts'
import { type Table, tableOf } from './table.ts'

export interface Store extends Pick<Database, 'transaction' | 'savepoint' | 'piecewise' | 'reading'> {
  /** With `ignoresCase`, natural keys that differ only by case are equal, in collections that allow it. */
  in: <Doc extends Stored>(declared: Collection<Doc>, projectId: string, ignoresCase?: boolean) => Table<Doc>
  outbox: Outbox
  /** Work to be done after the answer. */
  jobs: JobQueue
  /** Returns a named fact of the installation, stored as JSON; undefined when it was never set. */
  fact: <T>(name: string) => T | undefined
  setFact: (name: string, value: unknown) => void
  /** The connection, for the files of this folder. */
  db: Database
  close: () => void
}

/**
 * Databases without objects, by their collections: to create the tables takes five times as long as to copy them. The first
 * leaves no image, since most processes open one only.
 */
const emptyImages = new Map<string, Uint8Array | undefined>()

/**
 * Opens a sandbox file (or `:memory:`, empty or as the copy of an `image`) with the given collections. In memory, the third and
 * later ones of a process have room for 1 GiB, as SQLite limits copies. Throws SandboxError as openDatabase does.
 */
export function openStore(file: string, declarations: readonly Declaration[], image?: Uint8Array): Store {
  const isInMemory = file === ':memory:'
  const layout = isInMemory ? JSON.stringify(declarations) : ''
  const db = openDatabase(file, { image: image ?? emptyImages.get(layout) })
  try {
    createSchema(db, declarations)
    if (isInMemory && image === undefined && emptyImages.get(layout) === undefined)
      emptyImages.set(layout, emptyImages.has(layout) ? db.image() : undefined)
  } catch (error) {
    db.close()
    throw error
  }
  // By declaration and then by project: a name put together from both would be made, and hashed, for every access.
  const tables = new Map<Declaration, Map<string, Table<Stored>>>()
  return {
    in: <Doc extends Stored>(declared: Collection<Doc>, projectId: string, ignoresCase = false) => {
      const scope = ignoresCase ? `${projectId} ignoring case` : projectId
      const known = tables.get(declared) ?? new Map<string, Table<Stored>>()
      const table = known.get(scope) ?? (tableOf(db, declared, projectId, ignoresCase) as unknown as Table<Stored>)
      known.set(scope, table)
      tables.set(declared, known)
      // One declaration has one document type, so the cached table has it too.
      return table as unknown as Table<Doc>
    },
    outbox: outboxOf(db),
    jobs: jobQueueOf(db),
    fact: <T>(name: string) => {
      const row = db.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', `fact.${name}`)
      return row ? (JSON.parse(row.value) as T) : undefined
    },
    setFact: (name, value) => {
      db.run(
        'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        `fact.${name}`,
        JSON.stringify(value),
      )
    },
    transaction: db.transaction,
    savepoint: db.savepoint,
    piecewise: db.piecewise,
    reading: db.reading,
    db,
    close: db.close,
  }
}
