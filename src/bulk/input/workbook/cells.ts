// What a cell of a workbook says: how a number is shown decides whether it is a number, a day or an instant.
import { dayMs } from '../../../base/duration.ts'
import type { TimeZone } from '../../../base/time/time-zone.ts'
import type { Cell } from '../table.ts'

/** How numbers are shown, as far as it changes what they are. */
export interface NumberStyle {
  /** Shown as a date, a time of the day, or both. */
  date?: 'day' | 'time' | 'instant'
  isPercent?: boolean
  /** Digits after the point that are always shown. */
  decimals: number
  /** Digits before the point that are always shown: `0000000`. */
  digits: number
}

/** Formats that every workbook has, as far as they are dates. Source: ECMA-376-1, 18.8.30. */
const builtIn = new Map<number, string>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58, 71, 72, 73, 74].map(
    (id) => [id, 'yyyy-mm-dd'] as const,
  ),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56, 75, 76, 78, 79, 80].map((id) => [id, 'hh:mm:ss'] as const),
  ...[22, 77, 81].map((id) => [id, 'yyyy-mm-dd hh:mm'] as const),
  [2, '0.00'],
  [4, '0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [39, '0.00'],
  [40, '0.00'],
  [44, '0.00'],
])

/**
 * Reads a format such as `yyyy-mm-dd` or `0.00%`; `code` is absent for those that every workbook has.
 *
 * Throws an Error in words for one that no spreadsheet writes.
 */
export function numberStyle(id: number, code = builtIn.get(id) ?? ''): NumberStyle {
  if (code.length > longestFormat) throw new Error('it has a format of numbers that is longer than 255 characters')
  // Texts, colours, languages and blanks of a certain width show nothing of the number; elapsed hours `[h]` do.
  const [shown = ''] = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')
  const isTime = /[hs]/i.test(shown) && !/general/i.test(shown)
  const isDay = /[dy]/i.test(shown) || (/m/i.test(shown) && !isTime)
  if (isDay || isTime) return { date: isDay ? (isTime ? 'instant' : 'day') : 'time', decimals: 0, digits: 0 }
  const [, digits = '', decimals = ''] = /^(0*)(?:\.(0+))?$/.exec(shown.replace(/[#,%\s€$£¥-]/g, '')) ?? []
  return { isPercent: shown.includes('%'), decimals: Math.min(decimals.length, mostDecimals), digits: digits.length }
}

/** What a spreadsheet takes at most. A longer format is an attack on what reads it. */
const longestFormat = 255
const mostDecimals = 30

const plain: NumberStyle = { decimals: 0, digits: 0 }
const asText = 'format the column as text and enter or import it again'

/** A cell as it is stored. */
export interface StoredCell {
  /** The attribute `t`; absent: a number. */
  type?: string | undefined
  /** The text of `v`, or of an inline text; absent: none. */
  text?: string
  hasFormula: boolean
}

export interface CellContext {
  sharedTexts: readonly string[]
  /** Whether days are counted from 1904. */
  from1904: boolean
  /** The zone of instants, for this column. */
  zone: () => TimeZone
}

/** Returns what a cell says. Throws an Error in words for one that says nothing a workbook may say. */
export function readCell(
  { type = 'n', text, hasFormula }: StoredCell,
  style: NumberStyle = plain,
  { sharedTexts, from1904, zone }: CellContext,
): Cell {
  if (text === undefined) {
    return hasFormula ? { problem: 'is a formula without a stored value; save the workbook again' } : ''
  }
  if (type === 'str' || type === 'inlineStr') return text
  if (text === '') return ''
  if (type === 's') {
    const shared = sharedTexts[Number(text)]
    if (shared === undefined) throw new Error('a cell names a text that does not exist')
    return shared
  }
  if (type === 'e') return { problem: `is the error ${text.slice(0, 20)}; correct the cell` }
  if (type === 'b') {
    return { text: text === '1' ? 'true' : 'false', value: text === '1', problem: `is a truth value; ${asText}` }
  }
  if (type === 'd') return dateCell(/^\d{4}-\d\d-\d\d(?:T00:00:00(?:\.0+)?)?$/.test(text) ? text.slice(0, 10) : text)
  const number = Number(text)
  if (!Number.isFinite(number)) throw new Error('a cell has a number that is none')
  if (style.date !== undefined) return dateCell(dateOf(number, style.date, from1904, zone))
  return numberCell(number, style)
}

/** A spreadsheet shows at most 15 digits; what is behind them is the rounding of its arithmetic. */
function numberCell(stored: number, { isPercent = false, decimals, digits }: NumberStyle): Cell {
  const number = Number(stored.toPrecision(15))
  if (Math.abs(number) >= 1e15)
    return { problem: `is a number of more than 15 digits, of which a spreadsheet keeps no more; ${asText}` }
  const whole = String(number)
  if (digits > whole.length && /^\d+$/.test(whole)) return whole.padStart(digits, '0')
  const shown = isPercent ? Number((number * 100).toPrecision(15)) : number
  const rounded = shown.toFixed(decimals)
  const text = Number(rounded) === shown ? rounded : String(shown)
  if (isPercent) return { text: `${text}%`, value: number, problem: `is a percentage; ${asText}` }
  return { text, value: number, ...(/^\d+$/.test(text) && { key: text }), problem: `is the number ${text}; ${asText}` }
}

function dateCell(text: string): Cell {
  return { text, problem: `is a date, ${text}, which a spreadsheet may have made of it; ${asText}` }
}

/** Returns the day, the time, or the instant that a number of days stands for. */
function dateOf(
  days: number,
  shown: NonNullable<NumberStyle['date']>,
  from1904: boolean,
  zone: () => TimeZone,
): string {
  // Spreadsheets believe that there was a 29 February 1900, day 60.
  const since1970 = from1904 ? days - 24_107 : days - (days < 60 ? 25_568 : 25_569)
  const localMs = Math.round(since1970 * dayMs)
  if (shown === 'time' && days < 1) return new Date(Math.round(days * dayMs)).toISOString().slice(11, 19)
  const local = new Date(localMs)
  if (Number.isNaN(local.getTime()) || local.getUTCFullYear() > 9999 || days < 0)
    throw new Error('a cell has a date that does not exist')
  if (shown === 'day' && localMs % dayMs === 0) return local.toISOString().slice(0, 10)
  return new Date(zone().instantAt(localMs)).toISOString()
}
