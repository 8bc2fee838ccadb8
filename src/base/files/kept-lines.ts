// Files of lines that promo keeps: the history, and the steps of a plan.
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  type Stats,
  writeSync,
} from 'node:fs'
import { refuseSharedFile, refuseSharedState } from './privacy.ts'

// Undefined on Windows, which has no such links, and no FIFOs among files.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>
const { O_APPEND, O_CREAT, O_RDWR } = constants

/**
 * Appends a line to a file of the state folder in one call, so that the lines of several processes do not mix; a line that a crash
 * or a full disk cut off is ended first: no beginning of a line may be a line too. With `isDurable` it is on the disk before this
 * returns.
 *
 * Throws the error of the file system, and `config` (exit 4) for a file that is not this user's alone.
 */
export function appendLine(path: string, text: string, { isDurable = false } = {}): void {
  refuseSharedState(path)
  const file = openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const stats = fstatSync(file)
    refuseSharedFile(path, stats)
    const line = Buffer.from(`${endsInLine(file, stats) ? '' : '\n'}${text}`)
    // What is missing after a full disk is reported by the next call.
    for (let at = 0; at < line.length; ) at += writeSync(file, line, at)
    if (isDurable) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function endsInLine(file: number, { size }: Stats): boolean {
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a)
}

/** No line of promo is as long; a hole that a loss of power left in a file may be. */
const mostLineBytes = 16 * 1024 * 1024

/**
 * Yields the lines of a file of the state folder, without their ends; undefined for one that is too long to be a line, and none that
 * is empty.
 *
 * Throws as `appendLine`.
 */
export async function* keptLines(path: string): AsyncGenerator<string | undefined> {
  refuseSharedState(path)
  let begun: Buffer[] = []
  let lengthBytes = 0
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let start = 0; start < piece.length; ) {
      const end = piece.indexOf('\n', start)
      const part = piece.subarray(start, end === -1 ? piece.length : end)
      lengthBytes += part.length
      // Counted to its end, and kept no longer.
      if (lengthBytes <= mostLineBytes) begun.push(part)
      else begun = []
      if (end === -1) break
      if (lengthBytes > 0) yield lineOf()
      start = end + 1
    }
  }
  if (lengthBytes > 0) yield lineOf()

  function lineOf(): string | undefined {
    const line = lengthBytes > mostLineBytes ? undefined : Buffer.concat(begun).toString('utf8')
    begun = []
    lengthBytes = 0
    return line
  }
}
