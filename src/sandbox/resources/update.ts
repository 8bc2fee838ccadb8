// What every update has in common: what counts as a change, and how metadata is merged.
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../http/route.ts'
import type { Collection, Stored } from '../storage/collection.ts'

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
  context.in(declared).update(doc)
  return { doc, isChanged: true }
}

/** Merges metadata into the existing metadata. */
export function mergeMetadata(
  before: Record<string, unknown>,
  given: Record<string, unknown>,
): Record<string, unknown> {
  // ASSUMED A117: an update of metadata adds to the existing one; a key set to null is removed.
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== null))
}
