// Giving up a job: the outcomes of its rows are kept in a report, and its command line begins a new job from then on.
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatCount, formatNumber } from '../../../base/numbers.ts'
import { isNamedAsJob, type JobFile } from '../../../bulk/journal/job.ts'
import { removeJob } from '../../../bulk/journal/job-index.ts'
import { journalSuffixes } from '../../../bulk/journal/journal-file.ts'
import { removedJob, storageError } from '../../../bulk/journal/storage-error.ts'
import type { Repeat } from '../../../contract/endpoint.ts'
import { PromoError } from '../../../errors.ts'
import { lockFor, unlocked } from '../../bulk/job-place.ts'
import { jobsIn, type KnownJob, knownJob, type ReadableJob, undoneBy } from '../../bulk/known-jobs.ts'
import { countsTwice } from '../../bulk/repeat-policy.ts'
import { type ShowingHost, showingOf } from '../../result/output.ts'
import type { Run } from '../../session/run.ts'
import { reportColumnSet, reportOf } from './report.ts'
import { type JobState, type JobStatus, statusOf } from './state.ts'

/** A job that was discarded, or would be. */
export interface Discarded {
  id: string
  command: string | null
  state: JobState
  done: number | null
  total: number | null
  /** Where its rows and their outcomes are from now on; of a damaged job its journal, which cannot be read. */
  report: string
}

interface Doomed {
  job: KnownJob
  status?: JobStatus
}

/**
 * Discards jobs, once the user agreed, and yields each of them; with `isPlan` it only tells.
 *
 * Throws `held` (exit 8) while a process has one of them, `confirmation` (exit 11), and `io` (exit 10). A job whose report
 * cannot be written stays.
 */
export async function* discardJobs(
  files: readonly JobFile[],
  { host, agree, isDryRun: isPlan }: Pick<Run, 'host' | 'agree' | 'isDryRun'>,
): AsyncGenerator<Discarded> {
  const locks: { release(): void }[] = []
  try {
    for (const file of files) mustBeJob(file)
    for (const { lockPath } of files) locks.push(isPlan ? unlocked : await lockFor(lockPath, host))
    const all = await jobsIn(host)
    const doomed = files.map((file) => lookAt(file, all))
    if (!isPlan) await agree({ action: doomed.map(sentenceAbout).join('; '), isFinal: true })
    for (const one of doomed) {
      const report = one.status === undefined ? `${one.job.file.path}.damaged` : reportPath(one.job as ReadableJob)
      if (!isPlan)
        await (one.status === undefined ? moveAside(one.job.file) : keepReport(one.job as ReadableJob, report, host))
      yield recordOf(one, report)
    }
  } finally {
    for (const lock of locks) lock.release()
  }
}

/** Throws `journal` (exit 9) for a file that is neither a journal nor named as one: it is not promo's to put aside. */
function mustBeJob(file: JobFile): void {
  const { problem } = knownJob(file)
  if (problem !== undefined && !isNamedAsJob(file.path)) throw problem
}

function lookAt(file: JobFile, all: readonly KnownJob[]): Doomed {
  if (!existsSync(file.path)) throw removedJob(file.path)
  const job = knownJob(file)
  if (job.header === undefined) return { job }
  try {
    return { job, status: statusOf(job, undoneBy(job, all)) }
  } catch (error) {
    if (error instanceof PromoError && error.kind === 'journal') return { job }
    throw error
  }
}

function sentenceAbout({ job: { file, header }, status }: Doomed): string {
  if (header === undefined || status === undefined) return `discard job ${file.name}, whose journal is damaged`
  const { counts, inFlight } = status.tally
  const left = counts.pending + counts.exhausted
  const about = `discard job ${header.id} (${header.command.replaceAll(':', ' ')}), which has ${formatNumber(left)} of ${formatCount(header.rows.total, 'row')} left`
  const sent = counts.ok + counts.ok_inferred + counts.unknown + inFlight
  const isTwice = countsTwice(header.repeat as Repeat) && sent > 0
  return isTwice
    ? `${about}, so that its command line sends ${formatCount(sent, 'row')} again, which count twice`
    : about
}

function recordOf({ job: { file, header }, status }: Doomed, report: string): Discarded {
  return {
    id: header?.id ?? file.name,
    command: header?.command.replaceAll(':', ' ') ?? null,
    state: status?.state ?? 'damaged',
    done: status?.done ?? null,
    total: header?.rows.total ?? null,
    report,
  }
}

/** Rows of a file with columns stay one; others have members that no table has. */
function reportPath({ file, header }: ReadableJob): string {
  return join(dirname(file.path), `${header.id}.report.${header.columns === undefined ? 'jsonl' : 'csv'}`)
}

async function keepReport(job: ReadableJob, out: string, host: ShowingHost): Promise<void> {
  function* records() {
    for (const { record } of reportOf(job)) yield record
  }
  const isFlat = job.header.columns !== undefined
  const flags = { format: isFlat ? 'csv' : 'jsonl', out, quiet: true } as const
  const show = showingOf(flags, host)
  Object.assign(show.shape, job.header.csv && isFlat && { csvForm: job.header.csv })
  const columns = isFlat ? reportColumnSet([job], true) : { columns: [] }
  await show.rows(records(), columns, { nothing: '' })
  await removeJob(job.file.path)
}

async function moveAside({ path }: JobFile): Promise<void> {
  for (const suffix of journalSuffixes) {
    if (existsSync(`${path}${suffix}`)) {
      await rename(`${path}${suffix}`, `${path}.damaged${suffix}`).catch((error: unknown) => {
        throw storageError(error, 'the damaged journal cannot be renamed')
      })
    }
  }
}
