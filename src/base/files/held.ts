// Files that a process has open: Windows neither removes nor replaces them.
import { rmSync } from 'node:fs'

/** Says whether Windows refused because some process has the file open. */
export function isHeldOpen(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException
  return platform === 'win32' && ['EBUSY', 'EPERM', 'EACCES'].includes(code)
}

/** Removes a file, unless it is missing, or open where that keeps it in its place. Throws any other error of the file system. */
export function removeUnlessHeld(path: string, platform: NodeJS.Platform = process.platform): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    if (!isHeldOpen(error, platform)) throw error
  }
}
