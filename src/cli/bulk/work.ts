// The rows a command is to act on: the arguments, a new job from a file or a pipe, or a job that is continued.
import type { Config } from '@oclif/core'
import type { Row } from '../../bulk/input/row.ts'
import type { RunInput } from '../../bulk/run.ts'
import type { Shard } from '../../bulk/shard.ts'
import type { Summary } from '../../bulk/summary.ts'
import type { Repeat } from '../../contract/endpoint.ts'
import type { Host } from '../run/host.ts'
import type { CommandLine } from './command-identity.ts'
import type { InputRows } from './definition.ts'

/** Where and by whom the rows are acted on, and what would be sent: a job that is continued must agree with all of it. */
export interface Destination {
  /** Fingerprint of service and project (session/connect.ts). */
  project: string
  /** Scheme and host, for people. */
  origin: string
  /** Sum over the requests of the first rows. */
  planSha256: string
  repeat: Repeat
  /** Whether several rows share a request. */
  grouped: boolean
  /** Whether a row may count as begun before its turn (bulk/journal.ts). */
  ahead: boolean
}

/** A job of which there is nothing to do. */
export interface Complete {
  job: string
  /** What a person calls it (bulk/job.ts). */
  name: string
  /** When it was worked on for the last time, ISO 8601 UTC. */
  at: string
  summary: Summary
  /** Whether only some rows were asked for, of which there are none. */
  isPart: boolean
  /** Writes down that the job is over; set when its last run did not come to that. Throws `io` (exit 10). */
  finish?: () => void
}

/** Rows that wait to be acted on. */
export interface Work {
  /** All rows, also those that were done before. */
  total: number
  /** Rows to act on now, once. */
  count: number
  /** Rows folded into others. */
  duplicates: number
  /** Which part of all rows this is; null: all of them. */
  shard: Shard | null
  /** Rows of the other shards. */
  others: number
  /** Sentences about what is accepted but suspicious. */
  warnings: string[]
  /** What the person should know before anything is done: which job is continued, and how far it came. */
  notice?: string
  /** Set when there is nothing to act on, because a job did it all before. */
  complete?: Complete
  /** The first rows that can be acted on, done or not. */
  sample(size: number): Row[]
  /** Every row that can be acted on, done or not. */
  all(): Iterable<Row>
  /** The rows to act on now; nothing is begun by reading them. */
  rows(): Iterable<Row>
  /** Makes a job of the rows, or goes on with it. Throws `journal` (exit 9) when the job does not fit. */
  begin(to: Destination): Promise<BegunWork>
  /** Removes what is not a job, gives back what is held. */
  close(): Promise<void>
}

/** A run that has begun. */
export interface BegunWork extends RunInput, Pick<Work, 'shard' | 'others'> {
  /** The id of the job; absent for what comes again with the same command line. */
  job?: string
  /** What a person calls the job (bulk/job.ts). */
  name?: string
  /** Writes down how the run ended. Throws `io` (exit 10). */
  end(by: string): void
}

/** What a command is run with instead of its own command line. */
export interface Replay {
  args: Record<string, unknown>
  flags: Record<string, unknown>
  /** What the person must know before saying yes, as the end of the question; then even a single row is asked about. */
  caution?: string
  /** Gives the rows; `newJob` makes a job of rows that are not one yet. */
  work(newJob: (rows: InputRows, undoes: string) => Promise<Work>): Promise<Work>
}

/** The command that has many items, as far as a job needs to know it. */
export interface BulkCommand {
  host: Host
  config: Config
  line: CommandLine
  /** For `jobs resume`, `retry` and `undo`: the job in whose place the command runs. */
  replay?: Replay
}
