// What may be a secret, an id that goes with one, or another value that ends up in a header.

/**
 * Says what is wrong with a text that is to be sent in a header, or undefined when nothing is.
 *
 * The reason never repeats the text: a wrong value is often a right one with a slip in it.
 */
export function faultOf(text: string): string | undefined {
  if (text === '') return 'is empty'
  if (/^bearer[\s:]/i.test(text)) return 'starts with the word Bearer; give the token alone'
  if (/\s/.test(text)) return 'holds a space or a line break'
  if (/["'`\u2018-\u201F]/.test(text)) return 'holds a quotation mark'
  if (!/^[\x21-\x7E]+$/.test(text)) return 'holds a character outside of printable ASCII'
  return text.length > 4096 ? 'is longer than 4096 characters' : undefined
}

/** Takes away the one line break that a shell or an editor puts at the end of a file. */
export function withoutFinalNewline(text: string): string {
  return text.replace(/\r?\n$/, '')
}
