// The manifest of all commands and their facts: the source of help, completion, documents and `promo commands`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repeat } from '../../contract/endpoint.ts'
import type { ExitCode } from '../../errors.ts'
import type { ColumnFact } from './row-facts.ts'

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
  /** Flags that must not be combined with it, and flags that must. */
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
}

/** A command as the manifest describes it; its id has colons where a command line has spaces. */
export interface ManifestCommand {
  id: string
  summary: string
  description?: string
  aliases: readonly string[]
  examples: readonly string[]
  hidden?: boolean
  args: Readonly<Record<string, ManifestArgument>>
  flags: Readonly<Record<string, ManifestFlag>>
}

/** What else is published about a command. Help does not need it, so it is not part of the manifest. */
export interface Facts {
  effect: 'none' | 'read' | 'write' | 'local'
  /** What it needs, each with the ways to provide it: `CODE`, `--from`. */
  needs: readonly (readonly string[])[]
  calls: readonly ManifestCall[]
  /** What one more identical run does to the service; null when it sends nothing. */
  repeat: Repeat | null
  columns: readonly string[]
  /** The columns of the rows that it reads. */
  reads?: readonly ColumnFact[]
  exit_codes: readonly ExitCode[]
}

/** `.oclif.manifest.json`: a flag that is identical in several commands is stored once, and is empty in those commands. */
export interface StoredManifest {
  version: string
  flags: Readonly<Record<string, ManifestFlag>>
  commands: Readonly<Record<string, StoredCommand>>
}

type StoredCommand = Omit<ManifestCommand, 'flags'> & {
  flags: Readonly<Record<string, ManifestFlag | Record<string, never>>>
}

/** Manifests that were read, by their folders: a manifest does not change while promo runs. */
const manifests = new Map<string, Readonly<Record<string, ManifestCommand>>>()

/** Reads the entire manifest, once. */
export function readManifest(root: string): Readonly<Record<string, ManifestCommand>> {
  const known = manifests.get(root)
  if (known) return known
  const { commands, flags }: StoredManifest = JSON.parse(manifestText(root))
  const complete = Object.fromEntries(
    Object.entries(commands).map(([id, command]) => [id, { ...command, flags: completeFlags(command.flags, flags) }]),
  )
  manifests.set(root, complete)
  return complete
}

function manifestText(root: string): string {
  return readFileSync(join(root, '.oclif.manifest.json'), 'utf8')
}

function completeFlags(own: StoredCommand['flags'], shared: StoredManifest['flags']): Record<string, ManifestFlag> {
  return Object.fromEntries(
    Object.entries(own).map(([name, flag]) => [name, 'name' in flag ? (flag as ManifestFlag) : mustHave(name, shared)]),
  )
}

function mustHave(name: string, shared: StoredManifest['flags']): ManifestFlag {
  const flag = shared[name]
  if (flag === undefined) throw new Error(`the manifest does not describe --${name}`)
  return flag
}

/** Reads the commands that are not hidden, by name. */
export function commandsIn(root: string): ManifestCommand[] {
  return Object.values(readManifest(root))
    .filter(({ hidden }) => !hidden)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** Reads the commands that have a flag. Most words are the flag of none, which the text alone tells sooner. */
export function commandsWith(flag: string, root: string): ManifestCommand[] {
  if (!manifestText(root).includes(`${JSON.stringify(flag)}:`)) return []
  return commandsIn(root).filter(({ flags }) => Object.hasOwn(flags, flag))
}

/** Reads the facts of all commands by their ids; the build has composed them. */
export function factsIn(root: string): Record<string, Facts> {
  return JSON.parse(readFileSync(join(root, 'dist/facts.json'), 'utf8'))
}

/** A command with everything that is published about it. */
export type DescribedCommand = ManifestCommand & Facts

/** Reads the commands that are not hidden, by name, each with its facts. */
export function describedCommands(root: string): DescribedCommand[] {
  const facts = factsIn(root)
  return commandsIn(root).map((command) => ({ ...command, ...(facts[command.id] as Facts) }))
}
