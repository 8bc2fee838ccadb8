// One writer at a time in the settings folder: a lock file that names its owner, and a way past an owner that died.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { EXIT, PromoError } from '../errors.ts'

export interface LockOptions {
  /** How long to wait for the owner before giving up. */
  waitMs?: number
  /** An owner is taken for dead after this long, whatever its process id says: a write takes milliseconds. */
  staleAfterMs?: number
}

/**
 * Runs the work while no other promo writes in the folder.
 *
 * Waits for a living owner, takes over from a dead one. Throws `held` (exit 8) when the wait was too long, and `io`
 * (exit 10) when the folder cannot be written to.
 */
export async function withLock<T>(dir: string, work: () => T | Promise<T>, options: LockOptions = {}): Promise<T> {
  const { waitMs = 20_000, staleAfterMs = 60_000 } = options
  const path = join(dir, 'promo.lock')
  const own = JSON.stringify({ pid: process.pid, host: hostname(), id: `${Date.now()} ${Math.random()}` })
  const deadline = Date.now() + waitMs
  while (!create(path, own)) {
    if (isStale(path, staleAfterMs)) removeStale(path, staleAfterMs)
    if (Date.now() > deadline) throw heldError(path)
    // Uneven waits, so that twenty writers do not all wake for the same turn.
    await sleepMs(5 + Math.random() * 20)
  }
  try {
    return await work()
  } finally {
    // Another promo may have taken over while this one was suspended: its lock is not ours to remove.
    if (contentOf(path) === own) rmSync(path, { force: true })
  }
}

function create(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    throw new PromoError('io', EXIT.io, `the settings cannot be changed: "${path}" cannot be created (${code})`, {
      cause,
    })
  }
}

/**
 * Removes a lock whose owner is dead. Between looking and removing, another promo may have done the same and locked
 * anew; so only the holder of a second file may remove, after looking again.
 */
function removeStale(path: string, staleAfterMs: number): void {
  const permit = `${path}.takeover`
  if (!create(permit, '')) {
    if (ageMs(permit) > staleAfterMs) rmSync(permit, { force: true })
    return
  }
  try {
    if (isStale(path, staleAfterMs)) rmSync(path, { force: true })
  } finally {
    rmSync(permit, { force: true })
  }
}

function isStale(path: string, staleAfterMs: number): boolean {
  if (ageMs(path) > staleAfterMs) return true
  const { pid, host } = ownerOf(contentOf(path))
  return host === hostname() && pid !== undefined && !isAlive(pid)
}

function ageMs(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 0 : Date.now() - stat.mtimeMs
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

// A lock that is still being written names no owner yet; only its age can make it stale.
function ownerOf(content: string): { pid?: number; host?: string } {
  try {
    return JSON.parse(content)
  } catch {
    return {}
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function heldError(path: string): PromoError {
  return new PromoError('held', EXIT.held, `another promo is changing the settings and does not finish ("${path}")`, {
    hint: 'run it again; if no other promo is running, remove that file',
    retryable: true,
  })
}
