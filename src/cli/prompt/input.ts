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
 * Throws `usage` that names what is missing where no terminal can ask, or what nobody can mean, and what `parse` throws.
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
  if (needs.length === 0) return asMeant(command, parsed)
  if (!canAsk(parsed.flags, host)) throw missing(needs, command)
  const { answersTo } = await import('./answers.ts')
  const { args, flags } = await answersTo(needs, host)
  // Flags go first and arguments last, after `--`: an answer may begin with a dash.
  const end = argv.includes('--') ? [] : ['--']
  const words = [...flags, ...argv, ...(args.length > 0 ? [...end, ...args] : [])]
  return asMeant(command, withoutAbsent(await parse(syntax, words)))
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

/**
 * Refuses values that nobody typed. One without a character comes from a variable that is not set, and a filter that is empty selects
 * everything; one that ends in a carriage return comes from a line of a Windows file, and would name another code or customer.
 * Each of several arguments is a row, and is refused with its place.
 */
function asMeant({ id, args, flags }: Asking, parsed: Parsed): Parsed {
  const refuse = (name: string, value: unknown, mayBeEmpty: boolean) => {
    if (typeof value !== 'string') return
    if (value.trim() === '' && !mayBeEmpty)
      throw usageError(`${name} is empty: is it a variable that is not set?`, `promo ${id.replaceAll(':', ' ')} --help`)
    if (/^[^\n]*\r$/.test(value))
      throw usageError(`${name} ends in a carriage return, as a line of a Windows file does`, "tr -d '\\r' removes it")
  }
  for (const name of Object.keys(args)) {
    const [value, ...others] = [parsed.args[name]].flat()
    if (others.length === 0) refuse(`argument ${name.toUpperCase()}`, value, false)
  }
  for (const [name, flag] of Object.entries(flags))
    for (const value of [parsed.flags[name]].flat()) refuse(`--${name}`, value, 'mayBeEmpty' in flag)
  return parsed
}

function given({ args, flags }: Parsed): Given {
  return { ...flags, ...args }
}

function missing(needs: readonly Need[], { id, examples = [] }: Asking) {
  // What fills a need that has fewer ways fills the other one, too.
  const shown = needs.filter((need) => !needs.some((other) => other !== need && isPart(waysOf(other), waysOf(need))))
  const words = shown.map((need) => `${isArgument(need) ? 'argument ' : ''}${alternatives(waysOf(need))}`)
  const flags = shown.filter((need) => !isArgument(need)).map(waysOf)
  const fitting = examples.find((line) => flags.every((ways) => ways.some((way) => line.includes(way))))
  const separator = shown.every((need) => waysOf(need).length === 1) ? ', ' : '; '
  return usageError(
    `missing ${words.join(separator)}`,
    fitting ?? examples[0] ?? `promo ${id.replaceAll(':', ' ')} --help`,
  )
}

function isPart(some: readonly string[], all: readonly string[]): boolean {
  return some.length < all.length && some.every((way) => all.includes(way))
}

function isArgument({ fields: [first] }: Need): boolean {
  return first?.kind === 'argument'
}

/** Help lists them all; of a body with thirty members the first few say what is meant. */
const mostWays = 6

function alternatives(ways: readonly string[]): string {
  const few = ways.length > mostWays ? ways.slice(0, 4) : ways.slice(0, -1)
  const rest = ways.length > mostWays ? `one of ${ways.length - few.length} more flags` : ways.at(-1)
  return few.length === 0 ? `${rest}` : `${few.join(', ')} or ${rest}`
}
