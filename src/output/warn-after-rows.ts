// Lists that may not be complete: what was received is shown first, and then the error that says so ends the run.
import { PromoError } from '../errors.ts'

export interface RowsFirst {
  /** Passes rows on, and ends where they end for the reason that they may not be all there are. */
  of<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row>
  /** Throws that error, if there was one: after everything was written, or before a file is replaced. */
  mustBeComplete(): void
}

/** Makes what shows the rows of one result, of one list or several. Other errors pass at once. */
export function warnAfterRows(): RowsFirst {
  let incomplete: PromoError | undefined
  return {
    async *of(rows) {
      try {
        yield* rows
      } catch (error) {
        if (!(error instanceof PromoError) || error.kind !== 'partial') throw error
        incomplete ??= error
      }
    },
    mustBeComplete() {
      if (incomplete !== undefined) throw incomplete
    },
  }
}
