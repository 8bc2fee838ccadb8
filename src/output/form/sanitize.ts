// The only sanitiser. All text from the service or a file passes through here before people see it.
// Source: docs/reliability.md#terminal-and-files.
import { ownValue } from '../../base/record.ts'

// C0, DEL and C1 · directions and isolates · line and paragraph separators, byte order mark · lone surrogates.
const inLine = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff\p{Cs}]/gu
const inLines = new RegExp(`(?![\\n\\t])${inLine.source}`, 'gu')
const inJson = new RegExp(`(?!\\n)${inLine.source}`, 'gu')

const shortForms: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Returns the text with every control and direction character as a visible escape, such as `\x1b` or `\u202e`.
 *
 * The payload of a terminal sequence stays as text: without its introducer it does nothing. With `lines`, newlines and
 * tabs stay, for texts of several lines that promo itself composed.
 */
export function sanitize(text: string, { lines = false }: { lines?: boolean } = {}): string {
  return text.replace(lines ? inLines : inLine, visible)
}

/**
 * Escapes the same characters in JSON text with JSON's own escapes, so that its value is unchanged.
 *
 * Newlines stay: JSON has none inside strings, and outside they only indent.
 */
export function sanitizeJson(json: string): string {
  // JSON has no other control character of one byte, and counting bytes is ten times faster than testing each character.
  if (Buffer.byteLength(json) === json.length && !json.includes('\x7f')) return json
  return json.replace(inJson, (character) => `\\u${hexadecimal(character, 4)}`)
}

function visible(character: string): string {
  const code = character.charCodeAt(0)
  return (
    ownValue(shortForms, character) ??
    (code < 0x100 ? `\\x${hexadecimal(character, 2)}` : `\\u${hexadecimal(character, 4)}`)
  )
}

function hexadecimal(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0')
}
