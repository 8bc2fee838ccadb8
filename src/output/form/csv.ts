// CSV for programs and spreadsheets: RFC 4180 quoting, a header of wire paths, one line per object.

import type { Column } from '../column.ts'
import { readerOf } from '../path-reader.ts'
import { cellText } from './cell.ts'
import { neutralised } from './formula.ts'
import { sanitize } from './sanitize.ts'

export interface CsvLook {
  header: boolean
  /** True writes every text as it is, byte for byte. */
  raw: boolean
}

/**
 * Writes a listing as CSV, one batch at a time. Zero objects give the header line, and without a header nothing.
 *
 * Unless `raw`, control and direction characters are visible escapes (newline and tab stay) and texts that a spreadsheet
 * would run are neutralised; null and absent are both an empty cell.
 */
export async function* csvText(
  batches: AsyncIterable<readonly object[]>,
  columns: readonly Column[],
  { header, raw }: CsvLook,
): AsyncGenerator<string> {
  if (columns.length === 0) return
  const names = columns.map(({ name }) => name)
  const valuesOf = readerOf(names)
  const line = (row: object) => lineOf(valuesOf(row), columns, raw)
  const titles = columns.map(({ name, kind }): Column => ({ name, kind: kind === 'verbatim' ? kind : 'text' }))
  // The header waits for the first batch, so that a listing refused at once leaves stdout empty.
  let head = header ? lineOf(names, titles, raw) : ''
  for await (const batch of batches) {
    yield head + batch.map(line).join('')
    head = ''
  }
  if (head !== '') yield head
}

// ASSUMED A-out-1: lines end with LF, where RFC 4180 writes CRLF. Every CSV reader takes it, and `while read code` in a
// shell would otherwise send codes that end with a carriage return.
function lineOf(values: readonly unknown[], columns: readonly Column[], raw: boolean): string {
  const cells = values.map((value, at) => cellOf(value, columns[at] as Column, raw))
  // The line of a single empty cell would be a blank line, which readers skip.
  return `${columns.length === 1 && cells[0] === '' ? '""' : cells.join(',')}\n`
}

// Nearly every cell. Nothing in it is ever escaped, neutralised or quoted, and asking once is what makes CSV fast.
const plain = /^[0-9A-Za-z_][ !#-+\--:<-~]*$/

function cellOf(value: unknown, column: Column, raw: boolean): string {
  const text = cellText(value)
  if (text === '' || plain.test(text)) return text
  return quoted(raw || column.kind === 'verbatim' ? text : neutralised(sanitize(text, { lines: true }), value, column))
}

// Beside what RFC 4180 quotes: where a list is separated by semicolons or tabs, a spreadsheet cuts there and would run
// what follows; a leading byte order mark would be taken for the file's own.
const special = /[",\r\n;\t\ufeff]/

function quoted(text: string): string {
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
