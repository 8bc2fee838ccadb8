// Files of lines that promo keeps: the history, and the steps of a plan.
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, type Stats, writeSync } from 'node:fs'
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
