// Writes the manual pages: promo(1) for what commands share, one page per topic, one page per command.

import type { ExitCodeRow } from '../src/cli/help/exit-codes.ts'
import { environment, formatWords } from '../src/cli/help/guides.ts'
import type { DescribedCommand, ManifestArgument, ManifestFlag } from '../src/cli/help/manifest.ts'
import { commandWords, sharedFlags } from './reference.ts'
import { bold, entry, escaped, italic, type Lines, prose, section, verbatim } from './roff.ts'

/** Flags that most commands have are described once, in promo(1). */
const sharedGroups = {
  SERVICE: 'OPTIONS OF THE SERVICE',
  OUTPUT: 'OPTIONS OF RESULTS',
  GLOBAL: 'OPTIONS OF EVERY COMMAND',
}

const files: readonly (readonly [string, string])[] = [
  ['~/.config/promo', 'The settings, and the secrets where there is no keyring. XDG_CONFIG_HOME or PROMO_CONFIG_DIR.'],
  [
    '~/.local/state/promo',
    "Bulk journals, the sandbox's data and, in compiled, code that may be deleted. XDG_STATE_HOME or PROMO_STATE_DIR.",
  ],
]

/** The members of package.json that are read here. */
export interface PackageFacts {
  version: string
  description: string
  oclif: { topics: Record<string, { description: string }> }
}

interface Topic {
  id: string
  summary: string
}

interface Book {
  commands: readonly DescribedCommand[]
  topics: readonly Topic[]
  exitCodes: readonly ExitCodeRow[]
  shared: Readonly<Record<string, readonly ManifestFlag[]>>
}

/** Returns the manual pages by file name. */
export function manualPages(
  commands: readonly DescribedCommand[],
  exitCodes: readonly ExitCodeRow[],
  { version, description, oclif }: PackageFacts,
): Record<string, string> {
  const topics = [...new Set(commands.flatMap(({ id }) => topicsOf(id)))].map((id) => ({
    id,
    summary: oclif.topics[id]?.description ?? `The commands of promo ${wordsOf(id)}`,
  }))
  const shared = Object.fromEntries(Object.keys(sharedGroups).map((group) => [group, sharedFlags(commands, group)]))
  const book: Book = { commands, topics, exitCodes, shared }
  const page = (id: string, sections: readonly Lines[]) => {
    const head = `.TH ${escaped(pageOf(id).toUpperCase())} 1 "" "promo ${version}" "promo manual"`
    // No justified lines and no hyphenation: copied text must work.
    return [`${pageOf(id)}.1`, `${[head, '.ad l', '.nh', ...sections.flat()].join('\n')}\n`]
  }
  return Object.fromEntries([
    page('', mainPage(book, description)),
    ...topics.map((topic) => page(topic.id, topicPage(topic, book))),
    ...commands.map((command) => page(command.id, commandPage(command, book))),
  ])
}

function mainPage({ commands, topics, exitCodes, shared }: Book, description: string): Lines[] {
  const isTop = ({ id }: Topic) => !id.includes(':')
  return [
    section('NAME', `promo \\- ${prose(description)}`),
    section('SYNOPSIS', `${bold('promo')} ${italic('COMMAND')} ${escaped('[ARGUMENT…] [flags]')}`),
    section(
      'DESCRIPTION',
      prose(
        'Results go to standard output, messages to standard error. On a terminal, promo asks for a missing value; elsewhere a missing value is an error that names it.',
      ),
      '.PP',
      prose('Every command works without an account on the embedded service, which `--profile sandbox` starts.'),
    ),
    section('COMMANDS', ...[...topics.filter(isTop), ...commands.filter(isTop)].flatMap(linkedEntry)),
    ...Object.entries(sharedGroups).map(([group, title]) =>
      section(title, ...(shared[group] ?? []).flatMap(flagEntry)),
    ),
    section(
      'FORMATS',
      ...Object.entries(formatWords).flatMap(([format, about]) => entry(bold(format), sentence(about))),
    ),
    section('EXAMPLES', ...verbatim(['promo vouchers list --profile sandbox'])),
    section(
      'EXIT STATUS',
      ...exitCodes.flatMap(({ code, meaning, again }) =>
        entry(bold(String(code)), `${sentence(meaning)}${again === '' ? '' : ` Run it again? ${sentence(again)}`}`),
      ),
    ),
    section('ENVIRONMENT', ...environment.flatMap(({ name, meaning }) => entry(bold(name), sentence(meaning)))),
    section('FILES', ...files.flatMap(([path, about]) => entry(italic(path), about))),
    seeAlso(topics.filter(isTop).map(({ id }) => id)),
  ]
}

function topicPage({ id, summary }: Topic, { commands, topics }: Book): Lines[] {
  const below = [...topics, ...commands].filter((one) => topicsOf(one.id).at(-1) === id)
  return [
    nameSection(id, summary),
    section('SYNOPSIS', `${bold(`promo ${wordsOf(id)}`)} ${italic('COMMAND')} ${escaped('[ARGUMENT…] [flags]')}`),
    section('COMMANDS', ...below.toSorted((a, b) => (a.id < b.id ? -1 : 1)).flatMap(linkedEntry)),
    seeAlso(['', ...topicsOf(id)]),
  ]
}

function commandPage(command: DescribedCommand, { exitCodes, shared }: Book): Lines[] {
  const { id, summary, description, args, needs, examples, aliases, exit_codes } = command
  const flags = Object.values(command.flags).filter(({ hidden }) => !hidden)
  const isElsewhere = (flag: ManifestFlag) => shared[flag.helpGroup ?? '']?.some(({ name }) => name === flag.name)
  const elsewhere = flags.filter((flag) => isElsewhere(flag) && flag.helpGroup !== 'GLOBAL')
  const particular = exitCodes.filter(({ code }) => exit_codes.includes(code) && code > 2 && code < 128 && code !== 10)
  const paragraphs = [
    `${summary}.`,
    description,
    needs.length > 0 && `It requires ${needs.map((ways) => ways.map(code).join(' or ')).join('; ')}.`,
    aliases.length > 0 && `Also called ${aliases.map((alias) => code(`promo ${wordsOf(alias)}`)).join(', ')}.`,
  ]
  return [
    nameSection(id, summary),
    section('SYNOPSIS', synopsis(command)),
    section(
      'DESCRIPTION',
      paragraphs
        .filter((text) => typeof text === 'string')
        .map(prose)
        .join('\n.PP\n'),
    ),
    section(
      'OPTIONS',
      ...Object.values(args).flatMap((arg) => entry(italic(arg.name.toUpperCase()), described(arg))),
      ...flags.filter((flag) => !isElsewhere(flag)).flatMap(flagEntry),
      ...(Object.keys(args).length + flags.filter((flag) => !isElsewhere(flag)).length > 0 ? ['.PP'] : []),
      ...(elsewhere.length === 0
        ? seePromo('The options of every command are in')
        : seePromo(
            `It also takes ${elsewhere.map(flagWord).map(code).join(', ')}; they and those of every command are in`,
          )),
    ),
    section('EXAMPLES', ...verbatim(examples)),
    section(
      'EXIT STATUS',
      ...particular.flatMap(({ code: number, meaning }) => entry(bold(String(number)), sentence(meaning))),
      ...(particular.length > 0 ? ['.PP'] : []),
      ...seePromo('Those of every command are in'),
    ),
    section(
      'ENVIRONMENT',
      ...(command.flags.profile ? chosenBy : []),
      ...seePromo('The variables that promo reads are in'),
    ),
    section('FILES', ...seePromo('The folders of promo are in')),
    seeAlso(['', ...topicsOf(id)]),
  ]
}

const chosenBy = environment
  .filter(({ name }) => name === 'PROMO_PROFILE')
  .flatMap(({ name, meaning }) => [...entry(bold(name), sentence(meaning)), '.PP'])

function nameSection(id: string, summary: string): Lines {
  return section('NAME', `${escaped(pageOf(id))} \\- ${prose(uncapitalized(summary))}`)
}

function synopsis(command: DescribedCommand): string {
  const own = commandWords(command)
    .slice(`promo ${wordsOf(command.id)}`.length)
    .trim()
  return `${bold(`promo ${wordsOf(command.id)}`)} ${escaped(own === '' ? '[flags]' : `${own} [flags]`)}`
}

function linkedEntry({ id, summary }: Topic): Lines {
  return ['.TP', `.BR ${escaped(pageOf(id))} (1)`, prose(sentence(summary))]
}

function flagEntry(flag: ManifestFlag): Lines {
  const { char, name, allowNo, type } = flag
  const words = [char === undefined ? undefined : `-${char}`, `--${allowNo ? '[no-]' : ''}${name}`].filter(
    (word) => word !== undefined,
  )
  const value = type === 'option' ? ` ${italic(flag.helpValue ?? flag.options?.join('|') ?? name.toUpperCase())}` : ''
  return entry(`${words.map(bold).join(', ')}${value}`, described(flag))
}

function flagWord({ name }: ManifestFlag): string {
  return `--${name}`
}

function described({ description, options, multiple, ...flag }: ManifestArgument | ManifestFlag): string {
  const listed = options !== undefined && (!('type' in flag) || flag.helpValue !== undefined)
  return sentence(
    `${description}${listed ? `: ${options.join(', ')}` : ''}${multiple ? '; may be given more than once' : ''}`,
  )
}

function seePromo(words: string): Lines {
  return [prose(words), '.BR promo (1).']
}

function seeAlso(ids: readonly string[]): Lines {
  const pages = ids.map((id) => `.BR ${escaped(pageOf(id))} (1)`)
  return section('SEE ALSO', ...pages.map((page, at) => (at === pages.length - 1 ? page : `${page},`)))
}

/** Returns the topics that contain a name, the widest first: `loyalty`, `loyalty:cards`. */
function topicsOf(id: string): string[] {
  const names = id.split(':')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join(':'))
}

function pageOf(id: string): string {
  return ['promo', ...id.split(':')].filter((name) => name !== '').join('-')
}

function wordsOf(id: string): string {
  return id.replaceAll(':', ' ')
}

function code(text: string): string {
  return `\`${text}\``
}

function sentence(text: string): string {
  const ended = /[.?!]$/.test(text) ? text : `${text}.`
  return ended.charAt(0).toUpperCase() + ended.slice(1)
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
