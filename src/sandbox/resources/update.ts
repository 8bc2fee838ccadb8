// What every update has in common: what counts as a change, and how metadata is merged.
import { isDeepStrictEqual } from 'node:util'
import { withoutNull } from '../../base/record.ts'
import type { Metadata } from '../../contract/fields.ts'
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
  context.in(declared).update(doc, before)
  return { doc, isChanged: true }
}

/** Returns metadata after an update: what is sent is added to the existing one, nothing changes nothing, null clears all. */
export function mergeMetadata(before: Metadata | null | undefined, given: Metadata | null | undefined): Metadata {
  if (given === null) return {}
  // ASSUMED A117: an update of metadata adds to the existing one; a key set to null is removed.
  return withoutNull({ ...before, ...given })
}
