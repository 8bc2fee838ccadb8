// A file of 1 GiB that takes no room: a device that never ends would take all memory where a limit is missing.
import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates the file, all NUL bytes, and returns its path. */
export function sparseFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'promo-')), 'sparse')
  writeFileSync(path, '')
  truncateSync(path, 2 ** 30)
  return path
}
