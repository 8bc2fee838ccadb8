// The help of one command: the whole page for --help, and one screen for -h.
import { ownValue } from '../../base/record.ts'
import { wrapText } from '../../base/text/wrapped.ts'
import { align, type TextRow } from './layout.ts'
import type { ManifestArgument, ManifestCommand, ManifestFlag } from './manifest.ts'
import { commandWords, list, margin, type Page, type PageStyle, pageText, section, sentence } from './page.ts'
import type { ColumnFact } from './row-facts.ts'

/** The groups of flags that several commands have, in the order of a page, each with what it is about. */
export const sharedGroups: Readonly<Record<string, string>> = {
  BODY: 'body',
  FILTER: 'filters',
  BULK: 'rows and pace',
  FILE: 'input file',
  SERVICE: 'connection',
  OUTPUT: 'output',
  GLOBAL: 'messages',
}

/** Groups that most commands have: those specific to a command come before them. */
const generalGroups = ['SERVICE', 'OUTPUT', 'GLOBAL']

/** The places of flags: those of shared groups that are shown nevertheless are among them. */
const places: Readonly<Record<string, number>> = { from: 1, except: 1, expect: 3, 'prove-change': 3, profile: 4 }
const nowhere = 9

/** The most lines of a short page, so that it fits on a screen. */
const mostLines = 40

/** Returns the whole page of a command. Usage and examples come first, for users in a hurry. */
export function commandPage(command: ManifestCommand, style: PageStyle, columns: readonly ColumnFact[] = []): Page {
  const { summary, description, examples, args, aliases } = command
  return [
    sentence(summary, style),
    section('USAGE', usageLines(command, style), style),
    description && section('DESCRIPTION', wrapText(description, style.width - margin), style),
    section('EXAMPLES', shownExamples(examples), style),
    list('ARGUMENTS', Object.values(args).map(argumentRow), style),
    list('COLUMNS OF A FILE', columns.map(columnRow), style),
    ...flagSections(command, style),
    aliases.length === 0
      ? undefined
      : section(
          'ALIASES',
          aliases.map((alias) => `$ promo ${commandWords(alias)}`),
          style,
        ),
  ]
}

/** Returns the short page of a command: its own flags, two examples, and where the rest is. */
export function shortPage(command: ManifestCommand, style: PageStyle): Page {
  const { summary, args } = command
  const flags = ownFlags(command)
  const width = style.width - margin
  const pageWith = (described: number): Page => [
    sentence(summary, style),
    section('USAGE', usageLines(command, style, fromWords(command)), style),
    section(
      'EXAMPLES',
      shortestExamples(command, width).map((example) => `$ ${example}`),
      style,
    ),
    list('ARGUMENTS', Object.values(args).map(argumentRow), style),
    flags.length === 0 ? undefined : section('FLAGS', briefFlags(flags, described, style), style),
    list('MORE', moreRows(command), style),
  ]
  // The flags that were declared last are only named where there are too many.
  for (let described = flags.length; ; described--) {
    const page = pageWith(described)
    if (described === 0 || screenLines(pageText(page), style.width) <= mostLines) return page
  }
}

/** Returns the flags that are a command's own, the required ones first; the profile, which decides where calls are sent, is last. */
function ownFlags({ flags }: ManifestCommand): ManifestFlag[] {
  const shown = Object.values(flags).filter(({ hidden }) => !hidden)
  const placeOf = ({ name, required, helpGroup = '' }: ManifestFlag) =>
    required ? 0 : (ownValue(places, name) ?? (helpGroup in sharedGroups ? nowhere : 2))
  return shown.filter((flag) => placeOf(flag) !== nowhere).toSorted((one, other) => placeOf(one) - placeOf(other))
}

function briefFlags(flags: readonly ManifestFlag[], described: number, style: PageStyle): string[] {
  const width = style.width - margin
  const isShort = flags.some(({ char }) => char !== undefined)
  const rows = flags.slice(0, described).map((flag) => flagRow(flag, isShort, style))
  const names = flags.slice(described).map(({ name }) => `--${name}`)
  return [
    ...(rows.length === 0 ? [] : align(inBrief(rows, width), width)),
    ...(names.length === 0 ? [] : wrapText(`and ${names.join(', ')}`, width)),
  ]
}

/** Cuts each text that does not fit beside its name after the last clause that does. */
function inBrief(rows: readonly TextRow[], width: number): TextRow[] {
  const room = width - Math.max(...rows.map(({ name }) => name.length)) - 2
  return rows.map((row) => ({ ...row, text: inOneLine(row.text, room) }))
}

function inOneLine(text: string, room: number): string {
  const line = text.replace('\n', ' ')
  if (line.length <= room) return line
  const [words = ''] = text.split('\n')
  // A comma ends a clause where no list goes on after it.
  const ends = `${words};`.matchAll(/[;.](?= |$)| \(|,(?! (?:[^,;]+, )*[^,;]*\b(?:and|or)\b)/g)
  const clauses = [...ends].map(({ index }) => words.slice(0, index))
  return clauses.findLast((clause) => clause.length <= room && isClosed(clause)) ?? words
}

/** Says whether every bracket of a text is closed in it. */
function isClosed(text: string): boolean {
  return text.replaceAll(/[^([]/g, '').length === text.replaceAll(/[^)\]]/g, '').length
}

/** Two examples, of those that fit on a line where there are any. */
function shortestExamples({ examples }: ManifestCommand, width: number): string[] {
  const fitting = examples.filter((example) => example.length + 2 <= width)
  return [...new Set([...fitting, ...examples.toSorted((one, other) => one.length - other.length)])].slice(0, 2)
}

function moreRows({ id, flags }: ManifestCommand): TextRow[] {
  const shown = Object.values(flags).filter(({ hidden }) => !hidden)
  const groups = Object.entries(sharedGroups).filter(([group]) => shown.some(({ helpGroup }) => helpGroup === group))
  const topic = commandWords(id).split(' ').slice(0, -1).join(' ')
  return [
    { name: '--help', text: `all ${shown.length} flags: ${groups.map(([, words]) => words).join(', ')}` },
    { name: 'promo help flags', text: 'what the flags mean that commands share' },
    ...(topic === '' ? [] : [{ name: `promo help ${topic}`, text: `the other commands of ${topic}` }]),
  ]
}

/** How many lines of a screen a text takes: an example may be longer than a line. */
function screenLines(text: string, width: number): number {
  const lines = text.trimEnd().split('\n')
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0)
}

// All flags would take nine lines, before any of them is described.
function usageLines(
  { id, args, flags }: ManifestCommand,
  { width }: PageStyle,
  ways: readonly string[] = [],
): string[] {
  const needed = Object.values(flags).filter(({ required }) => required)
  const values = needed.map(({ name, helpValue = 'VALUE' }) => `--${name} ${helpValue}`)
  const usage = ['$ promo', commandWords(id), ...Object.values(args).map(argumentWords), ...ways, ...values, '[flags]']
  const [first = '', ...more] = wrapText(usage.join(' '), width - margin)
  return more.length === 0
    ? [first]
    : [first, ...wrapText(more.join(' '), width - 2 * margin).map((line) => `  ${line}`)]
}

function fromWords({ flags: { from, except } }: ManifestCommand): string[] {
  const filters = except === undefined ? '' : ' | --FILTER…'
  return from === undefined || from.required ? [] : [`[--from ${from.helpValue}${filters}]`]
}

function shownExamples(examples: readonly string[]): string[] {
  return examples.flatMap((example, at) => [...(at === 0 ? [] : ['']), `$ ${example}`])
}

function argumentWords({ name, multiple, required }: ManifestArgument): string {
  const word = `${name.toUpperCase()}${multiple ? '...' : ''}`
  return required ? word : `[${word}]`
}

function columnRow({ name, takes, also = [] }: ColumnFact): TextRow {
  return { name, text: also.length === 0 ? takes : `${takes}; also ${also.join(', ')}` }
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

/** Longer alternatives follow the text of a flag. */
const longestChoices = 24

/** Returns the row of a flag; `isShort` leaves room for short forms. */
export function flagRow(flag: ManifestFlag, isShort: boolean, { underline }: Pick<PageStyle, 'underline'>): TextRow {
  const { name, char, allowNo, type, required, options, helpValue, description = '' } = flag
  const room = isShort ? '    ' : ''
  const label = `${char === undefined ? room : `-${char}, `}--${allowNo ? '[no-]' : ''}${name}`
  const choices = options?.join('|') ?? ''
  const isListed = options !== undefined && helpValue === undefined && choices.length > longestChoices
  const text = [
    required ? '(required) ' : '',
    type === 'boolean' || !flag.default ? '' : `[default: ${String(flag.default as string | number)}] `,
    description,
    isListed ? `\n<options: ${choices}>` : '',
  ].join('')
  if (type === 'boolean') return { name: label, text }
  const named = options === undefined ? (name.split('-').at(-1) ?? '').toUpperCase() : choices
  const one = helpValue ?? (isListed ? '<option>' : named)
  const value = flag.multiple && !one.endsWith('…') ? `${one}...` : one
  // Alternatives are words to choose from, not the name of a value.
  const shown = value.includes('|') ? value : underline(value)
  return { name: `${label}=${value}`, shown: `${label}=${shown}`, text }
}
