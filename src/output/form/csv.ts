// CSV for programs and spreadsheets: RFC 4180 quoting, a header of wire paths, one line per object.
// Source: docs/reliability.md#terminal-and-files.
import { type CsvForm, plainCsv } from '../../base/csv-form.ts'
import { isNumber } from '../../base/lossless-json.ts'
import { isFormula, survivesAsNumber, withMark, withoutMark } from '../../base/spreadsheet-shapes.ts'
import { sanitize } from '../../base/text/sanitize.ts'
import { type Column, kindOf } from '../column.ts'
import { valueAt } from '../path.ts'
import { cellText } from './cell.ts'

export interface CsvLook {
  header: boolean
  /** True writes every text as it is, byte for byte; never to a terminal. */
  raw: boolean
  /** True for a terminal, which is never written anything unescaped, line breaks inside a cell included. */
  isTerminal?: boolean
  /** True for a spreadsheet: no cell of any column is left that it would run or change, not even an identifier. */
  isForSpreadsheet?: boolean
  /** Absent: for programs. */
  form?: CsvForm
}

/** How one line of CSV is written. */
export type CsvLineLook = Omit<CsvLook, 'header'>

/**
 * Writes a listing as CSV, one batch at a time. With zero objects it writes the header line, or nothing without a header.
 *
 * Unless `raw`, control and direction characters become visible escapes (newline and tab stay in a pipe) and texts that a
 * spreadsheet would run are neutralised; null and absent values are both empty cells.
 */
export async function* csvText(
  batches: AsyncIterable<readonly object[]>,
  columns: readonly Column[],
  { header, ...look }: CsvLook,
): AsyncGenerator<string> {
  if (columns.length === 0) return
  const names = columns.map(({ name }) => name)
  const valuesOf = readerOf(names)
  const line = (row: object) => csvLine(valuesOf(row), columns, look)
  const titles = columns.map(({ name, kind }): Column => ({ name, kind: kind === 'verbatim' ? kind : 'text' }))
  const mark = look.form?.mark && !look.isTerminal ? '\ufeff' : ''
  // The header is written with the first batch, so that a listing refused at once leaves stdout empty.
  let head = mark + (header ? csvLine(headings(columns), titles, look) : '')
  for await (const batch of batches) {
    yield head + batch.map(line).join('')
    head = ''
  }
  if (head !== '') yield head
}

function headings(columns: readonly Column[]): string[] {
  return columns.map(({ name, title }) => title ?? name)
}

/** Returns one line of CSV, with its end. */
export function csvLine(values: readonly unknown[], columns: readonly Column[], look: CsvLineLook): string {
  const cells = values.map((value, at) => cellOf(value, columns[at] as Column, look))
  // ASSUMED A-out-1: without --excel, lines end with LF, where RFC 4180 writes CRLF. Every CSV reader takes it, and `while read code` in a
  // shell would otherwise send codes that end with a carriage return.
  // The line of a single empty cell would be blank, and readers skip blank lines.
  const { delimiter, crlf } = look.form ?? plainCsv
  const text = columns.length === 1 && cells[0] === '' ? '""' : cells.join(delimiter)
  return `${text}${crlf ? '\r\n' : '\n'}`
}

// Matches nearly every cell. Nothing in it is ever escaped, neutralised or quoted; testing this first makes CSV fast.
const plain = /^[0-9A-Za-z_][ !#-+\--:<-~]*$/

function cellOf(value: unknown, column: Column, look: CsvLineLook): string {
  const { raw, isTerminal = false, isForSpreadsheet = false, form = plainCsv } = look
  const text = cellText(value)
  if (text === '' || (!isForSpreadsheet && plain.test(text) && !text.includes(form.delimiter))) return text
  const shown = isTerminal ? sanitize(text) : text
  if (raw) return quoteCell(shown, form)
  const isVerbatim = column.kind === 'verbatim'
  const readable = isVerbatim ? shown : sanitize(shown, { lines: true })
  if (isForSpreadsheet) return quoteCell(forSpreadsheet(readable, value, column, form), form)
  // What is read again loses the mark of a spreadsheet, so an apostrophe that looks like one is written for two.
  if (isVerbatim) return quoteCell(withoutMark(readable) === readable ? readable : withMark(readable), form)
  return quoteCell(neutralise(readable, value, column), form)
}

// In addition to what RFC 4180 quotes: where lists are separated by semicolons or tabs, a spreadsheet splits there and
// would run what follows; a leading byte order mark would be taken for the file's own.
const special = /[",\r\n;\t\ufeff]/

function quoteCell(text: string, { delimiter }: CsvForm): string {
  return special.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text
}

const plainNumber = /^-?\d+(?:\.\d+)?$/

/**
 * Puts an apostrophe in front of a text that a spreadsheet would run; any other text is returned unchanged.
 *
 * Never changes an identifier, a flag or a number; a text in a column of numbers is a number only if it parses as one.
 */
export function neutralise(text: string, value: unknown, column: Column): string {
  if (isNumber(value) || typeof value === 'boolean') return text
  const kind = kindOf(column)
  if (kind === 'identifier' || (kind === 'number' && plainNumber.test(text))) return text
  return isFormula(text) || withoutMark(text) !== text ? withMark(text) : text
}

/** Marks as a text what a spreadsheet would run or change, whatever its column; a number is one as long as it stays the same. */
function forSpreadsheet(text: string, value: unknown, { kind }: Column, { delimiter }: CsvForm): string {
  if (typeof value === 'boolean') return text
  const isNumeric = isNumber(value) || (kind === 'number' && plainNumber.test(text))
  // Where a comma is not between cells, it is in numbers.
  if (isNumeric) return survivesAsNumber(text, delimiter === ',') ? text : `'${text}`
  return withMark(text)
}

/** A step that several paths share: the positions of the paths that end here, and the next steps of the others. */
interface Step {
  ends: number[]
  next: Map<string, Step>
}

/** Returns a function that reads the values at these paths of an object, each as `valueAt` would. */
export function readerOf(paths: readonly string[]): (object: object) => unknown[] {
  const first: Step = { ends: [], next: new Map() }
  for (const [at, path] of paths.entries()) stepAt(first, path.split('.')).ends.push(at)
  const nothing: unknown[] = paths.map(() => undefined)
  return (object) => {
    const values = [...nothing]
    return collect(object, first, values) ? values : paths.map((path) => valueAt(object, path))
  }
}

function stepAt(first: Step, names: readonly string[]): Step {
  let step = first
  for (const name of names) {
    const next = step.next.get(name) ?? { ends: [], next: new Map() }
    step.next.set(name, next)
    step = next
  }
  return step
}

/** Returns false where a walk by single names may miss what `valueAt` finds: names with dots, members of arrays. */
function collect(object: object, { next }: Step, values: unknown[]): boolean {
  if (Array.isArray(object)) return false
  for (const name of Object.keys(object)) {
    const step = next.get(name)
    if (step === undefined) {
      if (name.includes('.')) return false
      continue
    }
    const value = (object as Record<string, unknown>)[name]
    for (const at of step.ends) values[at] = value
    const leadsOn = step.next.size > 0 && typeof value === 'object' && value !== null
    if (leadsOn && !collect(value, step, values)) return false
  }
  return true
}
