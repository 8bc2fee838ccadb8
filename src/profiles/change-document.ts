// Changing a document without losing a change.
import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { refuseExposedFolder } from '../base/files/privacy.ts'
import { removeLeftovers, replaceFile } from '../base/files/temporary.ts'
import { reasonOf, whatToDoAbout } from '../base/sqlite.ts'
import { EXIT, PromoError } from '../errors.ts'
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
  return await withLock(place.dir, () => {
    refuseLink(path)
    const document = readDocument(
      place.secrets ? { ...place, secrets: { ...place.secrets, repairing: true } } : place,
      format,
    )
    const result = change(document)
    replace(path, { version, ...format.write(document) })
    return result
  })
}

function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new PromoError('config', EXIT.auth, `"${path}" is a symbolic link, and promo does not write through one`, {
      hint: 'put the file itself there, or point PROMO_CONFIG_DIR at the folder that holds it',
    })
  }
}

function replace(path: string, object: object): void {
  removeLeftovers(dirname(path))
  try {
    replaceFile(path, JSON.stringify(object, undefined, '\t'), 0o600)
  } catch (cause) {
    const { code = 'EIO' } = cause as NodeJS.ErrnoException
    // Only what the code means: the error may quote what was about to be written.
    const reason = reasonOf({ code, message: code })
    throw new PromoError('io', EXIT.io, `"${path}" cannot be written: ${reason}; its previous contents are intact`, {
      hint: whatToDoAbout({ code }, 'PROMO_CONFIG_DIR'),
    })
  }
}
