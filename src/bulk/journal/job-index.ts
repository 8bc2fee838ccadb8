// What the files of ended jobs said when they were last read: a list of thousands opens only those that changed since.

import { closeSync, existsSync, lstatSync, openSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { removeUnlessHeld } from '../../base/files/held.ts'
import { refuseSharedState } from '../../base/files/privacy.ts'
import { openSqlite } from '../../base/open-sqlite.ts'
import { isSqliteError } from '../../base/sqlite.ts'
import type { Tally } from '../summary.ts'
import { checksumOf } from './checksum.ts'
import { headerIn, type JobFile, type JobHeader, readJournal } from './job.ts'
import { removeJournalFile } from './journal-file.ts'
import { outcomesIn } from './outcome-store.ts'

/** How the last run of a job ended. */
export interface EndedRun {
  tally: Tally
  startedAtMs: number | null
  endedAtMs: number
  endedBy: string
}

/** What a job's file says; `ended` is absent while a run is in progress, after one was killed, and before the first. */
export interface ReadJob {
  header: JobHeader
  ended?: EndedRun
}

/** Reads the header of a job and the end of its last run. Throws `journal` (exit 9), `config` (exit 4) and `io` (exit 10). */
export function readJob(path: string): ReadJob {
  return readJournal(path, (database) => {
    const store = outcomesIn(database)
    const end = store.end()
    const header = headerIn(database)
    if (end === null) return { header }
    const ended = { tally: store.tally(), startedAtMs: store.startedAtMs(), endedAtMs: end.atMs, endedBy: end.by }
    return { header, ended }
  })
}

interface Entry {
  mark: string
  job: string
  sum: number
}

/** The name of the index in the folder of the jobs; it can be deleted at any time. */
const indexName = 'index.sqlite'

// Nothing of a job that was removed stays in the file.
const schema = `
  PRAGMA secure_delete = ON;
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS ended (name TEXT PRIMARY KEY, mark TEXT NOT NULL, job TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
`

/**
 * Reads jobs of the folder they share, in the order of `files`, through its index.
 *
 * A job that ended is read from the index while its file is the very one that was indexed (inode, size, and times of content
 * and owner). Whatever is wrong with the index is not an error: jobs are then read from their files, and it is written again
 * if possible. `failed` makes the result for a file that cannot be read, of what reading it throws.
 */
export function indexedJobs<Failed>(
  dir: string,
  files: readonly JobFile[],
  failed: (error: unknown) => Failed,
): (ReadJob | Failed)[] {
  if (files.length === 0) return []
  const names = new Set(readdirSync(dir))
  const added = new Map<string, Entry>()
  const read = (find: (name: string) => Entry | undefined) =>
    files.map((file) => {
      const name = basename(file.path)
      try {
        // A run that is in progress, or was killed, has a log.
        const mark = names.has(`${name}-wal`) ? undefined : markOf(file.path)
        const found = mark === undefined ? undefined : find(name)
        if (found !== undefined && found.mark === mark && found.sum === checksumOf(name, mark, found.job))
          return JSON.parse(found.job) as ReadJob
        const job = readJob(file.path)
        if (mark !== undefined && job.ended !== undefined && markOf(file.path) === mark) {
          const text = JSON.stringify(job)
          added.set(name, { mark, job: text, sum: checksumOf(name, mark, text) })
        }
        return job
      } catch (error) {
        return failed(error)
      }
    })
  const jobs = within(dir, { readOnly: true }, (database) => {
    const one = database.prepare('SELECT mark, job, sum FROM ended WHERE name = ?')
    return read((name) => one.get(name) as unknown as Entry | undefined)
  })
  const all = jobs ?? read(() => undefined)
  if (added.size > 0) keep(dir, added, names)
  return all
}

/** Removes the file of a job, and what the index of its folder has of it. */
export async function removeJob(path: string): Promise<void> {
  await removeJournalFile(path)
  const dir = dirname(path)
  const index = join(dir, indexName)
  if (!existsSync(index)) return
  // Only this one: a job of many removals does not read the folder for each.
  const isEmpty = within(dir, { readOnly: false }, (database) => {
    database.exec(schema)
    database.prepare('DELETE FROM ended WHERE name = ?').run(basename(path))
    const left = database.prepare('SELECT 1 FROM ended LIMIT 1').get()
    database.exec('COMMIT')
    return left === undefined
  })
  if (isEmpty) removeUnlessHeld(index)
}

function markOf(path: string): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stat && [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
}

/** Adds entries, and removes those of files that are gone. */
function keep(dir: string, added: ReadonlyMap<string, Entry>, names: ReadonlySet<string>): void {
  within(dir, { readOnly: false }, (database) => {
    database.exec(schema)
    const put = database.prepare('INSERT OR REPLACE INTO ended (name, mark, job, sum) VALUES (?, ?, ?, ?)')
    for (const [name, { mark, job, sum }] of added) put.run(name, mark, job, sum)
    const remove = database.prepare('DELETE FROM ended WHERE name = ?')
    for (const { name } of database.prepare('SELECT name FROM ended').all())
      if (!names.has(name as string)) remove.run(name as string)
    database.exec('COMMIT')
  })
}

/** Opens the index for some work. What is not an index is removed; anything else that fails leaves it as it is. */
function within<Result>(
  dir: string,
  { readOnly }: { readOnly: boolean },
  work: (database: DatabaseSync) => Result,
): Result | undefined {
  const path = join(dir, indexName)
  try {
    refuseSharedState(path)
    if (!readOnly) closeSync(openSync(path, 'a', 0o600))
    else if (!existsSync(path)) return undefined
    // Another process that writes it at the moment knows the same.
    const database = openSqlite(path, { timeout: 0, readOnly })
    try {
      return work(database)
    } finally {
      database.close()
    }
  } catch (error) {
    if (isSqliteError(error, 'notADatabase', 'corrupt', 'error')) removeUnlessHeld(path)
    return undefined
  }
}
