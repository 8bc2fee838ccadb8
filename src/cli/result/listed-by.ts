// A list as its filters ask for it: by the query of its call, and by the states that the objects themselves show.
import type { z } from 'zod'
import type { Client } from '../../api/client.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { StateFilters } from '../flags/choosing.ts'
import { type DateFlags, withDates } from '../flags/dates.ts'
import type { Clock } from '../flags/time.ts'
import { filteringClient } from './filtering-client.ts'
import { type ListFlags, type Listing, listing } from './listing.ts'
import type { Messages } from './messages.ts'
import { type Named, unlessUnknown } from './named.ts'
import type { Showing } from './output.ts'

/** The filters of a list, whatever its arguments and flags. */
export interface AnyFilters {
  calls: readonly [Endpoint, ...Endpoint[]]
  flags?: object
  chosen?: (given: never) => Endpoint
  states?: StateFilters
  named?: Readonly<Record<string, Named>>
  request: (given: never, client: Client, warn: Messages['warn']) => unknown
}

/** The filters of a list, and what a command line says about them. */
interface Filtered {
  filters: AnyFilters
  given: object
  flags: ListFlags & DateFlags
  clock: Clock
}

/** Reads what the filters of a command line choose. Throws `usage` for a time that is none, and where something that they name does not exist `api` (exit 3). */
export async function listedBy(
  { filters, given, flags, clock }: Filtered,
  client: Client,
  show: Pick<Showing, 'shape' | 'say' | 'warn'>,
): Promise<Listing> {
  const values = flags as Record<string, unknown>
  const endpoint: Endpoint = filters.chosen?.(given as never) ?? filters.calls[0]
  const asked = (await filters.request(given as never, client, show.warn)) as { query?: Record<string, unknown> }
  const states = Object.entries(filters.states ?? {}).filter(([name]) => values[name] !== undefined)
  const conditions = joinConditions(states.map(([name, { conditions }]) => conditions(values[name] === true)))
  const query = withDates(endpoint, withConditions(endpoint, asked.query ?? {}, conditions), flags, clock)
  const keep = (object: unknown) =>
    states.every(([name, { keeps }]) => keeps(object as object, values[name] === true, clock.nowMs))
  const filtered = states.length === 0 ? client : filteringClient(client, { keep })
  const request = { ...asked, ...(asked.query !== undefined && { query }) }
  const { pages, more } = listing(filtered, endpoint, request as never, flags, show)
  const names = Object.entries(filters.named ?? {}).flatMap(([flag, read]) => {
    const name = values[flag]
    return typeof name === 'string' ? [() => read(client, name)] : []
  })
  return { pages: names.length === 0 ? pages : unlessUnknown(pages, names), more }
}

type Conditions = Record<string, { conditions: Record<string, unknown> }>

/** Several states may be about one field. */
function joinConditions(all: readonly Conditions[]): Conditions {
  const fields: Conditions = {}
  for (const [field, { conditions }] of all.flatMap(Object.entries) as Array<[string, Conditions[string]]>)
    fields[field] = { conditions: { ...fields[field]?.conditions, ...conditions } }
  return fields
}

/** Adds conditions to the filters of a query, where its call takes any. */
function withConditions({ query: schema }: Endpoint, query: Record<string, unknown>, conditions: object) {
  const takesFilters = (schema as z.ZodObject | undefined)?.shape.filters !== undefined
  if (!takesFilters || Object.keys(conditions).length === 0) return query
  const filters = { ...(query.filters as object), ...conditions }
  return { ...query, filters: { ...filters, ...(Object.keys(filters).length > 1 && { junction: 'and' }) } }
}
