// Makes commits durable without holding up the program: SQLite waits for the disk in the only thread.
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

export interface DiskSync {
  /** Calls back, later, when everything committed until now survives a loss of power, or with the error of the disk. */
  begin(done: (error: unknown) => void): void
  /** Returns when everything committed until now does. Throws the error of the disk. */
  finish(): void
  /** Ends the syncing; no other method may be called afterwards. */
  close(): void
}

/**
 * Takes over from SQLite the waiting for the disk, for an open file.
 *
 * In WAL mode `synchronous=FULL` is `NORMAL` and one sync of the WAL after each commit; the sync is made here instead, by
 * another thread. Without a WAL (a file system that cannot share memory) SQLite keeps waiting itself.
 */
export function diskSyncOf(database: DatabaseSync): DiskSync {
  const { journal_mode } = database.prepare('PRAGMA journal_mode').get() as { journal_mode: string }
  if (journal_mode !== 'wal') return { begin: (done) => void setImmediate(done, null), finish() {}, close() {} }

  database.exec('PRAGMA synchronous = NORMAL')
  // Opened for writing, because Windows does not sync a file that is opened for reading.
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
