// A result must not overwrite the file it was made from. Source: docs/reliability.md#flags-and-settings.
import type { Interfaces } from '@oclif/core'
import { shellWord } from '../../base/shell-word.ts'
import { usageError } from '../../errors.ts'

/** What a command declares of the files that it reads: flags whose help value is a file, and arguments. */
interface Declared {
  flags: Interfaces.FlagInput
  fileArgs: readonly string[]
}

/** Ensures that `--out` is not a file that the command reads. Throws `usage`. */
export function mustKeepInput(
  { flags, fileArgs }: Declared,
  given: { args: Readonly<Record<string, unknown>>; flags: Readonly<Record<string, unknown>> },
): void {
  const read = Object.entries(flags).flatMap(([name, flag]) => {
    const form = 'helpValue' in flag ? String(flag.helpValue) : ''
    const value = given.flags[name]
    if (name === 'out' || !form.includes('FILE') || typeof value !== 'string') return []
    return form.includes('@FILE') ? value.replace(/^@/, '') : value
  })
  mustKeepFiles(given.flags.out, [
    ...read,
    ...fileArgs.flatMap((name) => (given.args[name] ?? []) as string | string[]),
  ])
}

/** Ensures that the file of `--out` is none of these. Throws `usage`. */
export function mustKeepFiles(out: unknown, files: readonly string[]): void {
  if (typeof out !== 'string' || out === '-') return
  const path = process.getBuiltinModule('node:path')
  if (files.some((file) => path.resolve(file) === path.resolve(out)))
    throw usageError(`--out ${JSON.stringify(out)} would overwrite the input`, `--out ${shellWord(`${out}.out`)}`)
}
