// The only sanitiser. All text from the service or a file passes through here before people see it.
// Source: docs/reliability.md#terminal-and-files.
import { memoize } from '../memoized.ts'
import { ownValue } from '../record.ts'

// C0, DEL and C1 · directions and isolates · what is not shown at all, such as a zero-width space, a soft hyphen or a filler ·
// line and paragraph separators, byte order mark, annotations · lone surrogates.
const hidden = '[\\p{Cc}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\ufeff\\ufff9-\\ufffb\\p{Cs}]'
/** What is hidden, but for what a lookahead excepts. Made on first use: Unicode's sets took 21 of the 73 ms of a start. */
const hiddenBut = memoize((excepted) => new RegExp(`${excepted}${hidden}`, 'gu'))

// Emoji are made of several characters, some of which are not shown by themselves; and in these scripts a joiner between two
// letters changes how they are written.
const joined =
  '[\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mong}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Khmr}\\p{sc=Mymr}]'
const meant = memoize((script) => new RegExp(`\\p{RGI_Emoji}|(?<=${script})[\\u200c\\u200d](?=${script})`, 'gv'))

const shortForms: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Returns the text with every control and direction character, and every one that is not shown, as a visible escape, such
 * as `\x1b`, `\u202e` or `\u200b`; what is part of an emoji or joins two letters of a script that needs it stays.
 *
 * The payload of a terminal sequence stays as text: without its introducer it does nothing. With `lines`, newlines and
 * tabs stay, for texts of several lines that promo itself composed.
 */
export function sanitize(text: string, { lines = false }: { lines?: boolean } = {}): string {
  // Most texts are plain.
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return escapeMatches(text, hiddenBut(lines ? '(?![\\n\\t])' : ''), visible)
}

/**
 * Escapes the same characters in JSON text with JSON's own escapes, so that its value is unchanged.
 *
 * Newlines stay: JSON has none inside strings, and outside they only indent.
 */
export function sanitizeJson(json: string): string {
  // JSON has no other control character of one byte, and counting bytes is ten times faster than testing each character.
  if (Buffer.byteLength(json) === json.length && !json.includes('\x7f')) return json
  return escapeMatches(json, hiddenBut('(?!\\n)'), (character) =>
    character.replace(/./gs, (unit) => `\\u${hexadecimal(unit, 4)}`),
  )
}

function escapeMatches(text: string, hiddenHere: RegExp, shownAs: (character: string) => string): string {
  if (text.search(hiddenHere) === -1) return text
  let [shown, from] = ['', 0]
  for (const found of text.matchAll(meant(joined))) {
    shown += text.slice(from, found.index).replace(hiddenHere, shownAs) + found[0]
    from = found.index + found[0].length
  }
  return shown + text.slice(from).replace(hiddenHere, shownAs)
}

function visible(character: string): string {
  const short = ownValue(shortForms, character)
  if (short !== undefined) return short
  const code = character.codePointAt(0) ?? 0
  // In this form YAML reads it too.
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`
  return code < 0x100 ? `\\x${hexadecimal(character, 2)}` : `\\u${hexadecimal(character, 4)}`
}

function hexadecimal(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0')
}
