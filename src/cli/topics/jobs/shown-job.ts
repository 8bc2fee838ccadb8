// Everything about one job, or its shards together, for programs and for people.

import { dirname } from 'node:path'
import { isRepeatable } from '../../../api/outcome/retry.ts'
import { formatNumber } from '../../../base/numbers.ts'
import { shellWord } from '../../../base/shell-word.ts'
import type { JobFile, JobHeader } from '../../../bulk/journal/job.ts'
import { readJournal } from '../../../bulk/journal/job.ts'
import { errorsIn, type RowErrors } from '../../../bulk/journal/job-errors.ts'
import type { Repeat } from '../../../contract/endpoint.ts'
import { environmentName } from '../../../profiles/profile.ts'
import type { ReadableJob } from '../../bulk/known-jobs.ts'
import type { CommandClass } from '../../command.ts'
import { inverseOfJobs } from '../../undo.ts'
import { instant, recordOf } from './job-record.ts'
import { partFlags } from './part.ts'
import { togetherOf } from './shards.ts'
import type { JobStatus } from './state.ts'

const mostErrors = 10
/** What is rare in one shard may be frequent in all of them. */
const everyError = Number.MAX_SAFE_INTEGER

/** Returns the record of a job. Throws `journal` (exit 9) when its file is damaged, and `io` (exit 10). */
export function shownJob(
  job: ReadableJob,
  undo: string | undefined,
  status: JobStatus,
  Class: CommandClass,
  most = mostErrors,
) {
  const { file, header } = job
  const { counts, changed, unchanged, inFlight } = status.tally
  const { input, input_sha256, repeat, promo_version, rows } = header
  return {
    ...recordOf(job, undo, status),
    command_line: commandText(job, Class),
    input,
    input_sha256,
    repeat,
    promo_version,
    duplicates: rows.duplicates,
    bad: rows.bad,
    counts,
    changed,
    unchanged,
    // At most: where it does no harm, rows are recorded as begun before their turn.
    in_flight: inFlight,
    errors: readJournal(file.path, (database) => errorsIn(database, most)),
    next: nextSteps(file.name, status, Class, repeat as Repeat),
  }
}

/** Returns the record of a job in one folder, with its shards in `shards`: numbers of rows are those of all of them. */
export function shownShards(
  folder: string,
  jobs: readonly { job: ReadableJob; undo: string | undefined; status: JobStatus }[],
  Class: CommandClass,
) {
  const each = jobs.map(({ job, undo, status }) => shownJob(job, undo, status, Class, everyError))
  const [first, ...others] = each
  if (first === undefined) throw new Error('a folder of shards has at least two')
  const status = togetherOf(jobs.map((one) => one.status))
  const { counts, changed, unchanged, inFlight: in_flight } = status.tally
  const { command_line: _, shard: __, ...shared } = first
  const { state, why, done, wrong } = status
  const total = each.reduce((sum, one) => sum + one.total, 0)
  const sums = { state, why, done, total, wrong, counts, changed, unchanged, in_flight }
  return {
    ...shared,
    ...sums,
    id: folder,
    path: folder,
    created_at: [first, ...others].map((one) => one.created_at).toSorted()[0] ?? first.created_at,
    started_at: instant(status.startedAtMs),
    ended_at: instant(status.endedAtMs),
    ended_by: status.endedBy,
    duplicates: each.reduce((sum, one) => sum + one.duplicates, 0),
    bad: each.reduce((sum, one) => sum + one.bad, 0),
    errors: mergedErrors(each.flatMap(({ errors }) => errors)),
    next: nextSteps(folder, status, Class, first.repeat as Repeat),
    shards: each.map(({ errors: _errors, next: _next, ...shard }) => shard),
  }
}

/** Returns the reasons of several shards, each once, the most frequent first. */
function mergedErrors(errors: readonly RowErrors[]): RowErrors[] {
  const merged = new Map<string, RowErrors>()
  for (const error of errors) {
    const name = `${error.status} ${error.key}`
    const known = merged.get(name)
    const last = known && known.line > error.line ? known : error
    merged.set(name, { ...last, rows: error.rows + (known?.rows ?? 0) })
  }
  return [...merged.values()].toSorted((a, b) => b.rows - a.rows).slice(0, mostErrors)
}

/** Returns the next steps, each under its keyword; none for a job that ended well, or that cannot be resumed. */
function nextSteps(
  name: string,
  { state, endedBy, tally }: JobStatus,
  made: Pick<CommandClass, 'byHand' | 'calls'>,
  repeat: Repeat,
): Record<string, string> {
  const job = shellWord(name)
  const { counts, changed } = tally
  if (state === 'running') return { follow: `promo jobs show ${job} --follow` }
  if (state === 'undone') return {}
  // What has no effect a second time is sent again by a resumed job, unknown outcomes included.
  const isSentAgain = counts.unknown > 0 && isRepeatable(repeat)
  const inverse = inverseOfJobs(made)
  const reversible = inverse === undefined || 'byHand' in inverse ? 0 : inverse.of === 'changed' ? changed : counts.ok
  return {
    ...((counts.pending > 0 || (state === 'stopped' && endedBy === null) || isSentAgain) && {
      resume: `promo jobs resume ${job}`,
    }),
    ...(counts.unknown > 0 && !isSentAgain && { look: `promo jobs report ${job} --only unknown` }),
    ...(counts.exhausted > 0 && { retry: `promo jobs retry ${job} --only temporary` }),
    ...(counts.failed + counts.conflict + counts.skipped > 0 && {
      report: `promo jobs report ${job} --only failed --only conflict${counts.skipped > 0 ? ' --only skipped' : ''} --csv`,
    }),
    ...(reversible > 0 && { undo: `promo jobs undo ${job}` }),
  }
}

/** Returns the same for people: counts of zero and an empty reason are omitted, and every reason is a sentence. */
export function forPeople(job: ReturnType<typeof shownJob> | ReturnType<typeof shownShards>): object {
  const { counts, errors, in_flight: _, ...rest } = job
  const happened = Object.entries(counts).filter(([, rows]) => rows > 0)
  const sentences = errors.map(({ key, status, rows, line, message }) => [
    status === null ? key : `${status} ${key}`,
    `${formatNumber(rows)} ${rows === 1 ? 'row' : 'rows'}, the last on line ${line}: ${message}`,
  ])
  const facts = Object.entries(rest).filter(([name, value]) => name !== 'why' || value !== '')
  return {
    ...Object.fromEntries(facts),
    counts: Object.fromEntries(happened),
    errors: Object.fromEntries(sentences),
    ...('shards' in job && {
      shards: Object.fromEntries(job.shards.map((one) => [one.shard ?? one.path, shardSentence(one)])),
    }),
  }
}

function shardSentence({
  state,
  why,
  done,
  total,
  wrong,
}: Omit<ReturnType<typeof shownJob>, 'errors' | 'next'>): string {
  const troubles = wrong === 0 ? '' : `, ${formatNumber(wrong)} wrong`
  return `${state}, ${formatNumber(done)} of ${formatNumber(total)} rows${troubles}${why === '' ? '' : `: ${why}`}`
}

/** The original command line of a job; the class is that of its command, and says how its flags are written. */
function commandText(
  { file, header }: { file: JobFile; header: JobHeader },
  Class: Pick<CommandClass, 'flags'>,
): string {
  const { command, args, flags, shard, profile, undoes, undoes_part: part } = header
  if (undoes !== undefined) {
    const chosen = Object.entries(part?.flags ?? {}).flatMap(([name, value]) =>
      optionWords(name, value, { flags: partFlags }),
    )
    return ['promo', 'jobs', 'undo', undoes, ...chosen].map((word) => shellWord(word)).join(' ')
  }
  const all: Record<string, unknown> = {
    ...flags,
    ...(shard !== null && { shard: `${shard.index}/${shard.of}` }),
    // An input given by a relative path can then be found from any folder.
    ...(flags.from !== undefined && { from: header.input }),
    // The reserved name for settings from the environment is not a profile that can be named.
    ...(profile !== environmentName && { profile }),
    ...(file.name === file.path && { journal: dirname(file.path) }),
  }
  const options = Object.entries(all).flatMap(([name, value]) => optionWords(name, value, Class))
  const items = Object.values(args).flatMap((value) => (value === undefined ? [] : [value].flat().map(textOf)))
  const end = items.some((item) => item.startsWith('-')) ? ['--'] : []
  const words = ['promo', ...command.split(':')]
  return [...words, ...(end.length === 0 ? items : []), ...options, ...end, ...(end.length === 0 ? [] : items)]
    .map((word) => shellWord(word))
    .join(' ')
}

function optionWords(name: string, value: unknown, Class: Pick<CommandClass, 'flags'>): string[] {
  if (value === undefined || value === null || value === false) return []
  if (value === true) return [`--${name}`]
  if (!Array.isArray(value)) return option(name, textOf(value))
  const isRepeated = Class.flags[name]?.type === 'option' && Class.flags[name].multiple === true
  return isRepeated ? value.flatMap((one) => option(name, textOf(one))) : option(name, value.map(textOf).join(','))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function option(name: string, value: string): string[] {
  return value.startsWith('-') && value !== '-' ? [`--${name}=${value}`] : [`--${name}`, value]
}
