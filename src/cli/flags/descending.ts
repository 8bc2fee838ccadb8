// `--order -voucher_code`: the parser takes a value that begins with the letter of a short flag for that flag.
import type { Interfaces } from '@oclif/core'

/** Returns the flags and the words so that a descending order is read as a value; the flag with its letter by the long name. */
export function withDescendingOrder(flags: Interfaces.FlagInput, argv: readonly string[]) {
  const letter = /(?:^|\n)--order[=\n]-(\w)\w/.exec(argv.join('\n'))?.[1]
  const clash = letter === undefined ? undefined : Object.entries(flags).find(([, { char }]) => char === letter)
  if (clash === undefined) return { flags, argv: [...argv] }
  const [name, { char: _, ...flag }] = clash
  return {
    flags: { ...flags, [name]: flag as (typeof clash)[1] },
    argv: argv.map((word) => (word === `-${letter}` ? `--${name}` : word)),
  }
}
