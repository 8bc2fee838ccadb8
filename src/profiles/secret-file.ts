// Files that hold secrets, as variables and flags name them.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { oddKindOf } from '../base/folder.ts'

/** ASSUMED A1502: all secrets of a profile fit into 64 KiB; a file or a pipe that is longer is a mistake. */
export const secretLimitBytes = 64 * 1024

/**
 * Returns what a file or a pipe holds, or what is wrong with it.
 *
 * Neither the path nor the original error is in the fault: a user may have put the secret where its path belongs.
 */
export function secretFile(path: string): { text: string } | { fault: string } {
  try {
    const kind = oddKindOf(statSync(path))
    if (kind !== undefined) return { fault: `names ${kind}, not a file` }
    const bytes = startOf(path, secretLimitBytes + 1)
    if (bytes.length > secretLimitBytes) return { fault: 'names a file that is longer than 64 KiB' }
    return { text: bytes.toString('utf8') }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return { fault: `names a file that cannot be read (${code})` }
  }
}

// The size that a pipe reports says nothing, and a file may grow.
function startOf(path: string, lengthBytes: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(lengthBytes)
    let read = 0
    for (let more = -1; more !== 0; read += more) more = readSync(file, bytes, read, lengthBytes - read, null)
    return bytes.subarray(0, read)
  } finally {
    closeSync(file)
  }
}
