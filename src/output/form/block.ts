// One object for people: one field per line, names left, values right.
import { styleText } from 'node:util'
import { grouped } from '../../base/grouped.ts'
import { isRawNumber } from '../../base/lossless-json.ts'
import { type Column, type ColumnSet, columnNamed, csvColumns, kindOf } from '../column.ts'
import { leafPaths, valueAt } from '../path.ts'
import { cellText } from './cell.ts'
import { sanitize } from './sanitize.ts'
import { shownIn, type TableLook } from './table.ts'
import { ruler } from './width.ts'

/**
 * Writes the requested columns, or every field that has a value: first the columns of the set, then all others, unless the
 * set is brief.
 *
 * Nothing is cut, even on a terminal, but the list of a column that was not requested is begun only. A time carries its zone. Without a header only the values are written.
 */
export async function* blockText(
  object: object,
  set: ColumnSet,
  asked: readonly string[] | undefined,
  look: TableLook,
): AsyncGenerator<string> {
  const { default: Table } = await import('cli-table3')
  const { widthOf } = ruler(Table)
  const show = shownIn(look)
  const all = asked ?? filledPaths(object, set)
  const names = asked ?? all.slice(0, mostMembers)
  const width = names.reduce((widest, name) => Math.max(widest, widthOf(sanitize(name))), 0)
  const title = (name: string) => {
    const padded = `${sanitize(name)}${' '.repeat(width - widthOf(sanitize(name)))}`
    return look.color ? styleText('bold', padded, { validateStream: false }) : padded
  }
  for (const name of names) {
    const column: Column = columnNamed(set, name) ?? { name }
    const source = valueAt(object, column.name)
    const value = asked === undefined && isLong(source) ? begunList(source) : show(source, column)
    const zoned = kindOf(column) === 'time' && value !== '' && value !== source ? `${value} ${look.timeZone}` : value
    yield `${look.header ? `${title(name)}  ${zoned}` : zoned}`.replace(/ +$/, '').concat('\n')
  }
  if (names.length < all.length) yield `… (${grouped(all.length - names.length)} more members; --json has them all)\n`
}

/** More members than these are counted: an answer of 32 MiB has a million, and each is measured. */
const mostMembers = 1_000

/** More items than these are counted: the refused rows of an import may be tens of thousands. */
const mostItems = 10

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > mostItems
}

/** Returns the first items of a list, and how many there are. */
function begunList(items: readonly unknown[]): string {
  const first = sanitize(cellText(items.slice(0, mostItems)))
  return `${first.slice(0, -1)},…] (${grouped(items.length)} items; --json has them all)`
}

function filledPaths(object: object, set: ColumnSet): string[] {
  const filled = leafPaths(object, isRawNumber).filter((path) => {
    const value = valueAt(object, path)
    return value !== null && value !== undefined && cellText(value) !== '{}'
  })
  const known = (set.isBrief ? csvColumns(set) : set.columns).map(({ name }) => name)
  const others = set.isBrief ? [] : filled.filter((path) => !known.includes(path))
  return [...known.filter((name) => filled.includes(name)), ...others]
}
