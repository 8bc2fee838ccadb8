// What every update has in common: what counts as a change, and how metadata is merged.
import { isDeepStrictEqual } from 'node:util'
import { withoutNull } from '../../base/record.ts'
import { isSqliteError } from '../../base/sqlite.ts'
import type { Metadata } from '../../contract/fields.ts'
import { duplicate } from '../http/refusal.ts'
import type { Context, Tables } from '../http/route.ts'
import type { Collection, Stored } from '../storage/collection.ts'
import type { Table } from '../storage/table.ts'

/** An object after a change, and whether there was one. */
export interface UpdateResult<Doc extends Stored> {
  doc: Doc
  isChanged: boolean
}

/** Stores a changed object with the instant; one without changes is left as it is, including its `updated_at`. */
export function storeUpdate<Doc extends Stored>(
  declared: Collection<Doc>,
  before: Doc,
  after: Doc,
  context: Pick<Context, 'in' | 'now'>,
): UpdateResult<Doc> {
  // ASSUMED A118: an update that changes nothing keeps updated_at and records no event.
  if (isDeepStrictEqual(before, after)) return { doc: before, isChanged: false }
  const doc = { ...after, updated_at: context.now }
  context.in(declared).update(doc, before)
  return { doc, isChanged: true }
}

/** Returns metadata after an update: what is sent is added to the existing one, nothing changes nothing, null clears all. */
export function mergeMetadata(before: Metadata | null | undefined, given: Metadata | null | undefined): Metadata {
  if (given === null) return {}
  // ASSUMED A117: an update of metadata adds to the existing one; a key set to null is removed.
  return withoutNull({ ...before, ...given })
}

// Finds things by the id of the service, or by that of the shop.
// Source: docs/service/addresses.md#ids-and-natural-keys; docs/service/validations.md#customer.

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
export function insertUnique<Doc extends Sourced>(declared: Collection<Doc>, doc: Doc, context: Tables): Doc {
  const table = context.in(declared)
  if (doc.source_id != null && table.holdsKey(doc.source_id)) throw duplicate(declared.type, doc.source_id)
  try {
    table.insert(doc)
  } catch (error) {
    throw isSqliteError(error, 'constraint') ? duplicate(declared.type, doc.id) : error
  }
  return doc
}
