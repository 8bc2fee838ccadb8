// Tables for people: no borders, aligned, complete in a pipe and cut to fit on a terminal.
import { styleText } from 'node:util'
import { type Column, kindOf } from '../column.ts'
import { valueAt } from '../path.ts'
import { cellText } from './cell.ts'
import { instantIn } from './instant.ts'
import { sanitize } from './sanitize.ts'
import { ruler } from './width.ts'

export interface TableLook {
  header: boolean
  color: boolean
  timeZone: string
  /** Width of the terminal in columns; absent: nothing is cut. */
  width?: number | undefined
}

const gap = '  '
/** Text is never cut below this many columns. */
const narrowest = 8
/** The library takes quadratic time in the number of rows; in chunks of this size it takes linear time. */
const rowsAtOnce = 100

/**
 * Writes a listing as a table; nothing at all for zero objects.
 *
 * Holds the texts of all rows, because the columns must be measured. On a terminal only `text` columns are cut, the widest
 * first; where that is not enough, lines are longer than the terminal, but no identifier or amount is cut.
 */
export async function* tableText(
  batches: AsyncIterable<readonly object[]>,
  columns: readonly Column[],
  look: TableLook,
): AsyncGenerator<string> {
  const show = shownIn(look)
  const rows: string[][] = []
  for await (const batch of batches) {
    for (const object of batch) rows.push(columns.map((column) => show(valueAt(object, column.name), column)))
  }
  if (rows.length === 0 || columns.length === 0) return

  const { default: Table } = await import('cli-table3')
  const { widthOf, cut } = ruler(Table)
  const heads = look.header ? columns.map((column) => heading(column, look)) : []
  const isRight = columns.map((column, at) => isNumeric(column, rows, at))
  const natural = columns.map((_, at) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[at] ?? '')), widthOf(heads[at] ?? '')),
  )
  const isText = columns.map((column, at) => kindOf(column) === 'text' && !isRight[at])
  const colWidths = look.width === undefined ? natural : fitted(natural, isText, look.width)

  const lines = (some: string[][]) => {
    const table = new Table({
      chars: borderless,
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
      colWidths,
      colAligns: isRight.map((right) => (right ? 'right' : 'left')),
    })
    table.push(...some)
    return `${table.toString().replace(/ +$/gm, '')}\n`
  }
  const cutAll = (cells: string[]) => cells.map((text, at) => cut(text, colWidths[at] ?? 0))
  const bold = (text: string) => (look.color ? styleText('bold', text, { validateStream: false }) : text)

  if (look.header) yield lines([cutAll(heads).map(bold)])
  for (let at = 0; at < rows.length; at += rowsAtOnce) yield lines(rows.slice(at, at + rowsAtOnce).map(cutAll))
}

/** Returns a function that formats one value for people: one line, nothing invisible, times in the zone. */
export function shownIn(look: Pick<TableLook, 'timeZone'>): (value: unknown, column: Column) => string {
  let inZone: ((text: string) => string) | undefined
  return (value, column) => {
    const text = cellText(value)
    if (kindOf(column) !== 'time') return sanitize(text)
    inZone ??= instantIn(look.timeZone)
    return sanitize(inZone(text))
  }
}

function heading(column: Column, look: Pick<TableLook, 'timeZone'>): string {
  const label = sanitize(column.label ?? column.name)
  return kindOf(column) === 'time' ? `${label} (${look.timeZone})` : label
}

/** An undeclared column holds numbers when every cell parses as one. */
function isNumeric(column: Column, rows: string[][], at: number): boolean {
  if (column.kind !== undefined || kindOf(column) !== 'text') return column.kind === 'number'
  const filled = rows.map((row) => row[at]).filter((text) => text !== '')
  return filled.length > 0 && filled.every((text) => /^-?\d+(?:\.\d+)?$/.test(text ?? ''))
}

/** Narrows the widest text column until the line fits or no text column can be narrowed further. */
function fitted(natural: readonly number[], isText: readonly boolean[], width: number): number[] {
  const widths = [...natural]
  let over = widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1)) - width
  while (over > 0) {
    const widest = widths.reduce(
      (best, each, at) => (isText[at] && each > Math.max(narrowest, widths[best] ?? 0) ? at : best),
      -1,
    )
    if (widest === -1) break
    widths[widest] = (widths[widest] ?? 0) - 1
    over -= 1
  }
  return widths
}

const borderless = {
  ...Object.fromEntries(
    ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
      .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
      .map((name) => [name, '']),
  ),
  middle: gap,
}
