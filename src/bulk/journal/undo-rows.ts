// Which rows of a job can be undone: those that certainly changed something.

import type { DatabaseSync } from 'node:sqlite'
import type { Row } from '../input/row.ts'
import { paged } from '../paged.ts'
import { outcomesIn } from './outcome-store.ts'
import { rowOf, type StoredRow } from './row-store.ts'
import { guarded } from './storage-error.ts'

const well = ['ok', 'ok_inferred'] as const

/** Yields the rows that a job certainly changed, in the order of the input. Throws `journal` (exit 9) and `io`. */
export function* changedRows(database: DatabaseSync): Generator<Row, void, undefined> {
  const store = outcomesIn(database)
  for (const page of paged((after, limit) => store.withState(well, after, limit, true))) {
    for (const { row } of page) yield { line: row.line, key: row.key, fields: row.fields }
  }
}

/** Rows for which it is unknown whether the job changed them. */
export interface UnsureRows {
  rows: number
  /** How many of them were answered, by an answer that does not tell whether it changed anything. */
  untold: number
  /** The first few of them. */
  first: Pick<Row, 'line' | 'key'>[]
}

const mostNamed = 5

/**
 * Counts rows that cannot be undone because their effect is unknown: a request that may have been applied, or an answer
 * that did not tell whether it changed anything.
 */
export function unsureRows(database: DatabaseSync): UnsureRows {
  const untold = "outcome.state IN ('ok', 'ok_inferred') AND outcome.changed IS NULL"
  const unsure = `FROM row JOIN progress LEFT JOIN outcome USING (position)
    WHERE duplicate_of IS NULL AND problem IS NULL AND position <= begun AND (outcome.state IS NULL
      OR outcome.lost = 1 OR outcome.state IN ('open', 'unknown')
      OR (${untold}))`
  return guarded(() => {
    const counts = `count(*) AS rows, count(CASE WHEN ${untold} AND outcome.lost IS NOT 1 THEN 1 END) AS untold`
    const counted = database.prepare(`SELECT ${counts} ${unsure}`).get() as Pick<UnsureRows, 'rows' | 'untold'>
    const found = database.prepare(`SELECT row.* ${unsure} ORDER BY position LIMIT ${mostNamed}`).all()
    const first = found.map((stored) => rowOf(stored as unknown as StoredRow))
    return { ...counted, first: first.map(({ line, key }) => ({ line, key })) }
  })
}
