// A client whose lists are watched and filtered on their way: what a filter of ours lets through counts, not what was read.
import type { Item } from '../../api/paging.ts'
import type { PagedClient } from './listing.ts'

export interface RowFilter {
  /** Sees every row that is read, also those that are not kept. */
  watch?: ((row: unknown) => void) | undefined
  /** Says which rows go on; absent: all of them. */
  keep?: ((row: unknown) => boolean) | undefined
}

/**
 * Gives a client whose pages pass through a filter; what is left of a page may be nothing.
 *
 * A limit counts rows that were kept, and with a filter pages are as large as they may be, because nobody knows how many
 * rows will be read. Reading ends with the last row wanted.
 */
export function filteringClient(client: PagedClient, { watch, keep }: RowFilter): PagedClient {
  return {
    async *pages(endpoint, request, { limit, pageSize, ...options } = {}) {
      const asked = keep === undefined ? { limit, pageSize } : {}
      let left = limit ?? Number.POSITIVE_INFINITY
      for await (const page of client.pages(endpoint, request, { ...options, ...defined(asked) })) {
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

function defined(options: { limit?: number | undefined; pageSize?: number | undefined }) {
  const { limit, pageSize } = options
  return { ...(limit !== undefined && { limit }), ...(pageSize !== undefined && { pageSize }) }
}
