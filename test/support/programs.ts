// Programs that tests run beside promo. programs.json lists them with the Debian package that brings each; `.ci/run` installs
// all of them, a fresh machine may lack any.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import packages from './programs.json' with { type: 'json' }

export type Program = keyof typeof packages

declare module 'vitest' {
  interface TaskMeta {
    /** The programs for want of which a test is skipped. */
    lacks?: readonly Program[]
  }
}

/** The options of a test, or of a suite, that runs other programs: where one is missing it is skipped by name, and counted. */
export function needing(...programs: readonly Program[]) {
  const lacks = programs.filter((program) => !isUsable(program))
  return { skip: lacks.length > 0, meta: { lacks } }
}

/**
 * Says how many tests were skipped, and how to install the programs they lacked; undefined when none was.
 *
 * `skipped` is the programs that each skipped test lacked.
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

// Some computers let no process watch another.
function mayRun(program: Program): boolean {
  return program !== 'strace' || spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
}
