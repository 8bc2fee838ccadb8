// A call that replaces an object as a whole: what the command line does not name of it is read first, and sent as it is.
import { z } from 'zod'
import type { Client, RequestOf } from '../../api/client.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import type { Endpoint } from '../../contract/endpoint.ts'

/** How the object is read that a call replaces, as the call takes it, and with which members. */
export interface WholeRead {
  get: Endpoint
  taken: (now: never) => object
  members: readonly string[]
}

/** Returns the call with a body of which nothing is needed: by that what is named is checked, and planned. */
export function partOf<E extends Endpoint>(endpoint: E): E {
  return { ...endpoint, body: (endpoint.body as unknown as z.ZodObject).partial() }
}

/** Returns the members that a call which replaces the object takes. */
export function membersOf({ body }: Endpoint): readonly string[] {
  return Object.keys((body as z.ZodObject).shape)
}

/** Reads the object, and returns the call with all of it. What was named is checked; what the service itself says of it is not. */
export async function wholeOf<E extends Endpoint>(
  client: Client,
  endpoint: E,
  request: RequestOf<E>,
  { get, members, taken }: WholeRead,
): Promise<{ endpoint: E; request: RequestOf<E>; now: Record<string, unknown> }> {
  const { path, body } = request as LooseRequest
  const now = (await client.call(get, { path } as never)) as Record<string, unknown>
  const kept = Object.entries(taken(now as never)).filter(([name]) => members.includes(name))
  const whole = { ...request, body: { ...Object.fromEntries(kept), ...(body as object) } }
  return { endpoint: { ...endpoint, body: z.unknown() } as Endpoint as E, request: whole, now }
}
