// Finds things by the id of the service, or by that of the shop.
// Source: docs/service/addresses.md#ids-and-natural-keys; docs/service/validations.md#customer.

import { isSqliteError } from '../../base/sqlite.ts'
import { duplicate } from '../http/refusal.ts'
import type { Context } from '../http/route.ts'
import type { Collection, Stored } from '../storage/collection.ts'
import type { Table } from '../storage/table.ts'

interface Sourced extends Stored {
  source_id?: string | null
}

/** How a request names a thing it wants to store; `id` takes precedence when both are sent. */
export interface GivenIds {
  id?: string | null | undefined
  source_id?: string | null | undefined
}

/** Finds a thing by its source id alone: one whose id happens to be that text does not match. */
export function bySourceId<Doc extends Sourced>(table: Table<Doc>, sourceId: string): Doc | undefined {
  return table.findByKey(sourceId)
}

/** Finds what a request wants to store, if it exists already. */
export function findByIds<Doc extends Sourced>(table: Table<Doc>, { id, source_id }: GivenIds): Doc | undefined {
  if (id != null) return table.get(id)
  return source_id == null ? undefined : bySourceId(table, source_id)
}

/** Stores a new thing. Throws 409 when its id or source id is taken, including by something in the bin. */
export function insertUnique<Doc extends Sourced>(
  declared: Collection<Doc>,
  doc: Doc,
  context: Pick<Context, 'in'>,
): Doc {
  const table = context.in(declared)
  if (doc.source_id != null && table.holdsKey(doc.source_id)) throw duplicate(declared.type, doc.source_id)
  try {
    table.insert(doc)
  } catch (error) {
    throw isSqliteError(error, 'constraint') ? duplicate(declared.type, doc.id) : error
  }
  return doc
}
