// Cuts CSV bytes where records end, and records on which physical line each begins: the parser's own count takes CRLF
// inside quotes for two lines. The parser interprets the records.
import { type BadRow, maxRecordBytes } from './row.ts'

const LF = 0x0a
const CR = 0x0d
const QUOTE = 0x22

/** Complete records, and possibly the problem that ended the reading after them. */
export interface CsvBlock {
  bytes: Buffer
  /** Where each record begins in `bytes`; blank lines are no records. */
  offsets: number[]
  /** The physical line of each record, counted from 1. */
  lines: number[]
  problem?: BadRow
}

/**
 * Cuts the pieces of a CSV text into blocks of complete records, in bounded memory.
 *
 * The last block has a `problem` when a quote is never closed, a record is longer than 1 MiB, or a lone carriage return
 * is outside quotes: after these it is unknown where the next record begins. `delimiter` is one byte; with `noQuotes` a
 * quote is a character like any other.
 */
export async function* csvBlocks(
  pieces: AsyncIterable<Buffer>,
  delimiter: number,
  { noQuotes = false }: { noQuotes?: boolean } = {},
): AsyncGenerator<CsvBlock> {
  let state: 'start' | 'plain' | 'quoted' | 'closed' | 'return' = 'start'
  let line = 1
  let quoteLine = 1
  let start = 0
  let startLine = 1
  let carried: Buffer = Buffer.alloc(0)

  for await (const piece of pieces) {
    let at = carried.length
    const bytes = at === 0 ? piece : Buffer.concat([carried, piece])
    const block: CsvBlock = { bytes, offsets: [], lines: [] }
    for (; at < bytes.length && !block.problem; at++) {
      const byte = bytes[at]
      if (byte === LF) line += 1
      if (at - start > maxRecordBytes) block.problem = tooLong(startLine, state === 'quoted' ? quoteLine : undefined)
      else if (state === 'quoted') {
        if (byte === QUOTE) state = 'closed'
      } else if (byte === LF) {
        const length = at - start - (state === 'return' ? 1 : 0)
        if (length > 0) addRecord(block)
        start = at + 1
        startLine = line
        state = 'start'
      } else if (state === 'return') block.problem = { ...loneReturn(line), final: true }
      else if (byte === CR) state = 'return'
      else if (byte === delimiter) state = 'start'
      else if (byte === QUOTE && !noQuotes && state !== 'plain') {
        // After a closing quote this is the second half of an escaped one: the text continues.
        if (state === 'start') quoteLine = line
        state = 'quoted'
      } else state = 'plain'
    }
    block.bytes = bytes.subarray(0, start)
    carried = bytes.subarray(start)
    start = 0
    if (block.lines.length > 0 || block.problem) yield block
    if (block.problem) return
  }

  if (carried.length === 0) return
  const last: CsvBlock = { bytes: carried, offsets: [], lines: [] }
  if (state === 'quoted') last.problem = unclosed(quoteLine)
  else if (state === 'return') last.problem = { ...loneReturn(line), final: true }
  else addRecord(last)
  yield last

  function addRecord(block: CsvBlock): void {
    block.offsets.push(start)
    block.lines.push(startLine)
  }
}

function unclosed(line: number): BadRow {
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
