// Bare values for scripts: strings without quotes, one value a line, the members of a list or an object between tabs.
import { isRawNumber } from '../../base/lossless-json.ts'
import { sanitize } from '../../base/text/sanitize.ts'
import { cellText } from './cell.ts'

/**
 * Returns a value as lines of bare values, each ending with a newline.
 *
 * A list is a line for each member; a list or an object within it, and an object alone, is one line with
 * tabs between its values. Null is an empty value. A text is written as it is, except on a terminal.
 */
export function plainTextOf(value: unknown, onTerminal: boolean): string {
  return Array.isArray(value) ? value.map((member) => line(member, onTerminal)).join('') : line(value, onTerminal)
}

/** Writes a listing of values, each as a line. */
export async function* plainTextLines(
  batches: AsyncIterable<readonly unknown[]>,
  onTerminal: boolean,
): AsyncGenerator<string> {
  for await (const batch of batches) yield plainTextOf(batch, onTerminal)
}

function line(value: unknown, onTerminal: boolean): string {
  return `${valuesOf(value)
    .map((one) => (onTerminal ? sanitize(cellText(one)) : cellText(one)))
    .join('\t')}\n`
}

function valuesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return [value]
  return Array.isArray(value) ? value : Object.values(value)
}
