// Writes the manual pages from the manifest: promo(1) with what commands share, one page a topic, one page a command.
import { environment, formatWords } from '../src/cli/help/guides.ts'
import { commandWords } from './reference.js'
import { bold, entry, escaped, italic, prose, section, verbatim } from './roff.js'

/** Flags that most commands have are told once, in promo(1). */
const sharedGroups = {
  SERVICE: 'OPTIONS OF THE SERVICE',
  OUTPUT: 'OPTIONS OF RESULTS',
  GLOBAL: 'OPTIONS OF EVERY COMMAND',
}

const files = [
  ['~/.config/promo', 'The settings, and the secrets where there is no keyring. XDG_CONFIG_HOME or PROMO_CONFIG_DIR.'],
  ['~/.local/state/promo', "Bulk journals and the sandbox's data. XDG_STATE_HOME or PROMO_STATE_DIR."],
  ['~/.cache/promo', 'What may be deleted at any time. XDG_CACHE_HOME.'],
]

/** Gives the manual pages by the name of their file. */
export function manualPages(manifest, exitCodes, { version, description, oclif }) {
  const commands = Object.values(manifest.commands)
    .filter(({ hidden }) => !hidden)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const topics = [...new Set(commands.flatMap(({ id }) => topicsOf(id)))].map((id) => ({
    id,
    summary: oclif.topics[id]?.description ?? `The commands of promo ${wordsOf(id)}`,
  }))
  const book = { commands, topics, exitCodes, shared: sharedFlags(commands) }
  const page = (id, sections) => {
    const head = `.TH ${escaped(pageOf(id).toUpperCase())} 1 "" "promo ${version}" "promo manual"`
    // Neither filled lines nor hyphens of their own: what is copied must work.
    return [`${pageOf(id)}.1`, `${[head, '.ad l', '.nh', ...sections.flat()].join('\n')}\n`]
  }
  return Object.fromEntries([
    page('', mainPage(book, description)),
    ...topics.map((topic) => page(topic.id, topicPage(topic, book))),
    ...commands.map((command) => page(command.id, commandPage(command, book))),
  ])
}

function mainPage({ commands, topics, exitCodes, shared }, description) {
  const isTop = ({ id }) => !id.includes(':')
  return [
    section('NAME', `promo \\- ${prose(description)}`),
    section('SYNOPSIS', `${bold('promo')} ${italic('COMMAND')} ${escaped('[ARGUMENT…] [flags]')}`),
    section(
      'DESCRIPTION',
      prose(
        'Results go to standard output, what is said to people to standard error. On a terminal, a value that is missing is asked for; elsewhere it is an error that names it.',
      ),
      '.PP',
      prose('Every command works without an account on the embedded service, which `--profile sandbox` starts.'),
    ),
    section('COMMANDS', ...[...topics.filter(isTop), ...commands.filter(isTop)].flatMap(linkedEntry)),
    ...Object.entries(sharedGroups).map(([group, title]) => section(title, ...shared[group].flatMap(flagEntry))),
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

function topicPage({ id, summary }, { commands, topics }) {
  const below = [...topics, ...commands].filter((one) => topicsOf(one.id).at(-1) === id)
  return [
    nameSection(id, summary),
    section('SYNOPSIS', `${bold(`promo ${wordsOf(id)}`)} ${italic('COMMAND')} ${escaped('[ARGUMENT…] [flags]')}`),
    section('COMMANDS', ...below.toSorted((a, b) => (a.id < b.id ? -1 : 1)).flatMap(linkedEntry)),
    seeAlso(['', ...topicsOf(id)]),
  ]
}

function commandPage(command, { exitCodes, shared }) {
  const { id, summary, description, args, needs, examples, aliases, exit_codes } = command
  const flags = Object.values(command.flags).filter(({ hidden }) => !hidden)
  const isElsewhere = (flag) => shared[flag.helpGroup]?.some(({ name }) => name === flag.name)
  const elsewhere = flags.filter((flag) => isElsewhere(flag) && flag.helpGroup !== 'GLOBAL')
  const particular = exitCodes.filter(({ code }) => exit_codes.includes(code) && code > 2 && code < 128 && code !== 10)
  const paragraphs = [
    `${summary}.`,
    description,
    needs.length > 0 && `It cannot do without ${needs.map((ways) => ways.map(code).join(' or ')).join('; ')}.`,
    aliases.length > 0 && `Also called ${aliases.map((alias) => code(`promo ${wordsOf(alias)}`)).join(', ')}.`,
  ]
  return [
    nameSection(id, summary),
    section('SYNOPSIS', synopsis(command)),
    section('DESCRIPTION', paragraphs.filter(Boolean).map(prose).join('\n.PP\n')),
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
    section('EXAMPLES', ...verbatim(examples.map((line) => line.replaceAll('<%= config.bin %>', 'promo')))),
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

const { name: profileName, meaning: profileMeaning } = environment.find(({ name }) => name === 'PROMO_PROFILE')
const chosenBy = [...entry(bold(profileName), sentence(profileMeaning)), '.PP']

/** The flags of each shared group that most of the commands with the group have. */
function sharedFlags(commands) {
  const inGroup = (group) => {
    const sets = commands
      .map(({ flags }) => Object.values(flags).filter(({ helpGroup }) => helpGroup === group))
      .filter((flags) => flags.length > 0)
    const byName = new Map(sets.flat().map((flag) => [flag.name, flag]))
    const holders = (name) => sets.filter((flags) => flags.some((flag) => flag.name === name)).length
    return [...byName.values()].filter(({ name }) => holders(name) * 2 > sets.length)
  }
  return Object.fromEntries(Object.keys(sharedGroups).map((group) => [group, inGroup(group)]))
}

function nameSection(id, summary) {
  return section('NAME', `${escaped(pageOf(id))} \\- ${prose(uncapitalized(summary))}`)
}

function synopsis(command) {
  const own = commandWords(command)
    .slice(`promo ${wordsOf(command.id)}`.length)
    .trim()
  return `${bold(`promo ${wordsOf(command.id)}`)} ${escaped(own === '' ? '[flags]' : `${own} [flags]`)}`
}

function linkedEntry({ id, summary }) {
  return ['.TP', `.BR ${escaped(pageOf(id))} (1)`, prose(sentence(summary))]
}

function flagEntry(flag) {
  const { char, name, allowNo, type } = flag
  const words = [char === undefined ? undefined : `-${char}`, `--${allowNo ? '[no-]' : ''}${name}`].filter(Boolean)
  const value = type === 'option' ? ` ${italic(flag.helpValue ?? flag.options?.join('|') ?? name.toUpperCase())}` : ''
  return entry(`${words.map(bold).join(', ')}${value}`, described(flag))
}

function flagWord({ name }) {
  return `--${name}`
}

function described({ description, options, helpValue, type, multiple }) {
  const listed = options !== undefined && (type === undefined || helpValue !== undefined)
  return sentence(
    `${description}${listed ? `: ${options.join(', ')}` : ''}${multiple ? '; may be given more than once' : ''}`,
  )
}

function seePromo(words) {
  return [prose(words), '.BR promo (1).']
}

function seeAlso(ids) {
  const pages = ids.map((id) => `.BR ${escaped(pageOf(id))} (1)`)
  return section('SEE ALSO', ...pages.map((page, at) => (at === pages.length - 1 ? page : `${page},`)))
}

/** The topics a name stands in, the widest first: `loyalty`, `loyalty:cards`. */
function topicsOf(id) {
  const names = id.split(':')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join(':'))
}

function pageOf(id) {
  return ['promo', ...id.split(':')].filter((name) => name !== '').join('-')
}

function wordsOf(id) {
  return id.replaceAll(':', ' ')
}

function code(text) {
  return `\`${text}\``
}

function sentence(text) {
  const ended = /[.?!]$/.test(text) ? text : `${text}.`
  return ended.charAt(0).toUpperCase() + ended.slice(1)
}

function uncapitalized(text) {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
