// Values in what a person is asked. The words of a question are promo's; names and codes are written by customers, files and assistants,
// and must neither end the question nor continue it.
import { excerptOf } from '../../bulk/input/input-error.ts'

/** The service has no longer names. */
const longestName = 250

const word = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_.@+'-]*[\\p{L}\\p{N}])?"
const plain = new RegExp(`^${word}(?: ${word}){0,2}$`, 'u')
const longestPlain = 40

/** Returns a value in quotation marks, on one line; quotation marks in it are escaped. */
export function quotedValue(text: string, most = longestName): string {
  return excerptOf(text.replaceAll(/["\\]/g, '\\$&'), most)
}

/** Returns a value as it is where it is a name of up to three plain words, and otherwise in quotation marks, cut to 60 characters. */
export function shownValue(text: string): string {
  return text.length <= longestPlain && plain.test(text) ? text : quotedValue(text, 60)
}
