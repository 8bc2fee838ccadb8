// The body of one row: what all rows share, overlaid by what the row itself says.

import type { z } from 'zod'
import type { Row } from '../../bulk/input/row.ts'
import { usageError } from '../../errors.ts'
import type { Host } from '../run/host.ts'
import { type FieldReader, fieldReader, put, type ValueFlags } from './body.ts'

/**
 * Returns the function that builds a row's body.
 *
 * The columns of CSV are wire paths, an empty cell is ignored; a row of JSON is itself the body. The key column is left
 * out, because it is sent in the path; `sendable` makes a request of a row that is an answer. Throws `usage` for a cell that the contract does not allow there.
 */
export function rowBodies(
  shared: object,
  reader: FieldReader,
  keyColumn: string,
  sendable: (row: Record<string, unknown>) => Record<string, unknown> = (row) => row,
) {
  // The contract checks the finished body, so the type asserted here is proved there.
  return ({ fields }: Row): Record<string, never> => {
    const body: Record<string, unknown> = structuredClone(shared) as Record<string, unknown>
    for (const [name, value] of Object.entries(sendable(fields))) {
      if (name === keyColumn || value === '' || value === undefined) continue
      if (typeof value === 'string') put(body, name.split('.'), reader.valueAt(name.split('.'), value))
      else body[name] = value
    }
    return body as Record<string, never>
  }
}

/** Returns the body of an update. Throws `usage` for one that would change nothing. */
export function changing<Body extends object>(body: Body): Body {
  if (Object.keys(body).length > 0) return body
  throw usageError('has nothing to change', 'name a field with --set, or leave the row out')
}

/** The same by the schema of the body; `key` is the column of the key unless the command line names another. */
export async function bodiesOfRows(
  schema: z.ZodType,
  shared: object,
  { flags, host, key = 'code', sendable }: RowSource,
): Promise<ReturnType<typeof rowBodies>> {
  return rowBodies(shared, await fieldReader(schema, flags, host), flags.column ?? key, sendable)
}

interface RowSource {
  flags: ValueFlags & { column?: string | undefined }
  host: Host
  key?: string
  sendable?: Parameters<typeof rowBodies>[3]
}
