// How what a command did is undone: declared by each that takes many rows, and done by `jobs undo`; by each that makes one
// call, and done by `history undo`.

import type { Client } from '../api/client.ts'
import type { Row } from '../bulk/input/row.ts'
import type { JobHeader } from '../bulk/journal/job.ts'
import type { Effective, EffectiveRow } from '../bulk/journal/undo-rows.ts'
import type { Endpoint } from '../contract/endpoint.ts'

/** How the jobs of a command are undone: by the inverse of each row, or by hand. */
export type JobUndo = Inverse | ByHand

/** A job that is about to be undone, and what is known of its rows. */
export interface UndoneJob {
  header: JobHeader
  /** Its rows that will be undone. */
  rows: () => Iterable<EffectiveRow>
  /** How many of its rows these are. */
  count: number
  /** How many of its rows were answered without saying whether that changed anything. */
  untold: number
}

/** An inverse, which is sent as a job of its own. */
export interface Inverse {
  /** The command that reverses a row, as `vouchers:enable`. */
  command: string
  /** Which rows are reversed. */
  of: Effective
  /** Returns the row that reverses another; undefined where the journal lacks what that takes. */
  row: (done: EffectiveRow, job: JobHeader) => Row | undefined
  /** What the journal lacks then, in words. */
  lacking?: string
  /** The columns of these rows; absent: those of the job. */
  columns?: readonly string[]
  /** Returns the flags that decide what is sent; absent: none. */
  flags?: (job: JobHeader) => Record<string, unknown>
  /** Examines the service before the first row, once the user agreed; throws to send nothing. */
  examine?: (job: UndoneJob, client: Client) => Promise<void>
}

/** Why promo does not undo these jobs, and what does. */
export interface ByHand {
  because: string
  /** Why not one change of its own, where that is another reason: it has no journal. */
  becauseOfOne?: string
  /** Returns the command line that does it, or as much as can be done; `job` is the name of the job, as a shell word. */
  instead: (job: string, header: JobHeader) => string
}

/** Returns why an undo makes a change, for those who read it in the service. */
export function undoReason({ id }: JobHeader): string {
  return `undo of job ${id}`
}

/** Returns the source id of a change that reverses a row: no other row has it, so it proves this one after a lost answer. */
export function undoSourceId({ id }: JobHeader, { line }: Row): string {
  return `undo-${id}-${line}`
}

/** Returns how what jobs created is removed again: from their report, once the user looked at it. */
export function byDeleting(noun: string, command: string): ByHand {
  return {
    because: `a ${noun} may have been used since, and is deleted for good`,
    instead: (job) =>
      `promo jobs report ${job} --only ok --csv --out created.csv; promo ${command} --from created.csv --dry-run`,
  }
}

/** How one call is undone: from what it changed, which the history keeps, or by hand. */
export type WriteUndo = KeptChange | OneByHand

/** The model of a project says which call undoes it. */
export interface KeptChange {
  /** Reads what is about to be changed; where it is created, what may be there under its source id. Absent: nothing is read. */
  reads?: Endpoint
}

/** Why promo does not undo it, and what does. */
export interface OneByHand {
  because: string
  /** Returns the command line that does it, or that shows what there is; `subject` is what was changed, as shell words. */
  instead: (subject: string) => string
}

/** Says whether the history keeps what a call changes. */
export function isKept(undo: WriteUndo): undo is KeptChange {
  return !('because' in undo)
}
