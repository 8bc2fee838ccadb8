// The lines of a text with their numbers, none longer than a record may be.
import { loneReturn } from './csv-records.ts'
import { type BadRow, maxRecordBytes } from './row.ts'

const LF = 0x0a

export interface TextLine {
  /** Counted from 1. */
  line: number
  text: string
}

/**
 * Yields every line that is not empty, without its LF or CRLF; the last one need not have one.
 *
 * A line with a lone carriage return is yielded as a `BadRow`. So is one longer than 1 MiB, as soon as it is, and ends the
 * reading: it may have no end.
 */
export async function* textLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<TextLine | BadRow> {
  let carried: Buffer = Buffer.alloc(0)
  let line = 1
  for await (const piece of pieces) {
    let start = 0
    for (let end = piece.indexOf(LF); end !== -1; end = piece.indexOf(LF, start)) {
      const found = finish(piece.subarray(start, end), '\n')
      if (found) yield found
      if (found && 'final' in found) return
      start = end + 1
    }
    const rest = piece.subarray(start)
    if (carried.length + rest.length > maxRecordBytes) {
      yield tooLong(line)
      return
    }
    carried = Buffer.concat([carried, rest])
  }
  const last = finish(Buffer.alloc(0), '')
  if (last) yield last

  function finish(end: Buffer, ending: string): TextLine | BadRow | undefined {
    const bytes = carried.length === 0 ? end : Buffer.concat([carried, end])
    const found = bytes.length > maxRecordBytes ? tooLong(line) : lineFrom(bytes.toString('utf8') + ending, line)
    carried = Buffer.alloc(0)
    line += 1
    return found
  }
}

function lineFrom(whole: string, line: number): TextLine | BadRow | undefined {
  const text = whole.replace(/\r?\n$/, '')
  if (text.includes('\r')) return loneReturn(line)
  return text === '' ? undefined : { line, text }
}

function tooLong(line: number): BadRow {
  return { line, rule: 'size', message: `line ${line}: is longer than 1 MiB`, final: true }
}
