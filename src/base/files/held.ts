// Files that a process has open: Windows neither removes nor replaces them.

/** Says whether Windows refused because some process has the file open. */
export function isHeldOpen(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException
  return platform === 'win32' && ['EBUSY', 'EPERM', 'EACCES'].includes(code)
}
