// JSON and JSON Lines: the service's own objects, every field untouched, never coloured, the same on a terminal and in
// a pipe.
import { sanitizeJson } from '../../base/text/sanitize.ts'

/** Returns the JSON text of a value; control and direction characters are JSON escapes. `indent` is in spaces. */
export function jsonText(value: unknown, indent?: number): string {
  return sanitizeJson(JSON.stringify(value ?? null, null, indent))
}

/**
 * Writes a listing as one array, indented by two spaces, with no more than one batch in memory; `[]` for zero objects.
 *
 * Nothing is written before the first batch. A listing that fails midway leaves the array open, so that no reader takes
 * it for complete.
 */
export async function* jsonArray(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let open = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    // The text of a batch is already indented; its first and last lines are brackets, which belong to the listing.
    yield `${open}${jsonText(batch, 2).slice(1, -2)}`
    open = ','
  }
  yield open === '[' ? '[]\n' : '\n]\n'
}

/** Writes JSON Lines: each value on its own line, so that a reader can start before the listing ends. */
export async function* jsonLines(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const batch of batches) {
    yield sanitizeJson(batch.map((value) => `${JSON.stringify(value ?? null)}\n`).join(''))
  }
}
