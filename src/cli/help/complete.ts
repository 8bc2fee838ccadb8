// Candidates for the word at the cursor: the next word of a command, a flag, or a value. Nothing here needs the network.
import type { ManifestArgument, ManifestCommand, ManifestFlag } from './manifest.ts'

/** One word that may be typed. */
export interface Candidate {
  value: string
  /** Its description, for the shells that show it. */
  about?: string
}

/** Sources of values that are not in the manifest; read only when such a value is completed. */
export interface Values {
  profiles: () => Promise<readonly string[]>
  scopes: () => Promise<readonly string[]>
  webhookEvents: () => Promise<readonly string[]>
  /** The names of the columns that a command can show, by its id. */
  columns: (id: string) => Promise<readonly string[]>
  /** The ids of the jobs on this computer, newest first. */
  jobs: () => Promise<readonly string[]>
}

/**
 * Returns the candidates for the last word, given those before it (without `promo` itself).
 *
 * No candidates at all means that promo has none to offer: the shell then offers file names.
 */
export async function candidatesFor(
  words: readonly string[],
  commands: readonly ManifestCommand[],
  values: Values,
): Promise<Candidate[]> {
  const typed = joinWords(words)
  // A space is what the script for PowerShell passes for an empty word.
  const current = (typed.at(-1) ?? '').trim()
  const before = typed.slice(0, -1)
  if (before.includes('--')) return []
  const [first, ...rest] = before
  // The arguments of `help` are the words of a command.
  const isHelp = first === 'help'
  const found = isHelp && !current.startsWith('-') ? undefined : commandAt(before, commands)
  if (found !== undefined) {
    // Such as `history`, which is a command, and a topic with commands.
    const parts = found.rest.length === 0 && !current.startsWith('-') ? nextWords(before, commands) : []
    return starting([...parts, ...(await wantedBy(found.command, found.rest, current, values))], current)
  }
  if (current.startsWith('-')) return starting(before.length === 0 ? [helpWord, versionWord] : [helpWord], current)
  const next = nextWords(isHelp ? rest : before, commands)
  if (!isHelp || before.length > 1) return starting(next, current)
  const { guides } = await import('./guides.ts')
  return starting([...next, ...plain(Object.keys(guides))], current)
}

const helpWord: Candidate = { value: '--help', about: 'show help' }
const versionWord: Candidate = { value: '--version', about: 'show the version' }

// Bash breaks `--format=js` into three words; they are one.
function joinWords(words: readonly string[]): string[] {
  const typed: string[] = []
  for (const [at, word] of words.entries()) {
    if (word === '=' && typed.at(-1)?.startsWith('--')) {
      if (at === words.length - 1) typed.push('')
    } else typed.push(word)
  }
  return typed
}

/** The command that the first words name, and the words after them. */
function commandAt(
  words: readonly string[],
  commands: readonly ManifestCommand[],
): { command: ManifestCommand; rest: readonly string[] } | undefined {
  for (let length = words.length; length > 0; length--) {
    const id = words.slice(0, length).join(':')
    const command = commands.find((candidate) => candidate.id === id || candidate.aliases.includes(id))
    if (command !== undefined) return { command, rest: words.slice(length) }
  }
  return undefined
}

function nextWords(before: readonly string[], commands: readonly ManifestCommand[]): Candidate[] {
  const prefix = before.map((word) => `${word}:`).join('')
  const next = new Map<string, Candidate>()
  for (const { id, summary } of commands) {
    if (!id.startsWith(prefix)) continue
    const [word = '', ...more] = id.slice(prefix.length).split(':')
    if (more.length === 0) next.set(word, { value: word, about: summary })
    else if (!next.has(word)) next.set(word, { value: word })
  }
  return [...next.values()]
}

async function wantedBy(
  command: ManifestCommand,
  before: readonly string[],
  current: string,
  values: Values,
): Promise<Candidate[]> {
  const flags = Object.values(command.flags).filter(({ hidden }) => !hidden)
  const [, name, value] = /^--([\w-]+)=(.*)$/s.exec(current) ?? []
  if (name !== undefined) {
    const flag = flags.find((candidate) => candidate.name === name)
    const found = flag === undefined ? [] : await valuesOf(flag, command, value ?? '', values)
    return found.map((candidate) => ({ ...candidate, value: `--${name}=${candidate.value}` }))
  }
  const asking = flagNamed(before.at(-1), flags)
  if (asking?.type === 'option') return await valuesOf(asking, command, current, values)
  if (current.startsWith('-')) {
    return [...flags.filter((flag) => flag.multiple || !isGiven(flag, before)).flatMap(flagWords), helpWord]
  }
  const argument = argumentAt(countedArguments(before, flags), Object.values(command.args))
  return argument === undefined ? [] : await valuesOfArgument(argument, command, values)
}

function flagNamed(word: string | undefined, flags: readonly ManifestFlag[]): ManifestFlag | undefined {
  return flags.find(({ name, char }) => word === `--${name}` || (char !== undefined && word === `-${char}`))
}

function isGiven({ name, char }: ManifestFlag, before: readonly string[]): boolean {
  return before.some((word) => word === `--${name}` || word.startsWith(`--${name}=`) || word === `-${char}`)
}

function flagWords({ name, description, allowNo }: ManifestFlag): Candidate[] {
  const about = description === undefined ? {} : { about: description }
  return [{ value: `--${name}`, ...about }, ...(allowNo ? [{ value: `--no-${name}`, ...about }] : [])]
}

async function valuesOf(
  { name, options }: ManifestFlag,
  command: ManifestCommand,
  current: string,
  values: Values,
): Promise<Candidate[]> {
  if (options !== undefined) return plain(options)
  if (name === 'profile') return plain(await values.profiles())
  if (name === 'scope') return plain(await values.scopes())
  if (name === 'event' && command.id.startsWith('webhooks:')) return completeLast(await values.webhookEvents(), current)
  if (name === 'columns') return completeLast(await values.columns(command.id), current)
  return []
}

/** How many of the words are arguments: neither flags nor the values of flags. */
function countedArguments(before: readonly string[], flags: readonly ManifestFlag[]): number {
  const isArgument = (word: string, at: number) =>
    !word.startsWith('-') && flagNamed(before[at - 1], flags)?.type !== 'option'
  return before.filter(isArgument).length
}

function argumentAt(place: number, args: readonly ManifestArgument[]): ManifestArgument | undefined {
  const last = args.at(-1)
  return args[place] ?? (last?.multiple ? last : undefined)
}

// Values known on this computer; those of the other arguments are in the service.
async function valuesOfArgument(
  { name, options }: ManifestArgument,
  { id }: ManifestCommand,
  values: Values,
): Promise<Candidate[]> {
  if (options !== undefined) return plain(options)
  if (id.startsWith('profiles:') && id !== 'profiles:add' && name === 'name') return plain(await values.profiles())
  if (id === 'webhooks:trigger') return plain(await values.webhookEvents())
  if (id.startsWith('jobs:') && name === 'job') return plain(await values.jobs())
  return []
}

/** Completes the last name of a comma-separated list, keeping those before it. */
function completeLast(names: readonly string[], current: string): Candidate[] {
  const given = current.split(',').slice(0, -1)
  const prefix = given.map((name) => `${name},`).join('')
  return plain(names.filter((name) => !given.includes(name)).map((name) => prefix + name))
}

function plain(names: readonly string[]): Candidate[] {
  return names.map((value) => ({ value }))
}

function starting(candidates: readonly Candidate[], current: string): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(current))
}
