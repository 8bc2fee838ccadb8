// The journal of a running job: an intent before a request leaves, an outcome after it, many of them in one commit.

import type { DatabaseSync } from 'node:sqlite'
import { diskSyncOf } from '../../base/disk-sync.ts'
import { isActable } from '../batch.ts'
import type { Past, Row } from '../input/row.ts'
import { readPages } from '../paged.ts'
import type { ActedState, Tally } from '../summary.ts'
import { commitCountOf } from './commit-count.ts'
import {
  type KeptOutcome,
  type OutcomeStore,
  outcomesIn,
  type RecordedRow,
  type RecordedState,
} from './outcome-store.ts'
import { pagesOf } from './row-store.ts'
import { damagedJournal, guardStorage, storageError } from './storage-error.ts'

/** What a run records in its journal, and reads from it. */
export interface Journal {
  /** What earlier runs of the job recorded. */
  before: Tally
  /** The number of rows to act on now, including the duplicates and bad rows between them. */
  left: number
  /** The rows to act on now, in the order of the input, each with its past. */
  rows(): Generator<Row, void, undefined>
  /** Resolves when the intents of these rows are durable; undefined when they already are. Throws `io`. */
  begin(rows: readonly Row[]): Promise<void> | undefined
  /** Counts rows that are not acted on as reached, once those before them have begun. */
  pass(rows: readonly Row[]): void
  /** Records the outcome of a row; durable a few milliseconds later. */
  record(row: Row, outcome: OutcomeToRecord): void
  /** Resolves when everything recorded is durable; undefined when it already is. Never throws. */
  flushed(): Promise<void> | undefined
  /** Makes everything durable and records how the run ended. Throws `io` when that cannot be written. */
  end(by: string): void
}

/** The outcome of a row, as a run knows it; `pending` removes the intent, because nothing was sent. */
export interface OutcomeToRecord extends Omit<KeptOutcome, 'state' | 'begunAtMs' | 'group'> {
  state: ActedState
}

export interface JournalOptions {
  /** States of rows that are acted on again; those never begun or left open always are, unless `fresh` is false. */
  again: readonly RecordedState[]
  /** Whether rows that were never begun are acted on. */
  fresh: boolean
  /**
   * Whether a row that was begun may be sent again. If not, rows that an earlier run left open become `unknown`, with
   * this error.
   */
  onOpen: { again: true } | { again: false; error: unknown }
  /**
   * Whether intents may be recorded for many rows at once, before their turn: for calls where it does no harm that a row
   * counts as begun although nothing of it was sent.
   */
  ahead: boolean
  /** Whether several rows share a request; after a crash the same rows must share it again. */
  grouped: boolean
  /** Returns whether the file is still in its place; called from time to time. */
  isInPlace: () => boolean
  /** Unix time in milliseconds. */
  now: () => number
}

/** How long outcomes may wait to share a commit. Rows whose outcome is lost are sent again, or become unknown. */
const gatherMs = 20
const gatherRows = 1024
/** Intents are recorded ahead for twice as many rows as were sent since the last commit, within these bounds. */
const rowsAhead = { fewest: 32, most: 1024 }
const lookEveryMs = 1000
const unwritable = 'the journal cannot be written'

/**
 * Opens the journal of a job for one run.
 *
 * A killed run leaves rows that were begun and have no outcome: they come first, with `past.lost`. Throws `io`
 * (exit 10) and `journal` (exit 9).
 */
export function openJournal(database: DatabaseSync, options: JournalOptions): Journal {
  const { grouped, now, isInPlace } = options
  const store = outcomesIn(database)
  recover(store, options)
  // A copy of the main file alone must show that a run has not ended. It costs three syncs a run, none a row.
  guardStorage(() => database.exec('PRAGMA wal_checkpoint(FULL)'))
  const before = store.tally()
  // Up to the begun mark, rows after this position have no line of their own: the mark records that they were begun.
  const startedAt = store.begun()
  let begun = startedAt
  let begunAtCommit = startedAt
  /** Positions of rows that are not acted on, after a row that has not begun. */
  const passed = new Set<number>()
  let leased = startedAt
  const disk = guardStorage(() => diskSyncOf(database))
  const count = commitCountOf(database.location() as string)
  let gathered = newGroup()
  /** On its way to the disk. */
  let syncing: Group | undefined
  /** Whether the next group is to be written at once. */
  let isDue = false
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let broken: unknown
  let checkedAt = now()

  // One commit at a time is on its way to the disk; what arrives meanwhile is part of the next.
  function commit(): void {
    clearTimeout(timer)
    timer = undefined
    clearImmediate(immediate)
    immediate = undefined
    isDue = syncing !== undefined
    if (isDue) return
    const group = gathered
    gathered = newGroup()
    const mark = nextMark()
    let commits: number
    try {
      commits = write(group, mark)
    } catch (error) {
      settle(group, error)
      return
    }
    syncing = group
    disk.begin((error) => {
      syncing = undefined
      if (error === null) {
        leased = Math.max(leased, mark)
        count.reached(commits)
      }
      settle(group, error)
      if (isDue) commit()
    })
  }

  /** Returns the number of the commit. */
  function write({ writes }: Group, mark: number, end?: string): number {
    if (broken !== undefined) throw broken
    mustBeInPlace()
    let commits = 0
    store.inTransaction(() => {
      commits = store.setBegun(mark)
      for (const { position, outcome } of writes) store.put(position, outcome)
      if (end !== undefined) store.setEnd(now(), end)
    })
    return commits
  }

  function settle({ waiting, flushed }: Group, error: unknown): void {
    if (error !== null) broken ??= storageError(error, unwritable)
    for (const { done, fail } of waiting) {
      if (broken === undefined) done()
      else fail(broken)
    }
    flushed.resolve()
  }

  function reach(position: number): void {
    while (begun < position) {
      begun += 1
      passed.delete(begun)
    }
    while (passed.delete(begun + 1)) begun += 1
  }

  /** Returns the position of the mark after the next commit: ahead of the rows, or each would wait for its own commit. */
  function nextMark(): number {
    const recent = begun - begunAtCommit
    begunAtCommit = begun
    const further = options.ahead ? Math.min(Math.max(2 * recent, rowsAhead.fewest), rowsAhead.most) : 0
    return Math.max(leased, begun + further)
  }

  // Writing continues in a file that no longer has a name, and its content is lost when the process ends.
  function mustBeInPlace(): void {
    if (now() - checkedAt < lookEveryMs) return
    checkedAt = now()
    if (!isInPlace()) throw damagedJournal('its file was moved or removed while the job ran')
  }

  function soon(): void {
    immediate ??= setImmediate(() => commit())
  }

  function durable(): Promise<void> {
    soon()
    return new Promise((done, fail) => gathered.waiting.push({ done, fail }))
  }

  function* rows(): Generator<Row, void, undefined> {
    yield* rowsBehind(store, options)
    if (!options.fresh) return
    for (const page of freshPages(database, startedAt)) yield* page
  }

  return {
    before,
    left: rowsLeft(before, options),
    rows,
    begin(taken) {
      let mustWait = broken !== undefined
      const group = grouped ? taken.find(isActable)?.past?.position : undefined
      for (const row of taken) {
        const { past } = row
        if (past === undefined) continue
        reach(past.position)
        if (!isActable(row)) continue
        past.begunAtMs ??= now()
        if (group !== undefined) past.group = group
        // The mark covers rows that are begun for the first time and alone; all others need a line of their own.
        const needsLine = past.position <= startedAt || group !== undefined
        if (needsLine) gathered.writes.push({ position: past.position, outcome: intentOf(past) })
        mustWait ||= needsLine || past.position > leased
      }
      return mustWait ? durable() : undefined
    },
    pass(rows) {
      for (const { past } of rows) if (past !== undefined && past.position > begun) passed.add(past.position)
      reach(begun)
    },
    record({ past }, outcome) {
      if (past === undefined) return
      // Of a row that ended before its turn nothing was sent, and its line says so.
      reach(past.position)
      const { state, lost, changed, attempts, requestId, error, results } = outcome
      gathered.writes.push({
        position: past.position,
        outcome: {
          state,
          lost,
          changed,
          attempts: past.attempts + attempts,
          requestId,
          error,
          results: results ?? past.results,
          begunAtMs: lost ? past.begunAtMs : undefined,
          group: lost ? past.group : undefined,
        },
      })
      if (gathered.writes.length >= gatherRows) soon()
      else timer ??= setTimeout(() => commit(), gatherMs)
    },
    flushed() {
      if (broken !== undefined) return undefined
      return (gathered.writes.length > 0 ? gathered : syncing)?.flushed.promise
    },
    end(by) {
      clearTimeout(timer)
      clearImmediate(immediate)
      isDue = false
      try {
        // A row that the mark covers but that was never taken was not begun.
        write(gathered, begun, by)
        guardStorage(() => disk.finish(), unwritable)
        settle(gathered, null)
      } catch (error) {
        settle(gathered, error)
        throw error
      } finally {
        disk.close()
        count.close()
      }
    },
  }
}

/** The changes that one commit writes. */
interface Group {
  writes: { position: number; outcome: KeptOutcome }[]
  waiting: { done: () => void; fail: (error: unknown) => void }[]
  flushed: PromiseWithResolvers<void>
}

function newGroup(): Group {
  return { writes: [], waiting: [], flushed: Promise.withResolvers() }
}

/** Which rows of a job a run takes: those that an earlier run left, and those never begun. */
export type RowSelection = Pick<JournalOptions, 'again' | 'fresh'>

/** Returns how many rows a run would take. */
export function rowsLeft({ counts }: Tally, { again, fresh }: RowSelection): number {
  const left = again.reduce((sum, state) => sum + (state === 'open' ? 0 : counts[state]), 0)
  return fresh ? left + counts.pending : left
}

/** Yields the rows that a run would take, without beginning any. */
export function* rowsToTake(database: DatabaseSync, selection: RowSelection): Generator<Row, void, undefined> {
  const store = outcomesIn(database)
  yield* rowsBehind(store, selection)
  if (!selection.fresh) return
  for (const page of freshPages(database, store.begun())) yield* page
}

function* rowsBehind(store: OutcomeStore, { again, fresh }: RowSelection): Generator<Row, void, undefined> {
  const states = fresh ? (['open', 'pending', ...again] as const) : again
  for (const page of readPages((after, limit) => store.withState(states, after, limit))) {
    for (const found of page) yield { ...found.row, past: pastOf(found) }
  }
}

function* freshPages(database: DatabaseSync, begun: number): Generator<Row[], void, undefined> {
  const page = pagesOf(database)
  for (const found of readPages((after, limit) => page('all', after, limit), begun)) {
    for (const { position, row } of found) row.past = unbegun(position)
    yield found.map(({ row }) => row)
  }
}

function recover(store: OutcomeStore, { onOpen, now }: JournalOptions): void {
  store.inTransaction(() => {
    store.openIntents()
    if (!onOpen.again) store.settleOpen(onOpen.error)
    store.start(now())
  })
}

function pastOf({ position, outcome }: RecordedRow): Past {
  if (outcome === null) return unbegun(position)
  const { lost, attempts, begunAtMs, group, results } = outcome
  return {
    position,
    state: outcome.state === 'open' ? 'pending' : outcome.state,
    lost: lost || outcome.state === 'open',
    attempts,
    begunAtMs,
    group,
    results,
  }
}

function unbegun(position: number): Past {
  return { position, state: 'pending', lost: false, attempts: 0, begunAtMs: undefined, group: undefined }
}

function intentOf({ lost, attempts, begunAtMs, group, results }: Past): KeptOutcome {
  return { state: 'open', lost, attempts, begunAtMs, group, results }
}
