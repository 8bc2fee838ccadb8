// Spreadsheets run a cell that looks like a formula, even one that came as text.
// Source: docs/reliability.md#terminal-and-files.

import { isNumber } from '../../base/lossless-json.ts'
import { type Column, kindOf } from '../column.ts'

// Half and full width, and behind any leading white space: some programs trim it before they look.
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n\0]/
const plainNumber = /^-?\d+(?:\.\d+)?$/

/**
 * Puts an apostrophe in front of a text that a spreadsheet would run; everything else is returned as it is.
 *
 * Never touches an identifier, a flag or a number; a text in a column of numbers is a number only if it reads as one.
 */
export function neutralised(text: string, value: unknown, column: Column): string {
  if (isNumber(value) || typeof value === 'boolean') return text
  const kind = kindOf(column)
  if (kind === 'identifier' || (kind === 'number' && plainNumber.test(text))) return text
  return formula.test(text) ? `'${text}` : text
}
