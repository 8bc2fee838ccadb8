// Objects of a JSON Lines text that have no key of their own: each is named by its line number. For request bodies.
import { readStrictJson } from '../../base/strict-json.ts'
import { excerpt, inputError } from './input-error.ts'
import { plainText } from './plain-text.ts'
import { withoutReport } from './report-columns.ts'
import type { BadRow, Fields, Row } from './row.ts'
import { readSource, type Source, sourceName } from './source.ts'
import { textLines } from './text-lines.ts'

/**
 * Reads one object per line, in their order; blank lines are skipped.
 *
 * A line that is not a JSON object is yielded as a `BadRow`. Throws `input` for an input without any object, and what
 * `readSource` throws.
 */
export async function* jsonDocuments(source: Source): AsyncGenerator<Row | BadRow, void, undefined> {
  const name = sourceName(source.from)
  let isBlank = true
  for await (const found of textLines(plainText(readSource(source), name))) {
    if ('text' in found && found.text.trim() === '') continue
    isBlank = false
    yield 'text' in found ? rowFrom(found.line, found.text) : found
  }
  if (isBlank) throw inputError(`${name} has only blank lines`)
}

function rowFrom(line: number, text: string): Row | BadRow {
  const reading = readStrictJson(text)
  if ('problem' in reading) {
    const { problem, at } = reading
    return {
      line,
      column: at + 1,
      rule: 'json',
      message: `line ${line}, column ${at + 1}: ${problem}: ${excerpt(text.slice(at))}`,
    }
  }
  const { value } = reading
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { line, key: String(line), fields: withoutReport(value as Fields) }
  }
  return { line, rule: 'json', message: `line ${line}: is not an object: ${excerpt(text)}` }
}
