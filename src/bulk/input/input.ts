// Rows from a file or a pipe, in any format: checked one by one, in their order, in bounded memory.
import { extname } from 'node:path'
import { usageError } from '../../errors.ts'
import { rowsFromCsv } from './csv.ts'
import { rowsFromJsonLines } from './json-lines.ts'
import { rowsFromJson } from './json-objects.ts'
import { rowsFromLines } from './key-lines.ts'
import { plainText } from './plain-text.ts'
import type { BadRow, CheckKey, Row } from './row.ts'
import { readSource, type Source, sourceName } from './source.ts'

export type InputFormat = 'csv' | 'json' | 'jsonl' | 'lines'

export interface InputOptions extends Source {
  /** The value of `--input-format`; by default the extension decides. */
  format?: InputFormat
  /** The column or member that holds the key. */
  column: string
  /** The column or member that holds it where that one is missing or empty. */
  orColumn?: string | undefined
  /** Whether the user named the column, instead of the command's default. */
  columnGiven: boolean
  /** One ASCII character, or `\t` written out; by default a comma. Only for CSV. */
  delimiter?: string
  checkKey: CheckKey
  /** Receives the names of the columns, where all rows have the same. */
  columnsHeard?: (names: readonly string[]) => void
}

/**
 * Reads the rows of a file or of standard input, in their order.
 *
 * A row that breaks a rule is yielded as a `BadRow`. An input that cannot be used at all throws `input` (exit 2): no file,
 * no text, no header, changed while it was read. Options that contradict each other throw `usage`.
 */
export async function* readRows(options: InputOptions): AsyncGenerator<Row | BadRow, void, undefined> {
  const format = options.format ?? formatOf(options.from)
  const delimiter = delimiterFrom(options, format)
  if (format === 'lines' && options.columnGiven) {
    throw usageError('--column names a column of CSV or a member of JSON; lines have neither', 'leave out --column')
  }
  const { column, orColumn, checkKey, columnsHeard } = options
  const name = sourceName(options.from)
  const text = plainText(readSource(options), name)
  if (format === 'jsonl') yield* rowsFromJsonLines(text, { name, column, orColumn, checkKey })
  else if (format === 'json') yield* rowsFromJson(text, { name, column, orColumn, checkKey })
  else if (format === 'lines') {
    columnsHeard?.([column])
    yield* rowsFromLines(text, { name, column, checkKey })
  } else
    yield* rowsFromCsv(text, { name, column, orColumn, checkKey, delimiter, ...(columnsHeard && { columnsHeard }) })
}

function formatOf(from: string): InputFormat {
  const byExtension: Record<string, InputFormat> = {
    '.json': 'json',
    '.jsonl': 'jsonl',
    '.ndjson': 'jsonl',
    '.txt': 'lines',
  }
  return byExtension[extname(from).toLowerCase()] ?? 'csv'
}

function delimiterFrom({ delimiter }: InputOptions, format: InputFormat): string {
  if (delimiter === undefined) return ','
  if (format !== 'csv') throw usageError('--delimiter is for CSV only', '--input-format csv')
  const character = delimiter === '\\t' ? '\t' : delimiter
  if (/^[\t\x20-\x7e]$/.test(character) && character !== '"') return character
  throw usageError('--delimiter takes one character, for example --delimiter ";"')
}
