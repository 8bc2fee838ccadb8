// A result must not overwrite the file it was made from. Source: docs/reliability.md#flags-and-settings.
import { usageError } from '../../errors.ts'

/** The flags that name files to read, and the one that names the file to write. */
export interface InputFlags {
  from?: unknown
  body?: unknown
  out?: unknown
}

/** Ensures that `--out` is not a file that the command reads. Throws `usage`. */
export function mustKeepInput({ from, body, out }: InputFlags): void {
  if (typeof out !== 'string' || out === '-') return
  const path = process.getBuiltinModule('node:path')
  const read = typeof body === 'string' && body.startsWith('@') ? [from, body.slice(1)] : [from]
  const isRead = read.some((file) => typeof file === 'string' && path.resolve(file) === path.resolve(out))
  if (isRead) throw usageError(`--out ${JSON.stringify(out)} would overwrite the input`, `--out ${out}.out`)
}
