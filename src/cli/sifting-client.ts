// A client whose lists are watched and sifted on their way: what a filter of ours lets through counts, not what was read.
import type { Client } from '../api/client.ts'

export interface Sieve {
  /** Sees every row that is read, also those that are not kept. */
  watch?: ((row: unknown) => void) | undefined
  /** Says which rows go on; absent: all of them. */
  keep?: ((row: unknown) => boolean) | undefined
}

/**
 * Gives a client whose `items` pass through a sieve.
 *
 * A limit counts rows that were kept, and with a filter pages are as large as they may be, because nobody knows how many
 * rows will be read. Reading ends with the last row wanted.
 */
export function siftingClient(client: Client, { watch, keep }: Sieve): Client {
  return {
    ...client,
    async *items(endpoint, request, { limit, pageSize, ...options } = {}) {
      const asked = keep === undefined ? { limit, pageSize } : {}
      let kept = 0
      for await (const row of client.items(endpoint, request, { ...options, ...defined(asked) })) {
        watch?.(row)
        if (keep !== undefined && !keep(row)) continue
        yield row
        kept += 1
        if (kept === limit) return
      }
    },
  }
}

function defined(options: { limit?: number | undefined; pageSize?: number | undefined }) {
  const { limit, pageSize } = options
  return { ...(limit !== undefined && { limit }), ...(pageSize !== undefined && { pageSize }) }
}
