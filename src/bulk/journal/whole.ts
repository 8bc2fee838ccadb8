// Whether a journal is all of what was written: what a checksum of a single line cannot tell.
import type { DatabaseSync } from 'node:sqlite'
import type { JobHeader } from './job.ts'
import { outcomeCount, outcomesIn } from './outcome-store.ts'
import { progressIn } from './progress.ts'
import { damagedJournal, guardStorage } from './storage-error.ts'

/**
 * Reads the whole journal: pages that SQLite itself finds damaged, missing rows, outcomes that were changed.
 *
 * Counting would not notice those, and a row whose outcome is not read is neither sent again nor undone. Throws
 * `journal` (exit 9) and `io` (exit 10).
 */
export function mustBeWhole(database: DatabaseSync, { rows: { total } }: Pick<JobHeader, 'rows'>): void {
  guardStorage(() => {
    const { quick_check } = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string }
    if (quick_check !== 'ok') throw damagedJournal(quick_check)
    const { rows } = database.prepare('SELECT count(*) AS rows FROM row').get() as { rows: number }
    if (rows !== total) throw damagedJournal(`it has ${rows} rows, and had ${total}`)
    const { ended_at, outcomes } = progressIn(database)
    const there = outcomeCount(database)
    if (ended_at !== null && there !== outcomes) throw damagedJournal(`it has ${there} outcomes, and had ${outcomes}`)
  })
  outcomesIn(database).verify()
}
