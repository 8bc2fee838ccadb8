// CSV files that are imported: the header is checked before anything is stored, records are read piece by piece in the
// background. Own code and not csv-parse, because a piece has to be cut and read within a transaction, which cannot wait
// for a library that is loaded on demand. Source: docs/service/async-actions.md#csv-imports; RFC 4180.

import { z } from 'zod'
import { readJson } from '../../../base/nesting.ts'
import { invalidPayload } from '../../http/refusal.ts'
import type { Tables } from '../../http/route.ts'
import { metadataSchemas } from '../../stores/schemas.ts'

/** The columns that an import knows; every other column is metadata. */
export interface CsvLayout {
  columns: readonly string[]
  /** A header without these columns is refused; of an inner list, one is enough. */
  required: ReadonlyArray<string | readonly string[]>
}

/** A record: cells of known columns, and metadata by its header. Empty cells are absent. */
export interface CsvRow {
  cells: Readonly<Record<string, string>>
  metadata: Readonly<Record<string, string>>
}

/** Some records of a file that follow each other. */
export interface CsvPiece {
  text: string
  /** The number of its first record in the file, where the header is 1. */
  first_row: number
  rows: number
}

/** What a column means: a known one by its name in the layout, or a key of the metadata. */
export type CsvColumn = { known: string } | { metadata: string }

/**
 * Cuts a file into pieces of whole records, after its header has been understood.
 *
 * Throws 400 `invalid_payload` for lines that end with CR alone, a header without a required column, with an empty or repeated
 * name, and for a quoted cell that never ends. Blank lines are skipped.
 */
export function csvPieces(
  file: string,
  layout: CsvLayout,
  rowsPerPiece: number,
): { columns: CsvColumn[]; pieces: CsvPiece[] } {
  const text = file.startsWith('\uFEFF') ? file.slice(1) : file
  const head = endOfRecord(text, 0)
  // The whole file would be one line, a header without rows.
  if (/\r(?!\n)/.test(text.slice(0, head)))
    throw invalidPayload('Property .file must have lines that end with LF or CRLF')
  const columns = columnsOf(cellsOf(text.slice(0, head)), layout)
  const pieces: CsvPiece[] = []
  let [from, first, rows, row] = [head, 2, 0, 1]
  for (let at = head; at < text.length; ) {
    const end = endOfRecord(text, at)
    row += 1
    rows += 1
    if (rows === rowsPerPiece || end - from > pieceLimit || end >= text.length) {
      pieces.push({ text: text.slice(from, end), first_row: first, rows })
      ;[from, first, rows] = [end, row + 1, 0]
    }
    at = end
  }
  return { columns, pieces }
}

/** Reads the records of a piece, each with its number; a reason instead of a row for one with too many or too few cells. */
export function* csvRows(
  piece: CsvPiece,
  columns: readonly CsvColumn[],
): Generator<{ number: number; row: CsvRow | undefined; reason?: string }> {
  let number = piece.first_row
  for (let at = 0; at < piece.text.length; number += 1) {
    const end = endOfRecord(piece.text, at)
    const record = piece.text.slice(at, end)
    at = end
    if (record.trim() === '') continue
    const cells = cellsOf(record)
    if (cells.length === columns.length) yield { number, row: rowOf(cells, columns) }
    else yield { number, row: undefined, reason: `The line has ${cells.length} cells, the header ${columns.length}` }
  }
}

// In characters. A piece is read, and the rest of the action written, in one slice between other requests.
const pieceLimit = 65_536

/** Returns where the record that begins at `from` ends, its line break included. */
function endOfRecord(text: string, from: number): number {
  for (let at = from; ; ) {
    const line = text.indexOf('\n', at)
    const end = line === -1 ? text.length : line + 1
    const quote = text.slice(at, end).indexOf('"')
    if (quote === -1) return end
    at += quote + 1
    // A quote within a cell is part of it, as in `5" pipe`; only one that begins a cell may enclose line breaks.
    if (/(^|,)[ \t]*$/.test(text.slice(from, at - 1).slice(-100))) at = afterQuoted(text, at)
  }
}

function afterQuoted(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at)
    if (at === -1) throw invalidPayload('Property .file has a quoted cell without an end')
    if (text[at + 1] !== '"') return at + 1
  }
}

function cellsOf(record: string): string[] {
  const line = record.replace(/\r?\n$/, '')
  const cell = /[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*(?:,|$)|([^,]*)(?:,|$)/y
  const cells: string[] = []
  for (;;) {
    const [whole = '', quoted, plain = ''] = cell.exec(line) ?? []
    cells.push(quoted?.replaceAll('""', '"') ?? plain.trim())
    if (!whole.endsWith(',')) return cells
  }
}

function columnsOf(header: readonly string[], { columns, required }: CsvLayout): CsvColumn[] {
  // ASSUMED A1153: known columns are recognized whatever their case; published files write `Source_id` and `source_id`.
  const byName = new Map(columns.map((name) => [name.toLowerCase(), name]))
  const named = header.map((cell) => {
    const known = byName.get(cell.toLowerCase())
    return known === undefined ? { metadata: cell } : { known }
  })
  const names = named.map((column) => ('known' in column ? column.known : column.metadata))
  for (const wanted of required)
    if (![wanted].flat().some((name) => names.includes(name)))
      throw invalidPayload(
        `Property .file must have a header with the column ${[wanted].flat().join(' or ')}; it has: ${names.join(', ').slice(0, 200)}`,
      )
  if (names.includes('')) throw invalidPayload('Property .file has a column without a name')
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw invalidPayload(`Property .file has the column ${twice} twice`)
  return named
}

function rowOf(values: readonly string[], columns: readonly CsvColumn[]): CsvRow {
  const row = { cells: {} as Record<string, string>, metadata: {} as Record<string, string> }
  for (const [at, column] of columns.entries()) {
    const value = values[at] ?? ''
    if (value === '') continue
    if ('known' in column) row.cells[column.known] = value
    else Object.defineProperty(row.metadata, column.metadata, { value, enumerable: true, configurable: true })
  }
  return row
}

// What calls over many rows have in common: the bodies they take, and the cells of CSV files as JSON values.
// Source: docs/service/async-actions.md#triggers; docs/service/async-actions.md#csv-imports.

/** The rows of a body before each is checked on its own; without a body there are none, and the job still starts. */
export const anyRows = z.array(z.unknown()).nullish()

/** What names the rows of a metadata update, and what they get; either may be missing, and the job still starts. */
export function anyMetadata<Key extends 'source_ids' | 'codes'>(key: Key) {
  const members = { metadata: z.record(z.string(), z.unknown()).nullish() }
  return z.strictObject({ ...members, ...({ [key]: z.array(z.string()).nullish() } as Record<Key, Names>) }).nullish()
}

type Names = z.ZodOptional<z.ZodNullable<z.ZodArray<z.ZodString>>>

/** Reads an amount in major units, such as `13` or `14.5`, as cents; undefined for an absent cell. Throws 400. */
export function centsOf({ cells }: CsvRow, column: string): number | undefined {
  const cell = cells[column]
  if (cell === undefined) return undefined
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(cell) ?? []
  if (whole === '') throw invalidPayload(`Column ${column} must be an amount with at most two decimals, such as 14.50`)
  return Number(`${sign}${whole}${fraction.padEnd(2, '0')}`)
}

/** Reads a number; undefined for an absent cell. Throws 400. */
export function numberOf({ cells }: CsvRow, column: string): number | undefined {
  const cell = cells[column]
  if (cell === undefined) return undefined
  if (!/^-?\d{1,15}(\.\d{1,6})?$/.test(cell)) throw invalidPayload(`Column ${column} must be a number`)
  return Number(cell)
}

/** Reads `true` or `false`, whatever the case; undefined for an absent cell. Throws 400. */
export function booleanOf({ cells }: CsvRow, column: string): boolean | undefined {
  const cell = cells[column]?.toLowerCase()
  if (cell === undefined) return undefined
  if (cell !== 'true' && cell !== 'false') throw invalidPayload(`Column ${column} must be true or false`)
  return cell === 'true'
}

/**
 * Returns how the metadata columns of a file are read: as the types that the schema of the object gives them, and as text
 * where it says nothing. A cell that does not fit stays a text, which the schema then refuses.
 */
export function metadataReader(relatedObject: string, context: Tables) {
  const properties = context.in(metadataSchemas).find(relatedObject)?.properties ?? {}
  return ({ metadata }: CsvRow): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(metadata).map(([key, cell]) => {
        const { type, array } = (Object.hasOwn(properties, key) ? properties[key] : undefined) ?? { type: 'string' }
        // A list is joined by commas inside quotes.
        return [key, array ? cell.split(',').map((one) => valueOfCell(one.trim(), type)) : valueOfCell(cell, type)]
      }),
    )
}

function valueOfCell(cell: string, type: string): unknown {
  if (type === 'number' && cell !== '' && Number.isFinite(Number(cell))) return Number(cell)
  if (type === 'boolean' && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true'
  if (type !== 'object') return cell
  try {
    return readJson(cell)
  } catch {
    return cell
  }
}
