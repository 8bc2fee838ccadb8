// From the words of a command line to a command: `vouchers disable X` is the command `vouchers:disable` with `X`.
import type { Config } from '@oclif/core'
import { type PromoError, usageError } from '../errors.ts'
import { sanitize } from '../output/sanitize.ts'
import { nearest } from './suggest.ts'

/** What a command line names. For a topic, or nothing at all, there is only help to show. */
export type Found = { kind: 'command'; id: string; argv: string[] } | { kind: 'topic'; id: string }

const helpFlags = new Set(['--help', '-h'])

/** Says whether help is asked for by a flag; what stands after `--` is data. */
export function wantsHelp(argv: string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => helpFlags.has(word))
}

/**
 * Finds the command, or the topic, that the leading words name; the longest match wins.
 *
 * Throws `usage` for words that name neither, with the nearest command as the suggestion.
 */
export function findCommand(argv: string[], config: Config): Found {
  const flagAt = argv.findIndex((word) => word.startsWith('-'))
  const words = flagAt === -1 ? argv : argv.slice(0, flagAt)
  if (words.length === 0) return namedByFlag(argv, config)
  for (let length = words.length; length > 0; length--) {
    const id = words.slice(0, length).join(':')
    if (config.findCommand(id)) return { kind: 'command', id, argv: argv.slice(length) }
  }
  if (words.length === 1 && config.findTopic(words[0] as string)) return { kind: 'topic', id: words[0] as string }
  throw unknownCommand(words, config)
}

function namedByFlag(argv: string[], config: Config): Found {
  if (argv.length === 0 || wantsHelp(argv)) return { kind: 'topic', id: '' }
  // The first plain word may be a flag's value, as in `--profile live vouchers list`.
  const word = argv.find((candidate) => config.findTopic(candidate) || config.findCommand(candidate))
  if (word !== undefined) throw usageError('flags go after the command', `promo ${word} --help`)
  throw usageError(`unknown flag "${argv[0]}" without a command`, 'promo --help')
}

function unknownCommand(words: string[], config: Config): PromoError {
  const [topic, ...rest] = words as [string, ...string[]]
  const inTopic = config.findTopic(topic) !== undefined && rest.length > 0
  const asked = inTopic ? `${topic} ${rest[0]}` : topic
  const names = config.commandIDs.map((id) => id.replaceAll(':', ' '))
  const near = nearest(asked, inTopic ? names : [...names, ...config.topics.map(({ name }) => name)])
  return usageError(
    `unknown command "${sanitize(asked)}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    `promo ${near ?? (inTopic ? topic : '')} --help`.replace('  ', ' '),
  )
}
