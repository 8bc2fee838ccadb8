// One row of an input, or what is wrong with it.

import type { RowState } from '../summary.ts'
import { excerpt } from './input-error.ts'
import type { RowResults } from './report-columns.ts'

/** The values of a row by column or member name; without a prototype, so that no name has a meaning of its own. */
export type Fields = Record<string, unknown>

/** A row that can be acted on, unless it is a `duplicateOf` another or has a `problem`. */
export interface Row {
  /** The physical line on which the record starts, counted from 1; for plain arguments their position. */
  line: number
  /** What the row is about: the value of the key column. */
  key: string
  /** CSV: every column as text. JSON: the object as written. Otherwise only the key under the key column's name. */
  fields: Fields
  /** What the input has besides, and nothing reads; a report shows it. */
  ignored?: Fields | undefined
  /** The line of the first row with this key, when this row is a duplicate of it. */
  duplicateOf?: number | undefined
  /** Why this row cannot be acted on; only where bad rows are kept for the report (`--skip-bad-rows`). */
  problem?: string | undefined
  /** It is of the report of a job that applied it, or may have. */
  wasApplied?: true
  /** Its key was marked as a text, so no spreadsheet changed it. */
  isMarked?: true
  /** Its record in the journal; absent where there is none. */
  past?: Past | undefined
}

/** What earlier runs of a job recorded about a row. */
export interface Past {
  /** Its position in the journal, from 1. */
  position: number
  state: RowState
  /** Whether an attempt of an earlier run may have been applied. */
  lost: boolean
  /** Attempts of earlier runs, as far as they were recorded. */
  attempts: number
  /** Unix ms, by this computer's clock, before which no attempt can have left. */
  begunAtMs?: number | undefined
  /** The position of the first row of the request in which it may have been applied. */
  group?: number | undefined
  /** What it made. */
  results?: RowResults | undefined
}

/** Which rule a row breaks. */
export type BrokenRule =
  | 'fields'
  | 'cell'
  | 'quote'
  | 'line-ending'
  | 'size'
  | 'json'
  | 'key'
  | 'damaged'
  | 'duplicate'
  | 'request'

/** A row that cannot be used. */
export interface BadRow {
  line: number
  /** The field's position in its record, or for JSON the character in its line; counted from 1. */
  column?: number
  rule: BrokenRule
  /** The complete sentence with its place, as in `line 3, column 2 ("code"): is empty`. */
  message: string
  /** Its values, where they could be read; a report shows them. */
  fields?: Fields
  ignored?: Fields | undefined
  /** Its key could be used without the white space around it. */
  needsTrim?: true
  /** The next step, where it is more than to correct the row. */
  remedy?: string
  /** Set when nothing after this row could be read, because it is unknown where the next record starts. */
  final?: true
}

/** Returns in words what is wrong with a key, or undefined. */
export type CheckKey = (key: string) => string | undefined

/** How the key of a row is found and checked. */
export interface KeyOptions {
  /** The column or member that holds the key; without either, the name of the key in the fields of a row. */
  column: string
  /** The column or member that holds it where that one is missing or empty. */
  orColumn?: string | undefined
  checkKey: CheckKey
  /** The sheet of a workbook that has the rows. */
  sheet?: string
  /** Whether white space around texts is removed. */
  trim?: boolean
}

/** Bytes a record may take. Source: docs/reliability.md#csv. */
export const maxRecordBytes = 1024 * 1024

/** Returns how a row is named in messages: by its line, or by its row in a sheet. */
export function placeOf(line: number, { sheet }: { sheet?: string | undefined } = {}): string {
  return sheet === undefined ? `line ${line}` : `row ${line} of sheet ${excerpt(sheet)}`
}

/** Returns whether a row is bad. */
export function isBad(row: Row | BadRow): row is BadRow {
  return 'rule' in row
}

/** Returns what a bad row keeps of the row that it was. */
export function badFrom({ line, fields, ignored }: Row): Pick<BadRow, 'line' | 'fields' | 'ignored'> {
  return { line, fields, ignored }
}

/** Returns the row when its key can be used, and otherwise its problem; `place` is as in `line 3, column 2`. */
export function checkRow(
  given: Row,
  { checkKey, trim }: Pick<KeyOptions, 'checkKey' | 'trim'>,
  place: string,
  column?: number,
): Row | BadRow {
  const row = trim ? trimRow(given) : given
  const problem = checkKey(row.key)
  if (problem === undefined) return row
  const shown = row.key === '' ? '' : `: ${excerpt(row.key)}`
  const bad: BadRow = { ...badFrom(row), rule: 'key', message: `${place}: ${problem}${shown}` }
  const needsTrim = row.key !== row.key.trim() && checkKey(row.key.trim()) === undefined
  return { ...bad, ...(column !== undefined && { column }), ...(needsTrim && { needsTrim }) }
}

/** Returns the row that a list of promo has on this line, or what is wrong with it; `ignored` is all that the list has there. */
export function listedRow(line: number, listed: Fields | string, options: KeyOptions, ignored: Fields): Row | BadRow {
  const { column, orColumn = column } = options
  if (typeof listed === 'string') {
    const remedy = 'list what the command is about, or name the column that has it with --column'
    return { line, rule: 'key', message: `${placeOf(line, options)}: ${listed}`, remedy, ignored }
  }
  return checkRow(
    { line, key: (listed[column] ?? listed[orColumn]) as string, fields: listed, ignored },
    options,
    placeOf(line, options),
  )
}

/** Removes the white space around every text of a row. */
function trimRow(row: Row): Row {
  const { fields } = row
  for (const [name, value] of Object.entries(fields)) if (typeof value === 'string') fields[name] = value.trim()
  return { ...row, key: row.key.trim() }
}

/** Returns the fields of a row that consists of its key. */
export function keyFields(column: string, key: string): Fields {
  const fields: Fields = Object.create(null)
  fields[column] = key
  return fields
}
