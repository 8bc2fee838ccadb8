// Changing a document without losing a change: one process at a time.
import { lstatSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { refuseExposedFolder } from '../base/files/privacy.ts'
import { removeLeftovers, syncName } from '../base/files/temporary.ts'
import { tryLock } from '../base/lock.ts'
import { reasonOf, whatToDoAbout } from '../base/sqlite.ts'
import { PromoError } from '../errors.ts'
import { type DocumentFormat, documentPath, type Place, readDocument, version } from './document.ts'
import { createFolder } from './folders.ts'

/**
 * Changes the document under a lock: reads it again, applies `change`, and replaces the file atomically, with mode 0600 in
 * a folder with mode 0700.
 *
 * A file that is damaged or a symbolic link is refused and left unchanged (`config`, exit 4). Throws `io` (exit 10) when
 * it cannot be written, and `held` (exit 8) when another process keeps the lock; the old file is then intact.
 */
export async function changeDocument<D, R>(
  place: Place,
  format: DocumentFormat<D>,
  change: (document: D) => R,
): Promise<R> {
  const path = documentPath(place.dir, format)
  createFolder(place.dir)
  if (place.secrets) refuseExposedFolder(place.dir, place.secrets)
  // Loaded before the lock is acquired, so that the lock is held only for the write.
  const { default: Conf } = await import('conf')
  return await withLock(place.dir, () => {
    refuseLink(path)
    const document = readDocument(
      place.secrets ? { ...place, secrets: { ...place.secrets, repairing: true } } : place,
      format,
    )
    const result = change(document)
    replace(Conf, path, { version, ...format.write(document) })
    return result
  })
}

function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new PromoError('config', `"${path}" is a symbolic link, and promo does not write through one`, {
      hint: 'put the file itself there, or point PROMO_CONFIG_DIR at the folder that holds it',
    })
  }
}

/** Replaces the file through conf: a temporary file beside it, renamed over it. Synchronous, so nothing can interleave. */
function replace(Conf: typeof import('conf').default, path: string, object: object): void {
  const cwd = dirname(path)
  removeLeftovers(cwd)
  // conf skips the temporary file when it appears to run inside a Snap package. The terminal of an editor that was
  // installed as one passes the variable on, and a crash there would leave half a file.
  const { SNAP } = process.env
  delete process.env.SNAP
  try {
    const configName = basename(path, '.json')
    const conf = new Conf({ cwd, configName, configFileMode: 0o600, accessPropertiesByDotNotation: false })
    conf.store = object as Record<string, unknown>
    syncName(cwd)
  } catch (cause) {
    const { code = 'EIO' } = cause as NodeJS.ErrnoException
    // Only what the code means: an error of conf may quote what it was about to write.
    const reason = reasonOf({ code, message: code })
    throw new PromoError('io', `"${path}" cannot be written: ${reason}; its previous contents are intact`, {
      hint: whatToDoAbout({ code }, 'PROMO_CONFIG_DIR'),
    })
  } finally {
    if (SNAP !== undefined) process.env.SNAP = SNAP
  }
}

/** What names the settings folder. */
const setting = 'PROMO_CONFIG_DIR'

/**
 * Runs the work while no other process writes to the folder; waits at most `waitMs` for one that does.
 *
 * Throws `held` (exit 8) when the wait times out, and `io` (exit 10) when the folder cannot be written to.
 */
export async function withLock<T>(
  dir: string,
  work: () => T | Promise<T>,
  { waitMs = 20_000 }: { waitMs?: number } = {},
): Promise<T> {
  const path = join(dir, 'settings.lock')
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  const deadline = Date.now() + waitMs
  for (;;) {
    // Without patience: the other writer may be in this very thread.
    const lock = await tryLock(path, holder, { patienceMs: 0, setting }).catch((cause: unknown) => {
      if (cause instanceof PromoError) throw cause
      throw new PromoError('io', `the settings cannot be changed: "${path}" cannot be created: ${reasonOf(cause)}`, {
        hint: whatToDoAbout(cause, setting),
        cause,
      })
    })
    if (lock.release) {
      try {
        return await work()
      } finally {
        lock.remove()
      }
    }
    if (Date.now() > deadline) {
      const who = lock.heldBy === undefined ? 'another promo' : `process ${lock.heldBy.pid} on ${lock.heldBy.host}`
      throw new PromoError('held', `${who} is changing the settings and does not finish`, {
        hint: 'wait until it ends, then run it again',
        retryable: true,
      })
    }
    // Random waits, so that twenty writers do not all wake at once.
    await sleepMs(5 + Math.random() * 20)
  }
}
