// A job that no other process works on, as it is now, and what its command runs with on its behalf.

import { existsSync } from 'node:fs'
import type { Lock } from '../../base/lock.ts'
import type { JobHeader } from '../../bulk/journal/job.ts'
import { shardText } from '../../bulk/shard.ts'
import { PromoError } from '../../errors.ts'
import { environmentName } from '../../profiles/profile.ts'
import { lockFor, unlocked } from './job-place.ts'
import { type JobsHost, jobsIn, type ReadableJob, readableJob, undone, undoneBy } from './known-jobs.ts'
import { workOfJob } from './open-job.ts'
import type { RowsToRun } from './repeat-policy.ts'
import type { Replay } from './work.ts'

/** A job under its lock. */
export interface LockedJob {
  job: ReadableJob
  lock: Lock
}

/**
 * Locks a job and reads it again. With `isPlan` nothing is begun, and the job is not locked.
 *
 * Throws `held` (exit 8) while another process has it, and `journal` (exit 9) if one removed or replaced it since it was
 * found, or damaged it.
 */
export async function lockJob(found: ReadableJob, host: JobsHost, isPlan = false): Promise<LockedJob> {
  const { file, header } = found
  const lock = isPlan ? unlocked : await lockFor(file.lockPath, host)
  try {
    // Opening it would create it.
    const job = existsSync(file.path) ? readableJob(file) : undefined
    if (job?.header.id === header.id) return { job, lock }
    const what = job === undefined ? 'removed' : 'replaced'
    throw new PromoError('journal', `another process ${what} job ${header.id}; nothing was sent`, {
      hint: 'promo jobs list',
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Throws `journal` (exit 9) for a job that was undone. */
export async function mustNotBeUndone(job: ReadableJob, host: JobsHost): Promise<void> {
  const undo = undoneBy(job, await jobsIn(host, { after: job }))
  // ASSUMED A501: a job that was undone is not resumed, or half of it would be done and half undone.
  if (undo !== undefined) throw undone(job, undo)
}

/** How a job is resumed. */
export interface ResumeOptions {
  again: RowsToRun
  /** The flags of this command line: pace, output, and answers to questions. */
  flags: Record<string, unknown>
  caution?: string | undefined
}

/** Returns what resumes a job. Its work throws `journal` (exit 9), and `held` (exit 8) while another process has the job. */
export function replayOf(job: ReadableJob, { again, flags, caution }: ResumeOptions, host: JobsHost): Replay {
  const { file, header } = job
  return {
    job: header.id,
    undoes: header.undoes,
    isPart: header.undoes_part !== undefined,
    args: header.args,
    flags: replayedFlags(header, flags),
    again,
    ...(caution !== undefined && { caution }),
    async work() {
      const { lock, job: now } = await lockJob(job, host, flags['dry-run'] === true)
      try {
        // Decided again under the lock: the other process may have been its undo.
        await mustNotBeUndone(now, host)
        return workOfJob({ path: file.path, lock, again, now: host.now })
      } catch (error) {
        lock.release()
        throw error
      }
    },
  }
}

/** Returns the flags of a job, overlaid by those of this line; what decides what is sent comes from the job alone. */
function replayedFlags(header: JobHeader, flags: Record<string, unknown>): Record<string, unknown> {
  const { profile, shard, input } = header
  return {
    ...header.flags,
    ...flags,
    ...(header.flags.from !== undefined && { from: input }),
    // As it was resolved then: `auto` may be another number by now.
    ...(shard !== null && { shard: shardText(shard) }),
    ...(profile !== environmentName && { profile }),
  }
}
