// Rows of a JSON document: one object or text, several one after the other, or an array of them. What `--json` prints.

import type { RowOptions } from './columns.ts'
import { excerpt, inputError } from './input-error.ts'
import { rowFromJson } from './json-lines.ts'
import { type BadRow, maxRecordBytes, type Row } from './row.ts'
import { textLines } from './text-lines.ts'

/** An object or a text of which more is to come. */
interface OpenObject {
  line: number
  text: string
  depth: number
  inString: boolean
  isEscaped: boolean
}

/**
 * Reads the rows of a JSON document in their order, one object at a time.
 *
 * An object that is no row is yielded as a `BadRow`, and the reading continues; after text that belongs to no object it
 * does not. Throws `input` for a document without an object.
 */
export async function* rowsFromJson(
  pieces: AsyncIterable<Buffer>,
  options: RowOptions,
): AsyncGenerator<Row | BadRow, void, undefined> {
  let open: OpenObject | undefined
  let isEmpty = true
  let arrays = 0
  const rules = await options.rules?.()
  for await (const found of textLines(pieces)) {
    if (!('text' in found)) {
      yield { ...found, final: true }
      return
    }
    for (const character of `${found.text}\n`) {
      if (!open) {
        if (character === '[' && ++arrays > 1)
          options.assumed?.(`${options.name} has several arrays, which are read as one list`)
        if (/[\s,[\]]/.test(character)) continue
        isEmpty = false
        if (character !== '{' && character !== '"') {
          yield brokenRow(found.line, `is neither an object nor a text: ${excerpt(found.text)}`)
          return
        }
        open = { line: found.line, text: '', depth: 0, inString: false, isEscaped: false }
      }
      if (isComplete(open, character)) {
        yield rowFromJson(open, options, rules)
        open = undefined
      } else if (open.text.length > maxRecordBytes) {
        yield { ...brokenRow(open.line, 'is longer than 1 MiB'), rule: 'size' }
        return
      }
    }
  }
  if (open)
    yield brokenRow(open.line, `the ${open.text.startsWith('{') ? 'object' : 'text'} that begins here does not end`)
  else if (isEmpty) throw inputError(`${options.name} has no rows`)
}

/** Adds a character to an object; returns whether that was its last one. */
function isComplete(open: OpenObject, character: string): boolean {
  open.text += character
  if (open.inString) {
    if (open.isEscaped) open.isEscaped = false
    else if (character === '\\') open.isEscaped = true
    else if (character === '"') open.inString = false
    // A text of its own ends with its quote.
    return open.depth === 0 && !open.inString
  }
  if (character === '"') open.inString = true
  if (character === '{' || character === '[') open.depth += 1
  if (character === '}' || character === ']') open.depth -= 1
  return open.depth === 0 && !open.inString
}

function brokenRow(line: number, what: string): BadRow {
  return { line, rule: 'json', message: `line ${line}: ${what}`, final: true }
}
