// The rows that a command acts on: the arguments, a new job from a file or a pipe, or a resumed job.
import type { Row } from '../../bulk/input/row.ts'
import type { JobHeader } from '../../bulk/journal/job.ts'
import type { RecordedRow } from '../../bulk/journal/outcome-store.ts'
import type { RunInput } from '../../bulk/run.ts'
import type { Shard } from '../../bulk/shard.ts'
import type { Summary } from '../../bulk/summary.ts'
import type { Repeat } from '../../contract/endpoint.ts'
import type { ExitCode } from '../../errors.ts'
import type { Host, ProgramConfig } from '../run/host.ts'
import type { ClientSession } from '../session/connect.ts'
import type { CommandLine, InputRows } from './definition.ts'
import type { ReadableJob } from './known-jobs.ts'
import type { RowsToRun } from './repeat-policy.ts'
import type { ProjectConsent, ReachedProject } from './same-project.ts'

/** Where the rows are sent, for which project, and as which requests: a resumed job must agree with all of it. */
export interface Destination extends ReachedProject {
  consent: ProjectConsent
  /** Fingerprint of the requests of the first rows. */
  planSha256: string
  repeat: Repeat
  /** Whether several rows share a request. */
  grouped: boolean
  /** Whether a row may count as begun before its turn (bulk/journal/journal.ts). */
  ahead: boolean
}

/** A job with nothing left to do. */
export interface Complete {
  job: string
  /** What users call it (bulk/journal/job.ts). */
  name: string
  /** When a process last worked on it, ISO 8601 UTC. */
  at: string
  summary: Summary
  /** Whether only some rows were requested, of which there are none. */
  isPart: boolean
  /** What there is to say instead of that nothing is left to do. */
  told?: string
  /** Records that the job is over; set when its last run did not do so. Throws `io` (exit 10). */
  finish?: () => void
}

/** Rows to act on. */
export interface Work {
  /** All rows, including those that were done before. */
  total: number
  /** Rows to act on now, once. */
  count: number
  /** Rows that were deduplicated. */
  duplicates: number
  /** Bad rows, which are skipped. */
  bad: number
  /** The part of all rows; null: all of them. */
  shard: Shard | null
  /** Rows of the other shards. */
  others: number
  /** Sentences about keys that are accepted but suspicious. */
  warnings: string[]
  /** Some rows were applied by an earlier job and count twice: the question is put for a single row too. */
  repeatsRows?: true
  /** What the user should know before anything is sent: which job is resumed, and its progress. */
  notice?: string
  /** Set when there is nothing to act on, because the job is complete. */
  complete?: Complete
  /** The job of the same rows, begun by another command line: they are as they were read then. */
  same?: ReadableJob
  /** The first rows that can be acted on, done or not. */
  sample(size: number): Row[]
  /** Every row that can be acted on, done or not. */
  all(): Iterable<Row>
  /** The rows to act on now; reading them begins nothing. */
  rows(): Iterable<Row>
  /** Every row with what earlier runs of the job recorded about it; absent: it is new. */
  recorded?: () => Iterable<RecordedRow>
  /** Makes a job of the rows, or resumes it. Throws `journal` (exit 9) when the job does not fit. */
  begin(to: () => Destination): Promise<BegunWork>
  /** Removes rows that did not become a job, and releases the lock. */
  close(): Promise<void>
}

/** A run that has begun. */
export interface BegunWork extends RunInput, Pick<Work, 'shard' | 'others'> {
  /** The id of the job; absent for rows that the same command line supplies again. */
  job?: string
  /** What users call the job (bulk/journal/job.ts). */
  name?: string
  /** Whether several rows of the input have this evidence (writes/prove.ts); absent: none do. */
  isShared?: (evidence: string) => boolean
  /** Records how the run ended. Throws `io` (exit 10). */
  end(by: string): void
}

/** Which job is undone, and which part of it. */
export type Undoes = Pick<JobHeader, 'undoes' | 'undoes_part'>

/** What a command runs with instead of its own command line. */
export interface Replay {
  /** The id of the job that chose the profile. */
  job: string
  /** The id of the job that is undone; absent: this is no undo. */
  undoes?: string | undefined
  /** It undoes only a part of that job. */
  isPart?: boolean
  args: Record<string, unknown>
  flags: Record<string, unknown>
  /** The states of the rows that it takes, or those that are left; absent: it is a new job. */
  again?: RowsToRun
  /** What the user must know before confirming, as the end of the question; then even a single row is confirmed. */
  caution?: string
  /** Examines the service before the first row, once the user agreed; throws to send nothing. */
  examine?(session: ClientSession): Promise<void>
  /** Returns the rows; `newJob` makes a job of rows that are not one yet. */
  work(newJob: (rows: InputRows, undoes: Undoes) => Promise<Work>): Promise<Work>
}

/** A bulk command, as far as a job needs to know it. */
export interface BulkCommand {
  host: Host
  config: ProgramConfig
  line: CommandLine
  /** For `jobs resume`, `retry` and `undo`: the job that the command runs for. */
  replay?: Replay
  /** Starts this command on behalf of a job. */
  startFor(replay: Replay): Promise<ExitCode>
}
