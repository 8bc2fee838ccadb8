// Small files in folders that may come from elsewhere, read whole. What has such a name may be anything: a FIFO is waited for in a
// thread that no signal reaches, and a device may never end.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs'

// Undefined on Windows, which has no such links, and no FIFOs among files.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants> & { O_RDONLY: number }

/** A file that was read, or why it cannot be one: "is a link, not a file". */
export type KeptFile = { bytes: Buffer; stats: Stats } | { fault: string }

/** Reads a file of at most so many MiB; undefined where there is none. Throws the error of the file system. */
export function readKept(path: string, mostMib: number, { followsLinks = false } = {}): KeptFile | undefined {
  // Before it is opened too: opening a device may already have an effect.
  const there = (followsLinks ? statSync : lstatSync)(path, { throwIfNoEntry: false })
  if (there === undefined) return undefined
  if (there.isSymbolicLink()) return { fault: 'is a link, not a file' }
  if (!there.isFile()) return { fault: 'is not a file' }
  const file = openSync(path, O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) return { fault: 'is not a file' }
    if (stats.size > mostMib * 1024 * 1024) return { fault: `is larger than ${mostMib} MiB` }
    return { bytes: readFileSync(file), stats }
  } finally {
    closeSync(file)
  }
}
