// Rows that are plain arguments of the command line.
import { type BadRow, type CheckKey, checkedRow, keyFields, type Row } from './row.ts'

export interface ArgumentOptions {
  /** The name of the key in the fields of a row. */
  column: string
  checkKey: CheckKey
}

/** Yields the rows of plain arguments; the line of each is its position, counted from 1. */
export function* rowsFromArguments(
  keys: readonly string[],
  { column, checkKey }: ArgumentOptions,
): Generator<Row | BadRow, void, undefined> {
  for (const [index, key] of keys.entries()) {
    const line = index + 1
    yield checkedRow({ line, key, fields: keyFields(column, key) }, { checkKey }, `argument ${line}`)
  }
}
