// The commands of .oclif.manifest.json, and a check of written command lines against them.
import { type ManifestFlag, readManifest } from '../../src/cli/help/manifest.ts'
import { root } from './source-files.ts'

/** Every command, by its id. */
export const commands = readManifest(root)

/** Returns what is wrong with a command line, passed without `promo`, or with another behind it; undefined when all exist. */
export function problemOf(line: string): string | undefined {
  return line
    .split(/; promo /)
    .map(problemOfOne)
    .find((problem) => problem !== undefined)
}

function problemOfOne(line: string): string | undefined {
  const words: string[] = line.split(/\s+[|<>]\s?/)[0]?.match(/'[^']*'|"[^"]*"|\S+/g) ?? []
  if (words[0] === '--version') return undefined
  const command = [3, 2, 1]
    .map((length) => commands[words.slice(0, length).join(':')])
    .find((candidate) => candidate !== undefined)
  if (command === undefined) return `there is no command ${words.slice(0, 2).join(' ')}`
  const flags = Object.values(command.flags)
  const known = new Set([...flags.flatMap(({ name, char }) => [`--${name}`, `-${char}`]), '--help', '-h', '--'])
  const end = words.indexOf('--')
  const unknown = (end === -1 ? words : words.slice(0, end))
    .filter((word, at) => /^--?[a-z]/.test(word) && !takesValue(words[at - 1], flags))
    .map((word) => word.split('=')[0] ?? '')
    .filter((flag) => !known.has(flag) && !known.has(flag.replace('--no-', '--')))
  return unknown.length === 0 ? undefined : `${command.id} has no ${unknown.join(', ')}`
}

/** Tells whether a word is a flag whose value is the next word, which may begin with a dash: `--order -created_at`. */
function takesValue(word: string | undefined, flags: readonly ManifestFlag[]): boolean {
  return flags.some(({ name, type }) => word === `--${name}` && type === 'option')
}
