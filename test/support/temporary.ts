// One folder for everything that a test run writes, removed at its end: no test depends on a path outside of it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Points `os.tmpdir()` of all test workers into a folder of this run, and removes the folder afterwards. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'promo-tests-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
