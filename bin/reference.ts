// Writes the reference of all commands as Markdown: a page for each topic, and README.md with what they share.

import type { ExitCodeRow } from '../src/cli/help/exit-codes.ts'
import type { DescribedCommand, ManifestArgument, ManifestCall, ManifestFlag } from '../src/cli/help/manifest.ts'

const groupOrder = [undefined, 'CART', 'SESSION', 'BODY', 'BULK', 'SERVICE', 'OUTPUT']
const sharedGroups = {
  SERVICE: 'Commands that call the service take',
  OUTPUT: 'Commands with a result take',
  GLOBAL: 'Every command takes',
}

/** Returns the pages of docs/commands by file name. */
export function referencePages(
  commands: readonly DescribedCommand[],
  exitCodes: readonly ExitCodeRow[],
  topics: Readonly<Record<string, { description: string }>>,
): Record<string, string> {
  const shared = Object.entries(sharedGroups).map(([group, words]) => ({
    group,
    words,
    flags: sharedFlags(commands, group),
  }))
  const meanings = new Map(exitCodes.map(({ code, meaning }) => [code, meaning]))
  const byTopic = Map.groupBy(commands, topicOf)
  const page = (...parts: readonly string[]) => parts.join('\n\n').concat('\n')
  const pages = [...byTopic].map(([topic, own]): [string, string] => [
    `${topic}.md`,
    page(`# promo ${topic}`, ...own.map((command) => section(command, shared, meanings))),
  ])
  const contents = [...byTopic].map(([topic, [first]]) => [
    `[${topic}](${topic}.md)`,
    topics[topic]?.description ?? first?.summary ?? '',
  ])
  const readme = page(
    '# Commands',
    'Made by the build from what `promo help` shows on a terminal; `promo commands --json` returns the same for programs.',
    table(['Topic', 'What it is for'], contents),
    ...shared.map(({ words, flags }) => `## ${words}\n\n${flagTable(flags)}`),
  )
  return { 'README.md': readme, ...Object.fromEntries(pages) }
}

function topicOf({ id }: DescribedCommand): string {
  return id.replace(/:.*/, '')
}

/** The flags of a group that most commands with the group have; they are described once. */
export function sharedFlags(commands: readonly DescribedCommand[], group: string): ManifestFlag[] {
  const sets = commands
    .map(({ flags }) => Object.values(flags).filter(({ helpGroup }) => helpGroup === group))
    .filter((flags) => flags.length > 0)
  const byName = new Map(sets.flat().map((flag) => [flag.name, flag]))
  const holders = (name: string) => sets.filter((flags) => flags.some((flag) => flag.name === name)).length
  return [...byName.values()].filter(({ name }) => holders(name) * 2 > sets.length)
}

interface SharedGroup {
  group: string
  flags: readonly ManifestFlag[]
}

function section(
  command: DescribedCommand,
  shared: readonly SharedGroup[],
  meanings: ReadonlyMap<number, string>,
): string {
  const { summary, description, effect, aliases, args, flags, calls, examples, exit_codes } = command
  // A command that has only some of the shared flags, such as whoami, lists them as its own.
  const whole = shared.filter(({ flags: common }) => common.every(({ name }) => name in flags))
  const told = new Set(whole.flatMap(({ flags: common }) => common.map(({ name }) => name)))
  const takes = whole.map(({ group }) => groupWords[group]).filter((words) => words !== undefined)
  const own = Object.values(flags)
    .filter(({ hidden, name }) => !hidden && !told.has(name))
    .toSorted((one, other) => groupOrder.indexOf(one.helpGroup) - groupOrder.indexOf(other.helpGroup))
  const particular = exit_codes.filter((code) => code > 2 && code < 128 && code !== 10)
  return [
    `## ${['promo', ...command.id.split(':')].join(' ')}`,
    `${summary}.`,
    ...(description === undefined ? [] : [description]),
    `\`\`\`text\n${usage(command)}\n\`\`\``,
    `Effect: ${effectWords[effect]}.${aliases.length === 0 ? '' : ` Also: ${aliases.map((name) => `\`promo ${name}\``).join(', ')}.`}`,
    ...(Object.keys(args).length === 0 ? [] : [argumentTable(Object.values(args))]),
    ...(own.length === 0 ? [] : [flagTable(own)]),
    ...(takes.length > 0 ? [`Also takes the [flags ${takes.join(' and ')}](README.md).`] : []),
    ...(calls.length === 0 ? [] : [callTable(calls)]),
    ...(particular.length === 0
      ? []
      : [
          `Exit codes beyond 0, 1, 2 and 10: ${particular.map((code) => `${code} (${meanings.get(code)})`).join('; ')}.`,
        ]),
    `\`\`\`console\n${examples.map((line) => `$ ${line}`).join('\n')}\n\`\`\``,
  ].join('\n\n')
}

const groupWords: Record<string, string | undefined> = { SERVICE: 'of the service', OUTPUT: 'of results' }

const effectWords: Record<DescribedCommand['effect'], string> = {
  none: 'none; nothing is sent and nothing is kept',
  local: 'changes things on this computer only',
  read: 'reads from the service',
  write: 'may change things in the service',
}

/** Returns a command with its arguments, as in `promo vouchers disable [CODE…]`. */
export function commandWords({ id, args }: Pick<DescribedCommand, 'id' | 'args'>): string {
  const words = Object.values(args).map(({ name, required, multiple }) => {
    const word = `${name.toUpperCase()}${multiple ? '…' : ''}`
    return required ? word : `[${word}]`
  })
  return ['promo', ...id.split(':'), ...words].join(' ')
}

function usage(command: DescribedCommand): string {
  const needed = Object.values(command.flags).filter(({ required }) => required)
  return [commandWords(command), ...needed.map((flag) => `--${flag.name} ${valueWord(flag)}`), '[flags]'].join(' ')
}

function valueWord({ helpValue, options, name }: ManifestFlag): string {
  return helpValue ?? options?.join('|') ?? name.toUpperCase()
}

function argumentTable(args: readonly ManifestArgument[]): string {
  return table(
    ['Argument', 'What it is'],
    args.map(({ name, description, options }) => [
      `\`${name.toUpperCase()}\``,
      `${description}${options ? `: ${options.join(', ')}` : ''}`,
    ]),
  )
}

function flagTable(flags: readonly ManifestFlag[]): string {
  return table(
    ['Flag', 'What it does'],
    flags.map((flag) => {
      const { name, char, type, description, required, multiple, allowNo } = flag
      const long = `--${allowNo ? '[no-]' : ''}${name}`
      const value = type === 'option' ? ` ${valueWord(flag)}` : ''
      const notes = [required && 'required', multiple && 'may be repeated'].filter(Boolean).join(', ')
      return [
        `\`${char === undefined ? '' : `-${char}, `}${long}${value}\``,
        `${description}${notes === '' ? '' : ` (${notes})`}`,
      ]
    }),
  )
}

function callTable(calls: readonly ManifestCall[]): string {
  return table(
    ['Call', 'Sending it again'],
    calls.map(({ method, path, repeat }) => [`\`${method} ${path}\``, repeat]),
  )
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
