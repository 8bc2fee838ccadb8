// How far a job is: the one line of its journal that says what may have been sent, and whether a run has ended.
import type { DatabaseSync } from 'node:sqlite'
import { checksumOf } from './checksum.ts'
import { damagedJournal, guardStorage } from './storage-error.ts'

/** The progress of a job, as it is stored. */
export interface Progress {
  /** The last position up to which rows may have been begun. */
  begun: number
  /** When the last run started, in Unix ms; 0: no run did. */
  run_started_at: number
  /** When and how it ended; null while it runs, or when it was killed. */
  ended_at: number | null
  ended_by: string | null
  /** How many outcomes there were when it ended; 0 while it runs. */
  outcomes: number
  /** How often the journal was written; a file that is behind what is known from elsewhere has lost something. */
  commits: number
}

/** The progress of a job that was never started. It is part of a journal from the start: one without it is damaged. */
export const unbegun: Progress = {
  begun: 0,
  run_started_at: 0,
  ended_at: null,
  ended_by: null,
  outcomes: 0,
  commits: 0,
}

/** Returns the progress of a job. Throws `journal` (exit 9) where it is missing or not what was written. */
export function progressIn(database: DatabaseSync): Progress {
  // In one statement: a run may be writing.
  const sql = 'SELECT progress.*, (SELECT max(position) FROM outcome) AS last FROM progress'
  const found = guardStorage(() => database.prepare(sql).get()) as
    | (Progress & { sum: number; last: number })
    | undefined
  if (found === undefined) throw damagedJournal('its progress is missing')
  const { begun, run_started_at, ended_at, ended_by, outcomes, commits, sum, last } = found
  if (sum !== checksumOf(begun, run_started_at, ended_at, ended_by, outcomes, commits)) {
    throw damagedJournal('its progress is not what was written')
  }
  if ((last ?? 0) > begun) throw damagedJournal('it has outcomes of rows that it says were not begun')
  return { begun, run_started_at, ended_at, ended_by, outcomes, commits }
}

/** Returns the writer of a job's progress. */
export function progressWriter(database: DatabaseSync): (progress: Progress) => void {
  const write = guardStorage(() =>
    database.prepare(
      `INSERT OR REPLACE INTO progress (id, begun, run_started_at, ended_at, ended_by, outcomes, commits, sum)
       VALUES (1, ?, ?, ?, ?, ?, ?, ?)`,
    ),
  )
  return ({ begun, run_started_at, ended_at, ended_by, outcomes, commits }) => {
    const values = [begun, run_started_at, ended_at, ended_by, outcomes, commits] as const
    guardStorage(() => write.run(...values, checksumOf(...values)))
  }
}

/** Returns whether a run has not ended, or was killed. */
export function isUnderWay({ run_started_at, ended_at }: Progress): boolean {
  return run_started_at !== 0 && ended_at === null
}
