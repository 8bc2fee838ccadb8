// The parts of a bulk command: its words, and how a row becomes a call.

import type { Client } from '../../api/client.ts'
import type { BadRow, Row } from '../../bulk/input/row.ts'
import type { JobHeader, UndonePart } from '../../bulk/journal/job.ts'
import type { RecordedRow } from '../../bulk/journal/outcome-store.ts'
import type { Act, RowOutcome } from '../../bulk/run.ts'
import type { Summary } from '../../bulk/summary.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ColumnSet } from '../../output/column.ts'
import type { Format } from '../../output/shape.ts'
import type { MemberFlags } from '../request/member-flags.ts'
import type { RowColumns } from '../request/row-columns.ts'
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
  /** Returns the current SHA-256, where that can be known without reading the rows; absent for a pipe. */
  sha256Now?: () => Promise<string>
  /** Returns how a row is named in messages; absent: by its line. */
  placeOf?: (line: number) => string
  /** Returns the columns and how they were written, once the rows were read; absent where each row has members of its own. */
  layout?: () => Pick<JobHeader, 'columns' | 'titles' | 'csv'>
  /** Of an undo: which part of a job they are; absent: all that is left of it. */
  part?: UndonePart | undefined
  /** One item, given as an argument: a call, not a job. */
  isSingle?: boolean
}

/** Rows that filters chose, as far as they are told. */
export interface ChosenRows {
  count: number
  sample: (size: number) => Row[]
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
  /** Each row is an item of its own, whatever its key: an event. */
  isRow?: true
  /** How many items all rows are about, where several rows may be about one. */
  items?: number
  /** The member that holds the service's object in an outcome, where the noun is taken. */
  member?: string
}

/** How the outcomes of a command are shown. */
export interface OutcomeForms {
  columns: ColumnSet
  /** One outcome as a record. */
  record: (outcome: RowOutcome, format: Format) => object
  /** The summary for people; absent: as in every command. */
  line?: (summary: Summary) => string
  /** What the summary for programs says besides; absent: nothing. */
  facts?: () => object
  /** What is shown after the last row in place of outcomes, of all of them together; absent: the outcomes. */
  rows?: () => Iterable<object>
}

/** A bulk command: its words, and how a row becomes a call. */
export interface BulkDefinition<E extends Endpoint> extends RowCall<E> {
  words: BulkWords
  /** Where the rows come from; absent: from the arguments, or from `--from` in one of the usual forms. */
  input?: () => InputRows
  /** Returns which rows filters chose, in words, where they did: told before the question, which even a single row needs. */
  chosen?: (rows: ChosenRows) => string
  /** What the rows of a file may say; absent: the key, and the fields of the body. */
  inputColumns?: RowColumns
  /** Members of the body that have flags: a column may have the name of one. */
  members?: MemberFlags
  /** The keys name customers; `new`: who may not exist yet, and are never looked up. */
  customers?: 'key' | 'new'
  /** What to do with a key that occurred before (bulk/input/spool.ts); by default `fold`. */
  onDuplicate?: 'fold' | 'fold-identical' | 'keep'
  /** Whether even a single item is confirmed first, because it cannot be restored. */
  asksForOne?: boolean
  /** Whether nothing brings back what is done; absent: as the call says (`isFinalCall`). */
  isFinal?: boolean
  /** What is confirmed, from all rows, where the verb and the number of rows do not say enough: `add 500 points to 2 cards`. */
  action?: (rows: Iterable<Row>) => string
  /** What the job is about beside its rows (bulk/journal/job.ts); absent: nothing. */
  place?: string
  /** Which ids of an answer the job keeps, for its report: those of what a row made; absent: none. */
  results?: KeptResults
  /** Columns that a row must have and may leave out: drawn once, when the row is taken up, and kept with it. */
  drawn?: Readonly<Record<string, () => string>>
  /** How rows share requests; absent: each row has its own. */
  batch?: Batch<E>
  /** Which rows write, and the words that confirm these; absent: all of them, in the words of the command. */
  writes?: { isWrite: (row: Row) => boolean; verb: string }
  /** What the user can do about keys that are taken; absent: nothing. */
  ifTaken?: string
  /** How outcomes are shown; absent: as every command shows them. */
  forms?: OutcomeForms
  /** What is done for a row, where that is more than one call; absent: its call is made. */
  act?: (client: Client) => Act
  /** Examines the service before the first row, once the user agreed; throws to send nothing. `recorded` is what earlier runs of the job did. */
  examine?: (session: ClientSession, recorded: Iterable<RecordedRow> | undefined) => Promise<void>
  /** Completes the definition when all rows are known, before the first request; may throw `input` (exit 2). */
  forRows?: (rows: Iterable<Row>) => Promise<KnownFromRows<E>>
}

/** What a command knows about its calls only after it has read all rows. */
export interface KnownFromRows<E extends Endpoint> extends Pick<BulkDefinition<E>, 'endpoint' | 'noteOn' | 'forms'> {
  /** What else makes two runs the same job; part of the fingerprint of the plan. */
  planFacts: unknown
}
