// Checks that bytes are UTF-8 text. Everything after this stage may decode without checks.
import { isUtf8 } from 'node:buffer'
import { type EncodingOptions, inUtf8 } from './encoding.ts'
import { inputError } from './input-error.ts'

const LF = 0x0a
/** Enough to recognize every kind of file. */
const headBytes = 16
const utf8MarkBytes = 3
const replacement = '\uFFFD'

/**
 * Passes on the pieces of a text in UTF-8, without its byte order mark, each cut between characters.
 *
 * A text in UTF-16 is recognized by its mark; `encoding` says what a text without one is. Throws `input` with the offset of
 * the first byte that is not UTF-8, or is NUL; for UTF-16 without a mark, for known binary formats by name, and for an empty
 * input. `name` is for the messages.
 */
export async function* plainText(
  pieces: AsyncIterable<Buffer>,
  name: string,
  encoding?: EncodingOptions,
): AsyncGenerator<Buffer> {
  const place = { name, offset: 0, line: 1, takesEncoding: encoding !== undefined }
  let carried: Buffer = Buffer.alloc(0)
  let isStart = true
  const reading: EncodingOptions = {
    ...encoding,
    onEncoding(found) {
      if (found.encoding === 'utf-8' && found.mark) place.offset = utf8MarkBytes
      encoding?.onEncoding?.(found)
    },
  }
  for await (const piece of inUtf8(pieces, name, reading)) {
    const bytes = carried.length === 0 ? piece : Buffer.concat([carried, piece])
    // A pipe may deliver the first bytes one by one.
    const end = isStart && bytes.length < headBytes ? 0 : lastBoundary(bytes)
    if (end > 0) yield checkBytes(bytes.subarray(0, end))
    carried = bytes.subarray(end)
  }
  if (carried.length > 0) yield checkBytes(carried)
  if (isStart) throw inputError(`${name} is empty`)

  function checkBytes(bytes: Buffer): Buffer {
    if (isStart) mustNotBeBinary(bytes, name)
    mustBeText(bytes, place)
    place.offset += bytes.length
    place.line += newlines(bytes)
    isStart &&= bytes.length === 0
    return bytes
  }
}

interface Place {
  name: string
  offset: number
  line: number
  /** The user can say which encoding it is. */
  takesEncoding: boolean
}

function mustNotBeBinary(head: Buffer, name: string): void {
  const kind = fileKindOf(head)
  if (kind) throw inputError(`${name} is ${kind.what}, not UTF-8 text`, forFile(kind.hint, name))
}

function mustBeText(bytes: Buffer, { name, offset, line, takesEncoding }: Place): void {
  const nul = bytes.indexOf(0)
  if (nul !== -1) {
    const encoding = utf16Of(bytes)
    if (encoding !== undefined) {
      throw inputError(
        `${name} is UTF-16 without a byte order mark (a NUL byte at ${placeOf(bytes, nul)}), not UTF-8 text`,
        takesEncoding && encoding === 'UTF-16LE'
          ? '--encoding utf-16'
          : forFile(`iconv -f ${encoding} -t UTF-8 FILE > utf8.csv`, name),
      )
    }
    throw inputError(`${name} holds a NUL byte at ${placeOf(bytes, nul)}; it is not text`)
  }
  if (isUtf8(bytes)) return
  const bad = firstBadByte(bytes)
  throw inputError(
    `${name} is not UTF-8: the byte 0x${bytes[bad]?.toString(16)} at ${placeOf(bytes, bad)} is not allowed there`,
    takesEncoding
      ? '--encoding windows-1252, if a spreadsheet saved it as plain "CSV"; check its special letters with --dry-run'
      : forFile('iconv -f WINDOWS-1252 -t UTF-8 FILE > utf8.csv', name),
  )

  function placeOf(within: Buffer, at: number): string {
    return `byte offset ${offset + at} (line ${line + newlines(within.subarray(0, at))})`
  }
}

function forFile(command: string, name: string): string {
  return command.replace('FILE', () => (name.startsWith('"') ? name : 'FILE'))
}

/** UTF-16 of mostly Latin text has a NUL in nearly every second byte, always on the same side. */
function utf16Of(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, 1024)
  let even = 0
  let odd = 0
  for (const [at, byte] of sample.entries()) {
    if (byte !== 0) continue
    if (at % 2 === 0) even += 1
    else odd += 1
  }
  if (Math.max(even, odd) * 4 < sample.length || Math.min(even, odd) * 8 > Math.max(even, odd)) return undefined
  return odd > even ? 'UTF-16LE' : 'UTF-16BE'
}

function firstBadByte(bytes: Buffer): number {
  const text = bytes.toString('utf8')
  let found = text.indexOf(replacement)
  while (found !== -1) {
    const at = Buffer.byteLength(text.slice(0, found))
    // A replacement character that is really in the file is not an error.
    if (bytes.toString('latin1', at, at + 3) !== '\xef\xbf\xbd') return at
    found = text.indexOf(replacement, found + 1)
  }
  return bytes.length
}

/** Returns where the last complete character ends; at most 3 bytes before the end. */
function lastBoundary(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < needed ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}

function newlines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) count += 1
  return count
}
/** A kind of file that is not text. */
interface FileKind {
  what: string
  /** What to do; `FILE` is replaced by the path. */
  hint: string
}

const savedAsWorkbook = 'open it, save it as a workbook (.xlsx), and give that file'

/** The first bytes as latin-1 text, in which every byte is one character. */
const kinds: readonly (readonly [start: string, what: string, hint: string])[] = [
  ['\x1f\x8b', 'gzip-compressed', 'gunzip -c FILE | promo … --from -'],
  ['PK\x03\x04', 'a zip archive', 'unzip -p FILE | promo … --from -'],
  ['PK\x05\x06', 'an empty zip archive', 'name the file that holds the rows'],
  ['\xd0\xcf\x11\xe0', 'an old Excel workbook (xls)', savedAsWorkbook],
  ['BZh91AY&SY', 'bzip2-compressed', 'bunzip2 -c FILE | promo … --from -'],
  ['\xfd7zXZ', 'xz-compressed', 'xz -dc FILE | promo … --from -'],
  ['\x28\xb5\x2f\xfd', 'zstd-compressed', 'zstd -dc FILE | promo … --from -'],
  ['\xff\xfe\0\0', 'UTF-32', 'iconv -f UTF-32 -t UTF-8 FILE > utf8.csv'],
  ['\0\0\xfe\xff', 'UTF-32', 'iconv -f UTF-32 -t UTF-8 FILE > utf8.csv'],
  ['%PDF-', 'a PDF document', 'export the rows as CSV'],
  ['SQLite format 3', 'a SQLite database', "sqlite3 -csv -header FILE 'select …' | promo … --from -"],
]

/** Returns the kind of a file, from its first bytes, or undefined when it may be text. */
function fileKindOf(bytes: Buffer): FileKind | undefined {
  const head = bytes.toString('latin1', 0, 4096)
  const found = kinds.find(([start]) => head.startsWith(start))
  if (!found) return undefined
  const [start, what, hint] = found
  // A workbook is a zip archive whose first entries have these names.
  if (start === 'PK\x03\x04' && /\[Content_Types\]\.xml|xl\//.test(head)) {
    return { what: 'an Excel workbook (xlsx)', hint: '--input-format xlsx' }
  }
  if (start === 'PK\x03\x04' && head.includes('mimetypeapplication/vnd.oasis')) {
    return { what: 'an OpenDocument file (ods)', hint: savedAsWorkbook }
  }
  return { what, hint }
}
