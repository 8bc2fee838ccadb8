// The forms in which spreadsheets read and write CSV: the delimiter, the ends of lines, and the bytes of characters.

/** The encodings that an input may have and a report is written in. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const

export type Encoding = (typeof encodings)[number]

/** How a CSV file is written down. */
export interface CsvForm {
  /** One ASCII character. */
  delimiter: string
  /** Lines end with CRLF instead of LF. */
  crlf: boolean
  /** The text begins with a byte order mark. */
  mark: boolean
  encoding: Encoding
}

/** RFC 4180 with LF, in UTF-8 without a mark: for programs. */
export const plainCsv: CsvForm = { delimiter: ',', crlf: false, mark: false, encoding: 'utf-8' }

/** The characters of the bytes 0x80 to 0x9f; all other bytes of windows-1252 are their code point. */
const upper = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Returns the text of windows-1252 bytes; every byte has a character. Not with TextDecoder, which takes it for latin-1 in some releases of Node. */
export function fromWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, (byte) => upper[byte.charCodeAt(0) - 0x80] ?? byte)
}

/** Returns the bytes of a text; characters that windows-1252 lacks become escapes like `\u4e2d`. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  return Buffer.from(text.replace(/[^\0-\x7f\xa0-\xff]/gu, inWindows1252), 'latin1')
}

function inWindows1252(character: string): string {
  const at = upper.indexOf(character)
  if (at !== -1) return String.fromCharCode(0x80 + at)
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}
