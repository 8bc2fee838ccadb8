// A job as a record for programs, and a row for people.
import { PromoError } from '../../../errors.ts'
import { type KnownJob, type ReadableJob, undoneBy } from '../../bulk/known-jobs.ts'
import { type JobStatus, statusOf } from './state.ts'

/** Returns the record of a job, `jobs` being those that may have undone it; of a damaged one, what its name says, and why. */
export function jobRecord(job: KnownJob, jobs: readonly KnownJob[]): object {
  if (job.header === undefined) return damagedRecord(job, job.problem)
  try {
    const undo = undoneBy(job, jobs)
    return recordOf(job, undo, statusOf(job, undo))
  } catch (error) {
    if (error instanceof PromoError) return damagedRecord(job, error)
    throw error
  }
}

/** Returns the record of a job with this status. */
export function recordOf({ file, header }: ReadableJob, undo: string | undefined, status: JobStatus) {
  const { state, why, done, wrong, holder, startedAtMs, endedAtMs, endedBy } = status
  return {
    id: header.id,
    shard: header.shard && `${header.shard.index}/${header.shard.of}`,
    command: header.command.replaceAll(':', ' '),
    profile: header.profile,
    project: header.project_id ?? null,
    origin: header.origin,
    state,
    why,
    done,
    total: header.rows.total,
    wrong,
    created_at: header.created_at,
    started_at: instant(startedAtMs),
    ended_at: instant(endedAtMs),
    ended_by: endedBy,
    pid: holder?.pid ?? null,
    host: holder?.host ?? null,
    undoes: header.undoes ?? null,
    undone_by: undo ?? null,
    path: file.path,
  }
}

function damagedRecord({ file, header }: KnownJob, problem: PromoError): object {
  return {
    id: header?.id ?? file.name,
    shard: null,
    command: header?.command.replaceAll(':', ' ') ?? null,
    profile: header?.profile ?? null,
    project: header?.project_id ?? null,
    origin: header?.origin ?? null,
    state: 'damaged',
    why: problem.message,
    done: null,
    total: header?.rows.total ?? null,
    wrong: null,
    created_at: header?.created_at ?? null,
    started_at: null,
    ended_at: null,
    ended_by: null,
    pid: null,
    host: null,
    undoes: header?.undoes ?? null,
    undone_by: null,
    path: file.path,
  }
}

/** Returns an instant as ISO 8601; null: none. */
export function instant(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
