// The manifest of all commands: what help, completion, documents and `promo commands` are made from.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repeat } from '../../contract/endpoint.ts'
import type { ExitCode } from '../../errors.ts'

/** A flag as the manifest describes it; an `option` takes a value. */
export interface ManifestFlag {
  name: string
  char?: string
  type: 'boolean' | 'option'
  description?: string
  helpGroup?: string
  helpValue?: string
  options?: readonly string[]
  required?: boolean
  multiple?: boolean
  default?: unknown
  /** Flags that may not stand beside it, and flags that must. */
  exclusive?: readonly string[]
  dependsOn?: readonly string[]
  allowNo?: boolean
  hidden?: boolean
}

/** An argument as the manifest describes it. */
export interface ManifestArgument {
  name: string
  description?: string
  options?: readonly string[]
  required?: boolean
  multiple?: boolean
}

/** A call of the service that a command can make. */
export interface ManifestCall {
  id: string
  method: string
  path: string
  credential: string
  repeat: Repeat
  /** The page and section of docs/service that describes the call. */
  source: string
}

/** A command as the manifest describes it; its id has colons where a command line has spaces. */
export interface ManifestCommand {
  id: string
  summary?: string
  description?: string
  aliases: readonly string[]
  examples: readonly string[]
  hidden?: boolean
  effect: 'none' | 'read' | 'write' | 'local'
  args: Readonly<Record<string, ManifestArgument>>
  flags: Readonly<Record<string, ManifestFlag>>
  /** What it cannot do without, each as the ways to give it: `CODE`, `--from`. */
  needs: readonly (readonly string[])[]
  calls: readonly ManifestCall[]
  /** What one more identical run does to the service; null when it sends nothing. */
  repeat: Repeat | null
  columns: readonly string[]
  exit_codes: readonly ExitCode[]
}

/** Reads the commands that are not hidden, by name. */
export function commandsIn(root: string): ManifestCommand[] {
  const { commands } = JSON.parse(readFileSync(join(root, '.oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, ManifestCommand>
  }
  return Object.values(commands)
    .filter(({ hidden }) => !hidden)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
