// The lock of a job, taken in the name of this process.
import { hostname } from 'node:os'
import type { Lock } from '../../base/lock.ts'
import { takeLock } from '../../bulk/journal/lock.ts'
import type { Host } from '../run/host.ts'

/** Takes a lock. Throws `held` (exit 8) while another process has it, and `io` (exit 10). */
export async function lockFor(lockPath: string, host: Pick<Host, 'now'>): Promise<Lock> {
  const since = new Date(host.now()).toISOString()
  return await takeLock(lockPath, { pid: process.pid, host: hostname(), since })
}

/** Stands for a lock where nothing is begun under it. */
export const unlocked: Lock = { release: () => {} }
