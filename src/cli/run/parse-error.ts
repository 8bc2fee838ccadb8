// The parser's complaints in promo's own words: what is wrong, and the next step, without printing the entire help.
import { nearest } from '../../base/nearest.ts'
import { ownValue } from '../../base/record.ts'
import { shellWord } from '../../base/shell-word.ts'
import { mayBeShown, shownWord } from '../../base/shown-word.ts'
import { PromoError, usageError } from '../../errors.ts'
import { commandsWith, readManifest } from '../help/manifest.ts'
import { datedCommands, otherFlags } from '../help/other-names.ts'

/** What is read of a flag that the command has. */
interface KnownFlag {
  type?: string
  multiple?: boolean
  options?: readonly string[]
}

/** The members of oclif's parse errors that are read here. */
interface ParseFailure extends Error {
  flags?: string[]
  args?: unknown[]
  parse?: { input?: { flags?: Record<string, KnownFlag>; args?: Record<string, unknown> } }
}

/** The command line that could not be parsed, and the folder of the package. */
interface Line {
  id: string
  argv: readonly string[]
  root: string
}

/** What is wrong, and the words of the command line, or another one, that are probably right. */
interface Problem {
  says: string
  words?: readonly string[] | undefined
  line?: string | undefined
}

/** Returns the usage error for a failure to parse a command line; a bug is returned unchanged. */
export function usageErrorFrom(error: unknown, line: Line): unknown {
  const isComplaint = error instanceof Error && ('oclif' in error || error instanceof PromoError)
  if (!isComplaint) return error
  const own = error instanceof PromoError ? error.facts.hint : undefined
  const { says, words, line: other } = problemOf(error as ParseFailure, line)
  const isShown = words?.every(mayBeShown) === true
  const corrected = isShown ? [commandNamed(line.id), ...words.map((word) => shellWord(word))].join(' ') : undefined
  return usageError(says, own ?? corrected ?? other)
}

function problemOf({ message, flags, args = [], parse }: ParseFailure, { id, argv, root }: Line): Problem {
  const { flags: known = {}, args: taken = {} } = parse?.input ?? {}
  if (Array.isArray(flags)) {
    const [first = ''] = flags
    const isProfile = (flag: string) => /^(?:-p|--profile(?:=|$))/.test(flag)
    if (isProfile(first)) {
      const says = `unknown flag ${first.startsWith('--') ? '--profile' : '-p'}: this command takes no profile`
      return { says, words: flags.every(isProfile) ? withoutProfile(argv) : undefined }
    }
    return unknownFlag(first, flags.length === 1 ? argv : [], { known, args: Object.keys(taken), id, root })
  }
  if (message.startsWith('Unexpected argument')) {
    const flag = /^([a-z-]+)=./.exec(String(args[0]))?.[1] ?? ''
    const meant = Object.hasOwn(known, flag) ? `; did you mean --${flag}?` : ''
    const says = `unexpected argument${args.length === 1 ? '' : 's'} ${args.map((arg) => shownWord(String(arg))).join(', ')}${meant}`
    return { says, words: args.length === 1 ? withSubject(String(args[0]), argv, known) : undefined }
  }
  const text = plain(message)
  const [, flag = '', given = '', choices] = /^expected (?:(--[\w-]+)=)?(.*) to be one of: (.*)$/s.exec(text) ?? []
  // `--order` takes one of a few words; what has a digit names an order, which is the flag beside it.
  if (/\d/.test(given) && Object.hasOwn(readManifest(root)[id]?.flags ?? {}, `${flag.slice(2)}-id`)) {
    const words = argv.map((word) => (word.split('=', 1)[0] === flag ? `${flag}-id${word.slice(flag.length)}` : word))
    return { says: `${text}; did you mean ${flag}-id?`, words }
  }
  if (given === '' && choices !== undefined) return { says: text.replace('expected  to', `expected "" to`) }
  const near = choices === undefined ? undefined : nearest(given, choices.split(', '))
  const [, amount, cents] = /(--[\w-]+)\s.*smallest unit of the currency: (\d+)/s.exec(message) ?? []
  return {
    says: near === undefined ? text : `${text}; did you mean ${near}?`,
    line: amount === undefined ? undefined : `${amount} ${cents}`,
  }
}

/** One word more than a command takes is what its history is about. */
function withSubject(
  word: string,
  argv: readonly string[],
  known: Readonly<Record<string, KnownFlag>>,
): string[] | undefined {
  if (!Object.hasOwn(known, 'subject') || argv.some((one) => one.split('=', 1)[0] === '--subject')) return undefined
  return argv.flatMap((one) => (one === word ? ['--subject', one] : one))
}

const naming: ReadonlySet<string> = new Set(['code', 'email', 'id', 'name', 'phone', 'source-id'])

/** With fewer letters it is not a flag with one dash. */
const leastLong = 4

function unknownFlag(
  typed: string,
  argv: readonly string[],
  {
    known,
    args,
    id,
    root,
  }: { known: Readonly<Record<string, KnownFlag>>; args: readonly string[]; id: string; root: string },
): Problem {
  // One dash and a long name is rarely a typing error; a code that starts with a dash is likelier.
  if (!typed.startsWith('--')) {
    const long = nearest(typed.slice(1), Object.keys(known))
    const isLong = typed.length > leastLong && long !== undefined
    const meant = isLong ? `did you mean --${long}?` : 'a value that starts with - goes after --'
    return { says: `unknown flag ${typed.slice(0, 2)}; ${meant}` }
  }
  const [name = ''] = typed.slice(2).split('=', 1)
  if (!mayBeShown(`--${name}`)) return { says: `unknown flag ${shownWord(name)}` }
  const says = `unknown flag --${name}`
  const at = argv.findIndex((word) => word.split('=', 1)[0] === `--${name}`)
  const joined = /=(.*)$/s.exec(argv[at] ?? '')?.[1]
  const value = joined ?? argv[at + 1]
  const isValue = at >= 0 && value !== undefined && !value.startsWith('-')
  const put = (...words: string[]) => [
    ...argv.slice(0, at),
    ...words,
    ...argv.slice(joined === undefined ? at + 2 : at + 1),
  ]
  const timed = name === 'at' ? atTime(id, argv) : undefined
  if (timed !== undefined) return { ...timed, says: `${says}: ${timed.says}` }
  if (name === 'from' && args.includes('file')) return { says: `${says}: the file is an argument of this command` }
  if (args.includes(name)) {
    const words = isValue && args[0] === name && (args.length === 1 || at === 0) ? [value, ...put()] : undefined
    return { says: `${says}: ${name.toUpperCase()} is an argument of this command`, words }
  }
  const other = ownValue(otherFlags, name) ?? ''
  const near = Object.hasOwn(known, other) ? other : nearest(name, Object.keys(known))
  if (near !== undefined) {
    const { type, multiple, options } = ownValue(known, near) ?? {}
    const isGiven = multiple !== true && argv.some((word) => word.split('=', 1)[0] === `--${near}`)
    const fits = isValue && type === 'option' && !isGiven && options?.includes(value) !== false
    return { says: `${says}; did you mean --${near}?`, words: fits ? put(`--${near}`, value) : undefined }
  }
  const [only, ...more] = commandsWith(name, root).filter((one) => one.id !== id)
  // In another topic it is another thing; what limits the use of a code is always a rule.
  const isRelated = only?.id === 'rules:create' || only?.id.startsWith(`${id.split(':', 1)[0]}:`)
  if (only !== undefined && more.length === 0 && isRelated)
    return { says: `${says}; "${commandNamed(only.id)}" has it`, line: `${commandNamed(only.id)} --help` }
  // What is found by its name needs no flag for it.
  return { says, words: naming.has(name) && isValue && args.length === 1 && at === 0 ? [value, ...put()] : undefined }
}

/** What switches a campaign at the time that `--at` names, which the service cannot: cron with this very command, or the dates of the campaign. */
export function atTime(id: string, argv: readonly string[]): Problem | undefined {
  const at = argv.findIndex((word) => /^--at(?:=|$)/.test(word))
  const date = ownValue(datedCommands, id)
  if (at < 0 || date === undefined || !argv.every(mayBeShown)) return undefined
  const [time = '', rest = at + 1] = argv[at] === '--at' ? [argv[at + 1], at + 2] : [argv[at]?.slice('--at='.length)]
  const words = [...argv.slice(0, at), ...argv.slice(rest)]
  const day = new Date(time)
  const isTime = !Number.isNaN(day.getTime())
  const fields = [day.getMinutes(), day.getHours(), day.getDate(), day.getMonth() + 1]
  const commandLine = (name: string, all: readonly string[]) =>
    [commandNamed(name), ...all.map((word) => shellWord(word))].join(' ')
  const agreed = ['--yes', '--no-input'].filter((flag) => !words.includes(flag))
  const cron = `${isTime ? fields.join(' ') : 'MINUTE HOUR DAY MONTH'} * ${commandLine(id, [...words, ...agreed])}`
  // Other flags may be of this command alone.
  const isPlain = isTime && words.length > 0 && !withoutProfile(words).some((word) => word.startsWith('-'))
  const dated = isPlain ? [...words, `--${date}`, day.toISOString().replace('.000', '')] : ['--help']
  return {
    says: `the service has no timer for this; cron has: ${cron}; or it gets dates of its own`,
    line: commandLine('campaigns:update', dated),
  }
}

/** Returns the words without a profile, which the message adds where it belongs. */
export function withoutProfile(words: readonly string[]): string[] {
  const isProfile = (word = '') => /^(?:-p|--profile)$/.test(word)
  return words.filter((word, at) => !isProfile(word) && !word.startsWith('--profile=') && !isProfile(words[at - 1]))
}

function commandNamed(id: string): string {
  return ['promo', ...id.split(':')].join(' ')
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
