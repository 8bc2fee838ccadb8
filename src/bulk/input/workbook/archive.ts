// The files inside a workbook, which is a zip archive. A workbook may be hostile: its directory is read before anything is
// inflated, and what is inflated ends where the directory says.
import { posix } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise } from 'yauzl'
import { PromoError } from '../../../errors.ts'
import { inputError, visible } from '../input-error.ts'

/** The file inside a workbook that is read, and how long it may be when it is inflated. */
interface Part {
  path: string
  limitBytes: number
}

export interface Archive {
  /** Returns whether there is a file of this path. */
  has(path: string): boolean
  /** Inflates a file, in pieces. Throws `input` for one that is missing, too long or damaged. */
  pieces(part: Part): AsyncIterable<Buffer>
}

const mostEntries = 10_000
/** What to do about a workbook that is larger than promo reads. */
export const asCsv = 'save its sheet as "CSV UTF-8" and give that file; format columns of codes as text before'

/** Reads the directory of a workbook. Throws `input` for bytes that are none. */
export async function openArchive(bytes: Buffer, name: string): Promise<Archive> {
  const zip = await fromBufferPromise(bytes).catch((error: unknown) => throwDamaged(name, error))
  if (zip.entryCount > mostEntries) throw inputError(`${name} has more than 10,000 files inside it`, asCsv)
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      const path = entry.fileName.toLowerCase()
      // Whoever looked at the workbook may have seen the other one.
      if (entries.has(path)) throw new Error(`it has ${path} inside it more than once`)
      entries.set(path, entry)
    }
  } catch (error) {
    throwDamaged(name, error)
  }
  return {
    has: (path) => entries.has(path.toLowerCase()),
    async *pieces({ path, limitBytes }) {
      const entry = entries.get(path.toLowerCase())
      if (entry === undefined) throw inputError(`${name} is no complete workbook: it has no ${visible(path)}`, resave)
      if (entry.uncompressedSize > limitBytes) {
        const limit = limitBytes / 1024 / 1024
        throw inputError(`${name} is too large: ${visible(path)} inside it is longer than ${limit} MiB`, asCsv)
      }
      try {
        let sum = 0
        for await (const piece of await zip.openReadStreamPromise(entry)) {
          sum = crc32(piece, sum)
          yield piece
        }
        // The library compares lengths alone, and a changed letter makes another code.
        if (sum !== entry.crc32) throw new Error(`${path} inside it is not what was written`)
      } catch (error) {
        throwDamaged(name, error)
      }
    },
  }
}

/** Returns the path of a file that another names, relative to it or from the root. */
export function pathFrom(base: string, target: string): string {
  return target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(base), target)
}

/** What to do about a file that is no workbook of today. */
export const resave = 'open it, save it as a workbook (.xlsx), and give that file'

/** Throws the error about a workbook that cannot be read, unless what was thrown says what to do. */
export function throwDamaged(name: string, error: unknown): never {
  if (error instanceof PromoError) throw error
  throw inputError(`${name} is damaged: ${visible((error as Error).message)}`, resave, error)
}
