// What defines a kind of export: the source of its rows, their columns, the possible orders.
// Source: docs/service/exports.md#kinds.
import type { Context } from '../../http/route.ts'
import type { Collection, Stored } from '../../storage/collection.ts'

/** What a column may look up. */
export type LookupContext = Pick<Context, 'in' | 'project' | 'store'>

/** How a row shows a column: a text, a number or a boolean; null and undefined are an empty cell. */
export type ColumnValue<Doc> = (doc: Doc, look: LookupContext) => unknown

export interface ExportKind<Doc extends Stored = Stored> {
  /** Several collections are merged into one order. */
  from: readonly Collection<Doc>[]
  /** By name of the field; `metadata` means a column per key and is not listed here. */
  columns: Readonly<Record<string, ColumnValue<Doc>>>
  hasMetadata: boolean
  /** The columns of a file when the request names none. */
  defaults: readonly string[]
  /** What rows can be ordered by: paths in the document, of which the first that has a value counts. */
  orders: Readonly<Record<string, readonly string[]>>
  /** The order when the request names none. */
  order: string
  /** Whether filters by `voucher_id` contain codes, as they do there in the service, and not ids. */
  namesCodes?: true
}

/** Declares a kind of export. */
export function exportKind<Doc extends Stored>(
  declared: Partial<ExportKind<Doc>> & Pick<ExportKind<Doc>, 'from' | 'columns' | 'defaults'>,
): ExportKind {
  const kind = { hasMetadata: false, orders: orderedBy('created_at'), order: 'created_at', ...declared }
  // Only rows of `from` are ever passed to the columns, so the type of the row is theirs.
  return kind as unknown as ExportKind
}

/** The names of all fields that an export of a kind can contain. */
export function exportFields(kind: ExportKind): string[] {
  return [...Object.keys(kind.columns), ...(kind.hasMetadata ? ['metadata'] : [])]
}

/** Writes an amount in the smallest currency unit as one in the major unit: 2000 is `20.00`. */
export function majorUnits(amount: unknown): string | undefined {
  return typeof amount === 'number' ? (amount / 100).toFixed(2) : undefined
}

/** The columns that show a member of the document under its own name. */
export function plainColumns(...names: readonly string[]): Record<string, ColumnValue<Stored>> {
  return Object.fromEntries(names.map((name) => [name, (doc: Stored) => fieldValue(doc, name)]))
}

/** The orders by a member of the document under its own name. */
export function orderedBy(...names: readonly string[]): ExportKind['orders'] {
  return Object.fromEntries(names.map((name) => [name, [name]]))
}

/** Reads a member that the type of the document does not declare. */
export function fieldValue(doc: object, name: string): unknown {
  return (doc as Record<string, unknown>)[name]
}
