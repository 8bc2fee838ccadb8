// Generates the manifest and the facts of all commands from the static members of their classes.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Interfaces } from '@oclif/core'
import type { CommandClass, PromoCommand } from '../src/cli/command.ts'
import { type Declaring, factsOf } from '../src/cli/facts.ts'
import type {
  Facts,
  ManifestArgument,
  ManifestCommand,
  ManifestFlag,
  StoredManifest,
} from '../src/cli/help/manifest.ts'

/** A command, and the module that has its class: alone, or in a table of the commands of a resource. */
export interface CommandSource {
  id: string
  file: string
  table?: string
  Class: CommandClass
}

/** Loads all commands from their sources, sorted by id. */
export async function commandSources(root: string): Promise<CommandSource[]> {
  const load = async (pattern: string) =>
    Promise.all(
      globSync(pattern, { cwd: root }).map(async (file) => ({ file, module: await import(join(root, file)) })),
    )
  const alone = (await load('src/commands/**/*.ts')).map(({ file, module }) => {
    return { id: file.slice('src/commands/'.length, -'.ts'.length).replaceAll('/', ':'), file, Class: module.default }
  })
  const listed = (await load('src/cli/resources/*.ts')).flatMap(({ file, module }) =>
    Object.entries<Record<string, CommandClass>>(module).flatMap(([table, commands]) =>
      Object.entries(commands).map(([id, Class]) => ({ id, file, table, Class })),
    ),
  )
  return [...alone, ...listed].toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** Returns the classes of commands by id. */
export function classesById(sources: readonly CommandSource[]) {
  return Object.fromEntries(sources.map(({ id, Class }) => [id, Class as typeof PromoCommand]))
}

/** Returns the facts of every command. */
export function allFacts(classes: Readonly<Record<string, Declaring>>): Record<string, Facts> {
  return Object.fromEntries(Object.entries(classes).map(([id, Class]) => [id, factsOf(Class)]))
}

/** Returns the manifest of all commands. */
export function manifestOf(version: string, classes: Readonly<Record<string, typeof PromoCommand>>): StoredManifest {
  const commands = Object.entries(classes).map(([id, Class]) => manifestCommand(id, Class))
  return { version, ...sharedOnce(commands) }
}

function manifestCommand(id: string, Class: typeof PromoCommand): ManifestCommand {
  const { summary, description, aliases, examples, hidden, args, flags, baseFlags } = Class
  if (summary === '') throw new Error(`the command ${id} has no summary`)
  return {
    id,
    summary,
    ...(said({ description, hidden }) as Partial<ManifestCommand>),
    aliases,
    examples,
    args: mapped(args, ({ description, required, options, multiple }, name) => ({
      name,
      ...(said({ description, required, options, multiple }) as Partial<ManifestArgument>),
    })),
    flags: mapped({ ...baseFlags, ...flags }, manifestFlag),
  }
}

function manifestFlag(flag: Interfaces.FlagInput[string], name: string): ManifestFlag {
  const { char, description, helpGroup, required, dependsOn, hidden, type, exactlyOne = [] } = flag
  // oclif omits that flags of which only one may be given exclude each other.
  const exclusive = flag.exclusive ?? exactlyOne.filter((other) => other !== name)
  const own =
    flag.type === 'boolean'
      ? { allowNo: flag.allowNo }
      : { helpValue: flag.helpValue, options: flag.options, multiple: flag.multiple, default: flag.default }
  return {
    name,
    type,
    ...(said({
      char,
      description,
      helpGroup,
      required,
      dependsOn,
      hidden,
      exclusive,
      ...own,
    }) as Partial<ManifestFlag>),
  }
}

/** Writes a flag once that several commands declare alike. */
function sharedOnce(commands: readonly ManifestCommand[]): Pick<StoredManifest, 'flags' | 'commands'> {
  const all = commands.flatMap(({ flags }) => Object.values(flags))
  const flags: Record<string, ManifestFlag> = {}
  for (const flag of all) {
    const alike = all.filter((other) => other.name === flag.name && isSame(other, flag))
    if (alike.length > 1 && !(flag.name in flags)) flags[flag.name] = flag
  }
  const isShared = (flag: ManifestFlag) => flag.name in flags && isSame(flags[flag.name], flag)
  return {
    flags: Object.fromEntries(Object.entries(flags).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    commands: Object.fromEntries(
      commands.map((command) => [
        command.id,
        { ...command, flags: mapped(command.flags, (flag) => (isShared(flag) ? {} : flag)) },
      ]),
    ),
  }
}

function isSame(one: ManifestFlag | undefined, other: ManifestFlag): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Omits members that are undefined, false or empty: their absence means the same. */
function said<Members extends object>(members: Members): Partial<Members> {
  const isSaid = (value: unknown) =>
    value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isSaid(value))) as Partial<Members>
}

function mapped<From, To>(
  members: Readonly<Record<string, From>>,
  make: (member: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, make(member, name)]))
}

/** Writes a manifest compactly, one line per flag and command, to keep two versions comparable. */
export function manifestText({ version, flags, commands }: StoredManifest): string {
  const lines = (members: object) =>
    Object.entries(members)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n')
  return `{"version":${JSON.stringify(version)},"flags":{\n${lines(flags)}\n},"commands":{\n${lines(commands)}\n}}\n`
}
