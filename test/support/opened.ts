// Which process has a file open, as the kernel tells it: the one sign that a FIFO was opened without waiting for a writer.
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'

/** Resolves once the process has the file open, or `isOver`; false then. Linux only. */
export async function untilOpen(path: string, pid: number | 'self', isOver: () => boolean): Promise<boolean> {
  while (!isOver()) {
    if (openIn(pid).includes(path)) return true
    await turn()
  }
  return false
}

function openIn(pid: number | 'self'): string[] {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).map((fd) => targetOf(join(folder, fd)))
  } catch {
    return []
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // Closed in the meantime.
    return ''
  }
}
