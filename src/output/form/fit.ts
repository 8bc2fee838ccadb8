// Which columns of a table a terminal has room for, and how wide each is. What the user would act on is never cut: codes,
// amounts, states, and the reason of a refusal. Source: docs/command-line.md#tables.
import { type Column, kindOf } from '../column.ts'
import type { Ruler } from './width.ts'

/** The texts of a table, before anything is left out. */
export interface Texts {
  columns: readonly Column[]
  heads: readonly string[]
  rows: readonly (readonly string[])[]
}

/** How a table is laid out: the columns that are shown, by position, with their widths, and the names of the others. */
export interface Layout {
  shown: number[]
  widths: number[]
  /** The column that names each row in place of an id that is left out. */
  subject?: number
  /** Undefined: nothing is left out. */
  leftOut?: string
}

/** A text of several words is never cut below this many terminal columns; what is wrapped has somewhat more (`share`). */
const narrowest = 16
/** The last text is wrapped down to this width before other columns are left out for it. */
const comfortable = 32
const gapWidth = 2
/** `2026-01-02 03:04`: seconds are left out before columns are. */
const minutesWidth = 16
const dayWidth = 10

/** A column as it was measured. */
interface Measured {
  at: number
  column: Column
  label: string
  /** With the heading on one line. */
  roomy: number
  /** With times to the minute. */
  brief: number
  /** With the time zone of a heading below it. */
  tight: number
  /** Below this it would lose what it says. */
  least: number
  /** With a name, state, command or subject of several words on as many lines, where the table would otherwise become records. */
  wordy: number
  /** With times on two lines, too. */
  last: number
  /** Why it may be left out, in the order of trying: nothing in it, what was typed, an id, the same everywhere, less important, why. */
  leave?: 'empty' | 'typed' | 'id' | 'same' | 'less' | 'why' | undefined
  /** What every row has, where all have the same. */
  value: string
}

/**
 * Lays a table out for a width; undefined when its rows need to be shown as records.
 *
 * Columns are left out in this order until the rest fits: empty ones, those that repeat in every row what was typed, ids of the
 * service, those with the same value in every row, then from the right times and words. The first column, the name after an id, codes, numbers, flags, states and reasons stay, unless no row has
 * anything there; but the id with which a row begins is left out where a source id or name tells the rows apart, because that says who
 * or what it is, and commands take it as well. Texts of several
 * words are cut, the last one is wrapped; everything else is whole. `mayLeaveOut` false: the user named the columns. `typed` are the words
 * of the command line.
 */
export function layoutFor(
  texts: Texts,
  width: number | undefined,
  { mayLeaveOut = false, typed = [] }: { mayLeaveOut?: boolean; typed?: readonly string[] },
  { widthOf }: Pick<Ruler, 'widthOf'>,
): Layout | undefined {
  const subject = subjectOf(texts)
  const measured = texts.columns.map((column, at) => measure(column, at, { ...texts, subject, typed }, widthOf))
  if (width === undefined || room(measured, 'roomy') <= width) return laidOut(measured, width)
  let shown = measured
  const leave = (kind: Measured['leave'], size: (each: Measured) => number) => {
    for (const each of measured.toReversed()) {
      if (shown.reduce((sum, one) => sum + size(one) + gapWidth, -gapWidth) <= width) return
      if (each.leave === kind) shown = shown.filter((one) => one !== each)
    }
  }
  if (mayLeaveOut) {
    const ofComfort = ({ tight, least }: Measured) => Math.min(tight, Math.max(least, comfortable))
    // Nothing is lost with an empty column, so it is gone before a heading takes two lines.
    leave('empty', ({ roomy }) => roomy)
    for (const kind of ['typed', 'id', 'same'] as const) leave(kind, ofComfort)
    leave('less', ({ least }) => least)
    // What somebody said is worth commands and states on several lines.
    leave('why', ({ last }) => last)
  }
  if (room(shown, 'last') > width) return undefined
  const left = measured.filter((each) => !shown.includes(each))
  return {
    ...laidOut(shown, width),
    ...(shown[0] !== measured[0] && { subject }),
    ...(left.length > 0 && { leftOut: named(left) }),
  }
}

function measure(
  column: Column,
  at: number,
  { rows, heads, columns, subject, typed }: Texts & { subject: number; typed: readonly string[] },
  widthOf: Ruler['widthOf'],
): Measured {
  const head = heads[at] ?? ''
  const kind = kindOf(column)
  const texts = rows.map((row) => row[at] ?? '')
  const [value = ''] = texts
  const widest = (some: string[]) => some.reduce((most, text) => Math.max(most, widthOf(text)), 0)
  const cells = widest(texts)
  // A name such as to_pay is broken only where the table would otherwise become records.
  const words = widest(head.split(/ |(?<=[./])/))
  const pieces = widest(piecesOf(head))
  const tight = Math.max(cells, words)
  const label = column.label ?? column.name
  const isLast = lastText(columns) === at
  const isProse = isWrapped(column) || (kind === 'text' && texts.some(isSentence))
  const isTime = kind === 'time' && texts.every(isInstant)
  const share = isWrapped(column) ? 1.25 : isLast ? 1.5 : 1
  const leastWith = (part: number) => {
    const whole = Math.max(cells, part)
    if (isProse) return Math.max(Math.min(whole, at === subject ? comfortable : narrowest * share), part)
    return isTime ? Math.min(whole, minutesWidth) : whole
  }
  const roomy = Math.max(cells, widthOf(head))
  const wordy = wordyWidth()
  return {
    at,
    column,
    label,
    roomy,
    brief: isTime ? Math.min(roomy, Math.max(minutesWidth, widthOf(head))) : roomy,
    tight,
    least: leastWith(words),
    wordy,
    last: isTime ? Math.min(wordy, Math.max(pieces, dayWidth)) : wordy,
    leave:
      leaveOf() ??
      (at > 0 && !column.stays && columns.some(({ stays }) => stays)
        ? kind === 'reason'
          ? 'why'
          : 'less'
        : undefined),
    value,
  }

  function wordyWidth(): number {
    if (kind === 'state') return Math.max(pieces, widest(texts.flatMap(piecesOf)))
    if (kind === 'reason') return Math.min(leastWith(pieces), Math.max(pieces, narrowest))
    // A code with a blank is copied, and stays on one line.
    const isCode = /(?:^|\.)code$/.test(column.name)
    if (kind !== 'identifier' || isCode) return leastWith(pieces)
    return Math.max(pieces, widest(texts.flatMap((text) => text.split(' '))))
  }

  function leaveOf(): Measured['leave'] {
    if (at === 0) return subject > 0 ? 'id' : undefined
    if (cells === 0) return 'empty'
    const isSame = texts.every((text) => text === value)
    const isWord = kind === 'text' || kind === 'identifier' || kind === 'state'
    if (isWord && isSame && typed.some((word) => word.replace(/^--[\w-]+=/, '') === value)) return 'typed'
    if (column.stays || at === subject || (label === 'name' && /^(?:source_)?id$/.test(columns[0]?.name ?? '')))
      return undefined
    // Of the service, whatever its heading; one of the shop has a heading that says what it is about.
    if (kind === 'identifier' && (/(?:^|[._])id$/.test(label) || /(?<!source_)id$/.test(column.name))) return 'id'
    const isLess = kind === 'text' || kind === 'time' || kind === 'date'
    if (!isLess && kind !== 'identifier') return undefined
    if (texts.length > 1 && cells <= comfortable && isSame) return 'same'
    return isLess ? 'less' : undefined
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

/** As many lines as it needs, instead of a cut. */
export function isWhole(column: Column): boolean {
  return kindOf(column) !== 'text'
}

/** Wrapped before other columns are left out. */
function isWrapped(column: Column): boolean {
  return kindOf(column) === 'reason' || kindOf(column) === 'address'
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

function room(columns: readonly Measured[], size: 'roomy' | 'last'): number {
  return columns.reduce((sum, each) => sum + each[size] + gapWidth, -gapWidth)
}

/** Narrows times first, then headings, then the widest text, until the line fits. */
function laidOut(columns: readonly Measured[], width = Number.POSITIVE_INFINITY): Layout {
  const widths = columns.map(({ roomy }) => roomy)
  let over = room(columns, 'roomy') - width
  for (const size of ['brief', 'tight', 'least', 'wordy', 'last'] as const) {
    while (over > 0) {
      const narrowable = widths.map((each, at) => (each > (columns[at] as Measured)[size] ? each : 0))
      const widest = Math.max(...narrowable)
      if (widest === 0) break
      widths[narrowable.indexOf(widest)] = widest - 1
      over -= 1
    }
  }
  return { shown: columns.map(({ at }) => at), widths }
}

function named(left: readonly Measured[]): string {
  const words = left.map(({ label, leave, value }) => {
    if (leave === 'empty') return `${label} (empty)`
    if (leave === 'typed') return `${label} (as typed)`
    return leave === 'same' ? `${label} ("${value}" in every row)` : label
  })
  return words.join(', ')
}
