// Why rows of a job went wrong: the reasons with their numbers, in one query and flat memory.
import type { DatabaseSync } from 'node:sqlite'
import { guardStorage } from './storage-error.ts'

/** A reason that rows of a job share. */
export interface RowErrors {
  /** The service's own key where it sent one, otherwise the kind of the error. */
  key: string
  /** The status of the answer; null where there was none. */
  status: number | null
  rows: number
  /** The newest of these rows. */
  line: number
  message: string
}

/**
 * Returns the reasons why rows went wrong, or ended well with a note (a cart that is not valid), the most frequent first,
 * each with the message of its last row.
 */
export function errorsIn(database: DatabaseSync, most: number): RowErrors[] {
  // SQLite takes the other columns from the row with the maximum.
  const reasons = `
    SELECT coalesce(error ->> '$.api.key', error ->> '$.kind', 'unknown') AS key, error ->> '$.http.status' AS status,
      count(*) AS rows, max(position) AS position, row.line AS line, error ->> '$.message' AS message
    FROM outcome JOIN row USING (position)
    WHERE error IS NOT NULL AND state IN ('ok', 'failed', 'conflict', 'exhausted', 'unknown', 'skipped')
    GROUP BY 1, 2
    UNION ALL
    SELECT 'input', NULL, count(*), max(position), line, problem
    FROM row, progress WHERE problem IS NOT NULL AND position <= begun HAVING count(*) > 0
    ORDER BY rows DESC, position DESC LIMIT ?`
  const found = guardStorage(() => database.prepare(reasons).all(most)) as unknown as (RowErrors & {
    position: number
  })[]
  return found.map(({ position: _, ...reason }) => reason)
}
