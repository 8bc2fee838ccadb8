// Rows of a CSV file with a header line. Source: RFC 4180; docs/reliability.md#csv.
import type { CsvError, Options } from 'csv-parse/sync'
import { type CsvBlock, csvBlocks } from './csv-blocks.ts'
import { headerFrom } from './csv-header.ts'
import { excerpt } from './excerpt.ts'
import { inputError } from './input-error.ts'
import { isReportColumn } from './report-columns.ts'
import { type BadRow, type CheckKey, checkedRow, type Fields, type Row } from './row.ts'

export interface CsvOptions {
  /** The name of the input in messages. */
  name: string
  /** The column that holds the key. */
  column: string
  /** The column that holds it where that one is missing or empty. */
  orColumn?: string | undefined
  /** One ASCII character. */
  delimiter: string
  checkKey: CheckKey
  /** Receives the names of the columns, in their order, without those that a report added. */
  columnsHeard?: (names: readonly string[]) => void
}

/**
 * Reads the rows of a CSV text in their order, every value exactly as written.
 *
 * A row that breaks a rule is yielded as a `BadRow` and the reading continues after it, unless it is `final`. Blank lines
 * are skipped, and so are the columns that a report of a job added. Throws `input` for a header that cannot be used, and
 * for a text without one.
 */
export async function* rowsFromCsv(
  pieces: AsyncIterable<Buffer>,
  options: CsvOptions,
): AsyncGenerator<Row | BadRow, void, undefined> {
  const { parse } = await import('csv-parse/sync')
  const parserOptions: Options = {
    delimiter: options.delimiter,
    // Set, because the parser would settle on the ending of the first line and treat the others as data.
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    // The number of fields is checked below, where the row's own line is known.
    relax_column_count: true,
  }
  let header: Header | undefined

  for await (const block of csvBlocks(pieces, options.delimiter.charCodeAt(0))) {
    if (!header) mustNotBeJson(block, options.name)
    for (const record of recordsOf(block, (bytes) => parse(bytes, parserOptions))) {
      if (header) yield 'rule' in record ? record : rowFrom(record, header, options)
      else if ('rule' in record) {
        yield { ...record, final: true }
        return
      } else {
        header = headerOf(await headerFrom(record.values, options), options)
        options.columnsHeard?.(header.columns.map(({ name }) => name))
      }
    }
    if (block.problem) {
      yield block.problem
      return
    }
  }
  if (!header) throw inputError(`${options.name} has only blank lines`)
}

/** The columns whose values are kept, each with its index in a record, and how many fields a record has. */
interface Header {
  columns: { name: string; at: number }[]
  length: number
  /** Where the key is: in the first of these that is not empty. */
  keysAt: number[]
}

function headerOf(names: readonly string[], { column, orColumn }: Pick<CsvOptions, 'column' | 'orColumn'>): Header {
  const places = [column, orColumn].map((name) => (name === undefined ? -1 : names.indexOf(name)))
  const columns = names.map((name, at) => ({ name, at }))
  return {
    columns: columns.filter(({ name }) => name === column || !isReportColumn(name)),
    length: names.length,
    keysAt: places.filter((at) => at !== -1),
  }
}

/** Checked here, because the parser would only report the quotes. */
function mustNotBeJson(block: CsvBlock, name: string): void {
  const head = block.bytes.toString('utf8', 0, 200)
  if (/^\s*(\[\s*)?\{\s*"/.test(head) || /^\s*\[\s*[["]/.test(head))
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
  return { line, column, rule: 'quote', message }
}

function rowFrom({ line, values }: CsvRecord, header: Header, options: CsvOptions): Row | BadRow {
  if (values.length !== header.length) {
    const message = `line ${line}: has ${counted(values.length)}, the header has ${header.length}: ${excerpt(values.join(options.delimiter))}`
    return { line, rule: 'fields', message }
  }
  const fields: Fields = Object.create(null)
  for (const { name, at } of header.columns) fields[name] = values[at]
  const [first = 0] = header.keysAt
  const keyAt = header.keysAt.find((at) => values[at] !== '') ?? first
  const row = { line, key: values[keyAt] as string, fields }
  const name = header.columns.find(({ at }) => at === keyAt)?.name ?? options.column
  return checkedRow(row, options.checkKey, `line ${line}, column ${keyAt + 1} (${excerpt(name)})`, keyAt + 1)
}

function counted(fields: number): string {
  return fields === 1 ? '1 field' : `${fields} fields`
}
