// One object for people: one field per line, names left, values right.
import { styleText } from 'node:util'
import { isRawNumber } from '../../base/lossless-json.ts'
import { formatCount, formatNumber } from '../../base/numbers.ts'
import { sanitize } from '../../base/text/sanitize.ts'
import { type Column, type ColumnSet, columnNamed, kindOf } from '../column.ts'
import { leafPaths, valueAt } from '../path.ts'
import { cellText } from './cell.ts'
import { shownIn, type TableLook } from './table.ts'
import { ruler } from './width.ts'

/**
 * Writes the requested columns, those of a brief set, or every field that has a value: first the columns of the set, then all others.
 *
 * Nothing is cut, even on a terminal, where a text of several words takes several lines. But the list of a column that was not requested
 * is begun only, or counted where a terminal has no room for it, and a terminal is spared what only programs read. A time carries its zone. Without a header only the values are written.
 */
export async function* blockText(
  object: object,
  set: ColumnSet,
  requested: readonly string[] | undefined,
  look: TableLook,
): AsyncGenerator<string> {
  const { default: Table } = await import('cli-table3')
  const { widthOf, wrap } = ruler(Table)
  const show = shownIn(look)
  const asked = requested ?? set.brief
  const all = asked ?? filledPaths(object, set)
  const read = asked || !look.isTerminal ? all : all.filter((path) => !isPlumbing(path, valueAt(object, path)))
  const names = read.slice(0, asked?.length ?? mostMembers)
  const width = names.reduce((widest, name) => Math.max(widest, widthOf(sanitize(name))), 0)
  const title = (name: string) => {
    const padded = `${sanitize(name)}${' '.repeat(width - widthOf(sanitize(name)))}`
    return look.color ? styleText('bold', padded, { validateStream: false }) : padded
  }
  for (const name of names) {
    const column: Column = columnNamed(set, name) ?? { name }
    const source = valueAt(object, column.name)
    const whole = asked === undefined && isLong(source) ? begunList(source) : show(source, column)
    const room = (look.width ?? Number.POSITIVE_INFINITY) - (look.header ? width + 2 : 0)
    const isWide = widthOf(whole) > room
    const value = isWide && asked === undefined && Array.isArray(source) ? countedList(source) : whole
    const zoned = kindOf(column) === 'time' && value !== '' && value !== source ? `${value} ${look.timeZone}` : value
    // A code or an address is copied, and stays on one line.
    const isProse = isWide && zoned.includes(' ') && kindOf(column) !== 'identifier' && room >= narrowest
    const [first = '', ...more] = isProse ? wrap(zoned, room) : [zoned]
    yield `${look.header ? `${title(name)}  ${first}` : first}`.replace(/ +$/, '').concat('\n')
    for (const line of more) yield `${' '.repeat(look.header ? width + 2 : 0)}${line}\n`
  }
  if (names.length === all.length) return
  const kinds = read.length < all.length && names.length === read.length ? ', links and empty lists among them' : ''
  yield `… (${formatNumber(all.length - names.length)} more members${kinds}; --json has them all)\n`
}

/** Says whether a member tells programs where to go on: no person in front of a terminal of 24 lines looks for it. */
function isPlumbing(path: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  const isLink = /(?:^|\.)(?:object$|data_ref$|assets\.)/.test(path)
  return isLink || (/(?:^|\.)url$/.test(path) && String(value).startsWith('/'))
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
  return `${first.slice(0, -1)},…] (${formatNumber(items.length)} items; --json has them all)`
}

/** What a terminal has no room for says at least how much it is. */
function countedList(items: readonly unknown[]): string {
  return `${formatCount(items.length, 'item')}; --json has ${items.length === 1 ? 'it' : 'them all'}`
}

/** In less room, each line would have a word or two. */
const narrowest = 16

function filledPaths(object: object, set: ColumnSet): string[] {
  const filled = leafPaths(object, isRawNumber).filter((path) => {
    const value = valueAt(object, path)
    return value !== null && value !== undefined && cellText(value) !== '{}'
  })
  const known = set.columns.map(({ name }) => name)
  const others = filled.filter((path) => !known.includes(path))
  return [...known.filter((name) => filled.includes(name)), ...others]
}
