// Undoing a job: its inverse is sent for the rows that it certainly changed, as a job of its own.

import { listNames } from '../../../base/name-list.ts'
import { formatCount, formatNumber } from '../../../base/numbers.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { jsonChecksum } from '../../../bulk/input/input-checksum.ts'
import { placeOf, type Row } from '../../../bulk/input/row.ts'
import { readJournal, type UndonePart, writeHeader } from '../../../bulk/journal/job.ts'
import { openJournalFile } from '../../../bulk/journal/journal-file.ts'
import { linesIn } from '../../../bulk/journal/row-store.ts'
import {
  type EffectiveRow,
  effectiveRows,
  idleRows,
  type LeftRows,
  mostNamed,
  type RowChoice,
  type UnsureRows,
  unsureRows,
} from '../../../bulk/journal/undo-rows.ts'
import { mustBeWhole } from '../../../bulk/journal/whole.ts'
import { emptySummary } from '../../../bulk/summary.ts'
import type { Inverse, InverseCall } from '../../../contract/inverses.ts'
import { EXIT, type ExitCode, PromoError, usageError } from '../../../errors.ts'
import { environmentName } from '../../../profiles/profile.ts'
import type { InputRows } from '../../bulk/definition.ts'
import { reachedProject } from '../../bulk/destination.ts'
import { progressIn } from '../../bulk/job-place.ts'
import { type ReadableJob, undosOf } from '../../bulk/known-jobs.ts'
import { settleFile } from '../../bulk/open-job.ts'
import { lockJob } from '../../bulk/replay-job.ts'
import { sameProject } from '../../bulk/run-plan.ts'
import { mustBeOfProject } from '../../bulk/same-project.ts'
import type { Work } from '../../bulk/work.ts'
import type { CommandClass } from '../../command.ts'
import { keepHeapSmall } from '../../heap.ts'
import { insteadOf, inverseColumns, inverseFlags, inverseOfJobs, inverseRow } from '../../undo.ts'
import { mustStampOnlyChanges } from '../vouchers/stamps.ts'
import { forEachShard } from './each-shard.ts'
import { type ChosenPart, chosenPart, partFlags } from './part.ts'
import { classOf, type ResumingCommand, resumeJob, startInPlace } from './resume-job.ts'

/**
 * Undoes a job, or its shards one after another, or the part that flags choose; returns the worst exit code, and 3 where a file
 * names what the job does not have.
 *
 * Throws as `undoJob` and `forEachShard` do.
 */
export async function undoJobs(
  called: string,
  { ...flags }: Record<string, unknown>,
  taker: ResumingCommand,
): Promise<ExitCode> {
  const part = await chosenPart(called, flags, taker)
  const { missing = [], keys } = part ?? {}
  for (const name of Object.keys(partFlags)) delete flags[name]
  if (missing.length > 0) {
    const count = `${formatNumber(missing.length)} of ${formatNumber(keys?.size ?? 0)}`
    const see = `see its rows with: promo jobs report ${shellWord(called)} --csv`
    taker.show.warn(`${count} not found in job ${called}: ${listNames(missing, mostNamed)}; ${see}`)
  }
  const exitCode = await forEachShard(called, taker, (job) => undoJob(job, flags, taker, part))
  return exitCode === EXIT.ok && missing.length > 0 && !taker.isDryRun ? EXIT.refused : exitCode
}

/**
 * Undoes a job, or resumes its undo, and returns the exit code: the worst outcome, else 6 when it is unknown of some rows
 * whether the job changed them, or the journal lacks what their inverse takes; those are listed and left alone.
 *
 * Throws `usage` for a command without an inverse, `held` (exit 8) while the job runs, and `journal` (exit 9).
 */
async function undoJob(
  found: ReadableJob,
  flags: Record<string, unknown>,
  taker: ResumingCommand,
  part: ChosenPart | undefined,
): Promise<ExitCode> {
  const made = await classOf(found.header.command, taker)
  const inverse = inverseOfJobs(made)
  if (made.undo === undefined || inverse === undefined || 'byHand' in inverse) throw notUndoable(found, made, inverse)
  const undo = { command: made.undo, inverse }
  const isPlan = taker.isDryRun
  // Whether there is an undo already, and what there is to undo, is known only under the lock.
  const { job, lock } = await lockJob(found, taker.host, isPlan)
  try {
    keepHeapSmall()
    const undos = await undosOf(job, taker.host)
    const same = undos.find(({ header }) => header.undoes_part?.sha256 === part?.kept.sha256)
    const others = undos.filter((one) => one !== same)
    const taken = new Set(others.flatMap(({ file }) => readJournal(file.path, linesIn)))
    const extent = extentOf(job, inverse, { ...part, taken })
    for (const warning of leftAlone(job.file.name, inverse, extent)) taker.show.warn(warning)
    const exitCode = await sendInverse(job, { ...undo, part, same, others }, extent, flags, taker)
    return exitCode === EXIT.ok ? codeFor(extent, isPlan) : exitCode
  } finally {
    lock.release()
  }
}

/** What an undo finds in a job. */
interface Extent {
  /** Which rows of it are meant. */
  choice: RowChoice
  /** How many rows have an inverse. */
  count: number
  unsure: UnsureRows
  /** Rows without what their inverse takes. */
  lacking: LeftRows
  /** How many of the rows that a file names had no effect, by outcome. */
  idle: ReadonlyMap<string, number>
}

/** How a job is undone. */
interface Undo {
  command: string
  inverse: InverseCall
  /** Absent: all that others left. */
  part: ChosenPart | undefined
  /** The undo that was begun for the same rows. */
  same: ReadableJob | undefined
  /** Those for other rows. */
  others: readonly ReadableJob[]
}

async function sendInverse(
  job: ReadableJob,
  { command, inverse, part, same, others }: Undo,
  { count, unsure, choice }: Extent,
  flags: Record<string, unknown>,
  taker: ResumingCommand,
): Promise<ExitCode> {
  const { header } = job
  const { show } = taker
  const what = part === undefined ? 'job' : 'a part of job'
  if (same) {
    show.say(`job ${same.header.id} undoes ${what} ${header.id}`)
    if (!taker.isDryRun) markUndone(job, same.header.id, part)
    return await resumeJob(same, { again: 'rest', flags }, taker)
  }
  mustBeFree(header, others)
  return await startInPlace(command, taker, {
    job: header.id,
    undoes: header.id,
    isPart: part !== undefined,
    args: {},
    flags: {
      ...flags,
      ...inverseFlags(inverse, header),
      // The reserved name for settings from the environment is not a profile that can be named.
      ...(header.profile !== environmentName && { profile: header.profile }),
    },
    async examine(session) {
      const consent = { isSame: sameProject(flags, taker), canRestart: false }
      await mustBeOfProject({ ...header, name: job.file.name }, reachedProject(session), consent)
      const { untold } = unsure
      const rows = () => mapItems(inverseRows(job, inverse, choice), ({ done }) => done)
      if (inverse.marked === 'updated_at') await mustStampOnlyChanges({ header, rows, count, untold }, session.client)
    },
    async work(newJob) {
      if (count === 0) return nothingToUndo(job, part !== undefined || others.length > 0)
      const rows = mapItems(inverseRows(job, inverse, choice), ({ row }) => row as Row)
      const undoes = { undoes: header.id, ...(part && { undoes_part: part.kept }) }
      const work = await newJob(rowsToTakeBack(header, { rows, count, inverse, part: part?.kept }), undoes)
      return {
        ...work,
        async begin(destination) {
          const begun = await work.begin(destination)
          markUndone(job, begun.job, part)
          return begun
        },
      }
    },
  })
}

/** The shape of a result does not depend on how many rows it has. */
function nothingToUndo({ file, header: { id, created_at } }: ReadableJob, isPart: boolean): Work {
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
      told: isPart
        ? `nothing is left to undo of these rows of job ${id}`
        : `job ${id} changed nothing that could be undone`,
    },
    sample: () => [],
    all: () => [],
    rows: () => [],
    begin: () => Promise.reject(new TypeError('there is nothing to begin')),
    close: async () => {},
  }
}

/** Records in a job, before anything is undone, which other job does that: that one may be out of reach where it is resumed. */
function markUndone({ file, header }: ReadableJob, by: string | undefined, part: ChosenPart | undefined): void {
  const { undone_by, undone_parts: parts = [] } = header
  if (by === undefined || undone_by === by || parts.includes(by)) return
  const database = openJournalFile(file.path)
  try {
    writeHeader(database, { ...header, ...(part ? { undone_parts: [...parts, by] } : { undone_by: by }) })
  } finally {
    settleFile(database, file.path)
  }
}

/** Throws `journal` (exit 9) where other undos leave no row, or it is unknown which: all of it is undone, or one is not over. */
function mustBeFree({ id, undone_by, undone_parts = [] }: ReadableJob['header'], others: readonly ReadableJob[]): void {
  const refusedUndo = (message: string, hint: string) =>
    new PromoError('journal', `${message}; nothing was sent`, { hint })
  const whole = others.find(({ header }) => header.undoes_part === undefined)?.header.id
  if (whole !== undefined)
    throw refusedUndo(`job ${whole} undoes all that is left of job ${id}`, `promo jobs show ${shellWord(whole)}`)
  const known = new Set(others.map(({ header }) => header.id))
  const away = [undone_by ?? [], undone_parts].flat().find((by) => !known.has(by))
  if (away !== undefined) throw undoneElsewhere({ id }, away)
  const open = others.find(({ file }) => !progressIn(file.path).isOver)?.header.id
  if (open !== undefined)
    throw refusedUndo(`job ${open} undoes a part of job ${id}, and is not over`, `promo jobs resume ${shellWord(open)}`)
}

function undoneElsewhere({ id }: Pick<ReadableJob['header'], 'id'>, by: string): PromoError {
  const message = `job ${by} undid job ${id}, or began to, and its journal is not on this computer; nothing was sent`
  return new PromoError('journal', message, { hint: `on the computer that has it: promo jobs resume ${shellWord(by)}` })
}

/** ASSUMED A502: rows of unknown outcome are not undone; the user has to check them, so the code is 6. */
function codeFor({ unsure, lacking }: Extent, isPlan: boolean): ExitCode {
  return unsure.rows + lacking.rows > 0 && !isPlan ? EXIT.unknown : EXIT.ok
}

function extentOf(job: ReadableJob, inverse: InverseCall, choice: RowChoice): Extent {
  return readJournal(job.file.path, (database) => {
    mustBeWhole(database, job.header)
    const lacking: LeftRows = { rows: 0, first: [] }
    let count = 0
    for (const { done, row } of inverseRows(job, inverse, choice, true)) {
      if (row !== undefined) count += 1
      else if (++lacking.rows <= mostNamed) lacking.first.push(done.row)
    }
    const idle = choice.keys === undefined ? new Map() : idleRows(database, inverse.of, choice)
    return { choice, count, lacking, idle, unsure: unsureRows(database, inverse.of, choice) }
  })
}

interface Reversible {
  done: EffectiveRow
  /** Undefined: the journal lacks what it takes. */
  row: Row | undefined
}

/** Yields the chosen rows of a job that had an effect, each with its inverse; unless `all`, only those that have one. */
function* inverseRows(
  { file, header }: ReadableJob,
  inverse: InverseCall,
  choice: RowChoice,
  all = false,
): Generator<Reversible> {
  const database = openJournalFile(file.path, { readOnly: true })
  try {
    for (const done of effectiveRows(database, inverse.of, choice)) {
      const row = inverseRow(inverse, done, header)
      if (all || row !== undefined) yield { done, row }
    }
  } finally {
    database.close()
  }
}

function* mapItems<From, To>(items: Iterable<From>, to: (item: From) => To): Generator<To> {
  for (const item of items) yield to(item)
}

function rowsToTakeBack(
  header: ReadableJob['header'],
  about: { rows: Iterable<Row>; count: number; inverse: InverseCall; part: UndonePart | undefined },
): InputRows {
  const { rows, count, inverse, part } = about
  const sum = jsonChecksum(['undo', header.id, count])
  // Each part is a job of its own.
  const which = part === undefined ? '' : `, part ${part.sha256.slice(0, 12)}`
  const columns = inverseColumns(inverse)
  return {
    rows,
    placeOf,
    name: `job ${header.id}`,
    input: `job ${header.id}${which}`,
    sha256: () => sum,
    sha256Now: async () => sum,
    layout: () => (columns === undefined ? header : { columns }),
  }
}

/** Says which rows are left alone, and why. */
function leftAlone(name: string, { of, lacks: what = '' }: InverseCall, { unsure, lacking, idle }: Extent): string[] {
  const done = of === 'changed' ? 'changed them' : 'made them'
  return [
    ...(unsure.rows > 0 ? [rowsLeft(name, unsure, `because it is unknown whether the job ${done}`)] : []),
    ...(lacking.rows > 0 ? [rowsLeft(name, lacking, `because the journal does not have ${what}`)] : []),
    ...[...idle].map(([state, rows]) => {
      const why = state === 'unchanged' ? 'changed nothing' : state === 'pending' ? 'was not sent' : `ended as ${state}`
      return `${formatCount(rows, 'named row')} ${why}, so nothing of ${rows === 1 ? 'it' : 'them'} is undone`
    }),
  ]
}

function rowsLeft(name: string, { rows, first }: LeftRows, why: string): string {
  const named = first.map(({ line, key }) => `${key} (line ${line})`).join(', ')
  const more = rows > first.length ? ` and ${formatNumber(rows - first.length)} more` : ''
  const subject = rows === 1 ? '1 row is' : `${formatNumber(rows)} rows are`
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
