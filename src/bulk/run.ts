// Many rows, one act: a bounded number at a time, exactly one outcome each, in the order of the input.
import { EXIT, PromoError, usageError } from '../errors.ts'
import { batchesOf, isActable } from './batch.ts'
import { inOrder } from './in-order.ts'
import type { Row } from './row.ts'
import { count, emptySummary, type RowState, type Summary, wrongRows } from './summary.ts'

/** What an act says about its row. */
export interface Verdict {
  state: Exclude<RowState, 'pending' | 'duplicate'>
  /** What the service answered. */
  value?: unknown
  /** Whether the row changed anything; absent when nobody can tell. */
  changed?: boolean
  error?: Pick<PromoError, 'kind' | 'message' | 'facts'>
  requestId?: string
  attempts?: number
  /** Ends the whole run, because every other row would end the same way: refused credentials, the wrong region. */
  fatal?: PromoError
}

/** What came of one row. */
export interface Outcome extends Omit<Verdict, 'state' | 'fatal'> {
  row: Row
  state: Exclude<RowState, 'pending'>
  /** For a duplicate: the line of the row it was folded into. */
  duplicateOf?: number
}

/** The rows of a run; a `Spool` is one. */
export interface RunInput {
  total: number
  everyRow(): AsyncIterable<Row> | Iterable<Row>
}

/** Does what is to be done with a row. `abandon` fires when even what is in flight must end now. */
export type Act = (row: Row, abandon: AbortSignal) => Promise<Verdict>

/** Does what is to be done with several rows at once, and gives a verdict on each, in their order. */
export type ActOnBatch = (rows: readonly Row[], abandon: AbortSignal) => Promise<readonly Verdict[]>

export interface RunOptions {
  /** Rows, or batches of them, in flight at the same time, 1 to 64. */
  concurrency: number
  /** Ends the run when more rows than this did not end well; a percentage is of all rows of the input. */
  maxErrors?: { rows: number } | { percent: number }
  /** No row is begun after it fires; rows in flight end and are reported. */
  signal?: AbortSignal
  /** Handed to every act. */
  abandon?: AbortSignal
  onProgress?: (progress: { done: number; total: number; wrong: number }) => void
  /** Told what an act threw that is no PromoError, for a debug log: an outcome shows only its name. */
  onUnexpected?: (error: unknown) => void
  /** Milliseconds of any clock. */
  now?: () => number
}

/** The outcomes of a run as they come. The summary is the value that ends it, also when the consumer ends it with `return()`. */
export interface Run extends AsyncIterableIterator<Outcome, Summary> {
  return(value?: unknown): Promise<IteratorReturnResult<Summary>>
}

const maxConcurrency = 64

/**
 * Runs an act over every row and gives the outcomes in input order, in flat memory.
 *
 * A run that ends early (`signal`, `maxErrors`, a fatal verdict, rows that cannot be read on) begins no further row, gives
 * the outcomes of those in flight, and ends with a summary whose `pending` counts the rest; a fatal error stands in it, and is not thrown. An
 * exception of the act is `unknown`, unless it is a PromoError whose exit code says otherwise. Throws `usage` for a concurrency
 * out of bounds. Source: reliability.md §0, F-37 to F-45.
 */
export function runRows(input: RunInput, act: Act, options: RunOptions): Run {
  const one: ActOnBatch = async ([row], abandon) => (row === undefined ? [] : [await act(row, abandon)])
  return runBatches(input, one, 1, options)
}

/**
 * Does the same with batches of rows: one act for each, but one outcome a row, and all counts are of rows.
 *
 * A row without a verdict is `unknown`; when the act throws, each of its rows has the verdict of what it threw.
 */
export function runBatches(input: RunInput, act: ActOnBatch, batchSize: number, options: RunOptions): Run {
  const { concurrency, signal, now = () => performance.now() } = options
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > maxConcurrency) {
    throw usageError(`the concurrency must be a whole number from 1 to ${maxConcurrency}`)
  }
  const abandon = options.abandon ?? new AbortController().signal
  const startedAt = now()
  const summary = emptySummary(input.total)
  const outcomes = deliver()
  return {
    next: () => outcomes.next(),
    return: () => outcomes.return(summary) as Promise<IteratorReturnResult<Summary>>,
    [Symbol.asyncIterator]() {
      return this
    },
  }

  async function* deliver(): AsyncGenerator<Outcome, Summary, undefined> {
    let isComplete = false
    try {
      const batches = batchesOf(input.everyRow(), batchSize)
      for await (const outcomes of inOrder(batches, settle, { concurrency, isStopped })) yield* outcomes
      isComplete = true
    } catch (error) {
      isComplete = true
      summary.stoppedBy ??= 'fatal'
      summary.fatal ??= error instanceof PromoError ? error : brokenOff(error)
    } finally {
      if (!isComplete) summary.stoppedBy ??= 'consumer'
      // Nothing was left to stop.
      const isHalt = summary.stoppedBy === 'signal' || summary.stoppedBy === 'consumer'
      if (isHalt && summary.counts.pending === 0) delete summary.stoppedBy
      summary.elapsedMs = now() - startedAt
    }
    return summary
  }

  function isStopped(): boolean {
    if (signal?.aborted) summary.stoppedBy ??= 'signal'
    return summary.stoppedBy !== undefined
  }

  // Counted when a row ends and not when it is delivered: the stop must not wait for a slow row before it.
  async function settle(batch: readonly Row[]): Promise<Outcome[]> {
    const verdicts = await verdictsOn(batch.filter(isActable), act, abandon, options.onUnexpected)
    return batch.map((row) => {
      const { fatal, ...outcome } = untouched(row) ?? { row, ...(verdicts.shift() ?? verdictOf(undefined)) }
      settled(outcome, fatal)
      return outcome
    })
  }

  function settled({ state, changed }: Outcome, fatal: PromoError | undefined): void {
    count(summary, state, changed)
    summary.elapsedMs = now() - startedAt
    if (fatal) {
      summary.stoppedBy ??= 'fatal'
      summary.fatal ??= fatal
    }
    if (wrongRows(summary) > limitOf(options.maxErrors, input.total)) summary.stoppedBy ??= 'max_errors'
    options.onProgress?.({
      done: summary.total - summary.counts.pending,
      total: summary.total,
      wrong: wrongRows(summary),
    })
  }
}

/**
 * Gives the verdict on a row whose act threw.
 *
 * A PromoError is judged by its exit code, which says whether anything can have happened. Anything else is a bug somewhere
 * between the row and the service, so nobody knows; its message is not shown, for Node puts header values into some.
 */
export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof PromoError)) {
    const name = error instanceof Error ? error.name : typeof error
    const message = `an unexpected ${name} ended the work on this row; whether it was applied is not known`
    return { state: 'unknown', error: { kind: 'unknown_outcome', message, facts: {} } }
  }
  if (error.exitCode === EXIT.auth) return { state: 'failed', error, fatal: error }
  if (error.exitCode === EXIT.usage || error.exitCode === EXIT.refused) return { state: 'failed', error }
  if (error.exitCode === EXIT.unavailable) return { state: 'exhausted', error }
  // Where the record of the work cannot be kept, no more work may begin.
  const isRecordLost = error.exitCode === EXIT.io || error.exitCode === EXIT.journal
  return isRecordLost ? { state: 'unknown', error, fatal: error } : { state: 'unknown', error }
}

async function verdictsOn(
  rows: readonly Row[],
  act: ActOnBatch,
  abandon: AbortSignal,
  onUnexpected: RunOptions['onUnexpected'],
): Promise<Verdict[]> {
  if (rows.length === 0) return []
  try {
    return [...(await act(rows, abandon))]
  } catch (error) {
    if (!(error instanceof PromoError)) onUnexpected?.(error)
    return rows.map(() => verdictOf(error))
  }
}

/** The outcome of a row that nothing is done with. */
function untouched(row: Row): (Outcome & Pick<Verdict, 'fatal'>) | undefined {
  if (row.duplicateOf !== undefined) return { row, state: 'duplicate', duplicateOf: row.duplicateOf }
  if (row.problem === undefined) return undefined
  return { row, state: 'failed', error: { kind: 'input', message: row.problem, facts: {} } }
}

// ASSUMED A452: `--max-errors N` tolerates N rows and stops at the next, so that 0 stops at the first.
function limitOf(maxErrors: RunOptions['maxErrors'], total: number): number {
  if (maxErrors === undefined) return Number.POSITIVE_INFINITY
  return 'rows' in maxErrors ? maxErrors.rows : (total * maxErrors.percent) / 100
}

function brokenOff(cause: unknown): PromoError {
  return new PromoError('io', EXIT.io, 'the run broke off', { cause })
}
