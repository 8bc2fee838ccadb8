// The state of a job: which process works on it, its progress, and why it stopped.

import type { LockHolder } from '../../../base/lock.ts'
import { listNames } from '../../../base/name-list.ts'
import { ownValue } from '../../../base/record.ts'
import { readJournal } from '../../../bulk/journal/job.ts'
import { holderOf } from '../../../bulk/journal/lock.ts'
import { outcomesIn } from '../../../bulk/journal/outcome-store.ts'
import { haltReasons, notWell, type Tally } from '../../../bulk/summary.ts'
import type { Repeat } from '../../../contract/endpoint.ts'
import { PromoError } from '../../../errors.ts'
import { type KnownJob, type ReadableJob, undoneBy } from '../../bulk/known-jobs.ts'
import { settledTally } from '../../bulk/repeat-policy.ts'

/**
 * - `running`: a process works on it. `stopped`: rows are left. `finished`: every row has an outcome.
 * - `undone`: another job has undone it, or began to. `damaged`: its file is not what was written.
 */
export type JobState = 'running' | 'stopped' | 'finished' | 'undone' | 'damaged'

/** The status of a job. */
export interface JobStatus {
  state: Exclude<JobState, 'damaged'>
  /** Which process works on it, why it stopped, or which jobs have undone it; empty for a finished one. */
  why: string
  tally: Tally
  /** Rows that have an outcome. */
  done: number
  /** Rows that did not end well. */
  wrong: number
  /** The process that works on it. */
  holder: LockHolder | undefined
  /** When its last run started and ended, in Unix ms; null: never started, or not ended in an orderly way. */
  startedAtMs: number | null
  endedAtMs: number | null
  /** How the last run ended (bulk/summary.ts, or `done`); null while a run is in progress, and after it was killed. */
  endedBy: string | null
}

/** Reads the status of a job; `undo` is the id of the job that undid it. Throws `journal` (exit 9) when its file is damaged, and `io` (exit 10). */
export function statusOf(job: ReadableJob, undo: string | undefined): JobStatus {
  const { tally, ...run } = job.ended ? { ...job.ended, holder: undefined } : currentRun(job)
  const known = {
    ...run,
    tally: run.holder ? tally : settledTally(tally, job.header.repeat as Repeat),
  }
  const progress = {
    ...known,
    done: job.header.rows.total - known.tally.counts.pending,
    wrong: notWell(known.tally.counts),
  }
  const { state, why } = stateOf(progress, undo)
  const { undone_parts: parts = [] } = job.header
  if (parts.length === 0 || state === 'running' || undo) return { ...progress, state, why }
  return { ...progress, state, why: [why, `undone in part by job ${listNames(parts)}`].filter(Boolean).join('; ') }
}

/**
 * Reads the status of a job of which nothing is known yet, `jobs` being those that may have undone it; of a damaged one why it
 * has none.
 */
export function knownStatus(job: KnownJob, jobs: readonly KnownJob[]): JobStatus | PromoError {
  if (job.header === undefined) return job.problem
  try {
    return statusOf(job, undoneBy(job, jobs))
  } catch (error) {
    if (error instanceof PromoError) return error
    throw error
  }
}

/** Reads how far a job is that had not ended when it was found. */
function currentRun({ file }: ReadableJob) {
  return readJournal(file.path, (database) => {
    const store = outcomesIn(database)
    const startedAtMs = store.startedAtMs()
    const before = store.end()
    const holder = before === null ? holderSince(file.lockPath, startedAtMs) : undefined
    // A run records its end before it lets go of the lock: one that ended between the two looks was not killed.
    const end = before ?? (holder === undefined ? store.end() : null)
    return { tally: store.tally(), startedAtMs, holder, endedAtMs: end?.atMs ?? null, endedBy: end?.by ?? null }
  })
}

/** Returns the process that works on the job whose last run started then. */
export function holderSince(lockPath: string, startedAtMs: number | null): LockHolder | undefined {
  // All jobs of a command line share a lock; a job whose run started before the lock was taken is not the one running.
  const holder = holderOf(lockPath)
  return holder !== undefined && startedAtMs !== null && startedAtMs >= Date.parse(holder.since) ? holder : undefined
}

function stateOf(
  { tally, holder, startedAtMs, endedBy }: Omit<JobStatus, 'state' | 'why'>,
  undo: string | undefined,
): Pick<JobStatus, 'state' | 'why'> {
  if (holder) return { state: 'running', why: `process ${holder.pid} on ${holder.host}` }
  if (undo) return { state: 'undone', why: `by job ${undo}` }
  // Its last run has not reported all outcomes; the next one does, and sends nothing.
  const isEnded = endedBy !== null || startedAtMs === null
  if (tally.counts.pending === 0 && isEnded) return { state: 'finished', why: '' }
  if (startedAtMs === null) return { state: 'stopped', why: 'it was never started' }
  return {
    state: 'stopped',
    why: endedBy === null ? 'its process was killed' : (ownValue(reasonOf, endedBy) ?? endedBy),
  }
}

const reasonOf: Record<string, string> = {
  done: 'its last run retried only some rows',
  signal: 'it was told to stop',
  consumer: 'the reader of its output closed the pipe',
  ...haltReasons,
  fatal: 'an error that would have affected every row',
}
