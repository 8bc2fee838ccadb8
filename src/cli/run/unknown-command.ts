// A command that does not exist: the one that was meant, where its name or that of another tool says so, else the page to look at.
import { nearest } from '../../base/nearest.ts'
import { ownValue } from '../../base/record.ts'
import { shellWord } from '../../base/shell-word.ts'
import { mayBeShown } from '../../base/shown-word.ts'
import { type PromoError, usageError } from '../../errors.ts'
import { type ManifestCommand, readManifest } from '../help/manifest.ts'
import { otherNames, otherTopics, verbs } from '../help/other-names.ts'
import { atTime, withoutProfile } from './parse-error.ts'

/** The names as they are typed: of all commands with their ids, and of topics. */
interface Names {
  commands: Readonly<Record<string, string>>
  topics: readonly string[]
  manifest: Readonly<Record<string, ManifestCommand>>
}

/** The name of a command or of a topic, and the words after it. */
interface Meant {
  name: string
  rest: readonly string[]
}

/** A code, an id, an order number, an e-mail address: no verb looks like it. */
const thing = /[\dA-Z@_]/

/** More names are a page. */
const mostNamed = 4

/** Builds the error for words that name no command, which the flags follow. `root` is the folder of the package. */
export async function unknownCommand(
  words: readonly string[],
  flags: readonly string[],
  { commands: ids, topics: topicIds }: { commands: Readonly<Record<string, string>>; topics: readonly string[] },
  root: string,
): Promise<PromoError> {
  const commandWords = (id: string) => id.replaceAll(':', ' ')
  const commands = Object.fromEntries(Object.entries(ids).map(([name, id]) => [commandWords(name), id]))
  const names = { commands, topics: topicIds.map(commandWords), manifest: readManifest(root) }
  const found = readings(words, names).find((some) => some.length > 0) ?? []
  const all = [...new Map(found.slice(0, mostNamed).map((one) => [one.name, one])).values()]
  const [{ name } = {}] = all
  if (name === undefined) return await notFound(words, names, root)
  const used = words.length - Math.min(...found.map(({ rest }) => rest.length))
  const asked = words.slice(0, names.topics.includes(words.slice(0, used).join(' ')) ? used + 1 : Math.max(used, 1))
  const timed =
    all.length === 1 ? atTime(ownValue(commands, name) ?? '', [...(all[0]?.rest ?? []), ...flags]) : undefined
  if (timed?.line !== undefined) return unknown(asked, `; did you mean "${name}"? ${timed.says}`, timed.line)
  // What `campaigns clone` is about is a campaign, not the folder that `config pull` takes.
  const isMoved = name.startsWith('config ') && words[0] !== 'config'
  const [line = `promo ${name} --help`] = isMoved ? [] : all.flatMap((one) => wholeLine(one, flags, names) ?? [])
  return unknown(asked, `; did you mean ${all.map((one) => `"${one.name}"`).join(', ')}?`, line)
}

/** What the words may mean, the most certain reading first. */
function readings(words: readonly string[], names: Names): Meant[][] {
  const [first = '', second = '', ...rest] = words
  const tops = [...names.topics, ...Object.keys(names.commands)].filter((name) => !name.includes(' '))
  const meaning = (all: readonly string[], after: readonly string[]) =>
    all.flatMap((name) => meant([...name.split(' '), ...after], name.split(' ').length, names) ?? [])
  const after = words.slice(1)
  const endingIn = (all: readonly string[]) =>
    all.filter((name) => name.endsWith(` ${first}`) || name.endsWith(` ${first}s`))
  const begun = first.length < 3 ? [] : tops.filter((name) => name.startsWith(first))
  return [
    meaning([first], after),
    meaning(topicsOf(first, names), after),
    meaning(endingIn(names.topics), after),
    meaning(few(endingIn(Object.keys(names.commands))), after),
    meaning(topicsOf(second, names), [first, ...rest]).filter(({ name }) => name.includes(' ')),
    meaning(begun.length > 0 ? begun : [nearest(first, tops) ?? []].flat(), after),
  ]
}

function few(names: readonly string[]): readonly string[] {
  return names.length < mostNamed ? names : []
}

/** The topic of a word: in the singular, or as another tool calls it. */
function topicsOf(word: string, { topics }: Names): string[] {
  const other = Object.entries(otherTopics).flatMap(([topic, others]) =>
    [word, `${word}s`].some((one) => others.includes(one)) ? topic : [],
  )
  return [word, `${word}s`, ...other].filter((one) => topics.includes(one))
}

/** What words mean whose first ones, at least so many, are a topic or a command. */
function meant(words: readonly string[], least: number, names: Names): Meant | undefined {
  for (let length = words.length; length >= least; length--) {
    const name = words.slice(0, length).join(' ')
    const rest = words.slice(length)
    const isTopic = names.topics.includes(name)
    const other = isTopic && !thing.test(rest[0] ?? '') ? undefined : otherNamed(name)
    if (other !== undefined || Object.hasOwn(names.commands, name)) return { name: other ?? name, rest }
    const found = isTopic ? inTopic(words.slice(0, length), rest, names) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function otherNamed(name: string): string | undefined {
  return Object.entries(otherNames).find(([, others]) => others.includes(name))?.[0]
}

function inTopic(topic: readonly string[], [verb = '', ...rest]: readonly string[], names: Names): Meant | undefined {
  const above = topic.join(' ')
  if (verb === '') return { name: above, rest }
  const under = Object.keys(names.commands).filter((name) => name.startsWith(`${above} `))
  const own = under.map((name) => name.slice(above.length + 1)).filter((name) => !name.includes(' '))
  const alike = verbs.flatMap((group) => (group.includes(verb) ? (group.find((one) => own.includes(one)) ?? []) : []))
  if (alike[0] !== undefined) return { name: `${above} ${alike[0]}`, rest }
  const [last = ''] = topic.slice(-1)
  for (const kind of [verb, ...topicsOf(verb, names)]) {
    // Of a campaign, its vouchers: the list of the one has a flag for the other.
    const list = [...topic.slice(0, -1), kind, 'list'].join(' ')
    const flag = last.replace(/s$/, '')
    const listed = /^(?:list|ls)$/.test(rest[0] ?? '') ? rest.slice(1) : rest
    if (ownValue(names.manifest[ownValue(names.commands, list) ?? '']?.flags ?? {}, flag) === undefined) continue
    return { name: list, rest: listed.length === 0 ? [] : [`--${flag}`, ...listed] }
  }
  const reads = otherNamed(above)
  if (reads !== undefined && verbs[1]?.includes(verb)) return { name: reads, rest }
  const near = nearest(verb, own)
  if (near !== undefined) return { name: `${above} ${near}`, rest }
  const reader = ['show', 'get'].find((one) => own.includes(one))
  if (thing.test(verb) && reader !== undefined) return { name: `${above} ${reader}`, rest: [verb, ...rest] }
  const ending = under.filter((name) => name.endsWith(` ${verb}`))
  return ending.length === 1 ? { name: ending[0] ?? '', rest } : undefined
}

/** The line with what was typed; undefined where the command does not take it, or where nothing says what it is about. */
function wholeLine({ name, rest }: Meant, flags: readonly string[], { commands, manifest }: Names): string | undefined {
  const command = manifest[ownValue(commands, name) ?? '']
  const words = withoutProfile([...rest, ...flags])
  if (command === undefined || flags.includes('--help') || !words.every(mayBeShown)) return undefined
  const given = words.filter((word) => word.startsWith('-')).map((word) => word.split('=', 1)[0] ?? '')
  const known = Object.values(command.flags)
  const takes = Object.values(command.args)
  const free = words.filter((word, at) => !word.startsWith('-') && !takesNext(words[at - 1] ?? '', known))
  const fits =
    given.every((flag) => known.some(({ name, char }) => flag === `--${name}` || flag === `-${char}`)) &&
    (free.length <= takes.length || takes.some(({ multiple }) => multiple)) &&
    takes.every(({ required, options }, at) =>
      free[at] === undefined ? !required : (options?.includes(free[at]) ?? true),
    )
  if (!fits || (words.length === 0 && !name.endsWith(' list'))) return undefined
  return ['promo', name, ...words.map((word) => shellWord(word))].join(' ')
}

function takesNext(word: string, known: readonly ManifestCommand['flags'][string][]): boolean {
  return known.some(({ name, char, type }) => type === 'option' && (word === `--${name}` || word === `-${char}`))
}

async function notFound(words: readonly string[], { commands, topics }: Names, root: string): Promise<PromoError> {
  const depth = words.findLastIndex((_, at) => topics.includes(words.slice(0, at + 1).join(' '))) + 1
  const topic = words.slice(0, depth).join(' ')
  const { searchHelp } = await import('../help/search.ts')
  const asked = words.slice(0, depth + 1)
  const isFound = asked.every((word) => /^[a-z-]+$/.test(word)) && searchHelp(asked, root).length > 0
  const page = ['promo', ...(isFound ? ['help', ...asked] : [...words.slice(0, depth), '--help'])].join(' ')
  const under = Object.keys(commands).filter((name) => depth > 0 && name.startsWith(`${topic} `))
  const parts = [
    ...new Set(
      under.map((name) =>
        name
          .split(' ')
          .slice(0, depth + 1)
          .join(' '),
      ),
    ),
  ]
  const there = parts.length === 0 ? '' : `; there are ${parts.map((name) => `"${name}"`).join(', ')}`
  return unknown(asked, there, page)
}

function unknown(asked: readonly string[], rest: string, hint: string): PromoError {
  const shown = asked.map((word) => (mayBeShown(word) ? word : '…'))
  return usageError(`unknown command "${shown.join(' ')}"${rest}`, hint)
}
