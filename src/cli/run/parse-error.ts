// The parser's complaints in promo's own words: what is wrong, and the next step, without printing the entire help.
import { nearest } from '../../base/nearest.ts'
import { ownValue } from '../../base/record.ts'
import { argumentWords, shellWord } from '../../base/shell-word.ts'
import { mayBeShown, shownWord } from '../../base/shown-word.ts'
import { PromoError, usageError } from '../../errors.ts'

/** What is read of a flag that the command has. */
interface KnownFlag {
  type?: string
  char?: string
  multiple?: boolean
  options?: readonly string[]
}

/** The members of oclif's parse errors that are read here. */
interface ParseFailure extends Error {
  flags?: string[]
  args?: unknown[]
  parse?: { input?: { flags?: Record<string, KnownFlag>; args?: Record<string, unknown> } }
}

/** The command line that could not be parsed, and the commands there are. */
interface Line {
  id: string
  argv: readonly string[]
  /** Its own flags. */
  flags: object
  commands: Readonly<Record<string, string>>
}

/** Returns the usage error for a failure to parse a command line; a bug is returned unchanged. */
export function usageErrorFrom(error: unknown, line: Line): unknown {
  const isComplaint = error instanceof Error && ('oclif' in error || error instanceof PromoError)
  if (!isComplaint) return error
  const failure = error as ParseFailure
  const own = error instanceof PromoError ? error.facts.hint : undefined
  return usageError(words(failure, line.argv), own ?? hintOf(failure, line) ?? meantLine(failure, line))
}

function words({ message, flags, args, parse }: ParseFailure, argv: readonly string[]): string {
  if (Array.isArray(flags)) {
    const { flags: known = {}, args: taken = {} } = parse?.input ?? {}
    return unknownFlags(flags, Object.keys(known), Object.keys(taken), typedValue(flags[0] ?? '', argv))
  }
  if (message.startsWith('Unexpected argument') && Array.isArray(args)) {
    const flag = /^([a-z-]+)=./.exec(String(args[0]))?.[1]
    const meant = Object.hasOwn(parse?.input?.flags ?? {}, flag ?? '') ? `; did you mean --${flag}?` : ''
    return `unexpected argument${args.length === 1 ? '' : 's'} ${args.map((arg) => shownWord(String(arg))).join(', ')}${meant}`
  }
  return withSuggestion(plain(message))
}

/** Adds the value that was probably meant to a complaint about one that is not among the choices. */
function withSuggestion(text: string): string {
  // What says the type of a value in other tools; here `--type` is what a voucher or a campaign is.
  const [, typed] = /^expected --type=(\S+=\w+) to be one of: /.exec(text) ?? []
  if (typed !== undefined) return `${text}; did you mean --type-of ${typed}?`
  const [, given = '', choices] = /^expected (?:--[\w-]+=)?(.*) to be one of: (.*)$/s.exec(text) ?? []
  const near = choices === undefined ? undefined : nearest(given, choices.split(', '))
  if (given === '' && choices !== undefined) return text.replace('expected  to', `expected "" to`)
  return near === undefined ? text : `${text}; did you mean ${near}?`
}

// ASSUMED A-P8: no body has such a member, so a rule says it, which outlives what it is assigned to and is made by itself.
const perCustomer = 'per-customer'

function hintOf({ message, flags: [first = ''] = [] }: ParseFailure, { id, argv, flags }: Line): string | undefined {
  const [, flag, cents] = /(--[\w-]+)\s.*smallest unit of the currency: (\d+)/s.exec(message) ?? []
  if (flag !== undefined) return `${flag} ${cents}`
  // It takes one of a few words, as `--order` sorts; what has a digit names one thing, which is the flag beside it.
  const [, choice = ''] = /^Expected (--[\w-]+)=.*\d.* to be one of/s.exec(message) ?? []
  if (Object.hasOwn(flags, `${choice.slice('--'.length)}-id`) && argv.every(mayBeShown)) {
    const named = argv.map((word) =>
      word.split('=', 1)[0] === choice ? `${choice}-id${word.slice(choice.length)}` : word,
    )
    return commandLine(id, named)
  }
  if (!first.startsWith(`--${perCustomer}`)) return undefined
  const number = /=(\d+)$/.exec(first)?.[1] ?? '1'
  return `promo rules create --name "At most ${number} for each customer" --per-customer ${number}`
}

/** Flags whose value is typed after what it is about. */
const numeric = ['points', 'amount', 'count', 'price', 'name']

/** What was meant by a flag of another name, a file that is no flag's, or a name that is: the command line with that in its place. */
function meantLine(
  { message, flags, args = [], parse }: ParseFailure,
  { id, argv, commands }: Line,
): string | undefined {
  if (!argv.every(mayBeShown)) return undefined
  const { flags: known = {}, args: taken = {} } = parse?.input ?? {}
  const isNumber = /^\d+$/.test(String(args[0]))
  const flag = (isNumber ? numeric : ['name', 'subject']).find((name) => Object.hasOwn(known, name))
  if (message.startsWith('Unexpected argument') && args.length === 1 && flag !== undefined) {
    if (argv.some((word) => word === `--${flag}` || word.startsWith(`--${flag}=`))) return undefined
    return commandLine(
      id,
      argv.flatMap((word) => (word === args[0] ? [`--${flag}`, word] : word)),
    )
  }
  if (flags?.every(isProfile)) return commandLine(id, withoutProfile(argv))
  if (flags?.length !== 1) return undefined
  const line = lineWith(flags[0] ?? '', argv, known, Object.keys(taken))
  if (line !== undefined) return commandLine(id, line)
  if (!/^--from(?:=|$)/.test(flags[0] ?? '') || Object.hasOwn(known, 'from')) return undefined
  const words = argv.flatMap((word) => (word === '--from' ? [] : word.replace(/^--from=/, '')))
  const valued = Object.entries(known).filter(([, { type }]) => type === 'option')
  const before = new Set(valued.flatMap(([name, { char }]) => [`--${name}`, `-${char ?? name}`]))
  const isValue = (at: number) => before.has(words[at - 1] ?? '')
  const free = words.filter((word, at) => !word.startsWith('-') && !isValue(at))
  const importer = id.replace(/:create$/, ':import')
  if (importer !== id && commands[importer] === importer && free.length === 1)
    return `${commandNamed(importer)} ${argumentWords(...free)}`
  return Object.hasOwn(taken, 'file') && free.length === Object.keys(taken).length ? commandLine(id, words) : undefined
}

function isProfile(flag: string): boolean {
  return /^(?:-p|--profile(?:=|$))/.test(flag)
}

function withoutProfile(argv: readonly string[]): string[] {
  return argv.filter((word, at) => !isProfile(word) && !/^(?:-p|--profile)$/.test(argv[at - 1] ?? ''))
}

function commandLine(id: string, words: readonly string[]): string {
  return [commandNamed(id), ...words.map((word) => shellWord(word))].join(' ')
}

/** The words with the one flag, or the only argument, that was probably meant in place of a flag that there is not. */
function lineWith(
  unknown: string,
  argv: readonly string[],
  known: Readonly<Record<string, KnownFlag>>,
  args: readonly string[],
): string[] | undefined {
  const name = nameOf(unknown)
  const at = argv.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  const [, joined] = /=(.*)$/s.exec(argv[at] ?? '') ?? []
  const value = joined ?? argv[at + 1]
  if (at < 0 || value === undefined || value.startsWith('-')) return undefined
  const before = argv.slice(0, at)
  const after = argv.slice(joined === undefined ? at + 2 : at + 1)
  const [meant, ...more] = meantFlags(name, Object.keys(known), value)
  const isArgument = args[0] === name || (meant === undefined && before.length === 0 && naming.has(name))
  if (args.length === 1 && isArgument) return [value, ...before, ...after]
  const flag = known[meant ?? '']
  const isTaken =
    flag?.multiple !== true && argv.some((word) => word === `--${meant}` || word.startsWith(`--${meant}=`))
  if (flag?.type !== 'option' || more.length > 0 || isTaken || flag.options?.includes(value) === false) return undefined
  return [...before, `--${meant}`, value, ...after]
}

/** What a thing is named by, where the only argument of a command takes it. */
const naming: ReadonlySet<string> = new Set([
  'card',
  'code',
  'customer',
  'email',
  'id',
  'name',
  'order',
  'phone',
  'source-id',
])

function commandNamed(id: string): string {
  return ['promo', ...id.split(':')].join(' ')
}

/** Flags by the words that other tools, or the service itself, have for them. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  'amount-off': ['amount', 'discount'],
  campaign: ['program'],
  'created-after': ['since', 'after', 'from'],
  'created-before': ['until', 'before', 'to'],
  expires: ['end', 'ends', 'end-date', 'until', 'expiry', 'expiration', 'expiration-date', 'valid-until'],
  limit: ['max', 'count', 'max-results'],
  min: ['points', 'from', 'min-points'],
  'percent-off': ['percent', 'discount', 'percentage'],
  since: ['from', 'after', 'created-after', 'start', 'start-date'],
  starts: ['start', 'start-date', 'begins', 'from', 'valid-from'],
  until: ['to', 'before', 'created-before', 'end', 'end-date'],
  voucher: ['code', 'card', 'codes'],
  url: ['to', 'address', 'target-url'],
  uses: ['limit', 'max-uses', 'redemptions', 'quantity'],
}

/** With fewer letters it is not a flag with one dash. */
const leastLong = 4

function unknownFlags(flags: string[], known: string[], args: string[], value: string | undefined): string {
  const [first = ''] = flags
  if (isProfile(first))
    return `unknown flag ${first.startsWith('--') ? '--profile' : '-p'}: this command takes no profile`
  // One dash and a long name is rarely a typing error; a code that starts with a dash is likelier.
  if (!first.startsWith('--')) {
    const long = nearest(first.slice(1), known)
    const meant =
      first.length > leastLong && long !== undefined
        ? `did you mean --${long}?`
        : 'a value that starts with - goes after --'
    return `unknown flag ${first.slice(0, 2)}; ${meant}`
  }
  const name = nameOf(first)
  if (!mayBeShown(`--${name}`)) return `unknown flag ${shownWord(name)}`
  if (name === perCustomer) {
    const how = known.includes('rules') ? 'named with --rules ID' : 'put to use by promo rules assign'
    return `unknown flag --${name}: a limit for each customer is a validation rule, ${how}`
  }
  if (name === 'from' && args.includes('file')) return `unknown flag --${name}: the file is an argument of this command`
  if (args.includes(name)) return `unknown flag --${name}: ${name.toUpperCase()} is an argument of this command`
  const meant = meantFlags(name, known, value)
    .map((flag) => `--${flag}`)
    .join(' or ')
  return `unknown flag --${name}${meant === '' ? '' : `; did you mean ${meant}?`}`
}

function nameOf(flag: string): string {
  return flag.replace(/^-+/, '').split('=', 1)[0] ?? ''
}

/** What was typed as the value of a flag. */
function typedValue(flag: string, argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
  return /=(.*)$/s.exec(argv[at] ?? '')?.[1] ?? argv[at + 1]
}

/** A day, an instant or an age, of which the same words of other tools may mean a file or a number. */
const time = /^\d{4}-\d\d|^\d+[smhdwy]$|^(?:to|yester)day$/
const ofTime: ReadonlySet<string> = new Set(['created-after', 'created-before', 'since', 'until', 'starts', 'expires'])

/** The flags that may be meant by one that there is not: those that have the word in other tools, else the nearest. */
function meantFlags(name: string, known: readonly string[], value: string | undefined): string[] {
  const fits = (flag: string) => value === undefined || !ofTime.has(flag) || time.test(value)
  const isNumber = value === undefined || /^\d+$/.test(value)
  const here = known.filter(
    (flag) => ownValue(otherWords, flag)?.includes(name) && fits(flag) && (flag !== 'min' || isNumber),
  )
  return here.length > 0 ? here : [nearest(name, known) ?? []].flat()
}

function plain(message: string): string {
  // Not imported: the module form of node:util loads a dozen more modules, at every start.
  const { stripVTControlCharacters } = process.getBuiltinModule('node:util')
  const text = stripVTControlCharacters(message)
    .replace(/\nSee more help with --help/, '')
    .replace(/^The following errors? occurred:\s*/, '')
    .replace(/^Parsing (--[\w-]+)\s+/, '$1: ')
    .replaceAll(/=true\b/g, '')
    .replaceAll(/\s*\n\s*/g, '; ')
    .trim()
  return text.charAt(0).toLowerCase() + text.slice(1)
}
