// The CSV file of an import, as the service takes it. Source: docs/service/async-actions.md#csv-imports.
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { grouped } from '../../../base/grouped.ts'
import { EXIT, PromoError, usageError } from '../../../errors.ts'
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
 * Throws `usage` for stdin that is a terminal, and `input` (exit 2) for a file that is missing, empty, or not UTF-8.
 */
export async function csvFrom(path: string, host: Host): Promise<CsvFile> {
  if (path === '-' && host.stdin.isTTY) throw usageError('stdin is a terminal', 'pipe the CSV in, or name a file')
  const name = path === '-' ? 'stdin' : path
  const content = textOf(path === '-' ? await buffer(host.stdin) : await bytesOf(path), name)
  const count = recordsIn(content) - 1
  if (count < 1) throw inputError(`${name} has no rows: the first line is the header, and the rows follow it`)
  return { content, rows: `${grouped(count)} row${count === 1 ? '' : 's'}` }
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    throw inputError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw inputError(`${name} is not text in UTF-8: save it as "CSV UTF-8"`)
  }
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

function inputError(message: string): PromoError {
  return new PromoError('input', EXIT.usage, message)
}
