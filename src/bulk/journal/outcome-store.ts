// The outcome of each row, in the SQLite file of the job: intents, outcomes, and which rows are left.

import type { DatabaseSync } from 'node:sqlite'
import { readStrictJson } from '../../base/strict-json.ts'
import type { RowResults } from '../input/report-columns.ts'
import type { Row } from '../input/row.ts'
import { pageRows, readPages } from '../paged.ts'
import { type ActedState, emptyCounts, type RowState, type Tally } from '../summary.ts'
import { checksumOf } from './checksum.ts'
import { type Progress, progressIn, progressWriter } from './progress.ts'
import { type Placed, rowOf, type StoredRow } from './row-store.ts'
import { damagedJournal, guardStorage } from './storage-error.ts'

/** The state of a row in the journal; `open` is a row whose request may have left, without an outcome. */
export type RecordedState = ActedState | 'open'

/** An outcome as it is kept: without the answer, which may be large and belongs to the service, but for the ids in it. */
export interface KeptOutcome {
  state: RecordedState
  lost: boolean
  changed?: boolean | undefined
  attempts: number
  requestId?: string | undefined
  /** The error as JSON output shows it. */
  error?: unknown
  /** What the row made. */
  results?: RowResults | undefined
  begunAtMs?: number | undefined
  /** The position of the first row of the request that may have been applied. */
  group?: number | undefined
}

export interface OutcomeStore {
  /** The last position up to which rows may have been begun. */
  begun(): number
  /** Returns the number of this commit. */
  setBegun(position: number): number
  /** Records when this run started (Unix ms), and that no run has ended the job since. */
  start(atMs: number): void
  /** When the last run started, in Unix ms; null when none did. */
  startedAtMs(): number | null
  /** When and how the last run ended; null while one is in progress, or when it was killed. */
  end(): { atMs: number; by: string } | null
  setEnd(atMs: number, by: string): void
  /** Records rows that were begun and have no outcome, to distinguish them from later rows. */
  openIntents(): number
  /** Only within `inTransaction`. */
  put(position: number, outcome: KeptOutcome): void
  /** Turns every open row into an unknown one, for calls that must not be sent again. */
  settleOpen(error: unknown): void
  /** Counts rows by state, what they changed, and which of them have an error although they ended well. */
  tally(): Tally
  /** Counts the rows with an outcome in one of these states. */
  countOf(states: readonly RecordedState[]): number
  /** Returns up to `limit` rows with an outcome in one of these states, after a position. */
  withState(states: readonly RecordedState[], after: number, limit: number, onlyChanged?: boolean): RecordedRow[]
  /**
   * Returns up to `limit` rows of all kinds after a position, each with what is known about it. With `states`, rows that
   * certainly have an outcome in another state are omitted.
   */
  report(after: number, limit: number, states?: readonly RowState[]): RecordedRow[]
  /** Returns all of them. */
  all(): RecordedRow[]
  /** Reads every outcome; throws `journal` (exit 9) when one is not what was written. */
  verify(): void
  inTransaction(work: () => void): void
}

/** A row with its record in the journal; null: it was not begun. */
export interface RecordedRow extends Placed {
  outcome: KeptOutcome | null
}

/** Returns the reader and writer of a job's outcomes. Every method throws `io` (exit 10) or `journal` (exit 9). */
export function outcomesIn(database: DatabaseSync): OutcomeStore {
  const read = (sql: string) => guardStorage(() => database.prepare(sql))
  const one = <Value>(sql: string, ...values: (string | number | null)[]) =>
    guardStorage(() => read(sql).get(...values)) as Value
  const put = read(
    `INSERT INTO outcome (position, state, lost, changed, attempts, request_id, error, results, begun_at, request_group, sum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (position) DO UPDATE SET state = excluded.state,
     lost = excluded.lost, changed = excluded.changed, attempts = excluded.attempts, request_id = excluded.request_id,
     error = excluded.error, results = excluded.results, begun_at = excluded.begun_at, request_group = excluded.request_group, sum = excluded.sum`,
  )
  const setProgress = progressWriter(database)
  const progress = () => progressIn(database)

  function change(part: Partial<Progress>): number {
    const before = progress()
    const commits = before.commits + 1
    setProgress({ ...before, ...part, commits })
    return commits
  }

  function store(position: number, outcome: KeptOutcome): void {
    const { state, attempts, requestId = null, begunAtMs = null, group = null } = outcome
    const lost = outcome.lost ? 1 : 0
    const changed = outcome.changed === undefined ? null : outcome.changed ? 1 : 0
    const error = outcome.error === undefined ? null : JSON.stringify(outcome.error)
    const results = outcome.results === undefined ? null : JSON.stringify(outcome.results)
    const values = [position, state, lost, changed, attempts, requestId, error, results, begunAtMs, group]
    put.run(...values, checksumOf(...values))
  }

  function openIntents(): number {
    const { begun, run_started_at } = progress()
    const left = guardStorage(() =>
      read(
        `SELECT position FROM row WHERE position <= ? AND duplicate_of IS NULL AND problem IS NULL
         AND position NOT IN (SELECT position FROM outcome)`,
      ).all(begun),
    ) as { position: number }[]
    for (const { position } of left) {
      store(position, { state: 'open', lost: true, attempts: 0, begunAtMs: run_started_at })
    }
    return left.length
  }

  return {
    begun: () => progress().begun,
    setBegun: (begun) => change({ begun }),
    start: (atMs) => void change({ run_started_at: atMs, ended_at: null, ended_by: null, outcomes: 0 }),
    startedAtMs: () => progress().run_started_at || null,
    end() {
      const { ended_at, ended_by } = progress()
      return ended_at === null ? null : { atMs: ended_at, by: ended_by ?? '' }
    },
    setEnd: (atMs, by) => void change({ ended_at: atMs, ended_by: by, outcomes: outcomeCount(database) }),
    openIntents: () => guardStorage(openIntents),
    put: store,
    settleOpen(error) {
      for (;;) {
        const open = this.withState(['open'], 0, pageRows)
        for (const { position, outcome } of open) {
          if (outcome) store(position, { ...outcome, state: 'unknown', lost: true, error })
        }
        if (open.length < pageRows) return
      }
    },
    tally() {
      const counts = emptyCounts()
      const groups = guardStorage(() =>
        read(
          'SELECT state, changed, error IS NOT NULL AS has_error, count(*) AS rows FROM outcome GROUP BY state, changed, has_error',
        ).all(),
      ) as { state: RecordedState; changed: number | null; has_error: number; rows: number }[]
      const tally: Tally = { counts, changed: 0, unchanged: 0, noted: 0, inFlight: 0 }
      for (const { state, changed, has_error, rows } of groups) {
        if (state === 'open') tally.inFlight += rows
        else counts[state] += rows
        const isDone = state === 'ok'
        if (isDone && changed === 1) tally.changed += rows
        if (isDone && changed === 0) tally.unchanged += rows
        if (isDone && has_error === 1) tally.noted += rows
      }
      const recorded = groups.reduce((sum, { rows }) => sum + rows, 0)
      const ended = recorded - counts.pending - tally.inFlight
      const { begun } = progress()
      const { all, duplicates, bad, reached } = one<Record<'all' | 'duplicates' | 'bad' | 'reached', number>>(
        `SELECT count(*) AS "all", coalesce(sum(duplicate_of IS NOT NULL AND position <= ?1), 0) AS duplicates,
           coalesce(sum(problem IS NOT NULL AND position <= ?1), 0) AS bad,
           coalesce(sum(position <= ?1), 0) AS reached
         FROM row`,
        begun,
      )
      counts.duplicate = duplicates
      counts.skipped += bad
      tally.inFlight += reached - duplicates - bad - recorded
      counts.pending = all - duplicates - bad - ended
      return tally
    },
    countOf(states) {
      const marks = states.map(() => '?').join(', ')
      return one<{ rows: number }>(`SELECT count(*) AS rows FROM outcome WHERE state IN (${marks})`, ...states).rows
    },
    withState(states, after, limit, onlyChanged = false) {
      const marks = states.map(() => '?').join(', ')
      const changed = onlyChanged ? 'AND outcome.changed = 1' : ''
      const found = guardStorage(() =>
        read(
          `SELECT row.*, ${outcomeColumns} FROM outcome JOIN row USING (position)
           WHERE outcome.state IN (${marks}) AND position > ? ${changed} ORDER BY position LIMIT ?`,
        ).all(...states, after, limit),
      )
      return found.map((stored) => rowWithOutcome(stored as unknown as StoredRow & StoredOutcome))
    },
    report(after, limit, states) {
      const marks = states?.map(() => '?').join(', ')
      const only = states ? `AND (outcome.state IS NULL OR outcome.state IN ('open', ${marks}))` : ''
      const found = guardStorage(() =>
        read(
          `SELECT row.*, ${outcomeColumns} FROM row LEFT JOIN outcome USING (position)
           WHERE position > ? ${only} ORDER BY position LIMIT ?`,
        ).all(after, ...(states ?? []), limit),
      )
      return found.map((stored) => rowWithOutcome(stored as unknown as StoredRow & StoredOutcome))
    },
    all() {
      return [...readPages((after, limit) => this.report(after, limit))].flat()
    },
    verify() {
      const columns =
        'position, state, lost, changed, attempts, request_id, error, results, begun_at, request_group, sum'
      const page = read(`SELECT ${columns} FROM outcome WHERE position > ? ORDER BY position LIMIT ${pageRows}`)
      page.setReturnArrays(true)
      for (let after = 0; ; ) {
        const found = guardStorage(() => page.all(after)) as unknown as (string | number | null)[][]
        for (const values of found) {
          if (checksumOf(...values.slice(0, -1)) !== values.at(-1)) throw changedOutcome(values[0] as number)
        }
        after = (found.at(-1)?.[0] as number | undefined) ?? after
        if (found.length < pageRows) return
      }
    },
    inTransaction(work) {
      guardStorage(() => {
        database.exec('BEGIN IMMEDIATE')
        try {
          work()
          database.exec('COMMIT')
        } catch (error) {
          // On a full disk SQLite has already rolled back.
          if (database.isTransaction) database.exec('ROLLBACK')
          throw error
        }
      }, 'the journal cannot be written')
    },
  }
}

function changedOutcome(position: number) {
  return damagedJournal(`the outcome of row ${position} is not what was written`)
}

const outcomeColumns = `outcome.state, outcome.lost, outcome.changed, outcome.attempts, outcome.request_id, outcome.error,
  outcome.results, outcome.begun_at, outcome.request_group, outcome.sum AS outcome_sum`

interface StoredOutcome {
  state: RecordedState | null
  lost: number
  changed: number | null
  attempts: number
  request_id: string | null
  error: string | null
  results: string | null
  begun_at: number | null
  request_group: number | null
  outcome_sum: number
}

function rowWithOutcome(stored: StoredRow & StoredOutcome): RecordedRow {
  const { position, state, lost, changed, attempts, request_id, error, results, begun_at, request_group } = stored
  const row: Row = rowOf(stored)
  if (state === null) return { position, row, outcome: null }
  const sum = checksumOf(position, state, lost, changed, attempts, request_id, error, results, begun_at, request_group)
  if (sum !== stored.outcome_sum) throw changedOutcome(position)
  const outcome: KeptOutcome = {
    state,
    lost: lost === 1,
    ...(changed !== null && { changed: changed === 1 }),
    attempts,
    ...(request_id !== null && { requestId: request_id }),
    ...(error !== null && { error: (readStrictJson(error) as { value: unknown }).value }),
    ...(results !== null && { results: JSON.parse(results) as RowResults }),
    ...(begun_at !== null && { begunAtMs: begun_at }),
    ...(request_group !== null && { group: request_group }),
  }
  return { position, row, outcome }
}

/** Counts the outcomes and intents that are recorded. */
export function outcomeCount(database: DatabaseSync): number {
  const { count } = database.prepare('SELECT count(*) AS count FROM outcome').get() as { count: number }
  return count
}
