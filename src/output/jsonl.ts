// JSON Lines: one object of the service per line, so that a reader can start before the listing ends.
import { jsonText } from './json.ts'

/** Writes each value on its own line. Zero values give no line. */
export async function* jsonLines(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map((value) => `${jsonText(value)}\n`).join('')
}
