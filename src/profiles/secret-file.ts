// Files that hold secrets, as variables and flags name them.
import { readNamed } from '../base/files/named-file.ts'
import { readReasonOf } from '../base/sqlite.ts'

/** ASSUMED A1502: all secrets of a profile fit into 64 KiB; a file or a pipe that is longer is a mistake. */
export const secretLimitBytes = 64 * 1024

/**
 * Returns what a file or a pipe holds, or what is wrong with it; waits for the writer of a pipe until the signal.
 *
 * Neither the path nor the original error is in the fault: a user may have put the secret where its path belongs. Throws the
 * reason of the signal.
 */
export async function secretFile(path: string, signal?: AbortSignal): Promise<{ text: string } | { fault: string }> {
  try {
    const read = await readNamed(path, secretLimitBytes, signal)
    if ('text' in read) return read
    return {
      fault:
        read.oddKind === 'too long' ? 'names a file that is longer than 64 KiB' : `names ${read.oddKind}, not a file`,
    }
  } catch (error) {
    signal?.throwIfAborted()
    return { fault: `names a file that cannot be read: ${readReasonOf(error)}` }
  }
}
