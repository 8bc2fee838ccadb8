// Which rows of a job may be sent again, by what one more identical call does.
import { isRepeatable } from '../../api/outcome/retry.ts'
import type { RowSelection } from '../../bulk/journal/journal.ts'
import type { RecordedState } from '../../bulk/journal/outcome-store.ts'
import type { Tally } from '../../bulk/summary.ts'
import type { Repeat } from '../../contract/endpoint.ts'

/** Which rows a run of a job takes: what an earlier run left, or again those in some states. */
export type RowsToRun = 'rest' | readonly RecordedState[]

/**
 * Gives the tally of a job that nobody works on: a row whose request was under way when promo ended is to be sent again,
 * or where that could happen twice, its outcome is unknown.
 */
export function settledTally(tally: Tally, repeat: Repeat): Tally {
  if (isRepeatable(repeat) || tally.inFlight === 0) return tally
  const { counts, inFlight } = tally
  const settled = { ...counts, pending: counts.pending - inFlight, unknown: counts.unknown + inFlight }
  return { ...tally, counts: settled, inFlight: 0 }
}

/**
 * Says which rows a run takes.
 *
 * The rest of a job is what was never begun, what was never accepted, and what may be sent again although it may have
 * been applied.
 */
export function selectionOf(again: RowsToRun, repeat: Repeat): RowSelection {
  if (again !== 'rest') return { again, fresh: false }
  return { again: isRepeatable(repeat) ? ['exhausted', 'unknown'] : ['exhausted'], fresh: true }
}

/** Says whether what was done counts once more when it is done again, even where that was agreed to for a lost answer. */
export function countsTwice(repeat: Repeat): boolean {
  return repeat === 'duplicate' || !isRepeatable(repeat)
}

/** The error of a row whose request was under way when promo ended, and that must not be sent again. */
export const leftOpen = {
  kind: 'unknown_outcome',
  message: 'promo ended while the request was under way; whether it was applied is not known',
}
