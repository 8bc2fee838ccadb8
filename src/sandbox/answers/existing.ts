// Finds what a request names, or refuses the request.
import type { z } from 'zod'
import type { Endpoint, PathParameters } from '../../contract/endpoint.ts'
import { notFound } from '../http/refusal.ts'
import { type Answered, type Context, type InputOf, type Route, route, type Tables } from '../http/route.ts'
import type { Collection, Stored } from '../storage/collection.ts'

/** Finds an object by its id or its natural key. Throws 404. */
export function findOr404<Doc extends Stored>(declared: Collection<Doc>, idOrKey: string, context: Tables): Doc {
  return orNotFound(context.in(declared).find(idOrKey), declared, idOrKey)
}

/** Finds an object by its id alone. Throws 404. */
export function existingById<Doc extends Stored>(declared: Collection<Doc>, id: string, context: Tables): Doc {
  return orNotFound(context.in(declared).get(id), declared, id)
}

function orNotFound<Doc>(found: Doc | undefined, { type }: Collection, named: string): Doc {
  if (found === undefined) throw notFound(type, named)
  return found
}

/** Finds a part of something by its id. Throws 404, also for a part of something else. */
export function existingPart<Doc extends Stored>(
  declared: Collection<Doc>,
  id: string,
  owner: Partial<Doc>,
  context: Tables,
): Doc {
  const found = existingById(declared, id, context)
  const isOwn = Object.entries(owner).every(([field, value]) => found[field as keyof Doc] === value)
  return orNotFound(isOwn ? found : undefined, declared, id)
}

/** What a call about one object answers. */
type AnswerAbout<Found, Path extends string, Query extends z.ZodType, Body extends z.ZodType, Reply> = (
  found: Found,
  context: Context,
  input: InputOf<Path, Query, Body>,
) => Answered<Reply>

/** The paths that name what is looked for. */
type Fitting<Path extends string, Named> = PathParameters<Path> extends Named ? unknown : never

/** Makes the route of a call about one object, or those of several calls that answer the same. */
interface RoutesOf<Named, Found> {
  <Path extends string, Query extends z.ZodType, Body extends z.ZodType, Reply extends z.ZodType>(
    call: Endpoint<Path, Query, Body, Reply> & Fitting<Path, Named>,
    answer: AnswerAbout<Found, Path, Query, Body, Reply>,
  ): Route
  <Path extends string, Query extends z.ZodType, Body extends z.ZodType, Reply extends z.ZodType>(
    calls: readonly (Endpoint<Path, Query, Body, Reply> & Fitting<Path, Named>)[],
    answer: AnswerAbout<Found, Path, Query, Body, Reply>,
  ): Route[]
}

/** Returns how the routes of calls about one object are made, which `find` finds by what their paths name. */
export function routesOf<Named extends object, Found>(
  find: (named: Named, context: Context) => Found,
): RoutesOf<Named, Found> {
  const routeOf = (call: Endpoint, answer: (found: Found, context: Context, input: never) => object) =>
    route(call, (input, context) => answer(find(input.path as Named, context), context, input as never))
  return ((calls: Endpoint | readonly Endpoint[], answer: Parameters<typeof routeOf>[1]) =>
    'id' in calls ? routeOf(calls, answer) : calls.map((call) => routeOf(call, answer))) as RoutesOf<Named, Found>
}

/** The same where `name` alone is what they name it by. */
export function routesFor<const Name extends string, Found>(
  name: Name,
  find: (named: string, context: Context) => Found,
) {
  return routesOf((path: Record<Name, string>, context) => find(path[name], context))
}
