// A job that no other process works on, as it is now: what was read before its lock was taken may be over.
import { existsSync } from 'node:fs'
import type { Lock } from '../../../base/lock.ts'
import { PromoError } from '../../../errors.ts'
import { lockFor, unlocked } from '../../bulk/job-place.ts'
import { jobsIn, type ReadableJob, undone, undoneBy } from '../../bulk/known-jobs.ts'
import type { Host } from '../../run/host.ts'
import { readableJob } from './find-job.ts'

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
export async function lockJob(found: ReadableJob, host: Host, isPlan = false): Promise<LockedJob> {
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
export async function mustNotBeUndone(job: ReadableJob, host: Host): Promise<void> {
  const undo = undoneBy(job, await jobsIn(host, { after: job }))
  // ASSUMED A501: a job that was undone is not resumed, or half of it would be done and half undone.
  if (undo !== undefined) throw undone(job, undo)
}
