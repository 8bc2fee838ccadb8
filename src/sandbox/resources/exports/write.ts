// Writes the file of an export, slice by slice, as CSV. Source: docs/service/exports.md#file.
import { ownValue } from '../../../base/record.ts'
import type { ReadingContext } from '../../http/route.ts'
import { job, remoteJob } from '../../jobs/job.ts'
import type { Stored } from '../../storage/collection.ts'
import { type CollectionScan, metadataKeys, nextSlice, type ScanPosition } from '../../storage/scan.ts'
import { exportParts, exports, type StoredExport } from '../../stores/exports.ts'
import type { ExportKind, LookupContext } from './columns.ts'
import { exportKinds } from './kinds.ts'
import { exportScan } from './scope.ts'

/** The job that starts an export, and the one that writes a slice of its file. */
export const exportStartKind = 'export.begin'
const exportSlice = 'export.slice'

interface Slice {
  export_id: string
  /** Names of the columns, known from the first slice on. */
  columns?: string[]
  behind?: ScanPosition
}

const rowsPerSlice = 1000

/** Export jobs by kind. */
export const exportJobs = {
  [exportStartKind]: job(({ export_id }: Slice, context) => {
    const begun = context.in(exports).get(export_id)
    if (!begun) return undefined
    context.in(exports).update({ ...begun, status: 'IN_PROGRESS', updated_at: context.now })
    context.later(exportSlice, { export_id } satisfies Slice)
    return undefined
  }),
  [exportSlice]: remoteJob<Slice, { text: string; next: Slice | undefined } | undefined>({
    // Outside a transaction because the CSV library is loaded here: a job inside a transaction cannot wait.
    act: (slice, context) => writeSlice(slice, context),
    settle: (result, { export_id }, context) => {
      const table = context.in(exports)
      const running = table.get(export_id)
      if (!running || !result) return undefined
      const { text, next } = result
      context.in(exportParts).insert({ id: context.id(exportParts.prefix), created_at: context.now, export_id, text })
      if (next) return { again: 0, payload: next }
      table.update({ ...running, status: 'DONE', updated_at: context.now })
      return undefined
    },
    failed: ({ export_id }, context) => {
      const broken = context.in(exports).get(export_id)
      if (broken) context.in(exports).update({ ...broken, status: 'ERROR', updated_at: context.now })
    },
  }),
}

async function writeSlice(slice: Slice, context: ReadingContext) {
  const { stringify } = await import('csv-stringify/sync')
  const running = context.in(exports).get(slice.export_id)
  const kind = running && ownValue(exportKinds, running.exported_object)
  if (!running || !kind) return undefined
  // Filters such as "less than 3 days ago" count from the request; otherwise the result would drift during a long export.
  const scan = exportScan(kind, running, { ...context, now: running.created_at })
  const columns = slice.columns ?? columnsOf(kind, running, scan, context)
  const { docs, next: position } = nextSlice(context.store.db, scan, rowsPerSlice, slice.behind)
  const head = slice.columns ? [] : [columns.map(labelOf)]
  const rows = docs.map((doc) => columns.map((column) => textOf(cellOf(kind, column, doc, context))))
  const next: Slice | undefined = position && { export_id: slice.export_id, columns, behind: position }
  return { text: stringify([...head, ...rows], layout), next }
}

// ASSUMED A266: lines end with LF, where RFC 4180 writes CRLF; every CSV reader accepts it, and shells read it line by line.
const layout = { record_delimiter: '\n', quoted_match: /\r/ }

function columnsOf(
  kind: ExportKind,
  { parameters }: StoredExport,
  scan: CollectionScan,
  context: ReadingContext,
): string[] {
  const fields = (parameters.fields as string[] | undefined) ?? kind.defaults
  // ASSUMED A267: an empty list of fields is treated as absent.
  const asked = fields.length === 0 ? kind.defaults : fields
  return asked.flatMap((field) =>
    field === 'metadata' ? metadataKeys(context.store.db, scan).map((key) => `metadata.${key}`) : [field],
  )
}

function cellOf(kind: ExportKind, column: string, doc: Stored, look: LookupContext): unknown {
  if (column.startsWith('metadata.'))
    return (doc as { metadata?: Record<string, unknown> }).metadata?.[column.slice('metadata.'.length)]
  return kind.columns[column]?.(doc, look)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const words: Record<string, string> = { id: 'ID', sku: 'SKU', url: 'URL', qr: 'QR' }

/** Returns the header label of a field; a metadata key stays as it is. */
function labelOf(field: string): string {
  // ASSUMED A260: unpublished labels follow the published ones: capitalized words, abbreviations in capitals.
  if (field.startsWith('metadata.')) return field
  return field
    .split('_')
    .map((word) => ownValue(words, word) ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
