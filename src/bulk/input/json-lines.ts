// Rows of a JSON Lines file: one object per line, or the bare key in quotes. Source: docs/reliability.md#bodies.
import { readStrictJson } from '../../base/strict-json.ts'
import { type ColumnRules, keepFields } from './columns.ts'
import { excerpt, inputError } from './input-error.ts'
import { withoutReport } from './report-columns.ts'
import { type BadRow, type CheckKey, checkedRow, type Fields, keyFields, listedRow, type Row } from './row.ts'
import { type TextLine, textLines } from './text-lines.ts'

export interface JsonLinesOptions {
  name: string
  /** The member that holds the key. */
  column: string
  /** The member that holds it where that one is missing or empty. */
  orColumn?: string | undefined
  checkKey: CheckKey
  trim?: boolean
  /** What the members are called, and which are left out. */
  rules?: () => Promise<ColumnRules>
}

/**
 * Reads the rows of a JSON Lines text in their order; a bare string is a row that has only its key. Members that a report
 * of a job added are omitted.
 *
 * A line that is not JSON, or not a row, is yielded as a `BadRow`, and the reading continues. Throws `input` when all lines
 * are blank.
 */
export async function* rowsFromJsonLines(
  pieces: AsyncIterable<Buffer>,
  options: JsonLinesOptions,
): AsyncGenerator<Row | BadRow, void, undefined> {
  let isBlank = true
  const rules = await options.rules?.()
  for await (const found of textLines(pieces)) {
    if ('text' in found && found.text.trim() === '') continue
    isBlank = false
    yield 'text' in found ? rowFromJson(found, options, rules) : found
  }
  if (isBlank) throw inputError(`${options.name} has only blank lines`)
}

/** Reads one row from its JSON, which begins on a line and may go on below it. */
export function rowFromJson({ line, text }: TextLine, options: JsonLinesOptions, rules?: ColumnRules): Row | BadRow {
  const { column, orColumn } = options
  const reading = readStrictJson(text)
  if ('problem' in reading) {
    const { problem, at } = reading
    const above = text.slice(0, at).split('\n')
    const [row, column] = [line + above.length - 1, (above.at(-1) ?? '').length + 1]
    return {
      line,
      column,
      rule: 'json',
      message: `line ${row}, column ${column}: ${problem}: ${excerpt(text.slice(at))}`,
    }
  }
  const { value } = reading
  if (typeof value === 'string') {
    return checkedRow({ line, key: value, fields: keyFields(column, value) }, options, `line ${line}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { line, rule: 'json', message: `line ${line}: is neither an object nor a text: ${excerpt(text)}` }
  }
  const keys = orColumn === undefined ? [column] : [column, orColumn]
  const own = withoutReport(value as Fields, column)
  const listed = rules?.ofList?.((path) => valueAt(own, path))
  if (listed !== undefined) return listedRow(line, listed, options)
  const fields = rules === undefined ? own : keepFields(own, rules, keys)
  const given = valueAt(fields, column)
  const named = isBlank(given) && orColumn !== undefined && !isBlank(fields[orColumn]) ? orColumn : column
  const key = named === column ? given : fields[named]
  const place = `line ${line}, member ${excerpt(named)}`
  if (typeof key === 'string') return checkedRow({ line, key, fields }, options, place)
  // A number could lose its leading zeros before it arrives here; only a text is certain to be the intended key.
  const what = key === undefined ? `is missing; found ${namesOf(fields)}` : 'is not a text in quotes'
  return { line, rule: 'json', message: `${place}: ${what}` }
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
