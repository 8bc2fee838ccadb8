// What the columns of an input are called, and which of them are left out: files of others have names of their own.
import { nearest } from '../../base/nearest.ts'
import { shellWord } from '../../base/shell-word.ts'
import { excerpt, inputError } from './input-error.ts'
import type { Headings } from './key-column.ts'
import type { Fields, KeyOptions, Row } from './row.ts'

/** How the columns of CSV, or the members of JSON, become the fields of a row. */
export interface ColumnRules {
  /** The names of fields, by the names in the input. */
  names: ReadonlyMap<string, string>
  /** Returns the field that another name in the input means; undefined: the field has that name. */
  fieldOf?: ((title: string) => string | undefined) | undefined
  /** Returns the field that a column of the key is, too: that of a customer who is named by e-mail address. */
  alsoField?: ((title: string) => string | undefined) | undefined
  /** The names in the input that are left out. */
  ignored: ReadonlySet<string>
  /** Returns whether a field is left out, in a row of CSV or JSON that has all of these. */
  leavesOut: (field: string, all: readonly string[], form: 'csv' | 'json') => boolean
  /** Returns whether a field may be of any type, as metadata may. */
  takesAny?: (field: string) => boolean
  /** Returns whether a field other than the key is sent; absent: all are. */
  sends?: (field: string) => boolean
  /**
   * Reads a row of a list that promo wrote about something else: returns its fields, or in words why it cannot be used, or
   * undefined where it is a row like any other. Absent where the user says what the key is.
   */
  ofList?: ((valueAt: (path: string) => unknown) => Fields | string | undefined) | undefined
}

/** How the rows of an input are read, whatever its format. */
export interface RowOptions extends KeyOptions {
  /** The name of the input in messages. */
  name: string
  /** What the key is called where it has not the name of `column`; absent: that name, written in another way. */
  headings?: Headings
  /** Receives what was assumed about the columns, in words. */
  assumed?: (sentence: string) => void
  /** What columns and members are called, and which are left out. */
  rules?: () => Promise<ColumnRules>
  /** Returns the error about an input that has these columns and not that of the key; absent: it suggests `--column`. */
  missing?: (names: readonly string[]) => Error
}

/** A column of CSV that is kept: its field, its name in the header, and its place in a record. */
export interface KeptColumn {
  name: string
  title: string
  at: number
}

/** Returns the columns of a header that are not ignored. Throws `input` where one that is to have another name is missing. */
export function keptColumns(
  titles: readonly string[],
  { names, ignored, fieldOf }: ColumnRules,
  input: string,
): KeptColumn[] {
  for (const title of names.keys()) {
    if (titles.includes(title)) continue
    const found = titles.slice(0, 20).map(excerpt).join(', ')
    throw inputError(
      `${input} has no column ${excerpt(title)} to map; its first line names ${found}`,
      meant(title, names.get(title) ?? '', titles),
    )
  }
  return titles
    .map((title, at) => ({ name: names.get(title) ?? fieldOf?.(title) ?? title, title, at }))
    .filter(({ title }) => !ignored.has(title))
}

/** What was meant by a mapping of a column that is not there: the other way round, or a column of nearly that name. */
function meant(title: string, field: string, titles: readonly string[]): string | undefined {
  if (titles.includes(field)) return `--map ${shellWord(`${field}=${title}`)}: the column goes first`
  const near = nearest(title, titles)
  return near && `--map ${shellWord(`${near}=${field}`)}`
}

/** Returns the words for a key that was found in a column of another name. */
export function assumption(title: string, column: string): string {
  return `the column ${excerpt(title)} is taken for ${excerpt(column)}`
}

/** Gives the members of an object the names of fields, without those that are left out; `key` is never. */
export function keepFields(
  fields: Fields,
  { names, ignored, fieldOf, leavesOut }: ColumnRules,
  key: readonly string[],
): Pick<Row, 'fields' | 'ignored'> {
  const left: Fields = Object.create(null)
  const leave = (name: string) => {
    left[name] = fields[name]
    delete fields[name]
  }
  for (const name of Object.keys(fields)) {
    const field = names.get(name) ?? fieldOf?.(name) ?? name
    if (ignored.has(name)) leave(name)
    else if (field !== name) {
      fields[field] = fields[name]
      delete fields[name]
    }
  }
  const all = Object.keys(fields)
  // The key may be a path: `customer.source_id`.
  const isOfKey = (name: string) => key.some((path) => path === name || path.startsWith(`${name}.`))
  for (const name of all) if (!isOfKey(name) && leavesOut(name, all, 'json')) leave(name)
  return { fields, ...(Object.keys(left).length > 0 && { ignored: left }) }
}
