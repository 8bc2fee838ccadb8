// What a code, an id or a name in an address may be, for inputs and for requests. Source: docs/reliability.md#paths.

const longest = 1024

/** Says whether a text has more than 1,024 characters, counted in code points. */
export function isTooLong(text: string): boolean {
  return text.length > longest && Array.from(text).length > longest
}

// ASSUMED A451: only the control characters that break lines, columns and C strings are refused; an escape sequence or a
// backspace is data that is sent unchanged and shown escaped (docs/reliability.md#paths).
/** Says whether a text has a tab, a line break or a NUL. */
export function breaksLines(text: string): boolean {
  return /[\0\t\n\r]/.test(text)
}

/** What copied texts bring along and nobody sees: a no-break space, and characters without a width. */
export const unseen = /[\u00a0\u2007\u202f]|\p{Default_Ignorable_Code_Point}/u
