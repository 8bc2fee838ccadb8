// Which rows of a job may be sent again, by what one more identical call does.
import { isRepeatable } from '../../api/outcome/retry.ts'
import type { RowSelection } from '../../bulk/journal/journal.ts'
import type { RecordedState } from '../../bulk/journal/outcome-store.ts'
import type { Tally } from '../../bulk/summary.ts'
import type { Repeat } from '../../contract/endpoint.ts'

/** Which rows a run of a job takes: what an earlier run left, or again those in some states. */
export type RowsToRun = 'rest' | readonly RecordedState[]

/**
 * Returns the tally of a job on which no process works: a row whose request was in flight when promo ended is to be sent
 * again, or where it could be applied twice, its outcome is unknown.
 */
export function settledTally(tally: Tally, repeat: Repeat): Tally {
  if (isRepeatable(repeat) || tally.inFlight === 0) return tally
  const { counts, inFlight } = tally
  const settled = { ...counts, pending: counts.pending - inFlight, unknown: counts.unknown + inFlight }
  return { ...tally, counts: settled, inFlight: 0 }
}

/**
 * Returns which rows a run takes.
 *
 * The rest of a job is what was never begun, what was never accepted, and what may be sent again although it may have
 * been applied.
 */
export function selectionOf(again: RowsToRun, repeat: Repeat): RowSelection {
  if (again !== 'rest') return { again, fresh: false }
  return { again: isRepeatable(repeat) ? ['exhausted', 'unknown'] : ['exhausted'], fresh: true }
}

/** Returns whether a repeated call has its effect twice, even where the user agreed to that for a lost answer. */
export function countsTwice(repeat: Repeat): boolean {
  return repeat === 'duplicate' || !isRepeatable(repeat)
}

/** The error of a row whose request was in flight when promo ended, and that must not be sent again. */
export const leftOpen = {
  kind: 'unknown_outcome',
  message: 'promo ended while the request was in flight; it is unknown whether it was applied',
}
