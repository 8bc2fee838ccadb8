// CSV for programs and spreadsheets: RFC 4180 quoting, a header of wire paths, one line per object.
import { cellText } from './cell.ts'
import type { Column } from './column.ts'
import { neutralised } from './formula.ts'
import { valueAt } from './path.ts'
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
  const { stringify } = await import('csv-stringify/sync')
  const lines = (records: string[][]) => stringify(records, layoutFor(columns))
  const cell = (value: unknown, column: Column) => {
    const text = cellText(value)
    return raw ? text : neutralised(sanitize(text, { lines: true }), value, column)
  }
  // The header waits for the first batch, so that a listing refused at once leaves stdout empty.
  let head = header
    ? [columns.map(({ name }) => (raw ? name : neutralised(sanitize(name), name, { name, kind: 'text' })))]
    : []
  for await (const batch of batches) {
    yield lines([...head, ...batch.map((row) => columns.map((column) => cell(valueAt(row, column.name), column)))])
    head = []
  }
  if (head.length > 0) yield lines(head)
}

// ASSUMED A-out-1: lines end with LF, where RFC 4180 writes CRLF. Every CSV reader takes it, and `while read code` in a
// shell would otherwise send codes that end with a carriage return.
function layoutFor(columns: readonly Column[]) {
  return {
    record_delimiter: '\n',
    quote_record_delimiter: true,
    // Where a list is separated by semicolons, Excel cuts there and would run what follows; a leading byte order mark
    // would be taken for the file's own.
    quoted_match: /[;\t\ufeff]/,
    // The line of a single empty cell would be a blank line, which readers skip.
    quoted_empty: columns.length === 1,
  }
}
