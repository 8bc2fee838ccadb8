// Many rows, one act: a bounded number at a time, exactly one outcome each, in the order of the input.
import { withoutUndefined } from '../base/record.ts'
import { reasonOf, whatToDoAbout } from '../base/sqlite.ts'
import { EXIT, PromoError, usageError } from '../errors.ts'
import { batchesOf, isActable } from './batch.ts'
import { inOrder } from './in-order.ts'
import type { RowResults } from './input/report-columns.ts'
import type { Row } from './input/row.ts'
import type { Journal } from './journal/journal.ts'
import { type ActedState, count, emptySummary, isWrong, notWell, type RowState, type Summary } from './summary.ts'

/** What an act returns for its row. */
export interface RowResult {
  /** `pending`: nothing was sent after all, or it may be sent again, which a later run of the job does. */
  state: ActedState
  /** Whether an attempt may have been applied, whatever the state. */
  lost?: boolean
  /** The answer of the service. */
  value?: unknown
  /** Whether the row changed anything; undefined when that cannot be known. */
  changed?: boolean | undefined
  error?: Pick<PromoError, 'kind' | 'message' | 'facts'> | undefined
  /** The ids in the answer that the journal keeps. */
  results?: RowResults | undefined
  requestId?: string | undefined
  attempts?: number | undefined
  /** Ends the run, because every other row would end the same way: refused credentials, the wrong region. */
  fatal?: PromoError | undefined
  /** The same for all rows that are refused for the same reason; absent where the row is already as it was wanted. */
  reason?: string | undefined
}

/** The outcome of one row. */
export interface RowOutcome extends Omit<RowResult, 'state' | 'fatal' | 'lost' | 'reason'> {
  row: Row
  state: Exclude<RowState, 'pending'>
  /** For a duplicate: the line of the row that takes its place. */
  duplicateOf?: number
}

/** The rows of a run, such as a `Spool` or a resumed job. */
export interface RunInput {
  total: number
  everyRow(): Iterable<Row>
  /** Makes the job outlive its process; absent for rows that the same command line supplies again. */
  journal?: Journal
}

/**
 * To be called, and awaited, right before the first request of an act leaves: what waits for its turn has not begun. Resolves
 * when the journal durably says that the rows may have been applied; undefined: it does. A later call does nothing.
 */
export type OnTurn = () => Promise<void> | undefined

/** Performs the work on a row. `abandon` fires when even requests in flight must end now. */
export type Act = (row: Row, abandon: AbortSignal, onTurn: OnTurn) => Promise<RowResult>

/** Performs the work on several rows at once, and returns a result for each, in their order. */
export type ActOnBatch = (rows: readonly Row[], abandon: AbortSignal, onTurn: OnTurn) => Promise<readonly RowResult[]>

export interface RunOptions {
  /** Rows, or batches of them, in flight at the same time, 1 to 64. */
  concurrency: number
  /** Ends the run when more of its rows than this went wrong; a percentage is of all rows of the input. */
  maxErrors?: { rows: number } | { percent: number }
  /** Whether the run goes on although the first rows were all refused for the same reason. */
  goOnWhenAlike?: boolean
  /** No row is begun after it fires; rows in flight end and are reported. */
  signal?: AbortSignal
  /** Passed to every act. */
  abandon?: AbortSignal
  onProgress?: (progress: { done: number; total: number; wrong: number }) => void
  /** Completes each result before it is recorded. */
  complete?: (result: RowResult) => RowResult
  /** Receives exceptions that are bugs, for a debug log: outcomes and the summary show only their names. */
  onUnexpected?: (error: unknown) => void
  /** Whether outcomes carry the answers; true by default. Answers that are not read would only take memory. */
  withValues?: boolean
  /** Milliseconds of any clock. */
  now?: () => number
}

/**
 * The outcomes of a run as they arrive, as many at once as are available: one turn of the loop for each would cost more than
 * the row. The summary is the return value, also when the consumer ends it with `return()`.
 */
export interface Run extends AsyncIterableIterator<RowOutcome[], Summary> {
  return(value?: unknown): Promise<IteratorReturnResult<Summary>>
}

const maxConcurrency = 64

/**
 * Runs an act over every row and yields the outcomes in input order, in flat memory.
 *
 * A run that ends early (`signal`, `maxErrors`, a fatal result, rows that cannot be read further) begins no further row,
 * yields the outcomes of those in flight, and ends with a summary whose `pending` counts the rest; a fatal error is part of
 * the summary, and is not thrown. An exception of the act is `unknown`, unless it is a PromoError whose exit code proves
 * otherwise. Throws `usage` for a concurrency out of bounds.
 * Source: docs/reliability.md#outcome-model; docs/reliability.md#fault-matrix.
 */
export function runRows(input: RunInput, act: Act, options: RunOptions): Run {
  return run(input, 1, options, (rows, abandon, onTurn) => act(rows[0] as Row, abandon, onTurn))
}

/**
 * Does the same with batches of rows: one act per batch, but one outcome per row, and all counts are of rows.
 *
 * A row without a result is `unknown`; when the act throws, each of its rows has the result of that exception.
 */
export function runBatches(input: RunInput, act: ActOnBatch, batchSize: number, options: RunOptions): Run {
  return run(input, batchSize, options, act)
}

/** A single result, where there is one row: a list would cost one more promise per row. */
type Acting = (rows: readonly Row[], abandon: AbortSignal, onTurn: OnTurn) => Promise<RowResult | readonly RowResult[]>

function run(input: RunInput, batchSize: number, options: RunOptions, acting: Acting): Run {
  const { concurrency, signal, withValues = true, now = () => performance.now(), complete = asItIs } = options
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > maxConcurrency) {
    throw usageError(`the concurrency must be a whole number from 1 to ${maxConcurrency}`)
  }
  const abandon = options.abandon ?? new AbortController().signal
  const { journal } = input
  const startedAt = now()
  const summary = emptySummary(input.total, journal)
  const sameRefusal = options.goOnWhenAlike ? () => false : sameFromTheStart(input.total - summary.before)
  let wrong = 0
  let settledRows = 0
  const outcomes = deliver()
  return {
    next: () => outcomes.next(),
    return: () => outcomes.return(summary) as Promise<IteratorReturnResult<Summary>>,
    [Symbol.asyncIterator]() {
      return this
    },
  }

  async function* deliver(): AsyncGenerator<RowOutcome[], Summary, undefined> {
    let isComplete = false
    try {
      const batches = batchesOf(input.everyRow(), batchSize)
      // An outcome is on the disk before it is shown as done, or a crash could contradict it.
      const before = () => journal?.flushed()
      for await (const batch of inOrder(batches, began, { concurrency, isStopped, before })) {
        const outcomes = batch.flat()
        if (outcomes.length > 0) yield outcomes
      }
      isComplete = true
    } catch (error) {
      isComplete = true
      summary.stoppedBy ??= 'fatal'
      summary.fatal ??= error instanceof PromoError ? error : cutShort(error)
      if (summary.fatal.kind === 'bug') options.onUnexpected?.(error)
    } finally {
      if (!isComplete) summary.stoppedBy ??= 'consumer'
      // No row was left to stop.
      const isHalt = summary.stoppedBy === 'signal' || summary.stoppedBy === 'consumer'
      if (isHalt && summary.counts.pending === 0) delete summary.stoppedBy
      summary.elapsedMs = now() - startedAt
    }
    return summary
  }

  function isStopped(): boolean {
    // Nobody reads what a closed pipe would have shown, which is another reason than a signal.
    if (signal?.aborted) summary.stoppedBy ??= signal.reason === 'EPIPE' ? 'consumer' : 'signal'
    return summary.stoppedBy !== undefined
  }

  function began(batch: readonly Row[]): Promise<RowOutcome[]> {
    const rows = batch.filter(isActable)
    if (rows.length === 0) {
      journal?.pass(batch)
      return Promise.resolve(outcomesOf(batch, []))
    }
    if (isStopped()) return Promise.resolve(outcomesOf(batch, rows.map(postponedResult)))
    let unrecorded: { error: unknown } | undefined
    const onTurn =
      journal &&
      sendingOnce(
        () => journal.begin(batch),
        (error) => (unrecorded = { error }),
      )
    return promiseOf(() => acting(rows, abandon, onTurn ?? (() => undefined))).then(
      (results) => {
        // Nothing of these rows was sent, whatever the act made of it.
        if (unrecorded !== undefined) throw unrecorded.error
        return outcomesOf(batch, 'state' in results ? [complete(results)] : results.map(complete))
      },
      (error: unknown) => {
        if (unrecorded !== undefined) throw unrecorded.error
        if (!(error instanceof PromoError)) options.onUnexpected?.(error)
        return outcomesOf(
          batch,
          rows.map(() => resultOfError(error)),
        )
      },
    )
  }

  // Counted when a row ends and not when it is yielded: the stop must not wait for a slow row before it.
  function outcomesOf(batch: readonly Row[], results: readonly RowResult[]): RowOutcome[] {
    const outcomes: RowOutcome[] = []
    let judged = 0
    for (const row of batch) {
      const outcome = isActable(row)
        ? settleAs(results[judged++] ?? resultOfError(undefined), row)
        : settleUntouched(row)
      if (outcome !== undefined) outcomes.push(outcome)
    }
    return outcomes
  }

  function settleUntouched(row: Row): RowOutcome {
    const outcome = outcomeOfUntouched(row)
    settleRow(outcome)
    return outcome
  }

  function settleAs(result: RowResult, row: Row): RowOutcome | undefined {
    record(row, result)
    const { fatal, reason, state, value, changed, error, results, requestId, attempts } = result
    if (fatal) stopFor(fatal)
    if (state === 'pending') return undefined
    const shown = withValues ? value : undefined
    const outcome = { row, state, value: shown, changed, error, results, requestId, attempts }
    settleRow(outcome, reason)
    return outcome
  }

  function record(row: Row, { state, lost, changed, attempts = 0, requestId, error, results }: RowResult): void {
    if (journal === undefined) return
    const isOpen = state === 'exhausted' || state === 'pending'
    journal.record(row, {
      state,
      // A row that an earlier run may have applied remains so when this run did not settle it.
      lost: lost ?? (state === 'unknown' || (isOpen && row.past?.lost === true)),
      changed,
      attempts,
      requestId,
      results,
      // A row that is left is no failure.
      error: state !== 'pending' && error && { kind: error.kind, message: error.message, ...shownFacts(error.facts) },
    })
  }

  function stopFor(fatal: PromoError): void {
    summary.stoppedBy ??= 'fatal'
    summary.fatal ??= fatal
  }

  function settleRow({ row, state, changed, error }: RowOutcome, reason?: string): void {
    count(summary, row.past?.state ?? 'pending', state, changed, error !== undefined)
    if (isWrong(state)) wrong += 1
    settledRows += 1
    summary.elapsedMs = now() - startedAt
    if (wrong > limitOf(options.maxErrors, input.total)) summary.stoppedBy ??= 'max_errors'
    // A row that was not acted on says nothing about the others.
    const isActed = state !== 'duplicate' && state !== 'skipped'
    if (isActed && sameRefusal(state === 'ok' ? undefined : reason)) summary.stoppedBy ??= 'same_refusal'
    // Both count rows of the whole job: those of earlier runs, and those of this one.
    const { before, total, counts } = summary
    options.onProgress?.({ done: before + settledRows, total, wrong: notWell(counts) })
  }
}

const asItIs = (result: RowResult) => result

function sendingOnce(begin: OnTurn, failed: (error: unknown) => void): OnTurn {
  let begun: Promise<void> | undefined
  let isBegun = false
  return () => {
    if (isBegun) return begun
    isBegun = true
    begun = begin()?.catch((error: unknown) => {
      failed(error)
      throw error
    })
    return begun
  }
}

// ASSUMED A531: ten rows refused for the same reason, right from the start, make the rest look hopeless (F-23).
const sameRefusals = 10

/**
 * Returns a function that takes the reasons of refused rows and returns true when the first ten were all the same: a wrong
 * column or a wrong project, which would refuse the other rows too.
 * Source: docs/reliability.md#fault-matrix.
 */
function sameFromTheStart(rows: number): (reason: string | undefined) => boolean {
  let seen = 0
  let first: string | undefined
  let isSame = rows > sameRefusals
  return (reason) => {
    if (!isSame) return false
    if (seen === 0) first = reason
    seen += 1
    isSame = reason !== undefined && reason === first
    return isSame && seen === sameRefusals
  }
}

function shownFacts({ hint, http, api, retryable }: PromoError['facts']): object {
  return withoutUndefined({ hint, http, api, retryable })
}

/**
 * Returns the result for a row whose act threw.
 *
 * A PromoError is judged by its exit code, which tells whether anything can have been applied. Anything else is a bug
 * between the row and the service: the outcome is unknown. Its message is not shown, because Node puts header values into
 * some.
 */
export function resultOfError(error: unknown): RowResult {
  if (!(error instanceof PromoError)) {
    const name = error instanceof Error ? error.name : typeof error
    const message = `an unexpected ${name} ended the work on this row; it is unknown whether it was applied`
    return { state: 'unknown', error: { kind: 'unknown_outcome', message, facts: {} } }
  }
  // Not a refusal of the row: the same row is accepted once the profile is corrected.
  if (error.exitCode === EXIT.auth) return { state: 'exhausted', error, fatal: error }
  if (error.exitCode === EXIT.usage || error.exitCode === EXIT.refused) return { state: 'failed', error }
  if (error.exitCode === EXIT.unavailable) return { state: 'exhausted', error }
  // Without a record of the work, no more work may begin.
  const isRecordLost = error.exitCode === EXIT.io || error.exitCode === EXIT.journal
  return isRecordLost ? { state: 'unknown', error, fatal: error } : { state: 'unknown', error }
}

// An act that throws before it returns a promise is treated like one that rejects.
function promiseOf<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return act()
  } catch (error) {
    return Promise.reject(error)
  }
}

/** Returns the result for a row that is not begun, because the run was stopped. */
function postponedResult({ past }: Row): RowResult {
  return { state: 'pending', lost: past?.lost ?? false }
}

/** Returns the outcome of a row that is not acted on. */
function outcomeOfUntouched(row: Row): RowOutcome {
  if (row.duplicateOf !== undefined) return { row, state: 'duplicate', duplicateOf: row.duplicateOf }
  return { row, state: 'skipped', error: { kind: 'input', message: row.problem ?? '', facts: {} } }
}

// ASSUMED A452: `--max-errors N` tolerates N rows and stops at the next, so that 0 stops at the first.
function limitOf(maxErrors: RunOptions['maxErrors'], total: number): number {
  if (maxErrors === undefined) return Number.POSITIVE_INFINITY
  return 'rows' in maxErrors ? maxErrors.rows : (total * maxErrors.percent) / 100
}

function cutShort(cause: unknown): PromoError {
  if (isSystemError(cause)) {
    const message = `the run was cut short: ${reasonOf(cause)}`
    return new PromoError('io', message, { hint: whatToDoAbout(cause), cause })
  }
  const name = cause instanceof Error ? cause.name : typeof cause
  return new PromoError('bug', `a bug in promo (${name}) cut the run short`, {
    hint: 'run it again with --debug and report what it prints',
    cause,
  })
}

/** Says whether Node or SQLite reports what the computer refused, and not a fault of promo's own. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  const { syscall, errcode } = (error ?? {}) as { syscall?: unknown; errcode?: unknown }
  return syscall !== undefined || errcode !== undefined
}
