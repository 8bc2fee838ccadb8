// Many carts at once: each line of a file is a request body, each answer is compared with what was expected of it.
import { join } from 'node:path'
import type { Config } from '@oclif/core'
import { parseRate } from '../../api/limits.ts'
import { jsonDocuments } from '../../bulk/json-documents.ts'
import type { Row } from '../../bulk/row.ts'
import { runRows } from '../../bulk/run.ts'
import { type Spool, spool } from '../../bulk/spool.ts'
import { exitCodeOf, type Summary } from '../../bulk/summary.ts'
import { repeatOf, validateRedeemables } from '../../contract/validations.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import { checkShape } from '../../output/check.ts'
import { cartVerdictColumns } from '../../output/columns/cart-verdicts.ts'
import { planColumns } from '../../output/columns/plan.ts'
import { emit } from '../../output/emit.ts'
import { folders } from '../../profiles/folders.ts'
import { actOf } from '../act.ts'
import { sendable } from '../checked-rows.ts'
import { announceWrite, confirmWrite } from '../confirm.ts'
import { connect, type Session } from '../connect.ts'
import { afterGrace, type Host, onlyClosedPipe, stoppedExitCode } from '../host.ts'
import type { ManyFlags } from '../many-words.ts'
import { startProgress } from '../progress.ts'
import { formatOf, shapeOf, sinkOf } from '../shaping.ts'
import { talkTo } from '../talk.ts'
import type { NewValidation } from './body.ts'
import { cartRecord, suiteLine } from './cart-record.ts'
import { type Expectations, expectationsFrom } from './expectations.ts'

export type SuiteFlags = ManyFlags & { from: string; expect?: string | undefined }

/** How long requests in flight may take to finish after Ctrl-C. */
const graceMs = 10_000

/**
 * Validates every cart of a JSON Lines file and gives the exit code: the worst outcome, else 12 when a cart is not what was
 * expected of it, or, where nothing is expected, not valid.
 *
 * Everything in both files is checked before the first request. Carts with a session lock, so they are announced and
 * confirmed like writes; one whose session has no key is never sent twice.
 */
export async function validateCarts(flags: SuiteFlags, command: { host: Host; config: Config }): Promise<ExitCode> {
  const { host, config } = command
  const { 'dry-run': planOnly = false, concurrency = 8 } = flags
  await checkShape(shapeOf(flags, host), planOnly ? planColumns : cartVerdictColumns)
  const rate = flags.rate === undefined ? undefined : parseRate(flags.rate)
  const carts = await cartsOf(flags.from, host)
  try {
    const { lines, locking } = await surveyOf(carts)
    const expected = flags.expect === undefined ? undefined : await expectationsFrom(flags.expect, lines, host)
    const signal = afterGrace(host.stop, graceMs)
    const session = await connect(flags, host, config, { concurrency, ...(rate && { rate }), signal, planOnly })
    try {
      if (planOnly) return await showPlan(session, carts, flags, host)
      if (locking > 0) await confirmLocks(session, locking, flags, host)
      return await run(session, carts, expected, { ...flags, concurrency }, host)
    } finally {
      await session.close()
    }
  } finally {
    await carts.close()
  }
}

async function cartsOf(from: string, host: Host): Promise<Spool> {
  const rows = jsonDocuments({ from, stdin: host.stdin, signal: host.stop })
  const { state } = folders(host.env, host.platform, host.home)
  const call = { endpoint: validateRedeemables, request: (row: Row) => ({ body: bodyOf(row) }) }
  return await spool(sendable(rows, call), { name: from, dir: join(state, 'spool'), onDuplicate: 'keep' })
}

// The contract proved the row's fields to be a body before it was put aside.
function bodyOf({ fields }: Row): NewValidation {
  return fields as NewValidation
}

async function surveyOf(carts: Spool): Promise<{ lines: number[]; locking: number }> {
  const lines: number[] = []
  let locking = 0
  for await (const row of carts.rows()) {
    lines.push(row.line)
    if (bodyOf(row).session !== undefined) locking += 1
  }
  return { lines, locking }
}

async function confirmLocks(session: Session, locking: number, flags: SuiteFlags, host: Host): Promise<void> {
  announceWrite(session.profile, talkTo(host, flags))
  await confirmWrite({
    profile: session.profile,
    flags,
    host,
    question: `lock what applies in ${locking} cart${locking === 1 ? '' : 's'}`,
  })
}

async function showPlan({ client }: Session, carts: Spool, flags: SuiteFlags, host: Host): Promise<ExitCode> {
  async function* planned() {
    for await (const row of carts.rows()) yield client.plan(validateRedeemables, { body: bodyOf(row) })
  }
  await emit(planned(), planColumns, shapeOf(flags, host), sinkOf(flags, host))
  talkTo(host, flags).say('dry run: nothing was sent')
  return EXIT.ok
}

async function run(
  { client }: Session,
  carts: Spool,
  expected: Expectations | undefined,
  flags: SuiteFlags & { concurrency: number },
  host: Host,
): Promise<ExitCode> {
  const format = formatOf(flags)
  const progress = startProgress(host, flags, { before: 0, rowsPerRequest: 1, outlook: () => client.outlook() })
  const tally = { wrong: 0, asked: 0 }
  let summary: Summary | undefined
  const outcomes = runRows(
    carts,
    (row) => {
      const body = bodyOf(row)
      const endpoint = { ...validateRedeemables, repeat: repeatOf(body) }
      return actOf(client, { endpoint, request: () => ({ body }) })(row)
    },
    {
      concurrency: flags.concurrency,
      ...(flags['max-errors'] !== undefined && { maxErrors: flags['max-errors'] }),
      signal: host.stop,
      onProgress: (counts) => progress.update(counts),
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
        const { record, isWrong } = cartRecord(next.value, expected, format)
        tally.asked += 1
        if (isWrong) tally.wrong += 1
        if (format !== 'table' || isWrong || next.value.state !== 'ok') yield record
      }
      if (format === 'jsonl') yield { t: 'summary', total: summary.total, ...summary.counts, wrong: tally.wrong }
    } finally {
      summary ??= (await outcomes.return()).value
      progress.end()
    }
  }

  const sink = { ...sinkOf(flags, host), signal: onlyClosedPipe(host.stop) }
  await emit(records(), cartVerdictColumns, shapeOf(flags, host), sink, { nothing: '' })
  if (summary === undefined) return stoppedExitCode(host.stop) ?? EXIT.bug
  if (summary.fatal) throw summary.fatal
  const exitCode = exitCodeOf(summary)
  const talk = talkTo(host, flags)
  const tell = exitCode === EXIT.ok && tally.wrong === 0 ? talk.say : talk.warn
  tell(suiteLine(summary, tally.wrong, expected !== undefined))
  return exitCode === EXIT.ok && tally.wrong > 0 ? EXIT.no : exitCode
}
