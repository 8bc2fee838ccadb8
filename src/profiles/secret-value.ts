// The values that may be a secret, the id of one, or another value that is sent in a header.

/**
 * Returns the reason why a text cannot be sent in a header, or undefined when it can.
 *
 * The reason never repeats the text: an invalid value is often a valid one with a typo.
 */
export function faultOf(text: string): string | undefined {
  if (text === '') return 'is empty'
  if (/^bearer[\s:]/i.test(text)) return 'starts with the word Bearer; give the token alone'
  if (/\s/.test(text)) return 'holds a space or a line break'
  if (/["'`\u2018-\u201F]/.test(text)) return 'holds a quotation mark'
  if (!/^[\x21-\x7E]+$/.test(text)) return 'holds a character outside of printable ASCII'
  return text.length > 4096 ? 'is longer than 4096 characters' : undefined
}

/** Removes the one line break that a shell or an editor puts at the end of a file. */
export function withoutFinalNewline(text: string): string {
  return text.replace(/\r?\n$/, '')
}
