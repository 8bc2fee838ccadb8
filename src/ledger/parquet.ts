// The tables of a copy as files that other engines read: one folder per table and month, every column with its type.
import type { SchemaElement } from 'hyparquet'
import type { Copy } from './copy.ts'
import { tables } from './schema.ts'

/** What the values of a column are. Integers include amounts, which are credits in the smallest currency unit, or points. */
export type ColumnType = 'text' | 'integer' | 'instant' | 'flag'

export interface ExportedColumn {
  name: string
  type: ColumnType
}

/** A table of the copy, or `movements`, as it is exported. */
export interface ExportedTable {
  name: string
  columns: readonly ExportedColumn[]
  /** The instant that decides about the month of a row; undefined for a table that is one file. */
  by: string | undefined
}

/** A cell as SQLite has it. */
export type Cell = string | number | bigint | null

/** The rows of one file, in batches. */
export interface Partition {
  table: ExportedTable
  /** Where the file belongs: `transactions/month=2026-09`. */
  folder: string
  batches: AsyncIterable<Cell[][]>
}

/** Returns the tables that are exported: all that the service fills, and the movements. */
export function exportedTables({ all }: Copy): ExportedTable[] {
  return [...tables, 'movements'].map((name) => {
    const columns = all<{ name: string; type: string }>(`SELECT name, type FROM pragma_table_info(?)`, name)
    const by = columns.find((column) => column.name === 'created_at' || (name === 'movements' && column.name === 'at'))
    return { name, columns: columns.map((column) => ({ name: column.name, type: typeOf(column) })), by: by?.name }
  })
}

function typeOf({ name, type }: { name: string; type: string }): ColumnType {
  if (name === 'active') return 'flag'
  if (name === 'at' || name.endsWith('_at')) return 'instant'
  // A view does not say it of what it computes.
  return type === 'INTEGER' || name === 'amount' || name === 'seq' ? 'integer' : 'text'
}

/** Rows of one batch: enough for a row group that compresses well, few enough to hold. */
const batchRows = 2_500

/** The folder of rows without a month, as engines that read such folders name it. */
const noMonth = '__HIVE_DEFAULT_PARTITION__'

/** Yields the files of a table one after the other; each must be read to its end before the next is asked for. Months are those of UTC. */
export async function* partitionsOf(table: ExportedTable, { database }: Copy): AsyncGenerator<Partition> {
  const { name, columns, by } = table
  const month = by === undefined ? "''" : `coalesce(substr(${by}, 1, 7), '${noMonth}')`
  const order = by === undefined ? '' : `ORDER BY ${by}`
  const statement = database.prepare(
    `SELECT ${month}, ${columns.map((column) => column.name).join()} FROM ${name} ${order}`,
  )
  statement.setReturnArrays(true)
  statement.setReadBigInts(true)
  const rows = (statement.iterate() as Iterable<unknown> as Iterable<[string, ...Cell[]]>)[Symbol.iterator]()
  let row = rows.next()
  async function* batches(of: string): AsyncGenerator<Cell[][]> {
    let batch: Cell[][] = []
    for (; !row.done && row.value[0] === of; row = rows.next()) {
      batch.push(row.value.slice(1))
      if (batch.length < batchRows) continue
      yield batch
      batch = []
    }
    yield batch
  }
  // An empty table has a file too, so that a query over it finds its columns.
  if (row.done) yield { table, folder: folderOf(name, by, noMonth), batches: batches('') }
  while (!row.done) {
    const [of] = row.value
    yield { table, folder: folderOf(name, by, of), batches: batches(of) }
  }
}

function folderOf(name: string, by: string | undefined, month: string): string {
  return by === undefined ? name : `${name}/month=${month}`
}

/** Writes rows as a Parquet file, a piece per batch. */
export async function* parquetBytes({ table, batches }: Partition): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const writer = new ByteWriter()
  const { columns } = table
  const root: SchemaElement = { name: 'root', num_children: columns.length }
  const file = new ParquetWriter({ writer, schema: [root, ...columns.map(elementOf)], createdBy: 'promo' })
  const written = () => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  for await (const batch of batches) {
    if (batch.length === 0) continue
    const columnData = columns.map(({ name, type }, at) => ({
      name,
      data: batch.map((row) => typed(row[at] ?? null, type)),
    }))
    await file.write({ columnData, rowGroupSize: batchRows })
    yield written()
  }
  await file.finish()
  yield written()
}

function elementOf({ name, type }: ExportedColumn): SchemaElement {
  const repetition_type = 'OPTIONAL'
  if (type === 'text') return { name, repetition_type, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
  if (type === 'flag') return { name, repetition_type, type: 'BOOLEAN' }
  if (type === 'integer') return { name, repetition_type, type: 'INT64' }
  // Without the second form of the type, an engine may take instants for times of no zone.
  const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const
  return { name, repetition_type, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', logical_type }
}

function typed(cell: Cell, type: ColumnType): unknown {
  if (cell === null || type === 'text') return cell
  if (type === 'flag') return Number(cell) !== 0
  if (type === 'integer') return BigInt(cell)
  const at = new Date(String(cell))
  return Number.isNaN(at.getTime()) ? null : at
}
