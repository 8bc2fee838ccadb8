// A small JSON document that only its owner may read. Changing it is in change-document.ts, which most runs do not load.

import { type KeptFile, readKept } from '../base/files/kept-file.ts'
import { pathBelow } from '../base/files/path-below.ts'
import { type PrivacyRules, refuseExposedFile, refuseExposedFolder } from '../base/files/privacy.ts'
import { readJson } from '../base/nesting.ts'
import { isRecord } from '../base/record.ts'
import { readReasonOf } from '../base/sqlite.ts'
import { PromoError } from '../errors.ts'
import { type Damaged, damagedFile, lineOfKeys, lineOfSyntaxError } from './damage.ts'

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

/** The version of the format of every document. */
export const version = 1
const mostMib = 1

/** Returns the path of the document's file. */
export function documentPath(dir: string, { name }: Pick<DocumentFormat<unknown>, 'name'>): string {
  return pathBelow(dir, `${name}.json`)
}

/**
 * Reads the document; one that does not exist is empty.
 *
 * Throws `config` (exit 4) with path and line for a file it cannot use, and for a file of secrets that
 * others can read.
 */
export function readDocument<D>(place: Place, format: DocumentFormat<D>): D {
  const path = documentPath(place.dir, format)
  const text = textOf(path, place)
  return text === undefined ? format.empty() : parseDocument(text, path, format)
}

function textOf(path: string, place: Place): string | undefined {
  let read: KeptFile | undefined
  try {
    read = readKept(path, mostMib, { followsLinks: true })
  } catch (cause) {
    throw new PromoError('config', `"${path}" cannot be read: ${readReasonOf(cause)}`, {
      hint: 'check who owns it, or set PROMO_CONFIG_DIR to a folder of your own',
      cause,
    })
  }
  if (read === undefined) return undefined
  if ('fault' in read) throw damagedFile(path, 1, `it ${read.fault}`)
  if (place.secrets) {
    refuseExposedFolder(place.dir, place.secrets)
    refuseExposedFile(path, read.stats, place.secrets)
  }
  return read.bytes.toString('utf8')
}

function parseDocument<D>(text: string, path: string, format: DocumentFormat<D>): D {
  if (text.startsWith('\uFEFF')) throw damagedFile(path, 1, 'it starts with a byte order mark')
  let value: unknown
  try {
    value = readJson(text)
  } catch (error) {
    if (error instanceof RangeError) throw damagedFile(path, 1, 'it is nested too deeply')
    // Not kept as the cause: its message quotes the file.
    throw damagedFile(path, lineOfSyntaxError(text), 'it is not JSON from here on')
  }
  if (!isRecord(value)) throw damagedFile(path, 1, 'it is not a JSON object')
  const damagedAt: Damaged = (keys, reason) => damagedFile(path, lineOfKeys(text, keys), reason)
  if (value.version !== version) {
    const isNewer = typeof value.version === 'number' && value.version > version
    throw damagedAt(['version'], isNewer ? 'it was written by a newer promo' : `"version" is not ${version}`)
  }
  const { version: _, ...members } = value
  return format.read(members, damagedAt)
}
