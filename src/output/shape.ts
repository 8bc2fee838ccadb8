// The form in which a result is written, and where it goes.
import type { CsvForm } from '../base/csv-form.ts'

/** The forms a result can be written in. Source: docs/command-line.md#formats. */
export const formats = ['table', 'json', 'jsonl', 'csv', 'xlsx', 'yaml', 'text'] as const

export type Format = (typeof formats)[number]

/** Returns whether a format has columns; the others are the service's own objects. */
export function hasColumns(format: Format): boolean {
  return format === 'table' || format === 'csv' || format === 'xlsx'
}

/** What may be written between the cells of CSV. */
export const csvDelimiters = [',', ';', 'tab'] as const

/** What the output flags request. */
export interface Shape {
  /** The words of the command whose result it is, such as `vouchers list`. */
  command?: string
  /** The columns of all results of that command: of one row it may show others than of many. */
  allColumns?: () => Promise<readonly string[]>
  /** The words that were typed after them. */
  typed?: readonly string[]
  format: Format
  /** Dotted wire paths, in the requested order; only tables, CSV and workbooks have columns. */
  columns?: readonly string[]
  /** A JMESPath expression: over the whole result, or over each object with `jsonl`. */
  query?: string
  /** False leaves out the header line, or the names before the values of a single object. */
  header: boolean
  /** How CSV is written down; absent: for programs (base/csv-form.ts). A terminal is written no mark and only UTF-8. */
  csvForm?: CsvForm
  /** True neutralises every cell of CSV that a spreadsheet would run, identifiers and original columns too. */
  isForSpreadsheet?: boolean
  /** True writes CSV cells unchanged: nothing neutralised, nothing escaped. */
  csvRaw: boolean
  /** The file to write instead of stdout; `-` is stdout. */
  out?: string
  /** The IANA name of the zone in which a table and a workbook show times; read only when one is shown, so it may be a getter. */
  readonly timeZone: string
}

/** A stream of the process, or a test's replacement for it. */
export type OutputStream = NodeJS.WritableStream & {
  isTTY?: boolean
  columns?: number
  rows?: number
  /** Removes the secrets of the run from a message; absent until they are read. */
  hide?: (text: string) => string
}

/** Where a result goes. */
export interface Sink {
  stdout: OutputStream
  stderr: OutputStream
  /** Adds to the commands that a notice names where this one went. */
  asTyped?: (text: string) => string
  /** Whether a table may be coloured; no other format ever is. */
  color: boolean
  /** Whether notices are silenced. */
  quiet?: boolean
  /** Aborted when the command must end; the writer then rejects at once with its reason. */
  signal?: AbortSignal
}
