// The CSV file of an import, as the service takes it. Source: docs/service/async-actions.md#csv-imports.
import { Readable } from 'node:stream'
import type { Options } from 'csv-parse/sync'
import { counted } from '../../../base/grouped.ts'
import { listed } from '../../../base/listed.ts'
import { ownValue } from '../../../base/record.ts'
import { keptColumns } from '../../../bulk/input/columns.ts'
import { headed } from '../../../bulk/input/csv-delimiter.ts'
import { excerpt, inputError } from '../../../bulk/input/input-error.ts'
import { sourceName } from '../../../bulk/input/source.ts'
import type { csvFileFlags } from '../../flags/flags.ts'
import type { ValuesOf } from '../../flags/kinds.ts'
import { fileLimitBytes, inputText } from '../../request/input-text.ts'
import { mappedNames } from '../../request/row-columns.ts'
import { messagesTo } from '../../result/messages.ts'
import type { Host } from '../../run/host.ts'

/** A file to import. */
export interface CsvFile {
  content: string
  /** Lines behind the header that are not blank: `3 rows`. */
  rows: string
}

/** What the service reads of a file, and what to do with one that has another header. Columns are known whatever their case. */
export interface NeededHeader {
  column: string
  /** All that it knows. */
  known: readonly string[]
  otherwise?: string
}

/** How the file is read, as flags. */
type FileFlags = ValuesOf<typeof csvFileFlags> & { quiet?: boolean }

/**
 * Reads a CSV file; `-` is stdin. The service checks cells and all other columns. It takes commas and the names of its own columns:
 * a file with other delimiters, names or columns is written again, value by value, before it is sent.
 *
 * Throws `input` (exit 2) for stdin that is a terminal, for a file that is missing, empty, too long, or not UTF-8, and for one
 * whose header lacks the column that is needed.
 */
export async function csvFrom(path: string, flags: FileFlags, host: Host, needed: NeededHeader): Promise<CsvFile> {
  const name = sourceName(path)
  const rules = { names: mappedNames(flags.map), ignored: new Set(flags['ignore-columns']), leavesOut: () => false }
  const text = await inputText(path, host, fileLimitBytes, { ...(flags.encoding && { encoding: flags.encoding }) })
  const count = recordsIn(text) - 1
  if (count < 1) throw inputError(`${name} has no rows`, 'the first line is the header, and the rows follow it')
  const isNeeded = (title: string) => isOneOf([needed.column], rules.names.get(title.trim()) ?? title)
  const bytes = Readable.from([Buffer.from(text)])
  const { delimiter, pieces } = await headed(bytes, isNeeded, flags.delimiter?.replace('\\t', '\t'))
  const isAsNeeded = delimiter === ',' && rules.names.size === 0 && rules.ignored.size === 0
  // What is sent as it is, the service reads.
  const [titles = [], ...rows] = await recordsOf(await textOf(pieces), name, {
    delimiter,
    ...(isAsNeeded && { to: 1 }),
  })
  const kept = keptColumns(titles, rules, name).filter(
    ({ name }) => !rules.ignored.has('others') || isOneOf(needed.known, name),
  )
  if (!kept.some(({ name }) => isOneOf([needed.column], name))) throw missingColumn(name, titles, needed)
  if (isAsNeeded) return { content: text, rows: counted(count, 'row') }
  if (delimiter !== ',')
    messagesTo(host, flags).say(`${name} has ${excerpt(delimiter)} between its fields; commas are sent`)
  const records = [kept.map(({ name }) => name), ...rows.map((values) => kept.map(({ at }) => values[at] ?? ''))]
  const content = records.map((values) => `${values.map(quoted).join(',')}\n`).join('')
  return { content, rows: counted(rows.length, 'row') }
}

function isOneOf(columns: readonly string[], title: string): boolean {
  return columns.some((column) => column.toLowerCase() === title.trim().toLowerCase())
}

function missingColumn(name: string, titles: readonly string[], { column, otherwise }: NeededHeader): Error {
  const found = listed(titles.map(excerpt))
  return inputError(
    `${name} has no column ${excerpt(column)}; its first line names ${found}`,
    otherwise ?? `--map NAME=${column}, with one of the names above`,
  )
}

async function textOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  const { buffer } = await import('node:stream/consumers')
  return (await buffer(pieces)).toString('utf8')
}

/** What the parser found, in words. */
const faults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'opens a quote that is never closed',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'has more or fewer fields than the header',
}

/** Throws `input` for a quote that is not closed, and for a row with more or fewer fields than the header: the service refuses it. */
async function recordsOf(text: string, name: string, options: Options): Promise<string[][]> {
  const { parse } = await import('csv-parse/sync')
  try {
    return parse(text, { ...options, bom: true, record_delimiter: ['\r\n', '\n'], skip_empty_lines: true })
  } catch (error) {
    const { code, lines } = error as { code: string; lines?: number }
    const what = ownValue(faults, code) ?? 'has a quote that is wrong'
    throw inputError(
      `line ${lines} of ${name} ${what}; nothing was sent`,
      'correct that line, or name the character between its fields with --delimiter',
    )
  }
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** Lines that are not blank; a line break inside quotes is no end of a line. */
function recordsIn(content: string): number {
  let count = 0
  let isQuoted = false
  for (const line of content.split('\n')) {
    if (!isQuoted && line.trim() !== '') count += 1
    if ((line.split('"').length - 1) % 2 === 1) isQuoted = !isQuoted
  }
  return count
}
