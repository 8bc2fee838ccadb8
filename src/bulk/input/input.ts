// Rows from a file or a pipe, in any format: checked one by one, in their order, in bounded memory.
import { extname } from 'node:path'
import { ownValue } from '../../base/record.ts'
import { usageError } from '../../errors.ts'
import type { CellOptions } from './cells.ts'
import type { RowOptions } from './columns.ts'
import { beginsJson, rowsFromCsv } from './csv.ts'
import { readUntil } from './csv-delimiter.ts'
import type { EncodingOptions } from './encoding.ts'
import { rowsFromJsonLines } from './json-lines.ts'
import { rowsFromJson } from './json-objects.ts'
import { findKey } from './key-column.ts'
import { rowsFromLines } from './key-lines.ts'
import { plainText } from './plain-text.ts'
import type { BadRow, Row } from './row.ts'
import { rowFormats } from './row-file.ts'
import { readSource, type Source, sourceName } from './source.ts'
import type { InputLayout } from './table.ts'

export type InputFormat = 'csv' | 'json' | 'jsonl' | 'lines' | 'xlsx'

export interface InputOptions extends Source, EncodingOptions, CellOptions, Omit<RowOptions, 'name'> {
  /** The value of `--input-format`; by default the extension decides, and for CSV and text the first line. */
  format?: InputFormat
  /** Whether the user named the column, instead of the command's default. */
  columnGiven: boolean
  /** One ASCII character, or `\t` written out; by default found in the header. Only for CSV. */
  delimiter?: string
  /** The sheet that is read; by default the first with rows. Only for a workbook. */
  sheet?: string
  /** Returns the zone of the times in a workbook that do not say theirs. */
  timeZone?: () => Promise<string>
  /** Receives the columns, where all rows have the same. */
  onLayout?: (layout: InputLayout) => void
}

/**
 * Reads the rows of a file or of standard input, in their order.
 *
 * A row that breaks a rule is yielded as a `BadRow`. An input that cannot be used at all throws `input` (exit 2): no file,
 * no text, no header, changed while it was read. Options that contradict each other throw `usage`.
 */
export async function* readRows(given: InputOptions): AsyncGenerator<Row | BadRow, void, undefined> {
  const said = new Set<string>()
  const noteAssumption = (sentence: string) => {
    if (!said.has(sentence)) given.assumed?.(sentence)
    said.add(sentence)
  }
  const options = { ...given, assumed: noteAssumption }
  const { column, onLayout } = options
  const name = sourceName(options.from)
  const delimiter = delimiterFrom(options)
  let format = options.format ?? formatOf(options.from)
  if (format === 'xlsx') {
    const contradiction = contradictionIn(options, format)
    if (contradiction !== undefined) throw contradiction
    const { rowsFromWorkbook } = await import('./workbook/workbook.ts')
    yield* rowsFromWorkbook(readSource(options), { ...options, name })
    return
  }
  const source = plainText(readSource(options), name, options)
  let text: AsyncIterable<Buffer> = source
  if (options.format === undefined && (format === 'lines' || format === 'csv')) {
    const { pieces, head } = await readUntil(source, (head) => /\S[^\n]*\n/.test(head.toString()))
    text = pieces
    const [, line = ''] = /^(?:\s*\n)?([^\n]*)/.exec(head.toString()) ?? []
    if (beginsJson(line) || (format === 'csv' && /^[[{]\s*$/.test(line))) {
      format = /^\s*\{.*\}\s*$/.test(line) ? 'jsonl' : 'json'
      // Whoever pipes one command into another knows what it is; a file may have got the wrong name.
      if (options.from !== '-') options.assumed(`${name} is read as JSON, because it begins as JSON does`)
    } else if (
      format === 'lines' &&
      (line.includes('\t') || findKey([line], options.headings ?? [[column]]) !== undefined)
    ) {
      // ASSUMED A1231: a text file that begins with tabs or with the name of the key is a table that a spreadsheet saved.
      format = 'csv'
      options.assumed(`${name} is read as CSV, because its first line is a header`)
    }
  }
  const contradiction = contradictionIn(options, format)
  if (contradiction !== undefined) {
    // Reading may have begun.
    await source.return(undefined)
    throw contradiction
  }
  const { delimiter: _, ...rest } = options
  if (format === 'jsonl') yield* rowsFromJsonLines(text, { ...rest, name })
  else if (format === 'json') yield* rowsFromJson(text, { ...rest, name })
  else if (format === 'lines') {
    onLayout?.({ columns: [column] })
    yield* rowsFromLines(text, { ...rest, name })
  } else yield* rowsFromCsv(text, { ...rest, name, ...(delimiter !== undefined && { delimiter }) })
}

function formatOf(from: string): InputFormat {
  return ownValue<InputFormat>(rowFormats, extname(from).toLowerCase()) ?? 'csv'
}

function contradictionIn(options: InputOptions, format: InputFormat): Error | undefined {
  const { delimiter, noQuotes, columnGiven, encoding, sheet } = options
  if (sheet !== undefined && format !== 'xlsx')
    return usageError('--sheet is for workbooks only', '--input-format xlsx')
  if (encoding !== undefined && format === 'xlsx')
    return usageError('--encoding is for texts only; a workbook says what its characters are', 'leave out --encoding')
  if (delimiter !== undefined && format !== 'csv')
    return usageError('--delimiter is for CSV only', '--input-format csv')
  if (noQuotes && format !== 'csv') return usageError('--no-quotes is for CSV only', '--input-format csv')
  return format === 'lines' && columnGiven
    ? usageError('--column names a column of CSV or a member of JSON; lines have neither', 'leave out --column')
    : undefined
}

function delimiterFrom({ delimiter }: InputOptions): string | undefined {
  if (delimiter === undefined) return undefined
  const character = delimiter === '\\t' ? '\t' : delimiter
  if (/^[\t\x20-\x7e]$/.test(character) && character !== '"') return character
  throw usageError('--delimiter takes one character, for example --delimiter ";"')
}
