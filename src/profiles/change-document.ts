// Changing a document without losing a change.
import { lstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { refuseExposedFolder } from '../base/files/privacy.ts'
import { removeLeftovers, syncName } from '../base/files/temporary.ts'
import { reasonOf, whatToDoAbout } from '../base/sqlite.ts'
import { PromoError } from '../errors.ts'
import { type DocumentFormat, documentPath, type Place, readDocument, version } from './document.ts'
import { createFolder } from './folders.ts'
import { withLock } from './lock.ts'

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
