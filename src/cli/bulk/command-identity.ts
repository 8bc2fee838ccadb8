// Decides whether two command lines are the same job: by the command, its arguments and the flags that decide what is sent.
import { isAbsolute, resolve } from 'node:path'
import { jsonChecksum } from '../../bulk/input/input-checksum.ts'
import type { Shard } from '../../bulk/shard.ts'
import { confirmFlags, dryRunFlag, globalFlags, outputFlags, paceFlags, serviceFlags } from '../flags/flags.ts'

/** A command line as it was parsed. */
export interface CommandLine {
  /** The command, as `vouchers:disable`. */
  command: string
  args: Record<string, unknown>
  flags: Record<string, unknown>
}

/** Flags that decide how, where to and how fast, but not what. */
const manner = new Set(
  [globalFlags, serviceFlags, outputFlags, confirmFlags, dryRunFlag, paceFlags].flatMap((group) => Object.keys(group)),
)

/** Returns the flags that decide what is sent; the files they name can be found from every folder. */
export function decisiveFlags(flags: Record<string, unknown>, cwd = process.cwd()): Record<string, unknown> {
  const kept = Object.entries(flags).filter(([name, value]) => !manner.has(name) && value !== undefined)
  return Object.fromEntries(
    kept.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, absolute(name, value, cwd)]),
  )
}

function absolute(name: string, value: unknown, cwd: string): unknown {
  if (typeof value !== 'string') return value
  if (name === 'expect') return inputName(value, cwd)
  return name === 'body' && value.startsWith('@') ? `@${inputName(value.slice(1), cwd)}` : value
}

/** Returns the name of an input as it is recorded in a job: an absolute path, or `-`. */
export function inputName(from: string, cwd: string): string {
  return from === '-' || isAbsolute(from) ? from : resolve(cwd, from)
}

/**
 * Returns the SHA-256 of everything that makes two runs the same job.
 *
 * The contents of a file are not in it: the same command with a changed file is recognized as the same job with another
 * input. Those of a pipe are (`inputSha256`), because nothing else distinguishes two pipes.
 */
export function commandFingerprint(
  { command, args, flags }: CommandLine,
  about: { profile: string; shard: Shard | null; input: string; inputSha256: string | null },
): string {
  // The input and the shard are in it as they were parsed, not as they were written.
  const { from: _, shard: __, ...rest } = decisiveFlags(flags)
  return jsonChecksum([command, args, rest, about.profile, about.shard, about.input, about.inputSha256])
}
