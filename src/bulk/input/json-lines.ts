// Rows of a JSON Lines file: one object per line, or the bare key in quotes. Source: docs/reliability.md#bodies.
import { readStrictJson } from '../../base/strict-json.ts'
import { assumption, type ColumnRules, keepFields, type RowOptions } from './columns.ts'
import { excerpt, inputError } from './input-error.ts'
import { findKey } from './key-column.ts'
import { plainText } from './plain-text.ts'
import { stateColumn, wasApplied, withoutReport } from './report-columns.ts'
import { type BadRow, checkRow, type Fields, keyFields, listedRow, type Row } from './row.ts'
import { readSource, type Source, sourceName } from './source.ts'
import { type TextLine, textLines } from './text-lines.ts'

/**
 * Reads the rows of a JSON Lines text in their order; a bare string is a row that has only its key. Members that a report
 * of a job added are omitted.
 *
 * A line that is not JSON, or not a row, is yielded as a `BadRow`, and the reading continues. Throws `input` when all lines
 * are blank.
 */
export async function* rowsFromJsonLines(
  pieces: AsyncIterable<Buffer>,
  options: RowOptions,
): AsyncGenerator<Row | BadRow, void, undefined> {
  const rules = await options.rules?.()
  yield* filledLines(pieces, options.name, (found) => rowFromJson(found, options, rules))
}

/**
 * Reads one object per line, in their order, each named by the number of its line; blank lines are skipped. For request bodies.
 *
 * A line that is not a JSON object is yielded as a `BadRow`. Throws `input` for an input without any object, and what
 * `readSource` throws.
 */
export function jsonDocuments(source: Source): AsyncGenerator<Row | BadRow, void, undefined> {
  const name = sourceName(source.from)
  return filledLines(plainText(readSource(source), name), name, ({ line, text }) => {
    const read = strictJson(line, text)
    if ('rule' in read) return read
    const { value } = read
    if (isObject(value)) return { ...appliedIn(value), line, key: String(line), fields: withoutReport(value) }
    return { line, rule: 'json', message: `line ${line}: is not an object: ${excerpt(text)}` }
  })
}

async function* filledLines(
  pieces: AsyncIterable<Buffer>,
  name: string,
  rowFrom: (line: TextLine) => Row | BadRow,
): AsyncGenerator<Row | BadRow, void, undefined> {
  let isBlank = true
  for await (const found of textLines(pieces)) {
    if ('text' in found && found.text.trim() === '') continue
    isBlank = false
    yield 'text' in found ? rowFrom(found) : found
  }
  if (isBlank) throw inputError(`${name} has only blank lines`)
}

/** Reads JSON that begins on a line and may go on below it. */
function strictJson(line: number, text: string): { value: unknown } | BadRow {
  const reading = readStrictJson(text)
  if (!('problem' in reading)) return reading
  const { problem, at } = reading
  const above = text.slice(0, at).split('\n')
  const [row, column] = [line + above.length - 1, (above.at(-1) ?? '').length + 1]
  const message = `line ${row}, column ${column}: ${problem}: ${excerpt(text.slice(at))}`
  return { line, column, rule: 'json', message }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads one row from its JSON, which begins on a line and may go on below it. */
export function rowFromJson({ line, text }: TextLine, options: RowOptions, rules?: ColumnRules): Row | BadRow {
  const { column, orColumn } = options
  const read = strictJson(line, text)
  if ('rule' in read) return read
  const { value } = read
  if (typeof value === 'string') {
    return checkRow({ line, key: value, fields: keyFields(column, value) }, options, `line ${line}`)
  }
  if (!isObject(value)) {
    return { line, rule: 'json', message: `line ${line}: is neither an object nor a text: ${excerpt(text)}` }
  }
  const applied = appliedIn(value)
  const own = withoutReport(value, column)
  const listed = rules?.ofList?.((path) => valueAt(own, path))
  if (listed !== undefined) return listedRow(line, listed, options, own)
  nameKey(own, options, rules)
  const keys = orColumn === undefined ? [column] : [column, orColumn]
  const { fields, ignored } = rules === undefined ? { fields: own } : keepFields(own, rules, keys)
  const given = valueAt(fields, column)
  const named = isBlank(given) && orColumn !== undefined && !isBlank(fields[orColumn]) ? orColumn : column
  const key = named === column ? given : fields[named]
  const place = `line ${line}, member ${excerpt(named)}`
  if (typeof key === 'string') return checkRow({ ...applied, line, key, fields, ignored }, options, place)
  // A number could lose its leading zeros before it arrives here; only a text is certain to be the intended key.
  const what = key === undefined ? `is missing; found ${namesOf(fields)}` : 'is not a text in quotes'
  return { line, rule: 'json', message: `${place}: ${what}` }
}

function appliedIn(row: Fields): Pick<Row, 'wasApplied'> {
  return wasApplied(row[stateColumn]) ? { wasApplied: true } : {}
}

/** Gives the member that has the key the name that the command has for it. */
function nameKey(
  fields: Fields,
  { column, orColumn, headings = [[column]], assumed }: RowOptions,
  rules?: ColumnRules,
): void {
  const named = [...(rules?.names.values() ?? [])]
  const isNamed = [column, orColumn].some(
    (name) => name !== undefined && (valueAt(fields, name) !== undefined || named.includes(name)),
  )
  const found = isNamed ? column : findKey(Object.keys(fields), headings)
  const key = found === undefined ? undefined : fields[found]
  if (found === undefined || key === undefined) return
  const also = rules?.alsoField?.(found)
  if (also !== undefined && fields[also] === undefined) fields[also] = key
  if (found === column) return
  if (found !== also) delete fields[found]
  fields[column] = key
  assumed?.(assumption(found, column))
}

/** The member of this name, or at this path: `customer.source_id`. */
function valueAt(fields: Fields, name: string): unknown {
  if (name in fields) return fields[name]
  let value: unknown = fields
  for (const step of name.split('.')) value = (value as Fields | null | undefined)?.[step]
  return value
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function namesOf(fields: Fields): string {
  const names = Object.keys(fields)
  const shown = names.slice(0, 10).map(excerpt).join(', ')
  return names.length > 10 ? `${shown} …` : shown || 'no members'
}
