// Finds what a request names, or refuses the request.
import { notFound } from '../http/refusal.ts'
import type { Context } from '../http/route.ts'
import type { Collection, Stored } from '../storage/collection.ts'

/**
 * Finds an object by its natural key or its id. Throws 404.
 *
 * ASSUMED A120: a code takes precedence over an id, so that a code which looks like another voucher's id stays reachable.
 */
export function existing<Doc extends Stored>(
  declared: Collection<Doc>,
  keyOrId: string,
  context: Pick<Context, 'in'>,
): Doc {
  return orNotFound(context.in(declared).find(keyOrId), declared, keyOrId)
}

/** Finds an object by its id alone. Throws 404. */
export function existingById<Doc extends Stored>(
  declared: Collection<Doc>,
  id: string,
  context: Pick<Context, 'in'>,
): Doc {
  return orNotFound(context.in(declared).get(id), declared, id)
}

function orNotFound<Doc>(found: Doc | undefined, { type }: Collection, named: string): Doc {
  if (found === undefined) throw notFound(type, named)
  return found
}
