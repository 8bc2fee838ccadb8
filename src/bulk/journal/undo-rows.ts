// Which rows of a job can be undone: those that certainly had an effect.

import type { DatabaseSync } from 'node:sqlite'
import type { RowResults } from '../input/report-columns.ts'
import type { Row } from '../input/row.ts'
import { readPages } from '../paged.ts'
import { outcomesIn } from './outcome-store.ts'
import { rowOf, type StoredRow, storedKeys } from './row-store.ts'
import { guardStorage } from './storage-error.ts'

/** Which rows have an effect: those that changed something, or all that were applied. */
export type Effective = 'changed' | 'applied'

/** A row that had an effect, and what the journal keeps of its answer. */
export interface EffectiveRow {
  row: Row
  results: RowResults
}

/** The states of rows that certainly had an effect. */
export const undoableStates = ['ok', 'ok_inferred'] as const

/** Which rows an undo takes; an absent member leaves none out. */
export interface RowChoice {
  keys?: ReadonlySet<string> | undefined
  state?: (typeof undoableStates)[number] | undefined
  /** The lines that other undos took. */
  taken?: ReadonlySet<number> | undefined
}

/** Yields the rows of a job that certainly had an effect, in the order of the input. Throws `journal` (exit 9) and `io`. */
export function* effectiveRows(
  database: DatabaseSync,
  which: Effective,
  { keys, state, taken }: RowChoice = {},
): Generator<EffectiveRow, void, undefined> {
  const store = outcomesIn(database)
  const states = state === undefined ? undoableStates : [state]
  for (const page of readPages((after, limit) => store.withState(states, after, limit, which === 'changed'))) {
    for (const { row, outcome } of page) {
      if (keys?.has(row.key) === false || taken?.has(row.line)) continue
      yield { row: { line: row.line, key: row.key, fields: row.fields }, results: outcome?.results ?? {} }
    }
  }
}

/** Rows that are left alone. */
export interface LeftRows {
  rows: number
  /** The first few of them. */
  first: Pick<Row, 'line' | 'key'>[]
}

/** Rows for which it is unknown whether the job had an effect. */
export interface UnsureRows extends LeftRows {
  /** How many of them were answered, by an answer that does not tell whether it changed anything. */
  untold: number
}

/** How many of the rows that are left alone are named. */
export const mostNamed = 5

/**
 * Counts rows that cannot be undone because their effect is unknown: a request that may have been applied, or, where only
 * changes count, an answer that did not tell whether it changed anything.
 */
export function unsureRows(database: DatabaseSync, which: Effective, { keys, state }: RowChoice = {}): UnsureRows {
  const isUntold = which === 'changed' ? "outcome.state IN ('ok', 'ok_inferred') AND outcome.changed IS NULL" : '0'
  const unsure = `FROM row JOIN progress LEFT JOIN outcome USING (position)
    WHERE duplicate_of IS NULL AND problem IS NULL AND position <= begun AND (outcome.state IS NULL
      OR outcome.lost = 1 OR outcome.state IN ('open', 'unknown')
      OR (${isUntold}))
    ${keys === undefined ? '' : 'AND key IN (SELECT value FROM json_each(:keys))'}
    ${state === undefined ? '' : 'AND outcome.state = :state'}`
  const chosen = { ...(keys && { keys: storedKeys(keys) }), ...(state && { state }) }
  return guardStorage(() => {
    const counts = `count(*) AS rows, count(CASE WHEN ${isUntold} AND outcome.lost IS NOT 1 THEN 1 END) AS untold`
    const counted = database.prepare(`SELECT ${counts} ${unsure}`).get(chosen) as Pick<UnsureRows, 'rows' | 'untold'>
    const found = database.prepare(`SELECT row.* ${unsure} ORDER BY position LIMIT ${mostNamed}`).all(chosen)
    const first = found.map((stored) => rowOf(stored as unknown as StoredRow))
    return { ...counted, first: first.map(({ line, key }) => ({ line, key })) }
  })
}

/** Counts the named rows of a job that had no effect, by outcome: `failed`, or `unchanged`. */
export function idleRows(database: DatabaseSync, which: Effective, { keys, taken }: RowChoice): Map<string, number> {
  const done = which === 'changed' ? "outcome.state IN ('ok', 'ok_inferred') AND outcome.changed = 0" : '0'
  const found = guardStorage(() =>
    database
      .prepare(
        `SELECT line, CASE WHEN ${done} THEN 'unchanged' ELSE coalesce(outcome.state, 'pending') END AS state
        FROM row LEFT JOIN outcome USING (position)
        WHERE duplicate_of IS NULL AND problem IS NULL AND key IN (SELECT value FROM json_each(?))
          AND outcome.lost IS NOT 1 AND (${done} OR coalesce(outcome.state, '') NOT IN ('ok', 'ok_inferred', 'open', 'unknown'))`,
      )
      .all(storedKeys(keys ?? [])),
  )
  const counts = new Map<string, number>()
  for (const { line, state } of found as { line: number; state: string }[])
    if (!taken?.has(line)) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts
}
