// The first record of a CSV file: the names of its columns, and a suggestion when the key is not among them.

import { listNames } from '../../base/name-list.ts'
import { shellWord } from '../../base/shell-word.ts'
import type { RowOptions } from './columns.ts'
import { excerpt, inputError, visible } from './input-error.ts'
import { findKey } from './key-column.ts'

/** Columns that are read. */
export const maxColumns = 256
const maxNamesShown = 20

export type HeaderOptions = Pick<RowOptions, 'name' | 'column' | 'orColumn' | 'headings' | 'missing'>

// ASSUMED A1436: a key column is found by more than its exact name, because no one reads `Voucher Code` as anything but
// the code of a voucher; where two columns fit equally well, the user names one.

/**
 * Returns the column names of a header record, and the position of the key: exactly by its name, otherwise as `findKey` does.
 *
 * Throws `input` for more than 256 columns, a name that occurs twice, and a missing key column; that error lists the names
 * found, and suggests a change where a near name, another delimiter or another format explains it.
 */
export async function headerFrom(
  names: string[],
  options: HeaderOptions,
): Promise<{ names: string[]; keysAt: number[]; isAssumed?: true }> {
  if (names.length > maxColumns) {
    throw inputError(`${options.name} has more than ${maxColumns} columns`)
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    const places = names.flatMap((name, index) => (name === twice ? [index + 1] : []))
    throw inputError(
      `${options.name} names the column ${excerpt(twice)} more than once (columns ${places.join(', ')})`,
      'give every column a name of its own',
    )
  }
  const exact = [options.column, options.orColumn].flatMap((name) => (name === undefined ? [] : [names.indexOf(name)]))
  const keysAt = exact.filter((at) => at !== -1)
  if (keysAt.length > 0) return { names, keysAt }
  const only = findKey(names, options.headings ?? [[options.column]])
  if (only === undefined) throw options.missing?.(names) ?? (await missingColumn(names, options))
  return { names, keysAt: [names.indexOf(only)], isAssumed: true }
}

async function missingColumn(names: string[], options: HeaderOptions) {
  const shown = listNames(names.map(excerpt), maxNamesShown)
  const message = `${options.name} has no column ${excerpt(options.column)}; its first line names ${shown}`
  return inputError(message, await likelyCause(names, options))
}

async function likelyCause(names: string[], { column }: HeaderOptions): Promise<string> {
  const { nearest } = await import('../../base/nearest.ts')
  const near = nearest(column, names)
  if (near !== undefined) return `did you mean ${excerpt(near)}? --column ${shellWord(visible(near))}`
  const [only = ''] = names
  if (names.length > 1 || only.trim() === '') return '--column NAME, with one of the names above'
  return `--input-format lines, if the first line is already data; otherwise --column ${shellWord(visible(only))}`
}
