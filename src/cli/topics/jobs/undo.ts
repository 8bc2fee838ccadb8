// Undoing a job: its inverse is sent for the rows that it certainly changed, as a job of its own.

import { grouped } from '../../../base/grouped.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { jsonChecksum } from '../../../bulk/input/input-checksum.ts'
import type { Row } from '../../../bulk/input/row.ts'
import { readJournal, writeHeader } from '../../../bulk/journal/job.ts'
import { openJournalFile } from '../../../bulk/journal/journal-file.ts'
import {
  type EffectiveRow,
  effectiveRows,
  type LeftRows,
  mostNamed,
  type UnsureRows,
  unsureRows,
} from '../../../bulk/journal/undo-rows.ts'
import { mustBeWhole } from '../../../bulk/journal/whole.ts'
import { emptySummary } from '../../../bulk/summary.ts'
import type { Inverse, InverseCall } from '../../../contract/inverses.ts'
import { EXIT, type ExitCode, PromoError, usageError } from '../../../errors.ts'
import { environmentName } from '../../../profiles/profile.ts'
import type { InputRows } from '../../bulk/definition.ts'
import { projectConsent, reachedProject } from '../../bulk/destination.ts'
import { type ReadableJob, undoFor } from '../../bulk/known-jobs.ts'
import { settleFile } from '../../bulk/open-job.ts'
import { lockJob } from '../../bulk/replay-job.ts'
import { mustBeOfProject } from '../../bulk/same-project.ts'
import type { Work } from '../../bulk/work.ts'
import type { CommandClass } from '../../command.ts'
import { keepHeapSmall } from '../../heap.ts'
import { messagesTo } from '../../result/messages.ts'
import { insteadOf, inverseColumns, inverseFlags, inverseOfJobs, inverseRow } from '../../undo.ts'
import { mustStampOnlyChanges } from '../vouchers/stamps.ts'
import { classOf, type ResumingCommand, resumeJob, startInPlace } from './resume-job.ts'

/**
 * Undoes a job, or resumes its undo, and returns the exit code: the worst outcome, else 6 when it is unknown of some rows
 * whether the job changed them, or the journal lacks what their inverse takes; those are listed and left alone.
 *
 * Throws `usage` for a command without an inverse, `held` (exit 8) while the job runs, and `journal` (exit 9).
 */
export async function undoJob(
  found: ReadableJob,
  flags: Record<string, unknown>,
  taker: ResumingCommand,
): Promise<ExitCode> {
  const made = await classOf(found.header.command, taker)
  const inverse = inverseOfJobs(made)
  if (made.undo === undefined || inverse === undefined || 'byHand' in inverse) throw notUndoable(found, made, inverse)
  const undo = { command: made.undo, inverse }
  const isPlan = flags['dry-run'] === true
  // Whether there is an undo already, and what there is to undo, is known only under the lock.
  const { job, lock } = await lockJob(found, taker.host, isPlan)
  try {
    keepHeapSmall()
    const extent = extentOf(job, inverse)
    for (const warning of leftAlone(job.file.name, inverse, extent)) messagesTo(taker.host, flags).warn(warning)
    const exitCode = await sendInverse(job, undo, extent, flags, taker)
    return exitCode === EXIT.ok ? codeFor(extent, isPlan) : exitCode
  } finally {
    lock.release()
  }
}

/** What an undo finds in a job. */
interface Extent {
  /** How many rows have an inverse. */
  count: number
  unsure: UnsureRows
  /** Rows without what their inverse takes. */
  lacking: LeftRows
}

async function sendInverse(
  job: ReadableJob,
  { command, inverse }: { command: string; inverse: InverseCall },
  { count, unsure }: Extent,
  flags: Record<string, unknown>,
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
  return await startInPlace(command, taker, {
    job: header.id,
    undoes: header.id,
    args: {},
    flags: {
      ...flags,
      ...inverseFlags(inverse, header),
      // The reserved name for settings from the environment is not a profile that can be named.
      ...(header.profile !== environmentName && { profile: header.profile }),
    },
    async examine(session) {
      const consent = projectConsent(flags, host, { canRestart: false })
      await mustBeOfProject({ ...header, name: job.file.name }, reachedProject(session), consent)
      const { untold } = unsure
      const rows = () => mapped(inverseRows(job, inverse), ({ done }) => done)
      if (inverse.marked === 'updated_at') await mustStampOnlyChanges({ header, rows, count, untold }, session.client)
    },
    async work(newJob) {
      if (count === 0) return nothingToUndo(job)
      const work = await newJob(rowsToTakeBack(job, inverse, count), header.id)
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

/** The shape of a result does not depend on how many rows it has. */
function nothingToUndo({ file, header: { id, created_at } }: ReadableJob): Work {
  return {
    total: 0,
    count: 0,
    duplicates: 0,
    bad: 0,
    shard: null,
    others: 0,
    warnings: [],
    complete: {
      job: id,
      name: file.name,
      at: created_at,
      summary: emptySummary(0),
      isPart: true,
      told: `job ${id} changed nothing that could be undone`,
    },
    sample: () => [],
    all: () => [],
    rows: () => [],
    begin: () => Promise.reject(new TypeError('there is nothing to begin')),
    close: async () => {},
  }
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
  return new PromoError('journal', message, { hint: `on the computer that has it: promo jobs resume ${shellWord(by)}` })
}

/** ASSUMED A502: rows of unknown outcome are not undone; the user has to check them, so the code is 6. */
function codeFor({ unsure, lacking }: Extent, isPlan: boolean): ExitCode {
  return unsure.rows + lacking.rows > 0 && !isPlan ? EXIT.unknown : EXIT.ok
}

function extentOf(job: ReadableJob, inverse: InverseCall): Extent {
  return readJournal(job.file.path, (database) => {
    mustBeWhole(database, job.header)
    const lacking: LeftRows = { rows: 0, first: [] }
    let count = 0
    for (const { done, row } of inverseRows(job, inverse, true)) {
      if (row !== undefined) count += 1
      else if (++lacking.rows <= mostNamed) lacking.first.push(done.row)
    }
    return { count, lacking, unsure: unsureRows(database, inverse.of) }
  })
}

interface Reversible {
  done: EffectiveRow
  /** Undefined: the journal lacks what it takes. */
  row: Row | undefined
}

/** Yields the rows of a job that had an effect, each with its inverse; unless `all`, only those that have one. */
function* inverseRows({ file, header }: ReadableJob, inverse: InverseCall, all = false): Generator<Reversible> {
  const database = openJournalFile(file.path, { readOnly: true })
  try {
    for (const done of effectiveRows(database, inverse.of)) {
      const row = inverseRow(inverse, done, header)
      if (all || row !== undefined) yield { done, row }
    }
  } finally {
    database.close()
  }
}

function* mapped<From, To>(items: Iterable<From>, to: (item: From) => To): Generator<To> {
  for (const item of items) yield to(item)
}

function rowsToTakeBack(job: ReadableJob, inverse: InverseCall, count: number): InputRows {
  const { header } = job
  const sum = jsonChecksum(['undo', header.id, count])
  const columns = inverseColumns(inverse)
  return {
    rows: mapped(inverseRows(job, inverse), ({ row }) => row as Row),
    name: `job ${header.id}`,
    input: `job ${header.id}`,
    sha256: () => sum,
    sha256Now: async () => sum,
    layout: () => (columns === undefined ? header : { columns }),
  }
}

/** Says which rows are left alone, and why. */
function leftAlone(name: string, { of, lacks: what = '' }: InverseCall, { unsure, lacking }: Extent): string[] {
  const done = of === 'changed' ? 'changed them' : 'made them'
  return [
    ...(unsure.rows > 0 ? [rowsLeft(name, unsure, `because it is unknown whether the job ${done}`)] : []),
    ...(lacking.rows > 0 ? [rowsLeft(name, lacking, `because the journal does not have ${what}`)] : []),
  ]
}

function rowsLeft(name: string, { rows, first }: LeftRows, why: string): string {
  const named = first.map(({ line, key }) => `${key} (line ${line})`).join(', ')
  const more = rows > first.length ? ` and ${grouped(rows - first.length)} more` : ''
  const subject = rows === 1 ? '1 row is' : `${grouped(rows)} rows are`
  return `${subject} left alone, ${why}: ${named}${more}; see them with: promo jobs report ${shellWord(name)} --csv`
}

function notUndoable({ file, header }: ReadableJob, made: CommandClass, inverse: Inverse | undefined): PromoError {
  const words = header.command.replaceAll(':', ' ')
  if (inverse === undefined || !('byHand' in inverse)) return usageError(`a job of "${words}" cannot be undone`)
  return usageError(
    `a job of "${words}" is not undone by promo: ${inverse.byHand}`,
    insteadOf(made, shellWord(file.name), header.args),
  )
}
