// Why a command line is not carried out as it was typed. Apart from input.ts, which every start loads.
import { shellWord } from '../../base/shell-word.ts'
import { mayBeShown } from '../../base/shown-word.ts'
import { isNamedAsRows } from '../../bulk/input/row-file.ts'
import { type PromoError, usageError } from '../../errors.ts'
import { endsInNumberAlone, type Given, type Need, waysOf } from './needs.ts'

interface Asking {
  id: string
  args: object
  flags: Readonly<Record<string, object>>
  examples?: readonly string[] | undefined
}

/**
 * Refuses values that nobody typed. One without a character comes from a variable that is not set, and an empty filter may select
 * everything; one that ends in a carriage return comes from a line of a Windows file, and would name another code or customer.
 * Each of several arguments is a row, and is refused with its place. Where rows come from files, no item is the name of one, or
 * standard input. Throws `usage` (exit 2) that names the argument or flag.
 */
export function refuseUnmeant({ id, args, flags }: Asking, parsed: { args: Given; flags: Given }): void {
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
    for (const item of 'from' in flags ? [value, ...others] : []) refuseRows(item)
  }
  for (const [name, flag] of Object.entries(flags))
    for (const value of [parsed.flags[name]].flat()) refuse(`--${name}`, value, 'mayBeEmpty' in flag)
}

/** What has rows in the place of an item: its rows are meant. */
function refuseRows(item: unknown): void {
  if (item === '-') throw usageError('"-" is standard input, and no item', '--from -')
  if (typeof item !== 'string' || !isNamedAsRows(item)) return
  if (process.getBuiltinModule('node:fs').existsSync(item))
    throw usageError(`${JSON.stringify(item)} is a file here, and no item`, `--from ${shellWord(item)}`)
}

/** Returns the error that names what is missing, and what was typed with the flags of an example that has them, or that example. */
export function missing(needs: readonly Need[], { id, examples = [] }: Asking, argv: readonly string[]): PromoError {
  // What fills a need that has fewer ways fills the other one, too.
  const shown = needs.filter((need) => !needs.some((other) => other !== need && isPart(waysOf(other), waysOf(need))))
  const words = shown.map(
    (need) => `${isArgument(need) ? 'argument ' : ''}${alternatives([...waysOf(need), ...filterOf(need)])}`,
  )
  const flags = shown.filter((need) => !isArgument(need)).map(waysOf)
  const fitting = examples.find((line) => flags.every((ways) => ways.some((way) => line.includes(way))))
  const completed = shown.some(isArgument) ? undefined : lineWith(fitting ?? '', flags, id, argv)
  const separator = shown.every((need) => waysOf(need).length === 1) ? ', ' : '; '
  return usageError(
    `missing ${words.join(separator)}`,
    completed ?? fitting ?? examples[0] ?? `promo ${id.replaceAll(':', ' ')} --help`,
  )
}

/** Of all the filters that would choose the rows, one is named. */
function filterOf({ filters = [] }: Need): string[] {
  const usual = filters.find((name) => name === 'campaign') ?? filters[0]
  return usual === undefined ? [] : [`a filter like --${usual}`]
}

/** Longer ones are not pasted, but written again. */
const longestTyped = 200

/** Returns what was typed with the missing flags of an example; a number, or a card to move to, that was typed as one more item is their value. */
function lineWith(
  example: string,
  flags: readonly (readonly string[])[],
  id: string,
  argv: readonly string[],
): string | undefined {
  if (!argv.every(mayBeShown)) return undefined
  const added = flags.map(
    (ways) =>
      ways.flatMap(
        (way) => new RegExp(`(?<= )${way}(?:[ =](?:'[^']*'|"[^"]*"|[^- ][^ ]*))?(?= |$)`).exec(example)?.[0] ?? [],
      )[0],
  )
  const end = argv.indexOf('--')
  const [flagged, rest] = end === -1 ? [[...argv], []] : [argv.slice(0, end), argv.slice(end)]
  // From the last on, because that is where a value is typed; the first is an item.
  for (const [at, flag = ''] of [...added.entries()].toReversed()) {
    const [, name, isNumber] = /^(--[\w-]+)[ =](\d+$)?/.exec(flag) ?? []
    const last = flagged.findIndex((word) => word.startsWith('-')) - 1
    const place = last < 0 ? flagged.length - 1 : last
    const word = flagged[place] ?? ''
    const isMeant = isNumber === undefined ? name === '--to' : endsInNumberAlone(flagged.slice(0, place + 1))
    if (place < 1 || !isMeant) continue
    added[at] = `${name} ${shellWord(word)}`
    flagged.splice(place, 1)
  }
  const words = (typed: readonly string[]) => typed.map((word) => shellWord(word))
  const line = ['promo', ...id.split(':'), ...words(flagged), ...added, ...words(rest)].join(' ')
  return argv.length === 0 || added.includes(undefined) || line.length > longestTyped ? undefined : line
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
