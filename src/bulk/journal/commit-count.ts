// How many commits of a journal are on the disk, kept next to it: SQLite takes a log that was cut, or whose bytes changed,
// for one that ends there, and rows recorded after that place would be sent again.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'

/** The count of the journal under this path is in the file with this added to its name. */
export const countSuffix = '-commits'

/** Keeps the count while a run writes. */
export interface CommitCount {
  /** Records that so many commits are durable. Never throws: a count that is too low proves nothing, and does no harm. */
  reached(commits: number): void
  close(): void
}

/** Opens the count of the journal under this path. */
export function commitCountOf(path: string): CommitCount {
  let file: number | undefined
  try {
    file = openSync(`${path}${countSuffix}`, 'w', 0o600)
  } catch {
    file = undefined
  }
  return {
    reached(commits) {
      try {
        // It is not synced: after a loss of power it may be behind the journal, and never ahead of it.
        if (file !== undefined) writeSync(file, String(commits).padStart(15), 0)
      } catch {
        // A full disk.
      }
    },
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** Returns how many commits the journal under this path must have; 0 where no run is known to write it. */
export function knownCommits(path: string): number {
  try {
    return Number(readFileSync(`${path}${countSuffix}`, 'latin1')) || 0
  } catch {
    return 0
  }
}

/** Removes the count of a journal that is complete in its own file. */
export function forgetCommits(path: string): void {
  rmSync(`${path}${countSuffix}`, { force: true })
}
