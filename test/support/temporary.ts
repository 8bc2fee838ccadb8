// One folder for everything a test run writes, removed at its end; no test depends on a path outside it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Points `os.tmpdir()` of all test workers to a folder of this run, and removes it afterwards. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'promo-tests-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
