// One wait for the disk for everything that was committed before it, while the next requests are already processed.
import type { DatabaseSync } from 'node:sqlite'
import { type DiskSync, diskSyncOf } from '../../base/disk-sync.ts'

export interface SharedSync {
  /** Takes over from SQLite the waiting for the disk. To be called outside a transaction; then again without effect. */
  takeOver: () => void
  /** Tells of a commit that has not waited for the disk. */
  ranAhead: () => void
  /** Calls back, at once when nothing is on its way, when every commit so far is on disk, or with the disk's error. */
  whenDurable: (done: (error: unknown) => void) => void
  /** Returns when every commit so far is on disk. Throws the error of the disk. */
  finish: () => void
  close: () => void
}

/** Returns the sync of a connection. SQLite itself waits for the disk until it is taken over. */
export function sharedSyncOf(connection: DatabaseSync): SharedSync {
  let disk: DiskSync | undefined
  let isBehind = false
  let isBusy = false
  let waiting: Array<(error: unknown) => void> = []

  const start = () => {
    const those = waiting
    waiting = []
    isBusy = true
    isBehind = false
    disk?.begin((error) => {
      isBusy = false
      if (error) isBehind = true
      for (const done of those) done(error)
      next()
    })
  }
  const next = () => {
    if (isBusy || waiting.length === 0) return
    if (isBehind) return start()
    // These have only read, and what they read is on disk now.
    const those = waiting
    waiting = []
    for (const done of those) done(null)
  }
  return {
    takeOver: () => {
      disk ??= diskSyncOf(connection)
    },
    ranAhead: () => {
      isBehind = true
    },
    whenDurable: (done) => {
      if (!isBehind && !isBusy) return done(null)
      waiting.push(done)
      next()
    },
    finish: () => {
      disk?.finish()
      isBehind = false
    },
    close: () => disk?.close(),
  }
}
