// A command that runs in the place of a job: to go on with it, to try some of its rows again, or to take it back.
import type { InputRows } from './input-rows.ts'
import type { Work } from './work.ts'

/** What a command is run with instead of its own command line. */
export interface Recall {
  args: Record<string, unknown>
  flags: Record<string, unknown>
  /** What the person must know before saying yes, as the end of the question; then even a single row is asked about. */
  caution?: string
  /** Gives the rows; `newJob` makes a job of rows that are not one yet. */
  work(newJob: (rows: InputRows, undoes: string) => Promise<Work>): Promise<Work>
}
