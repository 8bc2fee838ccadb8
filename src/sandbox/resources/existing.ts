// Finds what a request names, or refuses the request.
import type { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { emptyAnswer } from '../../contract/fields.ts'
import { notFound } from '../http/refusal.ts'
import { type Answer, type Context, type InputOf, noContent, type Route, route } from '../http/route.ts'
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

/**
 * Returns how the routes of calls about one object are made; `name` is that of the object in their paths.
 *
 * A call with an empty answer gets a 204, whatever its handler returns.
 */
export function routesAbout<const Name extends string, Found>(
  name: Name,
  find: (named: string, context: Context) => Found,
) {
  return <
    Path extends `${string}{${Name}}${string}`,
    Query extends z.ZodType,
    Body extends z.ZodType,
    Reply extends z.ZodType,
  >(
    endpoint: Endpoint<Path, Query, Body, Reply>,
    answer: (
      found: Found,
      context: Context,
      input: InputOf<Path, Query, Body>,
    ) => Reply extends typeof emptyAnswer ? unknown : Answer,
  ): Route =>
    route(endpoint, (input, context) => {
      const { [name]: named } = input.path as Record<Name, string>
      const answered = answer(find(named, context), context, input)
      return (endpoint.response as z.ZodType) === emptyAnswer ? noContent() : (answered as Answer)
    })
}
