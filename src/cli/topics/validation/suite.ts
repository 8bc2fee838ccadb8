// Many carts at once: each line of a file is a request body, each answer is compared with what was expected of it.

import { jsonDocuments } from '../../../bulk/input/json-documents.ts'
import type { Row } from '../../../bulk/input/row.ts'
import { inputSum, sumOfJson } from '../../../bulk/journal/input-checksum.ts'
import type { Repeat } from '../../../contract/endpoint.ts'
import { repeatOf, validateRedeemables } from '../../../contract/validations.ts'
import { EXIT, type ExitCode } from '../../../errors.ts'
import { checkShape } from '../../../output/check.ts'
import { cartVerdictColumns } from '../../../output/columns/cart-verdicts.ts'
import { planColumns } from '../../../output/columns/plan.ts'
import { emit } from '../../../output/emit.ts'
import { counted, type Many, type ManyFlags } from '../../bulk/definition.ts'
import { fromSource, type InputRows } from '../../bulk/input-rows.ts'
import { concurrencyOf, destination, type ManyCommand, sessionFor } from '../../bulk/many.ts'
import { newWork } from '../../bulk/new-work.ts'
import { showComplete } from '../../bulk/nothing-left.ts'
import type { Work } from '../../bulk/work.ts'
import { announceWrite, confirmWrite } from '../../prompt/confirm.ts'
import { talkTo } from '../../result/messages.ts'
import { shapeOf, sinkOf } from '../../result/output.ts'
import type { Host } from '../../run/host.ts'
import { resolveProfile, type Session } from '../../session/connect.ts'
import type { NewValidation } from './body.ts'
import { expectationsFrom } from './expectations.ts'
import { runSuite } from './suite-run.ts'

export type SuiteFlags = ManyFlags & { from: string; expect?: string | undefined }

/** A cart as a row of many: it has no key but its line, and what its call does once more depends on its session. */
const carts: Many<typeof validateRedeemables> = {
  words: { noun: 'cart', verb: 'validate', done: 'validated', unchanged: '', key: 'line', member: 'validation' },
  endpoint: validateRedeemables,
  // The contract proves the row's fields to be a body before it is put aside.
  request: ({ fields }: Row) => ({ body: fields as NewValidation }),
  onDuplicate: 'keep',
}

/**
 * Validates every cart of a JSON Lines file and gives the exit code: the worst outcome, else 12 when a cart is not what was
 * expected of it, or, where nothing is expected, not valid.
 *
 * Everything in both files is checked before the first request. Carts with a session lock, so they are announced and
 * confirmed like writes; one whose session has no key is never sent twice.
 */
export async function validateCarts(flags: SuiteFlags, command: ManyCommand): Promise<ExitCode> {
  const { host, recall } = command
  const planOnly = flags['dry-run'] ?? false
  await checkShape(shapeOf(flags, host), planOnly ? planColumns : cartVerdictColumns)
  const profile = await resolveProfile(flags, host)
  const work = recall ? await recall.work(neverNew) : await workOf(flags, command, profile.name)
  try {
    if (work.complete && !planOnly) return await showCompleteSuite(work.complete, work, flags, command)
    const { lines, repeat } = await surveyOf(work)
    const expected = flags.expect === undefined ? undefined : await expectationsFrom(flags.expect, lines, host)
    const session = await sessionFor(work, flags, profile, command)
    try {
      if (work.notice !== undefined) talkTo(host, flags).say(work.notice)
      if (planOnly) return await showPlan(session, work, flags, host)
      await confirmLocks(session, work, flags, command)
      const to = await destination(session, work, { ...carts, endpoint: { ...validateRedeemables, repeat } })
      const begun = await work.begin({ ...to, planSha256: sumOfJson([to.planSha256, [...(expected ?? [])]]) })
      return await runSuite(session.client, begun, expected, { ...flags, concurrency: concurrencyOf(flags) }, host)
    } finally {
      await session.close()
    }
  } finally {
    await work.close()
  }
}

async function workOf(flags: SuiteFlags, { host, config, line }: ManyCommand, profile: string): Promise<Work> {
  const commanded = { line, flags, profile, shard: null, host, version: config.version }
  return await newWork(cartsFrom(flags.from, host), carts, commanded)
}

function cartsFrom(from: string, host: Host): InputRows {
  const sum = inputSum()
  const rows = jsonDocuments({ from, stdin: host.stdin, signal: host.stop, heard: sum.heard })
  return { rows, name: from, ...fromSource(from, sum.sha256, host) }
}

/** Nothing is taken back by validating. */
async function neverNew(): Promise<Work> {
  throw new Error('carts are never made from a job')
}

/** The lines of all carts, and what one more identical run of the worst of them would do. */
async function surveyOf(work: Work): Promise<{ lines: number[]; repeat: Repeat }> {
  const lines: number[] = []
  const repeats = new Set<Repeat>()
  for (const row of work.all()) {
    lines.push(row.line)
    repeats.add(repeatOf(row.fields as NewValidation))
  }
  const [worst = 'read'] = (['once', 'idempotent', 'read'] as const).filter((repeat) => repeats.has(repeat))
  return { lines, repeat: worst }
}

async function confirmLocks(session: Session, work: Work, flags: SuiteFlags, { host, recall }: ManyCommand) {
  let locking = 0
  for (const { fields } of work.rows()) if ((fields as NewValidation).session !== undefined) locking += 1
  if (locking === 0) return
  announceWrite(session.profile, talkTo(host, flags))
  const caution = recall?.caution === undefined ? '' : `, ${recall.caution}`
  const question = `lock what applies in ${counted(locking, 'cart')}${caution}`
  await confirmWrite({ profile: session.profile, flags, host, question })
}

async function showPlan({ client }: Session, work: Work, flags: SuiteFlags, host: Host): Promise<ExitCode> {
  async function* planned() {
    for (const row of work.rows()) yield client.plan(validateRedeemables, carts.request(row))
  }
  await emit(planned(), planColumns, shapeOf(flags, host), sinkOf(flags, host))
  talkTo(host, flags).say('dry run: nothing was sent')
  return EXIT.ok
}

async function showCompleteSuite(
  complete: NonNullable<Work['complete']>,
  work: Work,
  flags: SuiteFlags,
  command: ManyCommand,
): Promise<ExitCode> {
  const exitCode = await showComplete(complete, work, flags, carts.words, command)
  if (exitCode !== EXIT.ok || complete.noted === 0) return exitCode
  talkTo(command.host, flags).warn(`${counted(complete.noted, 'cart')} not as expected or not valid`)
  return EXIT.no
}
