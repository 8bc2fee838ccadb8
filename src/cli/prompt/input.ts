// Reads a command line that may lack something: what is missing is asked for, or named in an error.
import type { Interfaces } from '@oclif/core'
import { isNamedAsRows } from '../../bulk/input/row-file.ts'
import type { Asker, Keeper } from '../run/host.ts'
import { type Asks, endsInNumberAlone, type Given, needsOf, type Source } from './needs.ts'
import { canAsk } from './prompts.ts'

/** What the parser knows of a command. */
export interface CommandSyntax {
  args: Interfaces.ArgInput
  flags: Interfaces.FlagInput
}

/** The command whose line is read. */
export interface Asking extends CommandSyntax {
  id: string
  asks: Asks | undefined
  examples?: readonly string[] | undefined
}

/** A parsed command line. */
export interface Parsed {
  args: Record<string, unknown>
  flags: Record<string, unknown>
}

/**
 * Parses the words, after asking for what they lack; the answers are read as words of the same line.
 *
 * Throws `usage` that names what is missing where no terminal can ask, or what nobody can mean, and what `parse` throws.
 */
export async function completeInput(
  command: Asking,
  argv: readonly string[],
  { host, source }: { host: Asker & Keeper; source: Source },
  parse: (syntax: CommandSyntax, argv: string[]) => Promise<Parsed>,
): Promise<Parsed> {
  const syntax = forgiving(command)
  const parsed = withoutAbsent(await parse(syntax, [...argv]))
  const needs = needsOf(command, mergeParsed(parsed))
  if (needs.length === 0) return await asMeant(command, parsed)
  if (!canAsk(parsed.flags, host) || endsInValue(parsed))
    throw (await import('./refused.ts')).missing(needs, command, argv)
  const { answersTo } = await import('./answers.ts')
  const { args, flags } = await answersTo(needs, host, source)
  // Flags go first and arguments last, after `--`: an answer may begin with a dash.
  const end = argv.includes('--') ? [] : ['--']
  const words = [...flags, ...argv, ...(args.length > 0 ? [...end, ...args] : [])]
  return await asMeant(command, withoutAbsent(await parse(syntax, words)))
}

/** Whether the last of several items is a number unlike the others, which is rather what a flag was to say. */
function endsInValue({ args }: Parsed): boolean {
  return Object.values(args).some((items) => Array.isArray(items) && endsInNumberAlone(items))
}

/** Represents an argument that was not given: oclif fills it in instead of stopping at the first that is missing. */
const absent = Symbol('absent')

/** The same syntax without requirements, on which the parser would stop; everything missing is found afterwards, at once. */
// A command without flags of its own has no such member; the types of oclif say otherwise.
function forgiving({ args = {}, flags = {} }: Partial<CommandSyntax>): CommandSyntax {
  return {
    args: mapDefinitions(args, (arg) => (arg.required ? { ...arg, default: absent } : arg)),
    flags: mapDefinitions(flags, ({ exactlyOne, atLeastOne: _, ...flag }, name) => ({
      ...flag,
      required: false,
      ...(exactlyOne && { exclusive: exactlyOne.filter((other) => other !== name) }),
    })),
  }
}

function mapDefinitions<T>(
  definitions: Record<string, T>,
  change: (definition: T, name: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(definitions).map(([name, one]) => [name, change(one, name)]))
}

function withoutAbsent({ args, flags }: Parsed): Parsed {
  return { args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== absent)), flags }
}

/** Passes on what was given, unless there is a value that nobody can mean. Throws `usage`. */
async function asMeant(command: Asking, parsed: Parsed): Promise<Parsed> {
  const items = Object.values(parsed.args).flat()
  const values = [...items, ...Object.values(parsed.flags).flat()]
  if (
    items.includes('-') ||
    values.some((value) => typeof value === 'string' && (/^\s*$|\r$/.test(value) || isNamedAsRows(value)))
  )
    (await import('./refused.ts')).refuseUnmeant(command, parsed)
  return parsed
}

function mergeParsed({ args, flags }: Parsed): Given {
  return { ...flags, ...args }
}
