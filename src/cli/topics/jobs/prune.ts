// Cleaning up the folder of jobs: jobs finished long ago, and files that killed processes left.
import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { jobFileAt } from '../../../bulk/journal/job.ts'
import { removeJob } from '../../../bulk/journal/job-index.ts'
import { journalSuffixes, removeJournalFile } from '../../../bulk/journal/journal-file.ts'
import { holderOf } from '../../../bulk/journal/lock.ts'
import type { Repeat } from '../../../contract/endpoint.ts'
import { PromoError } from '../../../errors.ts'
import { lockFor } from '../../bulk/job-place.ts'
import { jobsFolder, jobsIn, type KnownJob } from '../../bulk/known-jobs.ts'
import { countsTwice } from '../../bulk/repeat-policy.ts'
import type { Keeper } from '../../run/host.ts'
import { type JobState, knownStatus } from './state.ts'

/** A file that can be removed. */
export interface Leftover {
  kind: 'job' | 'draft' | 'lock'
  /** The id of a job; null for anything else. */
  id: string | null
  command: string | null
  state: JobState | null
  /** When a job was last worked on, or a file was last changed; ISO 8601 UTC. */
  last_used_at: string
  size_bytes: number
  path: string
  /** Whether this job prevents its command line from sending again what would then count twice. */
  guards: boolean
}

export interface PruneOptions {
  /** Jobs that were worked on after this time are kept. */
  olderThanMs: number
  /** Also jobs with rows left, and damaged jobs. */
  unfinished: boolean
}

/** A draft is a job whose input is being checked; that takes seconds. */
const draftAgeMs = 3_600_000

/** What can be removed, and how: jobs that a process wrote to since they were found are kept. */
export interface Leftovers {
  items: readonly Leftover[]
  /** Removes one; returns false if it has come into use in the meantime. */
  remove: (item: Leftover) => Promise<boolean>
}

/** Finds what can be removed: jobs from the oldest to the newest, then drafts, then the locks that no job needs. */
export async function leftovers(host: Keeper, options: PruneOptions): Promise<Leftovers> {
  const dir = jobsFolder(host)
  const jobs = await jobsIn(host)
  const old = jobs.filter((job) => isOver(job, jobs, host, options))
  const over = old.filter((job) => !isWitness(job, jobs, old)).toReversed()
  const names = await readdir(dir).catch(() => [])
  const kept = jobs.filter((job) => !over.includes(job))
  const needed = new Set(kept.map(({ file }) => file.lockPath))
  const drafts = names.filter((name) => /^draft-[0-9a-f]+\.sqlite$/.test(name)).map((name) => join(dir, name))
  const locks = names.filter((name) => /^[0-9a-f]{12}\.lock$/.test(name)).map((name) => join(dir, name))
  const items = [
    ...over.map((job) => jobLeftover(job, jobs)),
    ...drafts.filter((path) => changedAtMs(path) < host.now() - draftAgeMs).map((path) => fileLeftover('draft', path)),
    ...locks
      .filter((path) => !needed.has(path) && holderOf(path) === undefined)
      .map((path) => fileLeftover('lock', path)),
  ]
  const foundMs = new Map(over.map(({ file: { path } }) => [path, changedAtMs(path)]))
  return { items, remove: (item) => remove(item, foundMs.get(item.path), host) }
}

function isOver(
  job: KnownJob,
  jobs: readonly KnownJob[],
  host: Keeper,
  { olderThanMs, unfinished }: PruneOptions,
): boolean {
  const { state, lastUsedMs } = lookAt(job, jobs)
  if (state === 'running' || lastUsedMs > host.now() - olderThanMs) return false
  return unfinished || state === 'finished' || state === 'undone'
}

// The undo of a job is the only record that the job was undone and must not be resumed.
function isWitness({ header }: KnownJob, jobs: readonly KnownJob[], old: readonly KnownJob[]): boolean {
  const undone = header?.undoes
  return undone !== undefined && jobs.some((job) => job.header?.id === undone && !old.includes(job))
}

function lookAt(job: KnownJob, jobs: readonly KnownJob[]): { state: JobState; lastUsedMs: number } {
  const status = knownStatus(job, jobs)
  if (job.header === undefined || status instanceof PromoError)
    return { state: 'damaged', lastUsedMs: changedAtMs(job.file.path) }
  const { state, endedAtMs, startedAtMs } = status
  return { state, lastUsedMs: endedAtMs ?? startedAtMs ?? Date.parse(job.header.created_at) }
}

function jobLeftover(job: KnownJob, jobs: readonly KnownJob[]): Leftover {
  const { state, lastUsedMs } = lookAt(job, jobs)
  return {
    kind: 'job',
    id: job.header?.id ?? job.file.name,
    command: job.header?.command.replaceAll(':', ' ') ?? null,
    state,
    last_used_at: new Date(lastUsedMs).toISOString(),
    size_bytes: sizeOf(job.file.path),
    path: job.file.path,
    guards: job.header !== undefined && countsTwice(job.header.repeat as Repeat),
  }
}

function fileLeftover(kind: 'draft' | 'lock', path: string): Leftover {
  const last_used_at = new Date(changedAtMs(path)).toISOString()
  return { kind, id: null, command: null, state: null, last_used_at, size_bytes: sizeOf(path), path, guards: false }
}

async function remove({ kind, path }: Leftover, foundMs: number | undefined, host: Keeper): Promise<boolean> {
  try {
    if (kind === 'draft') await removeJournalFile(path)
    else {
      const lock = await lockFor(kind === 'lock' ? path : jobFileAt(path).lockPath, host)
      try {
        if (kind === 'lock') lock.remove()
        // While the user was asked, the job may have been resumed, retried or undone.
        else if (changedAtMs(path) !== foundMs) return false
        else await removeJob(path)
      } finally {
        lock.release()
      }
    }
    return true
  } catch (error) {
    if (error instanceof PromoError && error.kind === 'held') return false
    throw error
  }
}

function changedAtMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function sizeOf(path: string): number {
  return journalSuffixes.reduce(
    (sum, suffix) => sum + (statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
