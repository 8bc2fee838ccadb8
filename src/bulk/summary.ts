// What came of all rows together, and the one exit code that says what to do next.
import { EXIT, type ExitCode, type PromoError } from '../errors.ts'

/**
 * What came of a row. Source: reliability.md §0, cli.md §7.
 *
 * - `ok`: confirmed by the service. `ok_inferred`: proved by a unique key after an answer was lost.
 * - `conflict`: the key was taken before. `failed`: certainly not applied. `exhausted`: never accepted in all attempts.
 * - `unknown`: may or may not have been applied. `duplicate`: folded into an earlier row. `pending`: not begun.
 */
export type RowState = 'ok' | 'ok_inferred' | 'conflict' | 'failed' | 'unknown' | 'exhausted' | 'duplicate' | 'pending'

/** Why a run ended before its input did. */
export type StopCause = 'signal' | 'max_errors' | 'fatal' | 'consumer'

export interface Summary {
  /** Rows of the input. */
  total: number
  /** Rows by state; together they are `total`. */
  counts: Record<RowState, number>
  /** Confirmed rows that changed something, and that changed nothing; a row that cannot tell is in neither. */
  changed: number
  unchanged: number
  elapsedMs: number
  stoppedBy?: StopCause
  /** The error that ended the run, to be thrown when its outcomes are written. */
  fatal?: PromoError
}

/** Gives the summary of a run in which nothing was begun. */
export function emptySummary(total: number): Summary {
  const counts = {
    ok: 0,
    ok_inferred: 0,
    conflict: 0,
    failed: 0,
    unknown: 0,
    exhausted: 0,
    duplicate: 0,
    pending: total,
  }
  return { total, counts, changed: 0, unchanged: 0, elapsedMs: 0 }
}

/** Moves one row from pending to its state. */
export function count(summary: Summary, state: Exclude<RowState, 'pending'>, changed: boolean | undefined): void {
  summary.counts.pending -= 1
  summary.counts[state] += 1
  if (changed === true) summary.changed += 1
  if (changed === false) summary.unchanged += 1
}

/** Counts the rows that ended, and not well. */
export function wrongRows({ counts }: Summary): number {
  return counts.conflict + counts.failed + counts.unknown + counts.exhausted
}

/**
 * Gives the exit code of a run: its worst outcome.
 *
 * The worst is the one whose next step needs the most care. An unknown row comes first, because running again before it is
 * looked at could apply it twice; then what ended the run, because nobody has seen the rest; then refused rows, because they
 * must be changed; then exhausted ones, because running again is all they need. What signals mean is the launcher's to say.
 */
export function exitCodeOf({ counts, stoppedBy, fatal }: Summary): ExitCode {
  if (counts.unknown > 0) return EXIT.unknown
  if (fatal) return fatal.exitCode
  if (stoppedBy === 'max_errors') return EXIT.stopped
  if (counts.failed + counts.conflict > 0) return EXIT.refused
  if (counts.exhausted > 0) return EXIT.unavailable
  return EXIT.ok
}
