// Programs that tests run besides promo. programs.json lists them with the Debian package of each; `.ci/run` installs
// all of them; a fresh machine may lack some.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import packages from './programs.json' with { type: 'json' }

export type Program = keyof typeof packages

declare module 'vitest' {
  interface TaskMeta {
    /** The missing programs for which a test is skipped. */
    lacks?: readonly Program[]
  }
}

/** The options of a test or suite that runs other programs: if one is missing, the test is skipped by name, and counted. */
export function needing(...programs: readonly Program[]) {
  const lacks = programs.filter((program) => !isUsable(program))
  return { skip: lacks.length > 0, meta: { lacks } }
}

/**
 * Returns how many tests were skipped, and how to install the missing programs; undefined when none was.
 *
 * `skipped` lists the programs that each skipped test lacked.
 */
export function skippedLine(skipped: readonly (readonly Program[])[]): string | undefined {
  if (skipped.length === 0) return undefined
  const programs = [...new Set(skipped.flat())].toSorted()
  const wanted = [...new Set(programs.map((program) => packages[program]))].toSorted()
  return `${skipped.length} skipped: ${programs.join(', ')}; apt-get install ${wanted.join(' ')}`
}

function isUsable(program: Program): boolean {
  return isInstalled(program) && mayRun(program)
}

function isInstalled(program: Program): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

// Some computers do not allow one process to trace another, and only root may make a network or enter another root folder.
function mayRun(program: Program): boolean {
  if (program === 'mmdebstrap') return process.getuid?.() === 0
  if (program === 'ip') return spawnSync('unshare', ['--net', 'true']).status === 0
  return program !== 'strace' || spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
}
