// The body of one row: what all rows share, overlaid by what the row itself says.

import type { z } from 'zod'
import { customerColumn } from '../../bulk/input/report-columns.ts'
import type { Row } from '../../bulk/input/row.ts'
import { usageError } from '../../errors.ts'
import type { Host } from '../run/host.ts'
import { type FieldReader, fieldReader, pathsOf, put, type ValueFlags } from './body.ts'
import { listedKinds } from './listed-key.ts'
import type { RowColumns } from './row-columns.ts'
import type { WrittenForms } from './written-values.ts'

/**
 * Returns the function that builds a row's body.
 *
 * The columns of CSV are wire paths, an empty cell is ignored; a row of JSON is itself the body. The key column is left
 * out, because it is sent in the path; `sendable` makes a request of a row that is an answer. What all rows share is
 * overlaid by the row, but overrides what a list that promo wrote says, because that is only what there was. Throws
 * `usage` for a cell that the contract does not allow there.
 */
export function rowBodies(
  shared: object,
  reader: FieldReader,
  keyColumn: string,
  sendable: (row: Record<string, unknown>) => Record<string, unknown> = (row) => row,
) {
  // The contract checks the finished body, so the type asserted here is proved there.
  return ({ fields }: Row): Record<string, never> => {
    const isListed = listedKinds.includes(fields.object as string)
    const given = structuredClone(shared) as Record<string, unknown>
    const body = isListed ? {} : given
    const { [customerColumn]: id, ...own } = fields
    for (const [name, value] of Object.entries(sendable(own))) {
      if (name === keyColumn || value === '' || value === undefined || (isListed && name === 'object')) continue
      if (typeof value !== 'string')
        body[name] =
          isRecord(value) && !Array.isArray(value) && isRecord(body[name]) ? overlaid(body[name], value) : value
      else {
        const isFound = name === 'customer' && typeof id === 'string'
        const path = isFound ? ['customer', 'id'] : pathOf(name, value)
        // The customer of all rows is another one.
        if (isFound && isRecord(body.customer)) delete body.customer.source_id
        put(body, path, isFound ? id : reader.valueAt(path, value))
      }
    }
    return (isListed ? overlaid(body, given) : body) as Record<string, never>
  }
}

/** Returns the member that names the customer whom the key of a row names: the id that was looked up, or the key as a source id. */
export function customerOf({ key, fields }: Row): { id: string } | { source_id: string } {
  const id = fields[customerColumn]
  return typeof id === 'string' ? { id } : { source_id: key }
}

/** A text where a customer goes, and for which no id was looked up, is a source id. */
function pathOf(name: string, value: string): string[] {
  return name === 'customer' && !value.trimStart().startsWith('{') ? ['customer', 'source_id'] : name.split('.')
}

/** An object with a type is complete, such as a discount; others are overlaid name by name, such as metadata. */
function overlaid(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = Object.entries(over).map(([name, value]) => {
    const below = under[name]
    return [name, isRecord(below) && isRecord(value) && !('type' in value) ? overlaid(below, value) : value] as const
  })
  return { ...under, ...Object.fromEntries(merged) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the body of an update. Throws `usage` for one that would change nothing. */
export function changing<Body extends object>(body: Body): Body {
  if (Object.keys(body).length > 0) return body
  throw usageError('has nothing to change', 'name a field with --set, or leave the row out')
}

/**
 * Returns what an update reads of a list that promo wrote: its fields where these are what changes, otherwise the key alone. A
 * list is old by then: sent back, it would switch on what was switched off since.
 */
export function listedChanges(given: object, columns: RowColumns = {}): RowColumns {
  return Object.keys(given).length > 0 ? { saysKeyOnly: true } : { ...columns, fromList: 'fields' }
}

/** The same by the schema of the body; `key` is the column of the key unless the command line names another. */
export async function bodiesOfRows(
  schema: z.ZodType,
  shared: object,
  { flags, host, key = 'code', sendable, isNew }: RowSource,
): Promise<ReturnType<typeof rowBodies>> {
  const keyColumn = isNew && isFieldToo(flags.column, schema) ? '' : (flags.column ?? key)
  return rowBodies(shared, await fieldReader(schema, flags, host, flags), keyColumn, sendable)
}

/** Returns whether the column of the key is a field of what is created, too: its e-mail address, and not another key. */
export function isFieldToo(column: string | undefined, schema: z.ZodType): boolean {
  return column !== undefined && !/^(?:id|source_id|code)$/.test(column) && pathsOf(schema)(column.split('.'))
}

interface RowSource {
  flags: ValueFlags & WrittenForms & { column?: string | undefined }
  host: Host
  key?: string
  sendable?: Parameters<typeof rowBodies>[3]
  /** The rows are created. */
  isNew?: boolean
}
