// Rows that consist of their key: one per line, or the arguments of a command line.
import { type CellOptions, cellReader, damagedLine } from './cells.ts'
import type { RowOptions } from './columns.ts'
import { excerpt, inputError } from './input-error.ts'
import { type BadRow, checkRow, type KeyOptions, keyFields, type Row } from './row.ts'
import { textLines } from './text-lines.ts'

/** Reads one key per line, in order, exactly as written; skips empty lines. Throws `input` when there are no others. */
export async function* rowsFromLines(
  pieces: AsyncIterable<Buffer>,
  { name, column, checkKey, trim = false, ...options }: Omit<RowOptions, 'orColumn' | 'rules'> & CellOptions,
): AsyncGenerator<Row | BadRow, void, undefined> {
  let isBlank = true
  const cells = cellReader(options)
  for await (const found of textLines(pieces)) {
    isBlank = false
    if (!('text' in found)) yield found
    else {
      const { line, text } = found
      const key = cells.read(text)
      const fields = keyFields(column, key)
      const damage = cells.damage(text, true, column) ?? (options.asWritten ? undefined : damagedLine(text))
      if (damage === undefined) {
        const marked = key !== text && { isMarked: true as const }
        yield checkRow({ line, key, fields, ...marked }, { checkKey, trim }, `line ${line}`)
      } else {
        const message = `line ${line}: ${damage.problem}: ${excerpt(text)}`
        yield { line, rule: 'damaged', message, fields, remedy: damage.remedy }
      }
    }
  }
  if (isBlank) throw inputError(`${name} has only blank lines`)
}

/** Yields the rows of plain arguments; the line of each is its position, counted from 1. */
export function* rowsFromArguments(
  keys: readonly string[],
  { column, checkKey }: Pick<KeyOptions, 'column' | 'checkKey'>,
): Generator<Row | BadRow, void, undefined> {
  for (const [index, key] of keys.entries()) {
    const line = index + 1
    yield checkRow({ line, key, fields: keyFields(column, key) }, { checkKey }, `argument ${line}`)
  }
}
