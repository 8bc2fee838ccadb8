// A client whose lists are watched and filtered: limits count the rows that pass promo's own filter, not the rows read.
import type { Item } from '../../api/list-answer.ts'
import type { PagedClient } from './listing.ts'

export interface RowFilter {
  /** Sees every row that is read, including those that are not kept. */
  watch?: ((row: unknown) => void) | undefined
  /** Says which rows are kept; absent: all of them. */
  keep?: ((row: unknown) => boolean) | undefined
}

/**
 * Returns a client whose pages pass through a filter; a page may be empty afterwards.
 *
 * A limit counts rows that were kept. With a filter, pages are as large as possible, because the number of rows to be
 * read is unknown. Reading ends with the last row wanted.
 */
export function filteringClient(client: PagedClient, { watch, keep }: RowFilter): PagedClient {
  return {
    async *pages(endpoint, request, { limit, pageSize, ...options } = {}) {
      const asked = keep === undefined ? { limit, pageSize } : {}
      let left = limit ?? Number.POSITIVE_INFINITY
      for await (const page of client.pages(endpoint, request, { ...options, ...omitUndefined(asked) })) {
        const kept: Item[] = []
        for (const row of page) {
          watch?.(row)
          if (keep === undefined || keep(row)) kept.push(row)
          if (kept.length === left) break
        }
        left -= kept.length
        yield kept
        if (left === 0) return
      }
    },
  }
}

function omitUndefined(options: { limit?: number | undefined; pageSize?: number | undefined }) {
  const { limit, pageSize } = options
  return { ...(limit !== undefined && { limit }), ...(pageSize !== undefined && { pageSize }) }
}
