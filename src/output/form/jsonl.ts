// JSON Lines: one object of the service per line, so that a reader can start before the listing ends.
import { sanitizeJson } from './sanitize.ts'

/** Writes each value on its own line. Zero values give no line. */
export async function* jsonLines(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const batch of batches) {
    yield sanitizeJson(batch.map((value) => `${JSON.stringify(value ?? null)}\n`).join(''))
  }
}
