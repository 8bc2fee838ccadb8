// How commits of a journal become durable without holding up the requests: SQLite waits for the disk in the only thread.
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

export interface DiskSync {
  /** Calls back, later, when all that was committed until now survives a loss of power, or with what the disk said. */
  begin(done: (error: unknown) => void): void
  /** Returns when all that was committed until now does. Throws what the disk said. */
  finish(): void
  /** Nothing may follow. */
  close(): void
}

/**
 * Takes over the waiting for the disk from an open SQLite file.
 *
 * In WAL mode `synchronous=FULL` is `NORMAL` and one sync of the WAL after each commit; the sync is made here instead, by
 * another thread. Without a WAL (a file system that cannot share memory) SQLite goes on waiting itself.
 */
export function diskSyncOf(database: DatabaseSync): DiskSync {
  const { journal_mode } = database.prepare('PRAGMA journal_mode').get() as { journal_mode: string }
  if (journal_mode !== 'wal') return { begin: (done) => void setImmediate(done, null), finish() {}, close() {} }

  database.exec('PRAGMA synchronous = NORMAL')
  // For writing, because Windows syncs no file that was opened to be read.
  const file = openSync(`${database.location()}-wal`, 'r+')
  let isBusy = false
  let isClosed = false

  return {
    begin(done) {
      isBusy = true
      fdatasync(file, (error) => {
        isBusy = false
        if (isClosed) closeSync(file)
        done(error)
      })
    },
    finish: () => fdatasyncSync(file),
    close() {
      isClosed = true
      if (!isBusy) closeSync(file)
    },
  }
}
