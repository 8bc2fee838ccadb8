// The error of an entire input, as opposed to the problem of one row: nothing of it can be used, nothing was sent. And how a piece
// of a user's file is shown in a message: visible, short, and unable to move a cursor.
import { PromoError } from '../../errors.ts'

/** Returns the error for an input that cannot be used: exit 2, before any request. */
export function inputError(message: string, hint?: string, cause?: unknown, hasLines = false): PromoError {
  return new PromoError('input', message, {
    ...(hasLines && { hasLines }),
    ...(hint === undefined ? {} : { hint }),
    ...(cause === undefined ? {} : { cause }),
  })
}

const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu
const maxShown = 60

/**
 * Returns a text in which every control, format and unassigned character is an escape like `\x1b` or `\u202e`.
 *
 * For display only: the text itself is always sent unchanged.
 */
export function visible(text: string): string {
  return text.replace(invisible, escapeCharacter)
}

/** Returns the text in double quotes, made visible and cut to 60 characters. */
export function excerpt(text: string): string {
  return excerptOf(text, maxShown)
}

/** Returns the text in double quotes, made visible and cut to `most` characters. */
export function excerptOf(text: string, most: number): string {
  // A character takes at most two units, so twice as many units are enough to see whether there are more.
  const characters = Array.from(visible(text.slice(0, 2 * most + 1)))
  return characters.length <= most ? `"${characters.join('')}"` : `"${characters.slice(0, most - 1).join('')}…"`
}

function escapeCharacter(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0
  if (codePoint <= 0xff) return `\\x${codePoint.toString(16).padStart(2, '0')}`
  if (codePoint <= 0xffff) return `\\u${codePoint.toString(16).padStart(4, '0')}`
  return `\\u{${codePoint.toString(16)}}`
}
