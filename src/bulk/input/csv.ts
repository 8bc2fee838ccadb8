// Rows of a CSV file with a header line. Source: RFC 4180; docs/reliability.md#csv.
import type { CsvError, Options } from 'csv-parse/sync'
import { type CsvForm, isFromSpreadsheet, withoutApostrophe } from '../../base/csv-form.ts'
import { type ColumnRules, type KeptColumn, keptColumns, type RowOptions } from './columns.ts'
import { type CsvBlock, csvBlocks } from './csv-blocks.ts'
import { headed } from './csv-delimiter.ts'
import { headerFrom, isNameOf } from './csv-header.ts'
import type { FoundEncoding } from './encoding.ts'
import { excerpt, inputError } from './input-error.ts'
import { isReportColumn } from './report-columns.ts'
import { type BadRow, checkedRow, type Fields, listedRow, type Row } from './row.ts'

/** What a report needs to know to be written as the input was. */
export interface InputLayout {
  columns: string[]
  /** The columns as the header writes them, where they are read under other names. */
  titles?: string[]
  /** Absent for an input that is not CSV. */
  form?: InputForm
}

type InputForm = Pick<CsvForm, 'delimiter' | 'crlf'>

export interface CsvOptions extends RowOptions {
  /** A further name under which the key column is found. */
  alsoNamed?: string
  /** One ASCII character; absent: found in the header. */
  delimiter?: string
  /** How the text is encoded, as far as it is read; absent: UTF-8 without a byte order mark. */
  encodedAs?: () => FoundEncoding
  /** Whether a quote is a character like any other. */
  noQuotes?: boolean
  /** Receives the columns in their order, without those that a report added, and how the file is written down. */
  layoutHeard?: (layout: InputLayout) => void
  /** Receives what was assumed about the header, in words. */
  assumed?: (sentence: string) => void
}

/**
 * Reads the rows of a CSV text in their order, every value exactly as written.
 *
 * A row that breaks a rule is yielded as a `BadRow` and the reading continues after it, unless it is `final`. Blank lines
 * and rows of empty cells are skipped, and so are the columns that a report of a job added. In a file that a spreadsheet saved, the apostrophe in
 * front of a formula is no part of the value. Throws `input` for a header that cannot be used, and
 * for a text without one.
 */
export async function* rowsFromCsv(
  text: AsyncIterable<Buffer>,
  options: CsvOptions,
): AsyncGenerator<Row | BadRow, void, undefined> {
  const { parse } = await import('csv-parse/sync')
  const rules = (await options.rules?.()) ?? noRules
  const isKey = (name: string) => name === options.orColumn || rules.names.has(name) || isNameOf(name, options)
  const { pieces, delimiter, crlf } = await headed(text, isKey, options.delimiter)
  const parserOptions: Options = {
    delimiter,
    // Set, because the parser would settle on the ending of the first line and treat the others as data.
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    // The number of fields is checked below, where the row's own line is known.
    relax_column_count: true,
    ...(options.noQuotes && { quote: null }),
  }
  let header: Header | undefined
  let isMarked: boolean | undefined

  for await (const block of csvBlocks(pieces, delimiter.charCodeAt(0), options)) {
    if (!header) mustNotBeJson(block, options.name)
    isMarked ??= isFromSpreadsheet({ mark: false, encoding: 'utf-8', ...options.encodedAs?.(), crlf })
    for (const read of recordsOf(block, (bytes) => parse(bytes, parserOptions))) {
      const record = isMarked && 'values' in read ? { ...read, values: read.values.map(withoutApostrophe) } : read
      if (isBlank(record, options)) continue
      if (header) yield 'rule' in record ? record : rowFrom(record, header, { delimiter, crlf }, options)
      else if ('rule' in record) {
        yield { ...record, final: true }
        return
      } else {
        header = await headerOf(record.values, rules, { ...options, delimiter })
        if (header.isAssumed && !header.listed) {
          const title = excerpt(record.values[header.keysAt[0] ?? 0] ?? '')
          options.assumed?.(`the column ${title} is taken for ${excerpt(options.column)}`)
        }
        const { columns } = header
        options.layoutHeard?.({
          columns: columns.map(({ name }) => name),
          ...(columns.some(({ name, title }) => name !== title) && { titles: columns.map(({ title }) => title) }),
          form: { delimiter, crlf },
        })
      }
    }
    if (block.problem) {
      yield block.problem
      return
    }
  }
  if (!header) throw inputError(`${options.name} has only blank lines`)
}

/** The columns whose values are kept, and how many fields a record has. */
interface Header {
  columns: KeptColumn[]
  length: number
  /** Where in a record the key is: in the first of these that is not empty. */
  keysAt: number[]
  /** The key column has another title than the command calls it. */
  isAssumed: boolean
  /** Reads the rows of a list that promo wrote about something else; the columns that these had. */
  listed?: { read: (values: readonly string[]) => Fields | string | undefined; columns: Set<string> }
  /** The error that there is no key column, for the first row that needs it. */
  missing?: unknown
}

interface FoundKey {
  keysAt: number[]
  isAssumed?: true
  missing?: unknown
}

const noRules: ColumnRules = { names: new Map(), ignored: new Set(), leavesOut: () => false }

/** A key column that was found under another title is called what the command calls it. */
async function headerOf(
  titles: readonly string[],
  rules: ColumnRules,
  options: CsvOptions & { delimiter: string },
): Promise<Header> {
  const kept = keptColumns(titles, rules, options.name)
  const { ofList } = rules
  const isList = ofList !== undefined && kept.some(({ title }) => title === 'object')
  const names = kept.map(({ name }) => name)
  // In a list, each row shows whether the key is missed.
  const found: FoundKey = await headerFrom(names, options).catch((missing: unknown) => {
    if (!isList) throw missing
    return { keysAt: [], missing }
  })
  const { keysAt, isAssumed = false, missing } = found
  const [first] = keysAt
  const named = kept.map((column, at) => (isAssumed && at === first ? { ...column, name: options.column } : column))
  const all = named.map(({ name }) => name)
  const columns = named.filter(
    ({ name }, at) => keysAt.includes(at) || (!isReportColumn(name) && !rules.leavesOut(name, all, 'csv')),
  )
  const at = (title: string) => kept.find((column) => column.title === title)?.at ?? -1
  return {
    columns,
    length: titles.length,
    keysAt: keysAt.flatMap((at) => kept[at]?.at ?? []),
    isAssumed,
    ...(isList && { listed: { read: (values) => ofList((title) => values[at(title)]), columns: new Set<string>() } }),
    ...(missing !== undefined && { missing }),
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

/** Spreadsheets write rows that were emptied as delimiters alone. */
function isBlank(record: CsvRecord | BadRow, { trim = false }: CsvOptions): boolean {
  return !('rule' in record) && record.values.every((value) => (trim ? value.trim() : value) === '')
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

function rowFrom({ line, values }: CsvRecord, header: Header, form: InputForm, options: CsvOptions): Row | BadRow {
  if (values.length !== header.length) {
    const message = `line ${line}: has ${counted(values.length)}, the header has ${header.length}: ${excerpt(values.join(form.delimiter))}`
    return { line, rule: 'fields', message }
  }
  const listed = header.listed?.read(values)
  if (listed !== undefined) {
    if (typeof listed !== 'string') hearColumns(Object.keys(listed), header, form, options)
    return listedRow(line, listed, options)
  }
  if (header.missing !== undefined) throw header.missing
  const fields: Fields = Object.create(null)
  for (const { name, at } of header.columns) fields[name] = values[at]
  const [first = 0] = header.keysAt
  const keyAt = header.keysAt.find((at) => values[at] !== '') ?? first
  const row = { line, key: values[keyAt] as string, fields }
  const name = header.columns.find(({ at }) => at === keyAt)?.name ?? options.column
  return checkedRow(row, options, `line ${line}, column ${keyAt + 1} (${excerpt(name)})`, keyAt + 1)
}

/** A row of a list has the columns that were read of it, and so has the report of its job. */
function hearColumns(names: readonly string[], { listed }: Header, form: InputForm, { layoutHeard }: CsvOptions): void {
  if (listed === undefined || names.every((name) => listed.columns.has(name))) return
  for (const name of names) listed.columns.add(name)
  layoutHeard?.({ columns: [...listed.columns], form })
}

function counted(fields: number): string {
  return fields === 1 ? '1 field' : `${fields} fields`
}
