// The files of `ledger export`: one per table and month, each written as a whole or not at all.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cannotWrite } from '../../../base/files/cannot-write.ts'
import type { Copy } from '../../../ledger/copy.ts'
import { type Cell, exportedTables, type Partition, parquetBytes, partitionsOf } from '../../../ledger/parquet.ts'
import { csvText } from '../../../output/form/csv.ts'
import { outFile } from '../../../output/out-file.ts'

/** What was written of a table. */
export interface ExportedFiles {
  table: string
  files: number
  rows: number
}

/**
 * Writes all tables of a copy into a folder, and yields what was written of each.
 *
 * A file of an earlier export is replaced. Throws `io` for a folder or a file that cannot be written.
 */
export async function* exportCopy(
  copy: Copy,
  { folder, form, signal }: { folder: string; form: 'parquet' | 'csv'; signal: AbortSignal },
): AsyncGenerator<ExportedFiles> {
  for (const table of exportedTables(copy)) {
    const written = { table: table.name, files: 0, rows: 0 }
    for await (const partition of partitionsOf(table, copy)) {
      const path = join(folder, partition.folder)
      await mkdir(path, { recursive: true }).catch((error: unknown) => {
        throw cannotWrite(path, error)
      })
      const file = await outFile(join(path, form === 'parquet' ? 'part-0.parquet' : 'part-0.csv'), signal)
      try {
        const counted = { ...partition, batches: counting(partition.batches, written) }
        for await (const piece of form === 'parquet' ? parquetBytes(counted) : csvOf(counted)) await file.write(piece)
        await file.finish()
      } catch (error) {
        await file.abandon()
        throw error
      }
      written.files += 1
    }
    yield written
  }
}

async function* counting(batches: Partition['batches'], written: ExportedFiles): AsyncGenerator<Cell[][]> {
  for await (const batch of batches) {
    written.rows += batch.length
    yield batch
  }
}

/** Cells exactly as they are: what reads them is no spreadsheet. */
function csvOf({ table, batches }: Partition): AsyncGenerator<string> {
  const names = table.columns.map(({ name }) => name)
  const rowOf = (cells: Cell[]) => Object.fromEntries(cells.map((cell, at) => [names[at], plain(cell)]))
  async function* rows() {
    for await (const batch of batches) yield batch.map(rowOf)
  }
  const columns = names.map((name) => ({ name, kind: 'text' as const }))
  return csvText(rows(), columns, { header: true, raw: true })
}

function plain(cell: Cell): string | number | null {
  return typeof cell === 'bigint' ? String(cell) : cell
}
