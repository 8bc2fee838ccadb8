// From the words of a command line to a command: `vouchers disable X` is the command `vouchers:disable` with `X`.
import { usageError } from '../../errors.ts'

/** What a command line names. For a topic, or an empty line, only help is shown. */
export type FoundCommand = { kind: 'command'; id: string; argv: string[] } | { kind: 'topic'; id: string }

/** The names of all commands, as ids like `vouchers:disable`; what a run needs to know before it loads one. */
export interface CommandIndex {
  /** Ids and aliases, each with the id it refers to. */
  commands: Readonly<Record<string, string>>
  /** Ids like `loyalty` and `loyalty:cards`. */
  topics: readonly string[]
}

/**
 * Builds the index from oclif's manifest and the topics of package.json. A list whose name is that of a topic, as `metadata schemas`
 * and `history`, is found by `metadata schemas list`, too.
 */
export function indexOf(
  manifest: { commands: Record<string, { id: string; aliases: readonly string[] }> },
  topics: Record<string, unknown>,
): CommandIndex {
  const commands: Record<string, string> = {}
  for (const { id, aliases } of Object.values(manifest.commands)) {
    for (const name of [id, ...aliases]) commands[name] = id
  }
  for (const id of Object.keys(manifest.commands)) {
    const isTopic = Object.keys(manifest.commands).some((other) => other.startsWith(`${id}:`))
    if (isTopic) commands[`${id}:list`] ??= id
  }
  return { commands, topics: Object.keys(topics) }
}

/** Returns which help flags ask for: all of it, or with `-h` alone one screen; undefined without one. What is after `--` is data. */
export function wantedHelp(argv: readonly string[]): { isShort: boolean; isUnpaged: boolean } | undefined {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  const isWhole = words.includes('--help')
  return isWhole || words.includes('-h') ? { isShort: !isWhole, isUnpaged: words.includes('--no-pager') } : undefined
}

/**
 * Finds the command, or the topic, that the leading words name; the longest match wins.
 *
 * Throws `usage` for words that name neither, with the command that was meant where that is certain. `root` is the folder of the package.
 */
export async function findCommand(argv: string[], index: CommandIndex, root: string): Promise<FoundCommand> {
  const flagAt = argv.findIndex((word) => word.startsWith('-'))
  const words = flagAt === -1 ? argv : argv.slice(0, flagAt)
  if (words.length === 0) return namedByFlag(argv, index)
  for (let length = words.length; length > 0; length--) {
    const name = words.slice(0, length).join(':')
    const id = Object.hasOwn(index.commands, name) ? index.commands[name] : undefined
    if (id !== undefined) return { kind: 'command', id, argv: argv.slice(length) }
  }
  const topic = words.join(':')
  if (index.topics.includes(topic)) return { kind: 'topic', id: topic }
  const { unknownCommand } = await import('./unknown-command.ts')
  throw await unknownCommand(words, argv.slice(words.length), index, root)
}

function namedByFlag(argv: string[], index: CommandIndex): FoundCommand {
  if (argv.length === 0 || wantedHelp(argv)) return { kind: 'topic', id: '' }
  // The first plain word may be a flag's value, as in `--profile live vouchers list`.
  const word = argv.find((candidate) => index.topics.includes(candidate) || Object.hasOwn(index.commands, candidate))
  if (word !== undefined) throw usageError('flags go after the command', `promo ${word} --help`)
  throw usageError(`unknown flag "${argv[0]}" without a command`, argv[0] === '-V' ? 'promo version' : 'promo --help')
}
