// Which columns of a table a terminal has room for, and how wide each is. Source: docs/command-line.md#tables.
import { type Column, kindOf } from '../column.ts'
import type { Ruler } from './width.ts'

/** The texts of a table, before anything is left out. */
export interface Texts {
  columns: readonly Column[]
  heads: readonly string[]
  rows: readonly (readonly string[])[]
}

/** How a table is laid out: columns by position. */
export interface Layout {
  shown: number[]
  widths: number[]
  /** The ids that have no room: each on a line of its own, below its row. */
  below: number[]
  /** The column that names each row, and is never cut; -1: none. */
  subject: number
  /** The names of the columns that are left out and have values. */
  leftOut: string
}

/** A long text is not cut below this width, nor the name of a row below `comfortable`. */
const narrowest = 22
const comfortable = 32
const gapWidth = 2
/** `2026-01-02 03:04`, and on two lines. */
const minutesWidth = 16
const dayWidth = 10

/** What is left out, in this order: a column is empty, repeats what was typed, is an id that nothing needs, or can be missed. */
const ranks = ['empty', 'typed', 'id', 'other'] as const

/** A column as it was measured. */
interface Measured {
  at: number
  column: Column
  /** `key`: an id that the next command takes. Undefined: it always stays. */
  rank: (typeof ranks)[number] | 'key' | undefined
  /**
   * Its widths: everything on one line; with times to the minute and the parts of its heading below each other; with long texts on
   * several lines, or cut; with names, states, times and `to_pay` on several lines.
   */
  widths: readonly [full: number, brief: number, snug: number, least: number]
}

/**
 * Lays a table out for a width; undefined when its rows need to be shown as records.
 *
 * `mayLeaveOut` false: the user named the columns. `typed` are the words of the command line.
 */
export function layoutFor(
  texts: Texts,
  width = Number.POSITIVE_INFINITY,
  { mayLeaveOut = false, typed = [] }: { mayLeaveOut?: boolean; typed?: readonly string[] },
  { widthOf }: Pick<Ruler, 'widthOf'>,
): Layout | undefined {
  const subject = subjectOf(texts)
  const measured = texts.columns.map((column, at) => ({
    at,
    column,
    rank: rankOf(at, texts, subject, typed),
    widths: widthsOf(at, texts, subject, widthOf),
  }))
  const wanted = measured.filter(({ rank }) => rank === undefined || rank === 'key' || rank === 'other')
  const isBelow = ({ rank }: Measured) => mayLeaveOut && rank === 'key' && room(wanted, 2) > width
  let shown = measured.filter((each) => !isBelow(each))
  for (const rank of mayLeaveOut ? ranks : []) {
    // What is cut, or takes two lines, is worth more than what says nothing, and than an id that nothing needs.
    const size = rank === 'empty' ? 0 : rank === 'other' ? 2 : 1
    for (const each of measured.toReversed())
      if (each.rank === rank && room(shown, size) > width) shown = shown.filter((one) => one !== each)
  }
  if (room(shown, 3) > width) return undefined
  return {
    shown: shown.map(({ at }) => at),
    widths: narrowColumns(shown, width),
    below: measured.filter(isBelow).map(({ at }) => at),
    subject,
    leftOut: measured
      .filter((each) => !shown.includes(each) && each.rank !== 'empty' && !isBelow(each))
      .map(({ at }) => nameColumn(at, texts))
      .join(', '),
  }
}

function nameColumn(at: number, { columns, rows }: Texts): string {
  const { name, label = name } = columns[at] as Column
  const [value = '', ...others] = new Set(rows.map((row) => row[at] ?? ''))
  const isSame = rows.length > 1 && others.length === 0 && value.length <= comfortable
  return isSame ? `${label} ("${value}" in every row)` : label
}

function rankOf(at: number, { rows, columns }: Texts, subject: number, typed: readonly string[]): Measured['rank'] {
  const column = columns[at] as Column
  const kind = kindOf(column)
  const { name, label = name, stays } = column
  if (at === 0) return subject > 0 ? 'id' : undefined
  const [value = '', ...others] = new Set(rows.map((row) => row[at] ?? ''))
  if (others.length === 0 && value === '') return 'empty'
  const isWord = kind === 'text' || kind === 'identifier' || kind === 'state'
  if (isWord && others.length === 0 && typed.some((word) => word.replace(/^--[\w-]+=/, '') === value)) return 'typed'
  // Of the service, whatever its heading; one of the shop has a heading that says what it is about.
  const isId = kind === 'identifier' && (/(?:^|[._])id$/.test(label) || /(?<!source_)id$/.test(name))
  if (stays) return isId ? 'key' : undefined
  if (at === subject || (label === 'name' && /^(?:source_)?id$/.test(columns[0]?.name ?? ''))) return undefined
  if (isId) return 'id'
  const isMissed = kind === 'text' || kind === 'time' || kind === 'date' || columns.some((one) => one.stays)
  return isMissed ? 'other' : undefined
}

function widthsOf(
  at: number,
  { rows, heads, columns }: Texts,
  subject: number,
  widthOf: Ruler['widthOf'],
): Measured['widths'] {
  const column = columns[at] as Column
  const kind = kindOf(column)
  const head = heads[at] ?? ''
  const texts = rows.map((row) => row[at] ?? '')
  const widest = (some: string[]) => some.reduce((most, text) => Math.max(most, widthOf(text)), 0)
  const cells = widest(texts)
  const isTime = kind === 'time' && texts.every(isInstant)
  const isLong = kind === 'reason' || kind === 'address' || (kind === 'text' && texts.some(isSentence))
  const snug = isLong
    ? Math.min(cells, at === subject ? comfortable : narrowest)
    : isTime
      ? Math.min(cells, minutesWidth)
      : cells
  const words = widest(head.split(/ |(?<=[./])/))
  const full = Math.max(cells, widthOf(head))
  return [
    full,
    Math.max(isTime ? snug : cells, words),
    Math.max(snug, words),
    Math.max(least(), widest(piecesOf(head))),
  ]

  function least(): number {
    if (isTime) return Math.min(snug, dayWidth)
    if (kind === 'state') return widest(texts.flatMap(piecesOf))
    if (kind === 'reason') return Math.min(snug, minutesWidth)
    // A code with a blank is copied, and stays on one line.
    const isName = kind === 'identifier' && !/(?:^|\.)code$/.test(column.name)
    return isName ? widest(texts.flatMap((text) => text.split(' '))) : snug
  }
}

/** Returns the position of the source id, or where a table has none the name, that every row has, each another; -1: none. */
function subjectOf({ columns, rows }: Pick<Texts, 'columns' | 'rows'>): number {
  if (columns[0]?.name !== 'id') return -1
  const at = ['source_id', 'name']
    .map((name) => columns.findIndex((column) => column.name === name))
    .find((one) => one > 0)
  const texts = new Set(rows.map((row) => row[at ?? 0] ?? ''))
  return at !== undefined && texts.size === rows.length && !texts.has('') ? at : -1
}

/** Cutting a single word, such as a type or an address, would leave nothing to use; it is whole or not shown. */
function isSentence(text = ''): boolean {
  return text.includes(' ') || text.length > comfortable
}

/** A time as tables show it, or nothing. */
function isInstant(text = ''): boolean {
  return /^(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?$/.test(text)
}

/** Returns a time without its seconds where the column has no room for them. */
export function timeIn(text: string, width: number): string {
  return isInstant(text) && text.length > width ? text.slice(0, minutesWidth) : text
}

/** Returns the position of the column whose texts are wrapped instead of cut; -1: none. */
export function lastText(columns: readonly Column[]): number {
  return columns.findLastIndex((column) => kindOf(column) === 'text' || kindOf(column) === 'reason')
}

/** The pieces between which a heading, or what is said of a state, may be broken. */
function piecesOf(head: string): string[] {
  return head.split(/ |(?<=[_./])/)
}

function room(columns: readonly Measured[], size: 0 | 1 | 2 | 3): number {
  return columns.reduce((sum, { widths }) => sum + widths[size] + gapWidth, -gapWidth)
}

/** Narrows the widest column, and times last, until the line fits. */
function narrowColumns(columns: readonly Measured[], width: number): number[] {
  const widths = columns.map((each) => each.widths[0])
  let over = room(columns, 0) - width
  for (const size of [1, 2, 3] as const) {
    while (over > 0) {
      const narrowable = columns.map((each, at) => {
        const now = widths[at] ?? 0
        return now <= each.widths[size] ? 0 : kindOf(each.column) === 'time' ? 1 : now
      })
      const widest = Math.max(...narrowable)
      if (widest === 0) break
      const at = narrowable.indexOf(widest)
      widths[at] = (widths[at] ?? 0) - 1
      over -= 1
    }
  }
  return widths
}
