// What the query strings of listings have in common. Source: docs/service/lists.md#page-numbers.
import { z } from 'zod'
import type { PageNumbers } from './endpoint.ts'
import { dateTime, listAnswer, pageSize } from './fields.ts'

/** Conditions by field, `filters[field][conditions][$operator]` on the wire; the service knows the fields. */
export const filters = z.record(z.string(), z.unknown())

/** Number of a page, from 1. Source: docs/service/limits.md#volume-limits. */
const pageNumber = z.int().min(1).max(100)

/** A time range; both ends are optional. */
export const period = z.strictObject({ before: dateTime.optional(), after: dateTime.optional() })

/** The query parameters of a listing by page. */
export const byPage = { limit: pageSize.optional(), page: pageNumber.optional() }

/** The query parameters of a listing that continues after the id of the last item. */
export const byId = {
  limit: pageSize.optional(),
  order: bothWays('id').optional(),
  starting_after_id: z.string().min(1).optional(),
}

/** What all lists have in common; one that does not continue is complete. */
export const listing = { response: listAnswer } as const

/** How a list continues by page number, up to the last page that the service lists. */
export function pages(lastPage: number, more: Omit<PageNumbers, 'style' | 'lastPage'> = {}): PageNumbers {
  return { style: 'page', lastPage, ...more }
}

/** What lists by page have in common, of which a hundred pages can be read; some take more parameters. */
export const pageListing = {
  ...listing,
  query: z.strictObject(byPage),
  paging: pages(100),
} as const

/** What lists by page have in common that can be ordered by one of some fields. */
export function pagesBy<const Field extends string>(...fields: readonly Field[]) {
  return { ...pageListing, query: z.strictObject({ ...byPage, order: bothWays(...fields).optional() }) }
}

/** What lists have in common that continue after the id of the last item; some take more parameters. */
export const cursorListing = { ...listing, query: z.strictObject(byId), paging: { style: 'cursor' } } as const

/** The same of those that take filters. */
export const filteredListing = {
  ...cursorListing,
  query: z.strictObject({ ...byId, filters: filters.optional() }),
} as const

/** What the lists of what happened to something have in common. Source: docs/service/customers.md#activity. */
export const activityListing = {
  ...cursorListing,
  query: z.strictObject({ ...byId, order: bothWays('id', 'created_at').optional() }),
  source: 'docs/service/customers.md#activity',
} as const

/** An order by one of the fields: ascending, or descending with a leading dash. */
export function bothWays<const Field extends string>(...fields: readonly Field[]) {
  return z.enum(fields.flatMap((field): (Field | `-${Field}`)[] => [field, `-${field}`]))
}
