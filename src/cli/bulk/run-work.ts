// The run itself: acts on rows, writes outcomes as they arrive, then the summary and the next step.
import type { Client } from '../../api/client.ts'
import { type RowOutcome, type Run, type RunOptions, runBatches, runRows } from '../../bulk/run.ts'
import { exitCodeOf, type Summary } from '../../bulk/summary.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { EXIT, type ExitCode, PromoError } from '../../errors.ts'
import type { Host } from '../run/host.ts'
import type { ClientSession } from '../session/connect.ts'
import { actOnBatch } from './call-batch.ts'
import { actOf, withResults } from './call-row.ts'
import { type BulkDefinition, rowsPerRequest } from './definition.ts'
import { formsOf, nextStep, summaryRecord } from './outcome-records.ts'
import type { RunPlan } from './run-plan.ts'
import type { BegunWork } from './work.ts'

// ASSUMED A530: a run stops by itself after 100 rows that went wrong; running it again continues with the next 100
// (docs/reliability.md#fault-matrix proposes the number).
const defaultMaxErrors = { rows: 100 }

/** What only its caller knows of a run: who is told its end, whether it undoes a job, and how many items its rows are about. */
interface RunFacts {
  host: Pick<Host, 'stop' | 'now'>
  onEnd: ((summary: Summary) => void) | undefined
  isUndo: boolean
  items: number | undefined
}

/**
 * Acts on all rows of the work and returns the exit code of the worst outcome; `onEnd` is told their counts. Throws what
 * ended the run early.
 */
export async function runWork<E extends Endpoint>(
  { client, profile }: Pick<ClientSession, 'client' | 'profile'>,
  work: BegunWork,
  plan: Pick<RunPlan, 'pace' | 'show' | 'reading' | 'onUnexpected' | 'failsIfExists'>,
  bulk: BulkDefinition<E>,
  { host, onEnd, isUndo, items }: RunFacts,
): Promise<ExitCode> {
  const { words } = bulk
  const { columns, record, line, facts, rows } = formsOf(bulk)
  const { pace, show } = plan
  const progress = await show.progress({
    before: work.journal === undefined ? 0 : work.total - work.journal.left,
    rowsPerRequest: rowsPerRequest(bulk),
    limitsAhead: () => client.limitsAhead(),
  })
  const { format } = show.shape
  const run = runOf(
    client,
    work,
    { ...bulk, isUndo },
    {
      concurrency: pace.concurrency,
      maxErrors: pace.maxErrors ?? defaultMaxErrors,
      // ASSUMED A1710: who says how many rows may go wrong expects some, also right from the start and for the same reason.
      goOnWhenAlike: pace.maxErrors !== undefined,
      signal: host.stop,
      onProgress: progress.update,
      onUnexpected: plan.onUnexpected,
      // A table shows only rows that went wrong, and those have no answer unless the answer itself is wrong.
      withValues: format !== 'table' || bulk.forms !== undefined,
      complete: (result) => withResults(result, bulk.results),
      now: host.now,
    },
  )
  let summary: Summary | undefined
  let last: RowOutcome | undefined

  async function* records() {
    try {
      for (;;) {
        const next = await run.next()
        if (next.done) {
          summary = next.value
          yield* rows()
          return
        }
        for (const outcome of next.value) {
          last = outcome
          const shown = format !== 'table' || needsAttention(outcome) ? record(outcome, format) : undefined
          if (shown) yield shown
        }
      }
    } finally {
      summary ??= (await run.return()).value
      progress.end()
    }
  }
  async function* withSummary() {
    yield* records()
    if (summary) yield { ...summaryRecord(summary, words, work), ...facts() }
  }

  let isTold = false
  let lost: unknown
  try {
    await show.afterWrite.rows(format === 'jsonl' ? withSummary() : records(), columns, { nothing: '' })
    isTold = true
  } finally {
    // A closed pipe ends the writing at once; requests in flight are still awaited, or their outcomes would be lost.
    summary ??= (await run.return()).value
    lost = endOf(work, endMark(summary, isTold, host))
    onEnd?.(summary)
  }
  const exitCode = exitCodeOf(summary)
  const refusal = isCall(work) && /^jsonl?$/.test(format) ? last?.error : undefined
  // For programs a call that fails is told like any other error, whether it reads or writes.
  if (refusal && !summary.fatal && exitCode !== EXIT.ok) {
    throw new PromoError(refusal.kind, refusal.message, refusal.facts, exitCode)
  }
  const tell = exitCode === EXIT.ok ? show.say : show.warn
  tell(line(summary, { ...work, items }))
  const source = {
    profile: profile.name,
    projectId: profile.projectId,
    ...(plan.failsIfExists && {
      ifTaken: `for ${words.key}s that are taken: run it again with --if-exists reuse, or update`,
    }),
    ...(plan.reading && { column: plan.reading.columns.column ?? words.key }),
  }
  const step = nextStep(summary, work.name, source, bulk.endpoint.repeat)
  if (step !== undefined) show.warn(step)
  // Of many rows each may need another step; a single one is told as any other call that is refused.
  const hint = isCall(work) ? last?.error?.facts.hint : undefined
  if (hint !== undefined && !summary.fatal) show.warn(`try: ${hint}`)
  if (summary.fatal) throw withCode(summary.fatal, exitCode)
  if (lost !== undefined) throw lost
  return exitCode
}

/** Says whether the work is one call of which nothing is kept. */
function isCall({ total, journal }: BegunWork): boolean {
  return total === 1 && journal === undefined
}

/** Returns the error that ended the run with the exit code of all rows: an unknown row needs more care than a wrong key. */
function withCode(fatal: PromoError, exitCode: ExitCode): PromoError {
  return fatal.exitCode === exitCode ? fatal : new PromoError(fatal.kind, fatal.message, fatal.facts, exitCode)
}

/** Records how the run ended; returns the error of doing so, which must not hide the outcomes of the rows. */
function endOf(work: BegunWork, by: string): unknown {
  try {
    work.end(by)
    return undefined
  } catch (error) {
    return error
  }
}

/**
 * Returns why a run ended before its job was over, or `done`.
 *
 * Only a job marked `done` is over. If its last outcomes were not written (`isTold`), or it ends with the exit code of
 * a signal that came after the last row, the same command line reports it again instead of beginning it again: those exit
 * codes ask for another run.
 */
function endMark({ stoppedBy }: Summary, isTold: boolean, { stop }: Pick<Host, 'stop'>): string {
  if (stoppedBy !== undefined) return stoppedBy
  if (stop.aborted && stop.reason !== 'EPIPE') return 'signal'
  return isTold && !stop.aborted ? 'done' : 'consumer'
}

function runOf<E extends Endpoint>(
  client: Client,
  work: BegunWork,
  bulk: BulkDefinition<E> & { isUndo: boolean },
  options: RunOptions,
): Run {
  const { act, endpoint, isUndo } = bulk
  if (typeof act === 'object') return runBatches(work, actOnBatch(client, endpoint, act), act.size, options)
  const sent = { unseen: options.withValues === false, isShared: work.isShared, isUndo }
  return runRows(work, act?.(client) ?? actOf(client, bulk, sent), options)
}

function needsAttention({ state, error }: RowOutcome): boolean {
  return error !== undefined || (state !== 'ok' && state !== 'ok_inferred' && state !== 'duplicate')
}
