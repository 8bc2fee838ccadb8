// Creating folders, making their names durable, and knowing them from files. Node's own recursion never ends where a file system refuses a folder as if its
// parent were missing, as /proc does.
import { type BigIntStats, existsSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Creates a folder and its missing parents, accessible only to the owner unless `mode` says otherwise. Throws the error of the file system. */
export function makeFolder(path: string, mode = 0o700): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path && !existsSync(parent)) makeFolder(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process was faster.
    if (!isFolder(path)) throw error
  }
}

/**
 * Returns when the names in a folder survive a loss of power. Throws the error of the file system.
 *
 * Windows refuses to sync a folder (EPERM); there a name is durable without it.
 */
export async function syncFolder(path: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  if (platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Returns what a path leads to where that cannot be an input; undefined for a regular file and a pipe, which end. */
export function oddKindOf(stats: Stats | BigIntStats): 'a folder' | 'a device' | undefined {
  if (stats.isDirectory()) return 'a folder'
  return stats.isFile() || stats.isFIFO() ? undefined : 'a device'
}
