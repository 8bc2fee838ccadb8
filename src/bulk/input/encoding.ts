// The bytes of an input as UTF-8: a byte order mark says what they are, or the user does.
import { type Encoding, fromWindows1252 } from '../../base/csv-form.ts'
import { inputError } from './input-error.ts'

// ASSUMED A1435: windows-1252 is never guessed: any bytes are text in it, and a wrong letter in a code is another code.

/** How the bytes of a text were found to be written. */
export interface FoundEncoding {
  encoding: Encoding
  /** The text begins with a byte order mark. */
  mark: boolean
}

export interface EncodingOptions {
  /** What a text without a byte order mark is written in; absent: UTF-8. */
  encoding?: 'utf-8' | 'utf-16' | 'windows-1252'
  /** Receives what the text is written in, before its first piece. */
  onEncoding?: (found: FoundEncoding) => void
}

const marks: readonly (readonly [bytes: string, encoding: Encoding])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]
/** What UTF-32 begins with, of which the first begins like UTF-16. It is passed on unread, to be refused by name. */
const marksOfUtf32 = ['fffe0000', '0000feff']
const longestMark = 4

/**
 * Passes on the pieces of a text in UTF-8, without its byte order mark; those of UTF-8 unchanged and unchecked.
 *
 * Throws `input` for UTF-16 that ends inside a character or has half of a pair.
 */
export async function* inUtf8(
  pieces: AsyncIterable<Buffer>,
  name: string,
  { encoding = 'utf-8', onEncoding }: EncodingOptions,
): AsyncGenerator<Buffer> {
  let decode: ((piece?: Buffer) => Buffer) | undefined
  let head: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (decode) yield decode(piece)
    else {
      head = Buffer.concat([head, piece])
      if (head.length >= longestMark) yield detectEncoding()
    }
  }
  if (!decode && head.length > 0) yield detectEncoding()
  const last = decode?.()
  if (last && last.length > 0) yield last

  function detectEncoding(): Buffer {
    const hex = head.toString('hex', 0, longestMark)
    const isUtf32 = marksOfUtf32.includes(hex)
    const [mark = '', marked] = isUtf32 ? [] : (marks.find(([bytes]) => hex.startsWith(bytes)) ?? [])
    const found = isUtf32 ? 'utf-8' : (marked ?? (encoding === 'utf-16' ? 'utf-16le' : encoding))
    onEncoding?.({ encoding: found, mark: marked !== undefined })
    decode = decoderOf(found, name)
    return decode(head.subarray(mark.length / 2))
  }
}

function decoderOf(encoding: Encoding, name: string): (piece?: Buffer) => Buffer {
  if (encoding === 'utf-8') return (piece) => piece ?? Buffer.alloc(0)
  if (encoding === 'windows-1252') return (piece) => Buffer.from(piece === undefined ? '' : fromWindows1252(piece))
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  return (piece) => {
    try {
      return Buffer.from(decoder.decode(piece, { stream: piece !== undefined }))
    } catch {
      throw inputError(`${name} is not UTF-16: it has half of a character`, 'save it again, as "CSV UTF-8"')
    }
  }
}
