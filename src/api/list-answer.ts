// One answer of a list, and what is said when it is not one. Source: docs/service/lists.md#envelope.
import type { Endpoint } from '../contract/endpoint.ts'
import { PromoError } from '../errors.ts'

/** One entry of a list, as the service sent it. */
export type Item = Record<string, unknown>

export interface ListAnswer {
  data_ref?: unknown
  total?: unknown
  has_more?: unknown
  more_starting_after?: unknown
}

/** Requests one page; the query is complete. */
export type Fetch = (query: Record<string, unknown>) => Promise<unknown>

/**
 * Returns the array of a list answer: the one that `data_ref` names, else `data`, else the only array there is.
 *
 * Throws `api` when there is none. Source: docs/service/lists.md#envelope.
 */
export function itemsOf(endpoint: Endpoint, answer: unknown): Item[] {
  const list = (answer ?? {}) as Record<string, unknown>
  for (const name of [list.data_ref, 'data']) {
    if (typeof name === 'string' && Array.isArray(list[name])) return list[name]
  }
  const arrays = Object.values(list).filter(Array.isArray)
  if (arrays.length === 1) return arrays[0] as Item[]
  throw new PromoError('api', `the list of ${endpoint.id} cannot be read to its end: the answer has no array of items`)
}

/**
 * An error for a list that was read as far as it goes, but contradicts itself: what was received is shown before it.
 *
 * Its kind says that; whatever shows rows lets them through first (output/warn-after-rows.ts).
 */
export function incomplete(endpoint: Endpoint, [reason, ...others]: readonly string[]): PromoError {
  const { paging } = endpoint
  const exportedAs = paging.style === 'page' ? paging.exportedAs : undefined
  const more = others.length === 0 ? '' : `, and ${others.length} more like this`
  return new PromoError(
    'partial',
    `the list of ${endpoint.id} may not be complete, after a second look: ${reason}${more}`,
    {
      hint: exportedAs === undefined ? 'run the command again' : `run it again, or: ${exportHint(exportedAs)}`,
      retryable: true,
    },
  )
}

/** The command that has all rows of a list that ends before its last row, in the order of the list unless it has none. */
export function exportHint(exportedAs: string, order?: string): string {
  const ordered = order === undefined ? '' : ` --order ${order}`
  return `promo exports create ${exportedAs}${ordered} --wait --out ${exportedAs}.csv`
}
