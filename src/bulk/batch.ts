// Rows in batches, for calls that take several at once.
import type { Row } from './input/row.ts'

/**
 * Collects rows into batches of at most `size` rows that can be acted on, in the order of the input.
 *
 * Duplicates and rows with a problem stay in the batch in which they occur, without counting towards its size. Rows that
 * shared a request which may have been applied share one again, without other rows: only then does a refusal of it prove
 * anything about them.
 */
export function* batchesOf(rows: Iterable<Row>, size: number): Generator<Row[], void, undefined> {
  let batch: Row[] = []
  let actable = 0
  for (const row of rows) {
    if (batch.length > 0 && batch[0]?.past?.group !== row.past?.group) {
      yield batch
      batch = []
      actable = 0
    }
    batch.push(row)
    if (isActable(row)) actable += 1
    if (row.past?.group !== undefined) continue
    // The second bound is for an input that consists of duplicates.
    if (actable < size && batch.length < 10 * size) continue
    yield batch
    batch = []
    actable = 0
  }
  if (batch.length > 0) yield batch
}

/** Returns whether a row is to be acted on: it is neither a duplicate nor bad. */
export function isActable({ duplicateOf, problem }: Row): boolean {
  return duplicateOf === undefined && problem === undefined
}
