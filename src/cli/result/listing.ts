// How much of a list is read: one page for a table, everything for the other formats, unless --limit or --all is given.

import type { Client, RequestOf } from '../../api/client.ts'
import { formatNumber } from '../../base/numbers.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { listFlags } from '../flags/flags.ts'
import type { ValuesOf } from '../flags/kinds.ts'
import { keepHeapSmall } from '../heap.ts'
import type { Showing } from './output.ts'

export type ListFlags = ValuesOf<typeof listFlags>

/** Rows of a table, unless a flag says otherwise. */
const tableRows = 50

/** Returns how many rows of a list on this computer are shown, newest first, and what makes the notice that there are more. */
export function newestOf(noun: string, { limit, all }: ListFlags, { isTable }: Pick<Showing, 'isTable'>) {
  const most = limit ?? (isTable && !all ? tableRows : Number.POSITIVE_INFINITY)
  const notice = `the newest ${most} ${noun}; there are more: add --all, or --limit N`
  return { most, more: (known: number) => (known <= most || limit !== undefined ? undefined : notice) }
}

/** The largest number of rows the service returns at a time. Source: docs/service/lists.md#page-numbers. */
const largestPage = 100

/** A listing of more requests than this says how many there will be. */
const handful = 5

/** The part of a client that reading a list needs. */
export type PagedClient = Pick<Client, 'pages'>

export interface Listing {
  /** Rows, a page at a time, as they arrive. */
  pages: AsyncIterable<object[]>
  /** After the pages are read: a notice that there are more rows and how to see them; undefined when there are none. */
  more: () => string | undefined
}

/**
 * Reads a list through the client's one paging loop, as far as the flags ask.
 *
 * One row more than a table shows is requested, to know whether there are more. `say` is told before the first row how many
 * requests there will be, when they are more than a handful.
 */
export function listing<E extends Endpoint>(
  client: PagedClient,
  endpoint: E,
  request: RequestOf<E>,
  flags: ListFlags,
  { shape: { format }, say }: Pick<Showing, 'shape' | 'say'>,
): Listing {
  const isPreview = format === 'table' && !flags.all && flags.limit === undefined
  const wanted = isPreview ? tableRows : flags.limit
  const asked = isPreview ? tableRows + 1 : wanted
  let hasMore = false
  // Everything there is, however much that is.
  if (asked === undefined) keepHeapSmall()

  async function* pages() {
    let left = wanted ?? Number.POSITIVE_INFINITY
    const options = {
      pageSize: flags['page-size'] ?? Math.min(asked ?? largestPage, largestPage),
      ...(asked !== undefined && { limit: asked }),
      onRequests: (requests: number) => {
        if (requests > handful) say(`reading the list takes about ${formatNumber(requests)} requests`)
      },
    }
    for await (const page of client.pages(endpoint, request, options)) {
      hasMore = page.length > left
      yield page.slice(0, left)
      left -= page.length
    }
  }

  return {
    pages: pages(),
    more: () => (hasMore ? `the first ${tableRows} rows; there are more: add --all, or --limit N` : undefined),
  }
}
