// --created-after and its siblings: the dates by which a listing can be restricted, in the form of its endpoint.
import { withBounds } from '../../contract/date-bounds.ts'
import type { DateBounds, DateField, Endpoint } from '../../contract/endpoint.ts'
import { type Clock, time, timeRangeFrom } from './time.ts'

/** The values of the flags that `dateFlags` makes, as parsed. */
export type DateFlags = Partial<Record<`${'created' | 'updated'}-${'after' | 'before'}`, string | undefined>>

/** Makes the flags for the dates that an endpoint can restrict its list by; none for a list without such dates. */
export function dateFlags(endpoint: Endpoint) {
  return Object.fromEntries(
    datesOf(endpoint).flatMap(([field]) => {
      const verb = verbOf(field)
      return [
        [
          `${verb}-after`,
          time({
            description: `only what was ${verb} from this time on, like 2026-01-05, today or 7d`,
          }),
        ],
        [`${verb}-before`, time({ description: `only what was ${verb} before this time` })],
      ]
    }),
  )
}

/**
 * Adds to a query what the flags of `dateFlags` ask for. Throws `usage` for what is not a time.
 *
 * ASSUMED A1430: a bound of the service excludes its instant, except for `start_date` and `end_date`, which include it;
 * --created-after always includes it and --created-before never does, so that neighbouring periods share no row.
 */
export function withDates(
  endpoint: Endpoint,
  query: Record<string, unknown>,
  flags: DateFlags,
  clock: Clock,
): Record<string, unknown> {
  return datesOf(endpoint).reduce<Record<string, unknown>>((restricted, [field, bounds]) => {
    const verb = verbOf(field)
    const [after, before] = [flags[`${verb}-after`], flags[`${verb}-before`]]
    const inside = bounds === 'dates' ? 0 : 1
    return withBounds(restricted, bounds, field, {
      ...(after !== undefined && { afterMs: timeRangeFrom(after, clock).fromMs - inside }),
      ...(before !== undefined && { beforeMs: timeRangeFrom(before, clock).fromMs - 1 + inside }),
    })
  }, query)
}

/**
 * Returns whether an object lies within what the flags ask for, as the service should: one that does not know a bound may ignore it. What has
 * no such date does. Throws `usage` for what is not a time.
 */
export function withinDates(
  endpoint: Endpoint,
  flags: DateFlags,
  clock: Clock,
): (object: Readonly<Record<string, unknown>>) => boolean {
  const periods = datesOf(endpoint).map(([field]) => {
    const verb = verbOf(field)
    const [after, before] = [flags[`${verb}-after`], flags[`${verb}-before`]]
    const fromMs = after === undefined ? Number.NEGATIVE_INFINITY : timeRangeFrom(after, clock).fromMs
    const untilMs = before === undefined ? Number.POSITIVE_INFINITY : timeRangeFrom(before, clock).fromMs
    return { field, fromMs, untilMs }
  })
  return (object) =>
    periods.every(({ field, fromMs, untilMs }) => {
      const atMs = Date.parse(String(object[field]))
      return !(atMs < fromMs || atMs >= untilMs)
    })
}

function datesOf({ paging }: Endpoint): [DateField, DateBounds][] {
  return paging.style === 'page' ? (Object.entries(paging.dates ?? {}) as [DateField, DateBounds][]) : []
}

function verbOf(field: DateField): 'created' | 'updated' {
  return field === 'created_at' ? 'created' : 'updated'
}
