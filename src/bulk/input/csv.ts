// Rows of a CSV file with a header line. Source: RFC 4180; docs/reliability.md#csv.
import type { CsvError, Options } from 'csv-parse/sync'
import { type CsvBlock, csvBlocks } from './csv-blocks.ts'
import { headed } from './csv-delimiter.ts'
import { inputError } from './input-error.ts'
import { findKey } from './key-column.ts'
import type { BadRow, Row } from './row.ts'
import { type InputForm, rowsFromTable, rulesOf, type TableOptions } from './table.ts'

export interface CsvOptions extends TableOptions {
  /** One ASCII character; absent: found in the header. */
  delimiter?: string
}

/**
 * Reads the rows of a CSV text in their order, every value exactly as written.
 *
 * A row that breaks a rule is yielded as a `BadRow` and the reading continues after it, unless it is `final`. Blank lines
 * are skipped. Throws as `rowsFromTable`.
 */
export async function* rowsFromCsv(
  text: AsyncIterable<Buffer>,
  options: CsvOptions,
): AsyncGenerator<Row | BadRow, void, undefined> {
  const rules = await rulesOf(options)
  const headings = options.headings ?? [[options.column]]
  const isKey = (name: string) =>
    name === options.orColumn || rules.names.has(name) || findKey([name], headings) !== undefined
  const { pieces, delimiter, crlf } = await headed(text, isKey, options.delimiter)
  const form = { delimiter, crlf }
  yield* rowsFromTable(recordsIn(pieces, form, options), rules, options, form)
}

async function* recordsIn(
  pieces: AsyncIterable<Buffer>,
  { delimiter }: InputForm,
  options: CsvOptions,
): AsyncGenerator<Iterable<CsvRecord | BadRow>> {
  const { parse } = await import('csv-parse/sync')
  const parserOptions: Options = {
    delimiter,
    // Set, because the parser would settle on the ending of the first line and treat the others as data.
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    // The number of fields is checked later, where the row's own line is known.
    relax_column_count: true,
    ...(options.noQuotes && { quote: null }),
  }
  let isFirst = true
  for await (const block of csvBlocks(pieces, delimiter.charCodeAt(0), options)) {
    if (isFirst) mustNotBeJson(block, options.name)
    isFirst = false
    yield recordsOf(block, (bytes) => parse(bytes, parserOptions))
    if (block.problem) yield [block.problem]
  }
}

/** Returns whether a text begins as JSON of rows does, and no CSV. */
export function beginsJson(head: string): boolean {
  return /^\s*(\[\s*)?\{\s*"/.test(head) || /^\s*\[\s*[["]/.test(head)
}

/** Checked here, because the parser would only report the quotes. */
function mustNotBeJson(block: CsvBlock, name: string): void {
  if (beginsJson(block.bytes.toString('utf8', 0, 200)))
    throw inputError(`${name} is JSON, not CSV`, '--input-format json, or jsonl with one object a line')
}

interface CsvRecord {
  line: number
  values: string[]
}

function* recordsOf(block: CsvBlock, parse: (bytes: Buffer) => string[][]): Generator<CsvRecord | BadRow> {
  let done = 0
  while (done < block.lines.length) {
    const { records, error } = parsedUntilError(block, done, parse)
    for (const values of records) yield { line: block.lines[done++] as number, values }
    if (error) yield misquoted(block.lines[done++] as number, error)
  }
}

/** The parser returns nothing when one record is wrong, so the good ones before it are parsed again. */
function parsedUntilError(
  block: CsvBlock,
  first: number,
  parse: (bytes: Buffer) => string[][],
): { records: string[][]; error?: CsvError } {
  const start = block.offsets[first]
  try {
    return { records: parse(block.bytes.subarray(start)) }
  } catch (thrown) {
    const error = thrown as CsvError
    if (typeof error.records !== 'number') throw thrown
    const end = block.offsets[first + error.records]
    return { records: error.records === 0 ? [] : parse(block.bytes.subarray(start, end)), error }
  }
}

function misquoted(line: number, error: CsvError): BadRow {
  const column = Number(error.column) + 1
  const what =
    error.code === 'CSV_INVALID_CLOSING_QUOTE'
      ? 'there is text between a closing quote and the end of the field'
      : 'there is a quote inside a field that is not quoted'
  const message = `line ${line}, column ${column}: ${what}; quote the whole field and double the quotes in it`
  const remedy = 'correct the quotes, or add --no-quotes where the table has no quoting'
  return { line, column, rule: 'quote', message, remedy }
}
