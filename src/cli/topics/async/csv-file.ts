// The CSV file of an import, as the service takes it. Source: docs/service/async-actions.md#csv-imports.
import { counted } from '../../../base/grouped.ts'
import { excerpt } from '../../../bulk/input/excerpt.ts'
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

/** What the service needs of a header, and what to do with a file that has another one. */
export interface NeededHeader {
  /** Recognized whatever its case. */
  column: string
  otherwise: string
}

/**
 * Reads a CSV file; `-` is stdin. The service checks cells and all other columns.
 *
 * Throws `input` (exit 2) for stdin that is a terminal, for a file that is missing, empty, too long, or not UTF-8, and for one
 * whose header lacks the column that is needed.
 */
export async function csvFrom(path: string, host: Host, needed: NeededHeader): Promise<CsvFile> {
  const name = sourceName(path)
  const content = await inputText(path, host, fileLimitBytes)
  const count = recordsIn(content) - 1
  if (count < 1) throw inputError(`${name} has no rows`, 'the first line is the header, and the rows follow it')
  mustHaveColumn(content, name, needed)
  return { content, rows: counted(count, 'row') }
}

function mustHaveColumn(content: string, name: string, { column, otherwise }: NeededHeader): void {
  const [header = ''] = content
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const titles = header.split(',').map((title) => title.trim().replace(/^"(.*)"$/, '$1'))
  if (titles.some((title) => title.toLowerCase() === column.toLowerCase())) return
  throw inputError(
    `${name} has no column ${excerpt(column)}; its first line, which the service cuts at commas, is ${excerpt(header)}`,
    otherwise,
  )
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
