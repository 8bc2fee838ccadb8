// A small JSON document that only its owner may read: reading it, and changing it without losing a change.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PrivacyRules, refuseExposedFile, refuseExposedFolder } from '../base/files/privacy.ts'
import { readReasonOf, reasonOf, whatToDoAbout } from '../base/sqlite.ts'
import { EXIT, PromoError } from '../errors.ts'
import { type Damaged, damagedFile, lineOfKeys, lineOfSyntaxError } from './damage.ts'
import { createFolder } from './folders.ts'

/** The contents of one kind of document. Every document also holds the version of its format. */
export interface DocumentFormat<D> {
  /** The file's name without `.json`. */
  name: string
  empty: () => D
  /** Parses the JSON object, or throws the error that `damaged` returns. */
  read: (object: Record<string, unknown>, damaged: Damaged) => D
  /** Returns the JSON object to store. */
  write: (document: D) => Record<string, unknown>
}

/** The folder of a document, and who may access it when it holds secrets. */
export interface Place {
  dir: string
  secrets?: PrivacyRules
}

const version = 1
const maxSizeBytes = 1024 * 1024

/** Returns the path of the document's file. */
export function documentPath(dir: string, { name }: Pick<DocumentFormat<unknown>, 'name'>): string {
  return join(dir, `${name}.json`)
}

/**
 * Reads the document; one that does not exist is empty.
 *
 * Reads the file directly, not through conf: every command reads the settings, and importing conf costs 40 to 60 ms, this
 * less than 1 ms. Throws `config` (exit 4) with path and line for a file it cannot use, and for a file of secrets that
 * others can read.
 */
export function readDocument<D>(place: Place, format: DocumentFormat<D>): D {
  const path = documentPath(place.dir, format)
  const text = textOf(path, place)
  return text === undefined ? format.empty() : parsed(text, path, format)
}

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
  const { withLock } = await import('./lock.ts')
  return await withLock(place.dir, () => {
    refuseLink(path)
    const document = readDocument(
      place.secrets ? { ...place, secrets: { ...place.secrets, repairing: true } } : place,
      format,
    )
    const result = change(document)
    replace(Conf, place.dir, format.name, { version, ...format.write(document) })
    return result
  })
}

function textOf(path: string, place: Place): string | undefined {
  let file: number
  try {
    // Without O_NONBLOCK a FIFO of this name would block promo until another process writes to it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new PromoError('config', EXIT.auth, `"${path}" cannot be read: ${readReasonOf(cause)}`, {
      hint: 'look who owns it, or set PROMO_CONFIG_DIR to a folder of your own',
      cause,
    })
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw damagedFile(path, 1, 'it is not a file')
    if (place.secrets) {
      refuseExposedFolder(place.dir, place.secrets)
      refuseExposedFile(path, stat, place.secrets)
    }
    if (stat.size > maxSizeBytes) throw damagedFile(path, 1, 'it is larger than 1 MiB')
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function parsed<D>(text: string, path: string, format: DocumentFormat<D>): D {
  if (text.startsWith('\uFEFF')) throw damagedFile(path, 1, 'it starts with a byte order mark')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Not kept as the cause: its message quotes the file.
    throw damagedFile(path, lineOfSyntaxError(text), 'it is not JSON from here on')
  }
  if (!isObject(value)) throw damagedFile(path, 1, 'it is not a JSON object')
  const damaged: Damaged = (keys, reason) => damagedFile(path, lineOfKeys(text, keys), reason)
  if (value.version !== version) {
    const isNewer = typeof value.version === 'number' && value.version > version
    throw damaged(['version'], isNewer ? 'it was written by a newer promo' : `"version" is not ${version}`)
  }
  const { version: _, ...members } = value
  return format.read(members, damaged)
}

/** Says whether a parsed JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new PromoError('config', EXIT.auth, `"${path}" is a symbolic link, and promo does not write through one`, {
      hint: 'put the file itself there, or point PROMO_CONFIG_DIR at the folder that holds it',
    })
  }
}

/** Replaces the file through conf: a temporary file next to it, renamed over it. Synchronous, so nothing can interleave. */
function replace(Conf: typeof import('conf').default, dir: string, configName: string, object: object): void {
  // conf skips the temporary file when it appears to run inside a Snap package. The terminal of an editor that was
  // installed as one passes the variable on, and a crash there would leave half a file.
  const { SNAP } = process.env
  delete process.env.SNAP
  try {
    const conf = new Conf({ cwd: dir, configName, configFileMode: 0o600, accessPropertiesByDotNotation: false })
    conf.store = object as Record<string, unknown>
  } catch (cause) {
    const { code = 'EIO' } = cause as NodeJS.ErrnoException
    const path = documentPath(dir, { name: configName })
    // Only what the code means: an error of conf may quote what it was about to write.
    const reason = reasonOf({ code, message: code })
    throw new PromoError('io', EXIT.io, `"${path}" cannot be written: ${reason}; its previous contents are intact`, {
      hint: whatToDoAbout({ code }, 'PROMO_CONFIG_DIR'),
    })
  } finally {
    if (SNAP !== undefined) process.env.SNAP = SNAP
  }
}
