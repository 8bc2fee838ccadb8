// The CSV file of an import, as the service takes it. Source: docs/service/async-actions.md#csv-imports.
import { counted } from '../../../base/grouped.ts'
import { inputError } from '../../../bulk/input/input-error.ts'
import { sourceName } from '../../../bulk/input/source.ts'
import { fileLimitBytes, inputText } from '../../request/input-text.ts'
import type { Host } from '../../run/host.ts'

/** A file to import. */
export interface CsvFile {
  content: string
  /** Lines behind the header that are not blank: `3 rows`. */
  rows: string
}

/**
 * Reads a CSV file; `-` is stdin. The service checks columns and cells.
 *
 * Throws `input` (exit 2) for stdin that is a terminal, and for a file that is missing, empty, too long, or not UTF-8.
 */
export async function csvFrom(path: string, host: Host): Promise<CsvFile> {
  const name = sourceName(path)
  const content = await inputText(path, host, fileLimitBytes)
  const count = recordsIn(content) - 1
  if (count < 1) throw inputError(`${name} has no rows`, 'the first line is the header, and the rows follow it')
  return { content, rows: counted(count, 'row') }
}

/** Lines that are not blank; a line break inside quotes is no end of a line. */
function recordsIn(content: string): number {
  let count = 0
  let isQuoted = false
  for (const line of content.split('\n')) {
    if (!isQuoted && line.trim() !== '') count += 1
    if ((line.split('"').length - 1) % 2 === 1) isQuoted = !isQuoted
  }
  return count
}
