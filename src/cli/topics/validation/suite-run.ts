// The run of many carts: each asked about, its answer compared and noted, a line for each, then how many were wrong.
import type { Client } from '../../../api/client.ts'
import { runRows } from '../../../bulk/run.ts'
import { exitCodeOf, type Summary } from '../../../bulk/summary.ts'
import { repeatOf, type Validation, validateRedeemables } from '../../../contract/validations.ts'
import { EXIT, type ExitCode } from '../../../errors.ts'
import { cartVerdictColumns } from '../../../output/columns/cart-verdicts.ts'
import { emit } from '../../../output/emit.ts'
import { actOf } from '../../bulk/call-row.ts'
import { endMark } from '../../bulk/end-mark.ts'
import { nextStep } from '../../bulk/outcome-records.ts'
import type { BegunWork } from '../../bulk/work.ts'
import { talkTo } from '../../result/messages.ts'
import { formatOf, shapeOf, sinkOf } from '../../result/output.ts'
import { startProgress } from '../../result/progress.ts'
import { type Host, onlyClosedPipe } from '../../run/host.ts'
import type { NewValidation } from './body.ts'
import { cartProblem, cartRecord, suiteLine } from './cart-record.ts'
import type { Expectations } from './expectations.ts'
import type { SuiteFlags } from './suite.ts'

/** Asks about all carts of the work; the exit code is the worst outcome, else 12 when one is not as it should be. */
export async function runSuite(
  client: Client,
  work: BegunWork,
  expected: Expectations | undefined,
  flags: SuiteFlags & { concurrency: number },
  host: Host,
): Promise<ExitCode> {
  const format = formatOf(flags)
  const progress = startProgress(host, flags, {
    before: work.journal === undefined ? 0 : work.total - work.journal.left,
    rowsPerRequest: 1,
    outlook: () => client.outlook(),
  })
  let wrong = work.noted
  let summary: Summary | undefined
  const outcomes = runRows(
    work,
    async (row) => {
      const body = row.fields as NewValidation
      const endpoint = { ...validateRedeemables, repeat: repeatOf(body) }
      const verdict = await actOf(client, { endpoint, request: () => ({ body }) })(row)
      const error = verdict.state === 'ok' ? cartProblem(verdict.value as Validation, row, expected) : verdict.error
      return error === undefined ? verdict : { ...verdict, error }
    },
    {
      concurrency: flags.concurrency,
      ...(flags['max-errors'] !== undefined && { maxErrors: flags['max-errors'] }),
      signal: host.stop,
      onProgress: progress.update,
      now: host.now,
    },
  )

  async function* records() {
    try {
      for (;;) {
        const next = await outcomes.next()
        if (next.done) {
          summary = next.value
          break
        }
        for (const outcome of next.value) {
          const { state, error } = outcome
          if (state === 'ok' && error !== undefined) wrong += 1
          if (format !== 'table' || error !== undefined) yield cartRecord(outcome, expected, format)
        }
      }
      if (format === 'jsonl') yield summaryRecord(summary, work, wrong)
    } finally {
      summary ??= (await outcomes.return()).value
      progress.end()
    }
  }

  const sink = { ...sinkOf(flags, host), signal: onlyClosedPipe(host.stop) }
  let isTold = false
  try {
    await emit(records(), cartVerdictColumns, shapeOf(flags, host), sink, { nothing: '' })
    isTold = true
  } finally {
    // As in run-work.ts: what is in flight is waited for, whoever listens.
    summary ??= (await outcomes.return()).value
    work.end(endMark(summary, isTold, host))
  }
  const exitCode = exitCodeOf(summary)
  const talk = talkTo(host, flags)
  const tell = exitCode === EXIT.ok && wrong === 0 ? talk.say : talk.warn
  tell(suiteLine(summary, wrong, expected !== undefined))
  const step = nextStep(summary, work.name)
  if (step !== undefined) talk.warn(step)
  if (summary.fatal) throw summary.fatal
  return exitCode === EXIT.ok && wrong > 0 ? EXIT.no : exitCode
}

function summaryRecord({ total, before, counts, stoppedBy }: Summary, { job }: BegunWork, wrong: number): object {
  return { t: 'summary', job: job ?? null, total, before, ...counts, wrong, stopped_by: stoppedBy ?? null }
}
