// What makes two command lines the same job, and what an earlier job of the same rows, or of the same input, means for a new one.
import { isAbsolute } from 'node:path'
import { formatCount, formatNumber } from '../../base/numbers.ts'
import { shellWord } from '../../base/shell-word.ts'
import { jsonChecksum } from '../../bulk/input/input-checksum.ts'
import { type JobHeader, readJournal } from '../../bulk/journal/job.ts'
import { holderOf } from '../../bulk/journal/lock.ts'
import { appliedRows } from '../../bulk/journal/row-store.ts'
import type { Shard } from '../../bulk/shard.ts'
import { EXIT, PromoError } from '../../errors.ts'
import {
  confirmFlags,
  dryRunFlag,
  globalFlags,
  outputFlags,
  paceFlags,
  readingFlags,
  serviceFlags,
} from '../flags/flags.ts'
import type { CheckedRows } from './checked-rows.ts'
import type { CommandLine, InputRows } from './definition.ts'
import { inputName } from './input-rows.ts'
import { type JobPlace, lockFor, progressIn } from './job-place.ts'
import { type JobsHost, type ReadableJob, undoneBy } from './known-jobs.ts'
import type { RunPlan } from './run-plan.ts'
import { changedInput } from './same-project.ts'
import type { Undoes } from './work.ts'

/** What a new job needs from its command. */
export interface CommandContext {
  line: CommandLine
  plan: Pick<RunPlan, 'shard' | 'skipsBadRows' | 'isDryRun' | 'job'>
  /** The name of the profile, and the project that it leads to; without an id where it does not know it, but with that of its key. */
  profile: string
  project: { id: string | undefined; origin: string; fingerprints: () => Promise<readonly string[]> }
  host: JobsHost
  version: string
  undoes?: Undoes
}

// Its zone is that of the days in the rows.
const { tz: _, ...shownFlags } = outputFlags

/** Flags that decide how, where to and how fast, but not what. */
const manner = new Set(
  [globalFlags, serviceFlags, shownFlags, confirmFlags, dryRunFlag, paceFlags].flatMap((group) => Object.keys(group)),
)

/** Returns the flags that decide what is sent; the files they name can be found from every folder. */
export function decisiveFlags(flags: Record<string, unknown>, cwd = process.cwd()): Record<string, unknown> {
  const kept = Object.entries(flags).filter(([name, value]) => !manner.has(name) && value !== undefined)
  return Object.fromEntries(
    kept.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, absolute(name, value, cwd)]),
  )
}

/** Returns the flags of a command line that `jobs resume` takes, too. */
export function mannerFlags({ profile: _, journal: __, restart: ___, ...flags }: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => manner.has(name)))
}

function absolute(name: string, value: unknown, cwd: string): unknown {
  if (typeof value !== 'string') return value
  if (name === 'expect' || name === 'except') return inputName(value, cwd)
  return name === 'body' && value.startsWith('@') ? `@${inputName(value.slice(1), cwd)}` : value
}

/**
 * Returns the SHA-256 of a command line, by which its job is found, and locked, before the input is read.
 *
 * The contents of a file are not in it: the same command with a changed file is recognized as the same job with another
 * input. Those of a pipe are (`inputSha256`), because nothing else distinguishes two pipes.
 */
export function lineChecksum(
  { command, args, flags }: CommandLine,
  about: { profile: string; shard: Shard | null; input: string; inputSha256: string | null },
): string {
  // The input and the shard are in it as they were parsed, not as they were written.
  const { from: _, shard: __, ...rest } = decisiveFlags(flags)
  return jsonChecksum([command, args, rest, about.profile, about.shard, about.input, about.inputSha256])
}

/** Returns the SHA-256 of the rows that a command sends, which two processes must not begin to send at once. */
export function rowsChecksum(
  { requestsSha256 }: Pick<CheckedRows, 'requestsSha256'>,
  commanded: CommandContext,
): string {
  const { line, profile, project, plan } = commanded
  return jsonChecksum([line.command, project.id ?? profile, plan.shard, requestsSha256])
}

/** Rows that are about to become a job. */
export interface NewRows {
  rows: Pick<InputRows, 'input' | 'name' | 'sha256'>
  kept: Pick<CheckedRows, 'total' | 'rows' | 'requestsSha256'>
  /** The checksum of the command line. */
  line: string
}

/** What an earlier job means for new rows. */
export interface Earlier {
  /** It has the same rows: it is resumed, or nothing of it is left. */
  same?: ReadableJob & { isOver: boolean }
  warnings: string[]
  /** Some rows were applied by it, and count twice. */
  repeatsRows?: true
}

/**
 * Finds the job that has the same rows, however they were read, or else the newest one of these rows or this input.
 *
 * ASSUMED A540: where rows count twice, an unfinished job of the same input, or of the same rows with other flags, throws
 * `journal` (exit 9), and `held` (8) while it runs: most likely some rows would be repeated. Only the newest one does, so that
 * a later one may supersede it. Pipes with different rows may be sent at the same time.
 */
export async function earlierJob(
  { rows, kept, line }: NewRows,
  commanded: CommandContext,
  place: JobPlace,
): Promise<Earlier> {
  const nothing = { warnings: [] }
  if (kept.requestsSha256 === undefined || commanded.undoes !== undefined) return nothing
  const { host, plan } = commanded
  const { shard, job: choice } = plan
  const isPipe = rows.input === '-' || rows.input === 'filter'
  const hasRows = (job: JobHeader) => job.requests_sha256 === kept.requestsSha256
  const hasFlags = (job: JobHeader) =>
    job.profile === commanded.profile && sentFlags(job.flags) === sentFlags(commanded.line.flags)
  const hasInput = (job: JobHeader) =>
    job.input === rows.input &&
    JSON.stringify(job.args) === JSON.stringify(commanded.line.args) &&
    (!isPipe || hasFlags(job))
  const known = await place.jobs()
  // Another profile may lead to the same project, by the same key. A plan opens no secrets.
  const isUnsure = known.some(({ header }) => header?.command === commanded.line.command && hasRows(header))
  const keys = isUnsure && !plan.isDryRun ? await commanded.project.fingerprints() : []
  const newest = (isMeant: (job: JobHeader) => boolean) => {
    const found = known.find(
      (job): job is ReadableJob =>
        job.header !== undefined && isOfProject(job.header, commanded, keys) && isMeant(job.header),
    )
    return found && undoneBy(found, known) === undefined ? { ...found, ...progressIn(found.file.path) } : undefined
  }

  const same = newest((job) => hasRows(job) && hasFlags(job) && partOf(job, shard) === 'same')
  // Where rows may be sent again, another input is another job. ASSUMED A532: a complete job of calls that happen twice is not
  // begun again by accident.
  const isOwn = same !== undefined && hasInput(same.header)
  if (same && !choice.isRestarted && (same.isOver ? same.isTwice && isOwn : same.isTwice || isOwn))
    return { same, warnings: [] }
  const near = newest((job) => partOf(job, shard) !== 'apart' && (hasRows(job) || hasInput(job)))
  if (near === undefined || (choice.isRestarted && near.header.line === line)) return nothing
  const { header, file, left, counts, isTwice } = near
  if (file.lockPath !== place.lockPath && holderOf(file.lockPath) !== undefined) {
    if (isTwice && (!isPipe || hasRows(header))) (await lockFor(file.lockPath, host)).release()
    return nothing
  }
  const resume = `promo jobs resume ${shellWord(header.id)}`
  const what = isPipe && header.input === rows.input ? 'command line' : hasRows(header) ? 'rows' : 'input'
  const stopped = `job ${header.id} of the same ${what} stopped with ${formatNumber(left)} of ${formatCount(header.rows.total, 'row')} left`
  if (left > 0 && (!isTwice || choice.isRestarted)) {
    const now = hasRows(header) ? 'a new job sends all of them' : 'this input is another, and begins a new job'
    return { warnings: [`${stopped}; ${now} (to resume the other: ${resume})`] }
  }
  if (left > 0) {
    if (isAbsolute(rows.input) && header.input === rows.input && header.input_sha256 !== rows.sha256())
      throw changedInput({ ...header, name: file.name }, `"${rows.name}"`)
    const differs = hasRows(header)
      ? header.profile === commanded.profile
        ? 'the flags differ'
        : 'the profile differs'
      : isPipe
        ? 'standard input has changed since'
        : 'the rows differ'
    throw new PromoError('journal', `${stopped}, and ${differs}; nothing was sent`, {
      hint: `${resume} sends the rows that are left; after that, or after promo jobs discard ${shellWord(header.id)}, this input begins a job of its own`,
    })
  }
  if (!isTwice || !(hasRows(header) || (hasFlags(header) && !isPipe))) return nothing
  const count = hasRows(header) ? counts.ok + counts.ok_inferred + counts.unknown : appliedBefore(near, kept)
  return count === 0 ? nothing : { warnings: [sentBefore(header, count, kept.total)], repeatsRows: true }
}

/** Whether a job is of the same command and project, and no undo; where an id is not known, the profile or the key stands for the project. */
function isOfProject(job: JobHeader, { line, profile, project }: CommandContext, keys: readonly string[]): boolean {
  if (job.command !== line.command || job.undoes !== undefined) return false
  if (job.project_id === undefined || project.id === undefined)
    return job.profile === profile || keys.includes(job.project)
  return job.project_id === project.id && job.origin === project.origin
}

/** The flags that decide what is sent, but for how the input is read; the requests say in which order repeated ones count. */
export function sentFlags(flags: Record<string, unknown>): string {
  const { from: _, shard: __, ...rest } = decisiveFlags(flags)
  const others = Object.entries(rest).filter(([name]) => !Object.hasOwn(readingFlags, name))
  return JSON.stringify(
    others.map(([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value]),
  )
}

/** How the rows of a job lie to those of a shard of the same input. */
function partOf({ shard: one }: JobHeader, other: Shard | null): 'same' | 'apart' | 'overlapping' {
  if (one?.of !== other?.of) return 'overlapping'
  return one?.index === other?.index ? 'same' : 'apart'
}

/** Returns a warning that `--restart` sends again what counts twice; undefined when nothing was sent. */
export async function warningOfRestart(place: JobPlace): Promise<string | undefined> {
  try {
    const known = await place.find()
    if (known === undefined) return undefined
    const { counts, isTwice } = progressIn(known.path)
    const sent = counts.ok + counts.ok_inferred
    if (!isTwice || sent + counts.unknown === 0) return undefined
    const unsure = counts.unknown === 0 ? '' : `, and ${formatNumber(counts.unknown)} more may have arrived`
    return `job ${known.header.id} sent ${formatCount(sent, 'row')}${unsure}; --restart sends them again, and they count twice`
  } catch (error) {
    if (!(error instanceof PromoError) || error.exitCode !== EXIT.journal) throw error
    return `what was sent before cannot be read (${error.message}); it is sent again, and may count twice`
  }
}

/** Counts the rows that a job applied already. */
function appliedBefore({ file }: ReadableJob, { rows }: Pick<CheckedRows, 'rows'>): number {
  return readJournal(file.path, (database) => {
    const isSent = appliedRows(database)
    let sent = 0
    for (const row of rows()) if (isSent(row)) sent += 1
    return sent
  })
}

function sentBefore({ id, created_at }: JobHeader, count: number, total: number): string {
  const [were, they] = count === 1 ? ['was', 'it counts'] : ['were', 'they count']
  return `${formatNumber(count)} of ${formatCount(total, 'row')} ${were} in job ${id} of ${created_at.slice(0, 10)} already, which is finished; ${they} twice`
}
