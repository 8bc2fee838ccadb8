// Whether a next step leads somewhere. Every `try:` line and every `hint` that promo prints in any test is read here: its
// commands are parsed with the real parser, its flags must be flags of the command that was run. A command that a line without
// `try:` ends with, as in `all outcomes: promo jobs report …`, is one too.
import type { Interfaces } from '@oclif/core'
import { parse } from '@oclif/core/parser'
import packageJson from '../../package.json' with { type: 'json' }
import { type ManifestCommand, readManifest } from '../../src/cli/help/manifest.ts'
import { findCommand, indexOf } from '../../src/cli/run/find-command.ts'
import { root } from './source-files.ts'

const commands = readManifest(root)
const index = indexOf({ commands }, packageJson.oclif.topics)

/** The words after which a hint goes on about a command that it named. */
const afterwards = new Set(
  'lists shows sends overwrites keeps says gives if when for to and or once reads has does compares'.split(' '),
)

/** What a command begins with, in the middle of a sentence. */
const nextCommand = /(?<![\w/.-]|\bof )promo (?=[a-z-])/

/** Fails for a next step in what a command printed that leads nowhere. */
export async function mustLeadSomewhere(argv: readonly string[], stderr: string): Promise<void> {
  for (const hint of hintsIn(stderr)) {
    const problem = await problemOfNextStep(hint, argv)
    if (problem !== undefined) throw new Error(`promo ${argv.join(' ')}\nprinted "try: ${hint}": ${problem}`)
  }
}

/** Returns the first command that a next step names, as it is typed; undefined where there is none. */
export function nextStepIn(stderr: string): string | undefined {
  for (const hint of hintsIn(stderr)) {
    const [, ...named] = hint.split(nextCommand)
    if (named[0] !== undefined) return ['promo', ...wordsUpTo(named[0])].join(' ')
  }
  return undefined
}

function hintsIn(stderr: string): string[] {
  return stderr.split('\n').flatMap((line) => {
    if (line.startsWith('try: ')) return line.slice('try: '.length)
    const [, shown] = /^[a-z][^"]*[:;] (promo [a-z].*)$/.exec(line) ?? []
    if (shown !== undefined) return shown
    const [, hint] = /^\{"error":.*"hint":("(?:[^"\\]|\\.)*")/.exec(line) ?? []
    return hint === undefined ? [] : String(JSON.parse(hint))
  })
}

/** Returns what is wrong with a next step that the command line `argv` printed; undefined where it leads somewhere. */
export async function problemOfNextStep(hint: string, argv: readonly string[]): Promise<string | undefined> {
  const [prose = '', ...rest] = hint.split(nextCommand)
  for (const [at, text] of rest.entries()) {
    const words = commandIn(text)
    const isFed = rest[at - 1]?.endsWith('xargs ') ?? false
    const problem = (await problemOfCommand(isFed ? [...words, 'x'] : words)) ?? (await problemOfPlace(words, argv))
    if (problem !== undefined) return problem
    const isAll = prose === '' && rest.length === 1 && words.length === wordsIn(text).length
    if (isAll && (await isSame(words, argv))) return 'that is the command that was run'
  }
  return await problemOfFlags(prose, argv)
}

/** The words of a command that begin a text, up to where the text goes on about it. */
function commandIn(text: string): string[] {
  return wordsUpTo(text).map((word) => word.replaceAll(/^'|'$|^"|"$/g, ''))
}

function wordsUpTo(text: string): string[] {
  const words: string[] = []
  for (const word of wordsIn(text)) {
    const isLast = /[;,)]$/.test(word)
    if (afterwards.has(word) || /^[|<>]$/.test(word)) break
    words.push(isLast ? word.slice(0, -1) : word)
    if (isLast) break
  }
  return words
}

function wordsIn(text: string): string[] {
  return text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
}

async function problemOfCommand(words: string[]): Promise<string | undefined> {
  try {
    const found = await findCommand(words, index, root)
    if (words.includes('--help')) return undefined
    if (found.kind === 'topic') return `"promo ${words.join(' ')}" names no command`
    const { args, flags } = commands[found.id] as ManifestCommand
    await parse(found.argv, { args: parsed(args), flags: parsed(flags) })
    return undefined
  } catch (error) {
    return `"promo ${words.join(' ')}": ${(error as Error).message}`
  }
}

/** A next step reaches the profile that was typed, as in the command that printed it. */
async function takesProfile(words: readonly string[]): Promise<boolean> {
  const found = await findCommand([...words], index, root)
  return found.kind === 'command' && Object.hasOwn(commands[found.id]?.flags ?? {}, 'profile')
}

async function problemOfPlace(words: readonly string[], argv: readonly string[]): Promise<string | undefined> {
  const [typed = '--profile'] = argv.filter((word, at) => word !== '--' && argv[at - 1] === '--profile')
  if (
    !(await takesProfile(words)) ||
    !argv.includes('--profile') ||
    words.some((word) => ['--help', '--profile'].includes(word))
  )
    return undefined
  return `"promo ${words.join(' ')}" reaches another project than --profile ${typed}`
}

/** What the parser needs of declarations that the manifest has as data. */
function parsed(declared: Readonly<Record<string, object>>): Interfaces.FlagInput & Interfaces.ArgInput {
  const own = { input: [], parse: async (text: string) => text, ignoreStdin: true }
  const entries = Object.entries(declared).map(([name, flag]) => [name, { ...flag, default: undefined, ...own }])
  return Object.fromEntries(entries)
}

/** With another profile it is the same, unless the command takes none, and that was what was wrong. */
async function isSame(words: readonly string[], argv: readonly string[]): Promise<boolean> {
  const isIgnored = await takesProfile(words)
  const plain = (line: readonly string[]) =>
    line.filter((word, at) => !(isIgnored && [word, line[at - 1]].includes('--profile'))).join('\n')
  return plain(words) === plain(argv)
}

async function problemOfFlags(prose: string, argv: readonly string[]): Promise<string | undefined> {
  const named = prose.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []
  if (named.length === 0) return undefined
  const found = await findCommand([...argv], index, root)
  const flags = found.kind === 'command' ? (commands[found.id]?.flags ?? {}) : {}
  const unknown = named.find(
    (flag) => ![flag.slice(2), flag.slice('--no-'.length)].some((name) => Object.hasOwn(flags, name)),
  )
  return unknown === undefined ? undefined : `"${argv.join(' ')}" has no flag ${unknown}`
}
