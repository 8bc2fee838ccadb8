// The outcomes of all rows, counted, and the one exit code that tells what to do next.
import { EXIT, type ExitCode, type PromoError } from '../errors.ts'

/**
 * The outcome of a row. Source: docs/reliability.md#outcome-model.
 *
 * - `ok`: confirmed by the service. `ok_inferred`: proved by a unique key after an answer was lost.
 * - `conflict`: the key was taken before. `failed`: certainly not applied. `exhausted`: never accepted in all attempts.
 * - `unknown`: may or may not have been applied. `duplicate`: an earlier row takes its place. `pending`: not begun.
 * - `skipped`: left out: a bad row on request (`--skip-bad-rows`), or a row of an undo that others changed since.
 */
export const rowStates = [
  'ok',
  'ok_inferred',
  'conflict',
  'failed',
  'unknown',
  'exhausted',
  'duplicate',
  'skipped',
  'pending',
] as const

/** The outcome of a row: one of `rowStates`. */
export type RowState = (typeof rowStates)[number]

/** The outcome of a row that was acted on, or would have been. */
export type ActedState = Exclude<RowState, 'duplicate'>

/** Why a run ended before its input was done. */
export type StopCause = 'signal' | 'max_errors' | 'same_refusal' | 'fatal' | 'consumer'

/** Rows by state, and what they changed. */
export interface Tally {
  /** The total is the number of all rows. */
  counts: Record<RowState, number>
  /** Confirmed rows that changed something, and that changed nothing; a row where that is unknown is in neither. */
  changed: number
  unchanged: number
  /** Confirmed rows that have an error nevertheless: the answer is not as it should be, such as a cart that is not valid. */
  noted: number
  /** Those of the pending rows whose request may have left. */
  inFlight: number
}

export interface Summary extends Omit<Tally, 'inFlight'> {
  /** Rows of the input. */
  total: number
  /** Rows that earlier runs of the same job had settled. */
  before: number
  /** Milliseconds of this run. */
  elapsedMs: number
  stoppedBy?: StopCause
  /** The error that ended the run, to be thrown after its outcomes are written. */
  fatal?: PromoError
}

/** Returns a count of zero for every state. */
export function emptyCounts(): Record<RowState, number> {
  return {
    ok: 0,
    ok_inferred: 0,
    conflict: 0,
    failed: 0,
    unknown: 0,
    exhausted: 0,
    duplicate: 0,
    skipped: 0,
    pending: 0,
  }
}

/** Returns the summary of a run that has begun no row yet; `past` is the record of earlier runs of the job. */
export function emptySummary(total: number, past?: { before: Tally; left: number }): Summary {
  if (past === undefined) {
    const counts = { ...emptyCounts(), pending: total }
    return { total, before: 0, counts, changed: 0, unchanged: 0, noted: 0, elapsedMs: 0 }
  }
  const { counts, changed, unchanged, noted } = past.before
  return { total, before: total - past.left, counts: { ...counts }, changed, unchanged, noted, elapsedMs: 0 }
}

/** Moves one row from its old state to the new one; `hasError` distinguishes a noted row from a simply confirmed one. */
export function count(
  summary: Summary,
  from: RowState,
  to: RowState,
  changed: boolean | undefined,
  hasError: boolean,
): void {
  summary.counts[from] -= 1
  summary.counts[to] += 1
  if (hasError && to === 'ok') summary.noted += 1
  if (changed === true) summary.changed += 1
  if (changed === false) summary.unchanged += 1
}

/** Returns whether a row ended, and not well; one that was to be skipped went as it should. */
export function isWrong(state: RowState): boolean {
  return state === 'conflict' || state === 'failed' || state === 'unknown' || state === 'exhausted'
}

/** Why a run began no further row, where the rows themselves were the reason. */
export const haltReasons = {
  max_errors: 'too many rows went wrong (--max-errors)',
  same_refusal: 'the first rows were all refused in the same way',
} as const

/** Counts the rows that did not end well. */
export function notWell({ failed, conflict, exhausted, unknown }: Summary['counts']): number {
  return failed + conflict + exhausted + unknown
}

/** Counts the rows that went wrong: those that did not end well, and those that ended well with an answer to look at. */
export function wrongRows({ counts, noted }: Pick<Summary, 'counts' | 'noted'>): number {
  return notWell(counts) + noted
}

/**
 * Returns the exit code of a run: its worst outcome.
 *
 * The worst is the one whose next step needs the most care. A damaged journal comes first, because it no longer says which
 * rows were sent; then an unknown row, because running again before it is examined could apply it twice; then what ended the
 * run, because the rest was never tried; then refused and skipped rows, because they must be changed; then exhausted ones, because they
 * only need another run; last, negative answers. The launcher decides what signals mean.
 */
export function exitCodeOf({ counts, noted, stoppedBy, fatal }: Summary): ExitCode {
  if (fatal?.exitCode === EXIT.journal) return EXIT.journal
  if (counts.unknown > 0) return EXIT.unknown
  if (fatal) return fatal.exitCode
  if (stoppedBy === 'max_errors' || stoppedBy === 'same_refusal') return EXIT.stopped
  if (counts.failed + counts.conflict + counts.skipped > 0) return EXIT.refused
  if (counts.exhausted > 0) return EXIT.unavailable
  if (noted > 0) return EXIT.no
  return EXIT.ok
}
