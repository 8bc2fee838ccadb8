// Reads a command line that may lack something: what is missing is asked for, or named in an error.
import type { Interfaces } from '@oclif/core'
import { usageError } from '../../errors.ts'
import type { Host } from '../run/host.ts'
import { type Asks, type Given, type Need, needsOf, waysOf } from './needs.ts'
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
 * Throws `usage` that names what is missing where no terminal can ask, and what `parse` throws.
 */
export async function completeInput(
  command: Asking,
  argv: readonly string[],
  host: Host,
  parse: (syntax: CommandSyntax, argv: string[]) => Promise<Parsed>,
): Promise<Parsed> {
  const syntax = forgiving(command)
  const parsed = withoutAbsent(await parse(syntax, [...argv]))
  const needs = needsOf(command, given(parsed))
  if (needs.length === 0) return parsed
  if (!canAsk(parsed.flags, host)) throw missing(needs, command)
  const { answersTo } = await import('./answers.ts')
  const { args, flags } = await answersTo(needs, host)
  // Flags go first and arguments last, after `--`: an answer may begin with a dash.
  const end = argv.includes('--') ? [] : ['--']
  return withoutAbsent(await parse(syntax, [...flags, ...argv, ...(args.length > 0 ? [...end, ...args] : [])]))
}

/** Represents an argument that was not given: oclif fills it in instead of stopping at the first that is missing. */
const absent = Symbol('absent')

/** The same syntax without requirements, on which the parser would stop; everything missing is found afterwards, at once. */
// A command without flags of its own has no such member; the types of oclif say otherwise.
function forgiving({ args = {}, flags = {} }: Partial<CommandSyntax>): CommandSyntax {
  return {
    args: mapped(args, (arg) => (arg.required ? { ...arg, default: absent } : arg)),
    flags: mapped(flags, ({ exactlyOne, atLeastOne: _, ...flag }, name) => ({
      ...flag,
      required: false,
      ...(exactlyOne && { exclusive: exactlyOne.filter((other) => other !== name) }),
    })),
  }
}

function mapped<T>(definitions: Record<string, T>, change: (definition: T, name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(definitions).map(([name, one]) => [name, change(one, name)]))
}

function withoutAbsent({ args, flags }: Parsed): Parsed {
  return { args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== absent)), flags }
}

function given({ args, flags }: Parsed): Given {
  return { ...flags, ...args }
}

function missing(needs: readonly Need[], { id, examples = [] }: Asking) {
  const words = needs.map((need) => `${isArgument(need) ? 'argument ' : ''}${alternatives(waysOf(need))}`)
  const flags = needs.filter((need) => !isArgument(need)).map(waysOf)
  const fitting = examples.find((line) => flags.every((ways) => ways.some((way) => line.includes(way))))
  const separator = needs.every((need) => waysOf(need).length === 1) ? ', ' : '; '
  return usageError(
    `missing ${words.join(separator)}`,
    fitting ?? examples[0] ?? `promo ${id.replaceAll(':', ' ')} --help`,
  )
}

function isArgument({ fields: [first] }: Need): boolean {
  return first?.kind === 'argument'
}

function alternatives(ways: readonly string[]): string {
  return ways.length < 2 ? ways.join('') : `${ways.slice(0, -1).join(', ')} or ${ways.at(-1)}`
}
