// One folder for everything a test run writes, removed at its end; no test depends on a path outside it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Points `os.tmpdir()` of all test workers to a folder of this run, and removes it afterwards. */
export default function setup(): () => void {
  const folder = inMemory() ?? mkdtempSync(join(tmpdir(), 'promo-tests-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

const memory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3

/**
 * Returns a folder that is kept in memory, where there is room and programs may be started: a journal waits for the disk at
 * every row, which was a third of the whole run. The calls that wait are the same.
 */
function inMemory(): string | undefined {
  let folder: string | undefined
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < neededBytes) return undefined
    folder = mkdtempSync(join(memory, 'promo-tests-'))
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    if (spawnSync(program).status === 0) return folder
  } catch {
    // There is no such folder, or it belongs to somebody else.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  return undefined
}
