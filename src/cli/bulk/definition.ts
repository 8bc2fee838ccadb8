// The parts of a bulk command: its words, and how a row becomes a call.

import type { Client } from '../../api/client.ts'
import type { BadRow, Row } from '../../bulk/input/row.ts'
import type { JobHeader } from '../../bulk/journal/job.ts'
import type { RecordedRow } from '../../bulk/journal/outcome-store.ts'
import type { Act, RowOutcome } from '../../bulk/run.ts'
import type { Shard } from '../../bulk/shard.ts'
import type { Summary } from '../../bulk/summary.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ColumnSet } from '../../output/column.ts'
import type { Format } from '../../output/shape.ts'
import type { FileColumns } from '../request/row-columns.ts'
import type { ClientSession } from '../session/connect.ts'
import type { Batch } from './call-batch.ts'
import type { KeptResults, RowCall } from './call-row.ts'

/** A command line as it was parsed. */
export interface CommandLine {
  /** The command, as `vouchers:disable`. */
  command: string
  args: Record<string, unknown>
  flags: Record<string, unknown>
}

/** Rows that are not yet checked against the contract, and how to recognize them again. */
export interface InputRows {
  rows: AsyncIterable<Row | BadRow> | Iterable<Row | BadRow>
  /** The name in errors about rows: a path, `-`, or words. */
  name: string
  /** The name in a job: an absolute path, `-`, `arguments`, `filter`, or `job ID`. */
  input: string
  /** Returns the SHA-256 of what was read, once all rows were. */
  sha256: () => string
  /** Returns the current SHA-256; that of a pipe only once its rows were read. */
  sha256Now: () => Promise<string>
  /** Returns how a row is named in messages. */
  placeOf: (line: number) => string
  /**
   * Returns the columns and how they were written, once the rows were read; nothing where each row has members of its own. `place`
   * is what the job is about beside its rows (bulk/journal/job.ts).
   */
  layout: () => Pick<JobHeader, 'columns' | 'titles' | 'csv' | 'place'>
}

/** Rows that filters chose, as far as they are told. */
export interface ChosenRows {
  count: number
  sample: (size: number) => Row[]
}

/** Rows of a form of its own. */
export interface OwnRows {
  read: () => InputRows
  /** Returns which rows they are, in words: told before the question. Undefined: nothing is told. */
  told: (rows: ChosenRows) => string | undefined
}

/** Returns how many rows share a request, at most. */
export function rowsPerRequest<E extends Endpoint>({ act }: Pick<BulkDefinition<E>, 'act'>): number {
  return typeof act === 'object' ? act.size : 1
}

/** The words of a bulk command. */
export interface BulkWords {
  /** `voucher`, also the member that holds the service's object in an outcome unless `member` names another. */
  noun: string
  /** `disable` */
  verb: string
  /** `disabled` */
  done: string
  /** The state of an item that did not have to change: `off already`. */
  unchanged: string
  /** The column, or JSON member, that names the item: `code`. */
  key: string
  /** The column that names it in rows of a file that have no other; only where the user names none. */
  fallbackKey?: string
  /** The member that holds the service's object in an outcome, where the noun is taken. */
  member?: string
}

/** The facts about the work in its summary. */
export interface WorkFacts {
  /** The part of all rows that the work took; null: all. */
  shard: Shard | null
  /** The rows of the other shards. */
  others: number
  /** How many items all rows are about; undefined: each is about one of its own, or nobody counted. */
  items: number | undefined
}

/** How the outcomes of a command are shown. */
export interface OutcomeForms {
  columns: ColumnSet
  /** One outcome as a record; undefined: it is not shown. */
  record: (outcome: RowOutcome, format: Format) => object | undefined
  /** The summary for people. */
  line: (summary: Summary, work: WorkFacts) => string
  /** What the summary for programs says besides. */
  facts: () => object
  /** What is shown after the last row, of all of them together. */
  rows: () => Iterable<object>
}

/** A bulk command: its words, and how a row becomes a call. */
export interface BulkDefinition<E extends Endpoint> extends RowCall<E> {
  words: BulkWords
  /** Where the rows come from: rows of its own, or arguments, or what `--from` names in one of the usual forms, with these columns. */
  input: OwnRows | FileColumns
  /** The keys name customers; `new`: who may not exist yet, and are never looked up. */
  customers?: 'key' | 'new'
  /** What to do with a key that occurred before (bulk/input/spool.ts); `each`: it is kept, and each row is an item of its own. */
  onDuplicate: 'fold' | 'fold-identical' | 'keep' | 'each'
  /** The command that makes the call which undoes that of a row (contract/inverses.ts); absent: there is none. */
  undo?: string
  /** What is confirmed, from all rows, where the verb and the number of rows do not say enough: `add 500 points to 2 cards`. */
  action?: (rows: Iterable<Row>) => string
  /** Which ids of an answer the job keeps, for its report: those of what a row made; absent: none. */
  results?: KeptResults
  /** How outcomes are shown, where not as every command shows them. */
  forms?: (common: OutcomeForms) => OutcomeForms
  /** What is done for a row, or for several at once; absent: its call is made. */
  act?: ((client: Client) => Act) | Batch<E>
  /** Completes the definition when all rows are known, before the first request; may throw `input` (exit 2). */
  forRows?: (rows: Iterable<Row>) => Promise<KnownFromRows<E>>
}

/** What a command knows about its calls only after it has read all rows. */
export interface KnownFromRows<E extends Endpoint> extends Pick<BulkDefinition<E>, 'endpoint'> {
  /** What else makes two runs the same job; part of the fingerprint of the plan. */
  planFacts: unknown
  /** Examines the service before the first row, once the user agreed; throws to send nothing. `recorded` is what earlier runs of the job did. */
  examine: (session: ClientSession, recorded: Iterable<RecordedRow> | undefined) => Promise<void>
}
