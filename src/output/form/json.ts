// JSON: the service's own objects, every field untouched, never coloured, the same on a terminal and in a pipe.
import { sanitizeJson } from './sanitize.ts'

/** Gives the JSON text of a value; control and direction characters are JSON escapes. `indent` is in spaces. */
export function jsonText(value: unknown, indent?: number): string {
  return sanitizeJson(JSON.stringify(value ?? null, null, indent))
}

/**
 * Writes a listing as one array, two spaces deep, with no more than one batch in memory. Zero objects give `[]`.
 *
 * Nothing is written before the first batch. A listing that fails midway leaves the array open, so that no reader takes
 * a part for the whole.
 */
export async function* jsonArray(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let open = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    // An array's own text is already indented; its first and last line are the brackets, which belong to the whole.
    yield `${open}${jsonText(batch, 2).slice(1, -2)}`
    open = ','
  }
  yield open === '[' ? '[]\n' : '\n]\n'
}
