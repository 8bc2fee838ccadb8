// Tables for people: no borders, aligned, complete in a pipe and made to fit on a terminal.
import { styleText } from 'node:util'
import { sanitize } from '../../base/text/sanitize.ts'
import { type Column, kindOf } from '../column.ts'
import { valueAt } from '../path.ts'
import { cellText } from './cell.ts'
import { lastText, layoutFor, timeIn } from './fit.ts'
import { type Ruler, ruler } from './width.ts'

export interface TableLook {
  header: boolean
  color: boolean
  timeZone: string
  /** True where a person looks at it. */
  isTerminal?: boolean
  /** Width of the terminal in columns; absent: nothing is cut. */
  width?: number | undefined
  /** Whether columns may be left out where the terminal is too narrow; not those that the user named. */
  mayLeaveOut?: boolean
  /** The words of the command line: a column that repeats one of them in every row says nothing new. */
  typed?: readonly string[]
  /** Receives the names of columns that were left out although they have values. */
  leftOut?: (names: string) => void
}

const gap = '  '
/** Lines that a wrapped text may take before it is cut; a reason takes as many as it needs. */
const mostLines = 3
/** The library takes quadratic time in the number of rows; in chunks of this size it takes linear time. */
const rowsAtOnce = 100

/**
 * Writes a listing as a table; nothing at all for zero objects.
 *
 * Holds the texts of all rows, because the columns must be measured. On a terminal, columns are left out and texts cut or
 * wrapped until it fits (form/fit.ts), and rows become records of names and values where even that is not enough.
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
  const measure = ruler(Table)
  const heads = columns.map((column) => (look.header ? heading(column, look) : ''))
  const layout = layoutFor({ columns, heads, rows }, look.width, look, measure)
  const bold = (text: string) => (look.color ? styleText('bold', text, { validateStream: false }) : text)
  if (!layout) {
    yield* recordTexts(heads, rows, look.header, bold, measure)
    return
  }
  const { shown, widths, below, subject, leftOut } = layout
  const lines = (some: string[][]) => {
    const table = new Table({
      chars: borderless,
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
      colWidths: widths,
      colAligns: shown.map((at) => (isNumeric(columns[at] as Column, rows, at) ? 'right' : 'left')),
    })
    table.push(...some)
    return `${table.toString().replace(/ +$/gm, '')}\n`
  }
  const wrapped = lastText(columns)
  const cell = (row: readonly string[], at: number, width: number) => {
    const text = timeIn(row[at] ?? '', width)
    const column = columns[at] as Column
    const isCut = at !== subject && kindOf(column) === 'text' && !column.stays
    if (at !== wrapped && isCut) return measure.cut(text, width)
    const all = measure.wrap(text, width)
    if (!isCut || all.length <= mostLines) return all.join('\n')
    return [...all.slice(0, mostLines - 1), measure.cut(all.slice(mostLines - 1).join(' '), width)].join('\n')
  }
  const cells = (row: readonly string[]) => shown.map((at, place) => cell(row, at, widths[place] ?? 0))
  const title = (at: number, place: number) =>
    measure
      .wrap(heads[at] ?? '', widths[place] ?? 0)
      .map(bold)
      .join('\n')

  if (look.header) yield lines([shown.map(title)])
  const most = below.length > 0 ? 1 : rowsAtOnce
  for (let at = 0; at < rows.length; at += most) {
    yield lines(rows.slice(at, at + most).map(cells))
    for (const id of below) {
      const name = look.header ? `${bold(heads[id] ?? '')}${gap}` : ''
      yield `${gap}${name}${rows[at]?.[id]}\n`
    }
  }
  if (leftOut !== '') look.leftOut?.(leftOut)
}

/** Writes rows as blocks of names and values, an empty line between two; empty values are left out, nothing is cut. */
function* recordTexts(
  heads: readonly string[],
  rows: readonly string[][],
  hasNames: boolean,
  bold: (text: string) => string,
  { widthOf }: Ruler,
): Generator<string> {
  const width = Math.max(...heads.map(widthOf))
  let between = ''
  for (const row of rows) {
    const lines = row.flatMap((text, at) => {
      const head = heads[at] ?? ''
      const name = hasNames ? `${bold(`${head}${' '.repeat(width - widthOf(head))}`)}  ` : ''
      return text === '' ? [] : [`${name}${text}\n`]
    })
    yield between + lines.join('')
    between = '\n'
  }
}

/** Returns a function that formats one value for people: one line, nothing invisible, times in the zone, texts of a list after commas. */
export function shownIn(look: Pick<TableLook, 'timeZone'>): (value: unknown, column: Column) => string {
  let inZone: ((text: string) => string) | undefined
  return (value, column) => {
    const text = isTexts(value) ? value.join(', ') : cellText(value)
    if (kindOf(column) !== 'time') return sanitize(text)
    inZone ??= instantIn(look.timeZone)
    return sanitize(inZone(text))
  }
}

/** What a person reads as a list; one that has nothing is an empty cell. */
function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
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

const borderless = {
  ...Object.fromEntries(
    ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
      .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
      .map((name) => [name, '']),
  ),
  middle: gap,
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/

/**
 * Returns a function that formats an ISO 8601 instant as `2026-01-02 03:04:05` in a zone.
 *
 * Fractions of a second are left out: JSON and CSV have them. A text that is not an instant is returned unchanged. Throws
 * RangeError for an unknown zone, when the first instant is shown.
 */
function instantIn(timeZone: string): (text: string) => string {
  let clock: Intl.DateTimeFormat | undefined
  return (text) => {
    const milliseconds = instant.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(milliseconds)) return text
    clock ??= clockIn(timeZone)
    const parts = Object.fromEntries(clock.formatToParts(milliseconds).map(({ type, value }) => [type, value]))
    return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second}`
  }
}

function clockIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
}
