// Whether a command takes the words that were typed after a name that does not exist: then a message proposes the whole line.
import { shellWord } from '../../base/shell-word.ts'
import { mayBeShown } from '../../base/shown-word.ts'
import { factsIn, type ManifestCommand, readManifest } from '../help/manifest.ts'

/** What words are to a command: its arguments, and the names of the flags that they set. */
interface Given {
  args: string[]
  flags: Set<string>
}

/**
 * Returns the command line of a command with these words and flags; undefined where it does not take them all, needs another one, or is
 * no list and was told nothing. A profile is left out: whoever says the message adds it.
 */
export function wholeLine(
  name: string,
  rest: readonly string[],
  { root, ids, flags }: { root: string; ids: Readonly<Record<string, string>>; flags: readonly string[] },
): string | undefined {
  const words = [...rest, ...flags]
  const id = ids[name.replaceAll(' ', ':')] ?? ''
  const command = readManifest(root)[id]
  const facts = factsIn(root)[id]
  const given = command && givenTo(command, words)
  if (facts === undefined || given === undefined || words.includes('--help') || !words.every(mayBeShown))
    return undefined
  const names = Object.keys(command?.args ?? {}).map((arg) => arg.toUpperCase())
  const has = (way: string) =>
    way.startsWith('--') ? given.flags.has(way.slice(2)) : given.args.length > names.indexOf(way)
  // A flag that is missing besides is named, with the whole line, by the command itself.
  const isLater = (way: string) =>
    given.args.length > 0 && way.startsWith('--') && command?.flags[way.slice(2)]?.required !== true
  if (!facts.needs.every((ways) => ways.some(has) || ways.every(isLater))) return undefined
  const typed = withoutProfile(words)
  if (typed.length === 0 && !name.endsWith(' list')) return undefined
  return ['promo', name, ...typed.map((word) => shellWord(word))].join(' ')
}

function givenTo({ args, flags }: ManifestCommand, words: readonly string[]): Given | undefined {
  const given: Given = { args: [], flags: new Set() }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) given.args.push(word)
    else {
      const [, long, value, char] = /^(?:--([\w-]+)(?:=(.*))?|-(\w))$/s.exec(word) ?? []
      const flag = Object.values(flags).find((one) => one.name === long || (char !== undefined && one.char === char))
      if (flag === undefined) return undefined
      given.flags.add(flag.name)
      if (flag.type !== 'option') continue
      const text = value ?? words[++at]
      if (text === undefined || flag.options?.includes(text) === false) return undefined
    }
  }
  const takes = Object.values(args)
  const fits = takes.some(({ multiple }) => multiple) || given.args.length <= takes.length
  return fits && given.args.every((arg, at) => takes[at]?.options?.includes(arg) !== false) ? given : undefined
}

function withoutProfile(words: readonly string[]): string[] {
  const isProfile = (word = '') => /^(?:-p|--profile)$/.test(word)
  return words.filter((word, at) => !isProfile(word) && !word.startsWith('--profile=') && !isProfile(words[at - 1]))
}
