// Help, on the host's streams. Usage and examples come first, for users in a hurry.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wrapped } from '../../base/text/wrapped.ts'
import type { FoundCommand } from '../run/find-command.ts'
import { type Host, isColourful, type ProgramConfig } from '../run/host.ts'
import type { GuideSection } from './guides.ts'
import { aligned, indented, type TextRow } from './layout.ts'
import { type ManifestArgument, type ManifestCommand, type ManifestFlag, readManifest } from './manifest.ts'

/** The width of what is not written to a terminal, and the least one: narrower, nothing can be aligned. */
const usualWidth = 80
const leastWidth = 40

const margin = 2

/** Groups of flags that most commands have: those specific to a command come before them. */
const generalGroups = ['SERVICE', 'OUTPUT', 'GLOBAL']

/** How a page is written: its width in columns, and the marks for titles and values. */
interface PageStyle {
  width: number
  bold: (text: string) => string
  underline: (text: string) => string
}

/** What package.json says about the program. */
interface ProgramWords {
  description: string
  oclif: { topics: Readonly<Record<string, { description: string }>> }
}

/** Shows the help of a command, a topic, or the entire program, on stdout. */
export function showHelp(found: FoundCommand, root: string, config: ProgramConfig, host: Host): void {
  const commands = readManifest(root)
  const style = styleOf(host)
  const sections =
    found.kind === 'command'
      ? commandPage(commands[found.id] as ManifestCommand, style)
      : topicPage(found.id, wordsOf(root), Object.values(commands), config, style)
  host.stdout.write(`${sections.filter((section) => section !== undefined).join('\n\n')}\n\n`)
}

/** Shows a guide on stdout. */
export function showGuide(guide: readonly GuideSection[], host: Host): void {
  const style = styleOf(host)
  const sections = guide.map(({ title, rows }) => list(title, rows, style))
  host.stdout.write(`${sections.join('\n\n')}\n\n`)
}

function wordsOf(root: string): ProgramWords {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

function styleOf(host: Host): PageStyle {
  const { isTTY, columns = 0 } = host.stdout
  const marked = (start: number, end: number) => (text: string) =>
    isColourful(host.stdout, host, {}) ? `\u001b[${start}m${text}\u001b[${end}m` : text
  return {
    width: isTTY && columns > 0 ? Math.max(columns, leastWidth) : usualWidth,
    bold: marked(1, 22),
    underline: marked(4, 24),
  }
}

function commandPage(command: ManifestCommand, style: PageStyle): (string | undefined)[] {
  const { summary, description, examples, args, aliases } = command
  return [
    sentence(summary, style),
    section('USAGE', wrappedUsage(usageOf(command), style), style),
    description && section('DESCRIPTION', wrapped(description, style.width - margin), style),
    section('EXAMPLES', shownExamples(examples), style),
    list('ARGUMENTS', Object.values(args).map(argumentRow), style),
    ...flagSections(command, style),
    aliases.length === 0
      ? undefined
      : section(
          'ALIASES',
          aliases.map((alias) => `$ promo ${typed(alias)}`),
          style,
        ),
  ]
}

function topicPage(
  topic: string,
  { description, oclif: { topics } }: ProgramWords,
  all: readonly ManifestCommand[],
  { userAgent }: ProgramConfig,
  style: PageStyle,
): (string | undefined)[] {
  const names = all
    .filter(({ hidden }) => !hidden)
    .flatMap(({ id, aliases, summary }) => [id, ...aliases].map((name) => ({ name: typed(name), text: summary })))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  if (topic !== '') {
    return [
      sentence(topics[topic]?.description ?? '', style),
      section('USAGE', [`$ promo ${typed(topic)} COMMAND`], style),
      list(
        'COMMANDS',
        names.filter(({ name }) => name.startsWith(`${typed(topic)} `)),
        style,
      ),
    ]
  }
  const rows = Object.entries(topics)
    .filter(([name]) => !name.includes(':'))
    .map(([name, { description: text }]) => ({ name, text }))
  return [
    sentence(description, style),
    section('VERSION', [userAgent], style),
    section('USAGE', ['$ promo [COMMAND]'], style),
    list(
      'TOPICS',
      rows.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      style,
    ),
    list(
      'COMMANDS',
      names.filter(({ name }) => !name.includes(' ')),
      style,
    ),
  ]
}

function sentence(text: string, { width }: PageStyle): string {
  return wrapped(text, width).join('\n')
}

function section(title: string, lines: readonly string[], { bold }: PageStyle): string {
  return `${bold(title)}\n${indented(lines, margin)}`
}

function list(title: string, rows: readonly TextRow[], style: PageStyle): string | undefined {
  return rows.length === 0 ? undefined : section(title, aligned(rows, style.width - margin), style)
}

// All flags would take nine lines, before any of them is described.
function usageOf({ id, args, flags }: ManifestCommand): string {
  const needed = Object.values(flags).filter(({ required }) => required)
  const values = needed.map(({ name, helpValue = 'VALUE' }) => `--${name} ${helpValue}`)
  return ['$ promo', typed(id), ...Object.values(args).map(argumentWords), ...values, '[flags]'].join(' ')
}

function wrappedUsage(usage: string, { width }: PageStyle): string[] {
  const [first = '', ...more] = wrapped(usage, width - margin)
  return more.length === 0
    ? [first]
    : [first, ...wrapped(more.join(' '), width - 2 * margin).map((line) => `  ${line}`)]
}

function shownExamples(examples: readonly string[]): string[] {
  return examples.flatMap((example, at) => [...(at === 0 ? [] : ['']), `$ ${example}`])
}

function argumentWords({ name, multiple, required }: ManifestArgument): string {
  const word = `${name.toUpperCase()}${multiple ? '...' : ''}`
  return required ? word : `[${word}]`
}

function argumentRow(argument: ManifestArgument): TextRow {
  const { description = '', options } = argument
  const choices = options === undefined ? '' : `(${options.join('|')}) `
  return { name: argumentWords(argument), text: choices + description }
}

function flagSections({ flags }: ManifestCommand, style: PageStyle): (string | undefined)[] {
  const shown = Object.values(flags)
    .filter(({ hidden }) => !hidden)
    .toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1))
  const names = [...new Set(shown.map(({ helpGroup = '' }) => helpGroup))]
  const groups = [
    ...names.filter((name) => name === ''),
    ...names.filter((name) => name !== '' && !generalGroups.includes(name)),
    ...names.filter((name) => generalGroups.includes(name)),
  ]
  return groups.map((group) => {
    const members = shown.filter(({ helpGroup = '' }) => helpGroup === group)
    const isShort = members.some(({ char }) => char !== undefined)
    const rows = members.map((flag) => flagRow(flag, isShort, style))
    return list(`${group.toUpperCase()} FLAGS`.trim(), rows, style)
  })
}

/** Flags with a short form first, each kind by name. */
function rankOf({ name, char }: ManifestFlag): string {
  return char === undefined ? `1${name}` : `0${char}${name}`
}

function flagRow(flag: ManifestFlag, isShort: boolean, { underline }: PageStyle): TextRow {
  const { name, char, allowNo, type, required, options, helpValue, description = '' } = flag
  const room = isShort ? '    ' : ''
  const label = `${char === undefined ? room : `-${char}, `}--${allowNo ? '[no-]' : ''}${name}`
  const text = [
    required ? '(required) ' : '',
    type === 'boolean' || !flag.default ? '' : `[default: ${String(flag.default as string | number)}] `,
    description,
    options === undefined || helpValue !== undefined ? '' : `\n<options: ${options.join('|')}>`,
  ].join('')
  if (type === 'boolean') return { name: label, text }
  const value = `${helpValue ?? (options === undefined ? '<value>' : '<option>')}${flag.multiple ? '...' : ''}`
  // Alternatives are words to choose from, not the name of a value.
  const shown = value.includes('|') ? value : underline(value)
  return { name: `${label}=${value}`, shown: `${label}=${shown}`, text }
}

/** The words of a command, as they are typed. */
function typed(id: string): string {
  return id.replaceAll(':', ' ')
}
