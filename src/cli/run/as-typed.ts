// A next step reaches what the command line reached: the profile or the sandbox that was typed is added to the commands it names.
import { shellWord } from '../../base/shell-word.ts'
import type { CommandSource } from '../command.ts'
import { readManifest } from '../help/manifest.ts'
import type { CommandIndex } from './find-command.ts'
import type { Host } from './host.ts'

/** A flag that says where a command goes, as it was typed. */
interface Place {
  flag: 'profile' | 'data' | 'url'
  value: string
}

/**
 * Returns a host that adds to the commands of a message where the command line `argv` went.
 *
 * What the environment or a stored choice says holds for the next command too, and is not added; nor is anything to a command
 * that has no such flag, that names its own, or that is asked for help.
 */
export function withPlace(argv: readonly string[], host: Host, { root, index }: CommandSource): Host {
  const places = placesIn(argv)
  const asTyped = (text: string) =>
    text.replaceAll(quotedOrCommand, (found: string, words: string | undefined, at: number) => {
      const id = words === undefined ? undefined : longest(words.split(' '), index)
      if (id === undefined) return found
      const { flags = {} } = readManifest(root)[id] ?? {}
      const [rest = ''] = text.slice(at + found.length).split(nextCommand, 1)
      const added = places.filter(({ flag }) => Object.hasOwn(flags, flag) && (flag === 'profile' || isOfSandbox(id)))
      // Elsewhere --data and --url say something else.
      const own = isOfSandbox(id) ? / (?:-p|--(?:help|profile|data|url)\b)/ : / (?:-p|--(?:help|profile)\b)/
      if (added.length === 0 || own.test(rest)) return found
      // Right after its name, because a sentence may go on after its last word.
      const name = `promo ${id.replaceAll(':', ' ')}`
      return `${name}${added.map(({ flag, value }) => ` --${flag} ${shellWord(value)}`).join('')}${found.slice(name.length)}`
    })
  // Not a copy, which would read every member: to look at stdin opens it.
  return Object.assign(Object.create(host), { asTyped })
}

const nextCommand = /(?<![\w/.-])promo /
// What is quoted is a value, whatever it says.
const quotedOrCommand = /(?<=^|[\s=(])(?:'[^']*'|"[^"]*")|(?<![\w/.-])promo ([a-z][a-z-]*(?: [a-z][a-z-]*)*)/g

function longest(words: readonly string[], { commands }: CommandIndex): string | undefined {
  const names = words.map((_, at) => words.slice(0, words.length - at).join(':'))
  return names.find((name) => Object.hasOwn(commands, name))
}

function isOfSandbox(id: string): boolean {
  return id.startsWith('sandbox:')
}

/** Read from the words themselves, because they may not parse. */
function placesIn(argv: readonly string[]): Place[] {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  const places: Place[] = []
  for (const [at, word] of words.entries()) {
    const [, short, long, given] = /^(?:(-p)|--(profile|data|url)(?==|$))=?(.+)?$/s.exec(word) ?? []
    const flag = short === undefined ? long : 'profile'
    const typed = given ?? words[at + 1]
    // An address may have a password in it, which is said nowhere.
    const value = flag !== 'url' || typed === undefined ? typed : URL.parse(typed)?.origin
    if (flag === undefined || value === undefined || (flag !== 'profile' && words[0] !== 'sandbox')) continue
    places.push({ flag: flag as Place['flag'], value })
  }
  return places
}
