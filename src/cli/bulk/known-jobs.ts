// The jobs on this computer, and which of them were undone by which others.
import { lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { shellWord } from '../../base/shell-word.ts'
import { type JobFile, type JobHeader, jobFiles, ownJobFiles, readHeader } from '../../bulk/journal/job.ts'
import { indexedJobs, type ReadJob, readJob } from '../../bulk/journal/job-index.ts'
import { PromoError } from '../../errors.ts'
import { stateFolder } from '../../profiles/folders.ts'
import type { Host } from '../run/host.ts'
import { jobMismatch } from './same-project.ts'

/** Where the jobs of this computer are found, and its clock. */
export type JobsHost = Pick<Host, 'env' | 'platform' | 'home' | 'now'>

/** Returns the folder of the jobs in the state folder. Throws `config` (exit 4). */
export function jobsFolder(host: JobsHost): string {
  return join(stateFolder(host), 'jobs')
}

/** A job's file with its header and the end of its last run, or why it cannot be read. */
export type KnownJob = { file: JobFile } & (
  | (ReadJob & { problem?: undefined })
  | { header?: undefined; ended?: undefined; problem: PromoError }
)

/** A job that can be read. */
export type ReadableJob = Extract<KnownJob, { header: JobHeader }>

/** Which jobs are looked at; by default all of the state folder. */
export interface JobRange {
  /** A folder that holds only one job or its shards. */
  journal?: string | undefined
  /** At least so many of the newest, and those of the same days. */
  most?: number | undefined
  /** Those that a job may have been undone by: an undo is not made on an earlier day than its job. */
  after?: ReadableJob | undefined
}

/** Returns the jobs of the state folder, or of a folder that holds only one job or its shards; newest first. */
export async function jobsIn(host: JobsHost, { journal, most, after }: JobRange = {}): Promise<KnownJob[]> {
  // The shards of a folder keep their order.
  if (journal !== undefined) return (await ownJobFiles(resolve(journal))).map(knownJob)
  const dir = jobsFolder(host)
  const files = await jobFiles(dir)
  const oldest = after === undefined ? files[(most ?? files.length) - 1] : undefined
  const firstDay = after?.header.created_at.slice(0, 10) ?? (oldest === undefined ? '' : dayOf(oldest))
  const wanted = files.filter((file) => dayOf(file) >= firstDay)
  return knownJobs(dir, wanted).toSorted(newerFirst)
}

/** Reads jobs of the folder they share; one that another process removes meanwhile is none. */
export function knownJobs(dir: string, files: readonly JobFile[]): KnownJob[] {
  return indexedJobs(dir, files, unreadable)
    .map((job, at) => ({ file: files[at] as JobFile, ...job }) as KnownJob)
    .filter(({ file, problem }) => problem === undefined || lstatSync(file.path, { throwIfNoEntry: false }))
}

/** Reads a job. */
export function knownJob(file: JobFile): KnownJob {
  try {
    return { file, ...readJob(file.path) }
  } catch (error) {
    return { file, ...unreadable(error) }
  }
}

/** Reads the header of a job. Throws `journal` (exit 9) when its file is damaged, and `io` (exit 10). */
export function readableJob(file: JobFile): ReadableJob {
  return { file, header: readHeader(file.path) }
}

function unreadable(error: unknown): { problem: PromoError } {
  if (error instanceof PromoError) return { problem: error }
  throw error
}

/** Returns the job that undoes a job, not a part of it. */
function undoOf({ header }: ReadableJob, jobs: readonly KnownJob[]): ReadableJob | undefined {
  return jobs.find(
    (job): job is ReadableJob => job.header?.undoes === header.id && job.header.undoes_part === undefined,
  )
}

/** Returns the jobs that undid a job or a part of it, or began to, whose journals are on this computer. */
export async function undosOf(job: ReadableJob, host: JobsHost): Promise<ReadableJob[]> {
  const later = await jobsIn(host, { after: job })
  return later.filter((one): one is ReadableJob => one.header?.undoes === job.header.id)
}

/** Returns the id of the job that undid a job, or began to, on whatever computer. */
export function undoneBy(job: ReadableJob, jobs: readonly KnownJob[]): string | undefined {
  return undoOf(job, jobs)?.header.id ?? job.header.undone_by
}

/** Returns the error for a job that another one undid: exit 9, nothing was sent. Only its place can be freed. */
export function undone({ file, header }: ReadableJob, by: string): PromoError {
  return jobMismatch(header, `job ${by} undid it`, {
    hint: `to begin a new job with its command line: promo jobs discard ${shellWord(file.name)}`,
  })
}

function newerFirst(one: KnownJob, other: KnownJob): number {
  // The name begins with the day, for files that cannot be read.
  const [a, b] = [one, other].map(({ file, header }) => `${header?.created_at ?? dayOf(file)}${file.name}`)
  return (a as string) < (b as string) ? 1 : -1
}

function dayOf({ name }: JobFile): string {
  return name.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3')
}
