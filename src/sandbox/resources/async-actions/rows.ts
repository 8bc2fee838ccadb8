// What calls over many rows have in common: the bodies they take, and the cells of CSV files as JSON values.
// Source: docs/service/async-actions.md#triggers; docs/service/async-actions.md#csv-imports.
import { z } from 'zod'
import { readJson } from '../../../base/nesting.ts'
import { invalidPayload } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { metadataSchemas } from '../../stores/metadata-schemas.ts'
import type { CsvRow } from './csv.ts'

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
export function metadataReader(relatedObject: string, context: Pick<Context, 'in'>) {
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
