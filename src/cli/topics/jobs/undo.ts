// Undoing a job: its inverse is sent for the rows that it certainly changed, as a job of its own.

import type { Client } from '../../../api/client.ts'
import { sleep } from '../../../api/connection.ts'
import { CallError } from '../../../api/outcome/call-error.ts'
import { grouped } from '../../../base/grouped.ts'
import { shellWord } from '../../../base/shell-word.ts'
import type { Row } from '../../../bulk/input/row.ts'
import { jsonChecksum } from '../../../bulk/journal/input-checksum.ts'
import { writeHeader } from '../../../bulk/journal/job.ts'
import { openJournalFile } from '../../../bulk/journal/journal-file.ts'
import { outcomesIn } from '../../../bulk/journal/outcome-store.ts'
import { changedRows, type UnsureRows, unsureRows } from '../../../bulk/journal/undo-rows.ts'
import { mustBeWhole } from '../../../bulk/journal/whole.ts'
import { emptySummary } from '../../../bulk/summary.ts'
import { disableVoucher, enableVoucher, getVoucher } from '../../../contract/vouchers.ts'
import { EXIT, type ExitCode, PromoError, usageError } from '../../../errors.ts'
import { environmentName } from '../../../profiles/profile.ts'
import type { InputRows } from '../../bulk/definition.ts'
import { projectConsent, reachedProject } from '../../bulk/destination.ts'
import { inverses, type ReadableJob, undoFor } from '../../bulk/known-jobs.ts'
import { settleFile } from '../../bulk/open-job.ts'
import { outcomeColumns, summaryRecord } from '../../bulk/outcome-records.ts'
import { messagesTo } from '../../result/messages.ts'
import { formatOf, type OutputFlags, shapeOf, sinkOf } from '../../result/output.ts'
import type { Host } from '../../run/host.ts'
import { mustBeOfProject } from '../../session/same-project.ts'
import { lockJob } from './lock-job.ts'
import { type ResumingCommand, resumeJob, startInPlace } from './resume-job.ts'

/**
 * Undoes a job, or resumes its undo, and returns the exit code: the worst outcome, else 6 when it is unknown of some rows
 * whether the job changed them; those are listed and left alone.
 *
 * Throws `usage` for a command without an inverse, `held` (exit 8) while the job runs, and `journal` (exit 9).
 */
export async function undoJob(
  found: ReadableJob,
  flags: Record<string, unknown>,
  taker: ResumingCommand,
): Promise<ExitCode> {
  const inverse = inverses.get(found.header.command)
  if (inverse === undefined) throw notUndoable(found.header.command)
  const isPlan = flags['dry-run'] === true
  // Whether there is an undo already, and what there is to undo, is known only under the lock.
  const { job, lock } = await lockJob(found, taker.host, isPlan)
  try {
    const { changed, unsure } = extentOf(job)
    if (unsure.rows > 0) messagesTo(taker.host, flags).warn(leftAlone(job.file.name, unsure))
    const exitCode = await sendInverse(job, { inverse, changed, unsure, flags }, taker)
    return exitCode === EXIT.ok ? codeFor(unsure, isPlan) : exitCode
  } finally {
    lock.release()
  }
}

interface Extent {
  inverse: string
  changed: number
  unsure: UnsureRows
  flags: Record<string, unknown>
}

async function sendInverse(
  job: ReadableJob,
  { inverse, changed, unsure, flags }: Extent,
  taker: ResumingCommand,
): Promise<ExitCode> {
  const { header } = job
  const { host } = taker
  const messages = messagesTo(host, flags)
  const earlier = await undoFor(job, host)
  if (earlier) {
    messages.say(`job ${earlier.header.id} undoes job ${header.id}`)
    if (flags['dry-run'] !== true) markUndone(job, earlier.header.id)
    return await resumeJob(earlier, { again: 'rest', flags }, taker)
  }
  if (header.undone_by !== undefined) throw undoneElsewhere(header, header.undone_by)
  if (changed === 0) {
    await showNothing(inverse, flags, host)
    messages.say(`job ${header.id} changed nothing that could be undone`)
    return EXIT.ok
  }
  mustFitTimes(header, changed, unsure)
  return await startInPlace(inverse, taker, {
    job: header.id,
    args: {},
    // The reserved name for settings from the environment is not a profile that can be named.
    flags: { ...flags, ...(header.profile !== environmentName && { profile: header.profile }) },
    async examine(session) {
      const consent = projectConsent(flags, host, { canRestart: false })
      await mustBeOfProject({ ...header, name: job.file.name }, reachedProject(session), consent)
      await mustStampOnlyChanges(job, session.client)
    },
    async work(newJob) {
      const work = await newJob(rowsToTakeBack(job, changed), header.id)
      return {
        ...work,
        async begin(destination) {
          const begun = await work.begin(destination)
          markUndone(job, begun.job)
          return begun
        },
      }
    },
  })
}

/** Records in a job, before anything is undone, which other job does that: that one may be out of reach where it is resumed. */
function markUndone({ file, header }: ReadableJob, by: string | undefined): void {
  if (by === undefined || header.undone_by === by) return
  const database = openJournalFile(file.path)
  try {
    writeHeader(database, { ...header, undone_by: by })
  } finally {
    settleFile(database, file.path)
  }
}

function undoneElsewhere({ id }: ReadableJob['header'], by: string): PromoError {
  const message = `job ${by} undid job ${id}, or began to, and its journal is not on this computer; nothing was sent`
  return new PromoError('journal', EXIT.journal, message, {
    hint: `on the computer that has it: promo jobs resume ${by}`,
  })
}

/** ASSUMED A502: rows of unknown outcome are not undone; the user has to check them, so the code is 6. */
function codeFor({ rows }: UnsureRows, isPlan: boolean): ExitCode {
  return rows > 0 && !isPlan ? EXIT.unknown : EXIT.ok
}

/**
 * Throws `unknown_outcome` (exit 6) when more answers show times that their calls cannot have than times of their calls.
 *
 * The clock that stamps vouchers is then not the one in `Date`. If it is ahead, a voucher that somebody else switched off
 * shortly before shows the very time of the call.
 */
function mustFitTimes(header: ReadableJob['header'], changed: number, { untold }: UnsureRows): void {
  if (untold > changed) throw noProof(header, 'most times of the vouchers are not those of the calls')
}

/** Rows that are tried before it counts as unknown how the service stamps. */
const mostTried = 10

/**
 * Throws `unknown_outcome` (exit 6) when it does not hold that `updated_at` is only renewed by a change: it is then no proof
 * that the job changed anything, and a voucher that was off before would be switched on.
 *
 * One call of the job is sent once more, for a voucher that is still as the job left it, and must leave its time as it was.
 */
async function mustStampOnlyChanges({ file, header }: ReadableJob, client: Client): Promise<void> {
  if (header.origin === 'sandbox' || header.flags['prove-change'] === true) return
  const isOn = header.command === 'vouchers:enable'
  for (const key of firstChanged(file.path)) {
    const there = await client.call(getVoucher, { path: { code: key } }).catch(ofMissing)
    if (there === undefined || there.active !== isOn) continue
    // In whole seconds, a second call within the same one would show the same time.
    if (!/\.\d*[1-9]/.test(String(there.updated_at))) await sleep(wholeSecondMs)
    const { updated_at } = await client.call(isOn ? enableVoucher : disableVoucher, { path: { code: key } })
    if (typeof updated_at === 'string' && updated_at === there.updated_at) return
    throw noProof(header, `the service renews updated_at even when nothing changes (${key})`)
  }
  throw noProof(header, 'no voucher is left as the job switched it, which could show how the service keeps updated_at')
}

const wholeSecondMs = 1100

function firstChanged(path: string): string[] {
  const database = openJournalFile(path, { readOnly: true })
  try {
    const keys: string[] = []
    for (const { key } of changedRows(database)) if (keys.push(key) === mostTried) break
    return keys
  } finally {
    database.close()
  }
}

function ofMissing(error: unknown): undefined {
  if (!(error instanceof CallError) || error.status !== 404) throw error
}

function noProof({ id }: ReadableJob['header'], why: string): PromoError {
  const message = `it is unknown which vouchers job ${id} changed: ${why}; nothing was undone`
  return new PromoError('unknown_outcome', EXIT.unknown, message, {
    hint: `promo jobs report ${id} --only ok --csv lists the rows; switch those that you know were different before`,
  })
}

/** The shape of a result does not depend on how many rows it has. */
async function showNothing(inverse: string, flags: OutputFlags, host: Host): Promise<void> {
  const { emit } = await import('../../../output/emit.ts')
  const verb = inverse.replace('vouchers:', '')
  const words = { noun: 'voucher', verb, done: `${verb}d`, unchanged: '', key: 'code' }
  const summary = summaryRecord(emptySummary(0), words, { shard: null, others: 0 })
  const records = formatOf(flags) === 'jsonl' ? [summary] : []
  await emit(records, outcomeColumns(words), shapeOf(flags, host), sinkOf(flags, host), { nothing: '' })
}

function extentOf({ file, header }: ReadableJob): { changed: number; unsure: UnsureRows } {
  const database = openJournalFile(file.path, { readOnly: true })
  try {
    mustBeWhole(database, header)
    return { changed: outcomesIn(database).tally().changed, unsure: unsureRows(database) }
  } finally {
    database.close()
  }
}

function rowsToTakeBack({ file, header }: ReadableJob, changed: number): InputRows {
  const sum = jsonChecksum(['undo', header.id, changed])
  function* rows(): Generator<Row> {
    const database = openJournalFile(file.path, { readOnly: true })
    try {
      yield* changedRows(database)
    } finally {
      database.close()
    }
  }
  return {
    rows: rows(),
    name: `job ${header.id}`,
    input: `job ${header.id}`,
    sha256: () => sum,
    sha256Now: async () => sum,
    layout: () => header,
  }
}

function leftAlone(name: string, { rows, first }: UnsureRows): string {
  const named = first.map(({ line, key }) => `${key} (line ${line})`).join(', ')
  const more = rows > first.length ? ` and ${grouped(rows - first.length)} more` : ''
  const subject = rows === 1 ? '1 row is' : `${grouped(rows)} rows are`
  const what = `${subject} left alone, because it is unknown whether the job changed them: ${named}${more}`
  return `${what}; see them with: promo jobs report ${shellWord(name)} --csv`
}

function notUndoable(command: string): PromoError {
  const able = [...inverses.keys()].map((id) => `"${id.replaceAll(':', ' ')}"`)
  return usageError(
    `a job of "${command.replaceAll(':', ' ')}" cannot be undone: no call of the service reverses it`,
    `only ${able.join(' and ')} can be undone, and only for vouchers that they really changed`,
  )
}
