// Reads the records of CSV bytes in one pass. Source: RFC 4180; docs/reliability.md#csv. Own code: the libraries count
// CRLF inside quotes as two lines, and do not continue after a record that they refuse.
import { type BadRow, maxRecordBytes } from './row.ts'

const LF = 0x0a
const CR = 0x0d
const QUOTE = 0x22

export interface CsvRecord {
  /** The physical line on which it begins, counted from 1. */
  line: number
  values: string[]
}

export interface CsvLook {
  /** One ASCII character. */
  delimiter: string
  /** A quote is a character like any other. */
  noQuotes?: boolean | undefined
  /** A field with a misplaced quote is read as it is written; otherwise its record is bad. */
  isLenient?: boolean
}

/**
 * Reads the pieces of a CSV text, some records at a time, in bounded memory. Blank lines are no records.
 *
 * A `final` bad record is the last: after a quote that is never closed, a record longer than 1 MiB, or a lone carriage
 * return outside quotes it is unknown where the next one begins.
 */
export async function* csvRecords(
  pieces: AsyncIterable<Buffer>,
  look: CsvLook,
): AsyncGenerator<(CsvRecord | BadRow)[]> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const read = readRecords(bytes, look, { line })
    yield read.records
    if (read.isOver) return
    rest = bytes.subarray(read.end)
    line = read.line
  }
  yield readRecords(rest, look, { line, isLast: true }).records
}

/** Where a text is read. */
interface Extent {
  /** The physical line of the first byte. */
  line?: number
  /** No bytes follow, so the last record need not have a line end. */
  isLast?: boolean
  /** How many records are read. */
  most?: number
}

/** Reads the complete records of a text, and says where and on which line the next one begins. */
export function readRecords(
  bytes: Buffer,
  { delimiter, noQuotes = false, isLenient = false }: CsvLook,
  { line: firstLine = 1, isLast = false, most = Infinity }: Extent = {},
): { records: (CsvRecord | BadRow)[]; end: number; line: number; isOver?: true } {
  const separator = delimiter.charCodeAt(0)
  const records: (CsvRecord | BadRow)[] = []
  let state: 'start' | 'plain' | 'quoted' | 'closed' | 'return' = 'start'
  let [line, quoteLine] = [firstLine, firstLine]
  // Of the record, then of the field in it.
  let [start, startLine, values, bad] = [0, firstLine, [] as string[], undefined as BadRow | undefined]
  let [fieldStart, isQuoted, isEscaped] = [0, false, false]

  for (let at = 0; at < bytes.length && records.length < most; at++) {
    const byte = bytes[at]
    if (byte === LF) line += 1
    if (at - start > maxRecordBytes) return over(tooLong(startLine, state === 'quoted' ? quoteLine : undefined))
    if (state === 'quoted') {
      if (byte === QUOTE) state = 'closed'
    } else if (byte === LF) {
      endRecord(state === 'return' ? at - 1 : at, at + 1)
      state = 'start'
    } else if (state === 'return') return over({ ...loneReturn(line), final: true })
    else if (byte === CR) state = 'return'
    else if (byte === separator) {
      endField(at)
      fieldStart = at + 1
      state = 'start'
    } else if (byte === QUOTE && !noQuotes && state !== 'plain') {
      // After a closing quote this is the second half of an escaped one: the text continues.
      if (state === 'closed') isEscaped = true
      else quoteLine = line
      isQuoted = true
      state = 'quoted'
    } else {
      if (state === 'closed') misquote('there is text between a closing quote and the end of the field')
      else if (byte === QUOTE && !noQuotes) misquote('there is a quote inside a field that is not quoted')
      state = 'plain'
    }
  }
  if (isLast && start < bytes.length && records.length < most) {
    if (state === 'quoted') return over(unclosedQuote(quoteLine))
    if (state === 'return') return over({ ...loneReturn(line), final: true })
    endRecord(bytes.length, bytes.length)
  }
  return { records, end: start, line: startLine }

  function endField(end: number): void {
    const value = bytes.toString('utf8', isQuoted ? fieldStart + 1 : fieldStart, isQuoted ? end - 1 : end)
    values.push(isQuoted && isEscaped ? value.replaceAll('""', '"') : value)
    isQuoted = false
    isEscaped = false
  }

  function endRecord(end: number, next: number): void {
    if (end > start) {
      endField(end)
      records.push(bad ?? { line: startLine, values })
    }
    ;[start, startLine, fieldStart] = [next, line, next]
    values = []
    bad = undefined
  }

  function misquote(what: string): void {
    isQuoted = false
    if (!isLenient) bad ??= misquotedRow(startLine, values.length + 1, what)
  }

  function over(problem: BadRow) {
    return { records: [...records, problem], end: start, line: startLine, isOver: true as const }
  }
}

function misquotedRow(line: number, column: number, what: string): BadRow {
  const message = `line ${line}, column ${column}: ${what}; quote the whole field and double the quotes in it`
  const remedy = 'correct the quotes, or add --no-quotes where the table has no quoting'
  return { line, column, rule: 'quote', message, remedy }
}

function unclosedQuote(line: number): BadRow {
  return { line, rule: 'quote', message: `line ${line}: the quote that opens here is never closed`, final: true }
}

/** Returns the problem of a lone carriage return; as a line ending it disappeared with the old Mac. */
export function loneReturn(line: number): BadRow {
  const message = `line ${line}: a carriage return (CR) without a line feed; lines end with LF or CRLF`
  return { line, rule: 'line-ending', message }
}

function tooLong(line: number, quoteLine: number | undefined): BadRow {
  const cause = quoteLine === undefined ? '' : ` (is the quote on line ${quoteLine} never closed?)`
  return { line, rule: 'size', message: `line ${line}: the record is longer than 1 MiB${cause}`, final: true }
}
