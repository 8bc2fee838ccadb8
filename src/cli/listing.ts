// How much of a list is read: a table shows one page, the other formats everything, --limit and --all decide.
import type { Client, RequestOf } from '../api/client.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { formatOf, type OutputFlags } from './shaping.ts'
import { keepHeapSmall } from './small-heap.ts'

export interface ListFlags extends OutputFlags {
  limit?: number | undefined
  all?: boolean
  'page-size'?: number | undefined
}

/** Rows of one page of a table, unless a flag says otherwise. */
const tableRows = 50

/** The most rows the service gives at a time. Source: specification, Limits. */
const largestPage = 100

export interface Listing {
  rows: AsyncIterable<object>
  /** After the rows are read: says that there are more, and how to see them; undefined when these are all. */
  more: () => string | undefined
}

/**
 * Reads a list through the client's one paging loop, as far as the flags ask.
 *
 * One row more than a table shows is asked for, to know whether there are more.
 */
export function listing<E extends Endpoint>(
  client: Client,
  endpoint: E,
  request: RequestOf<E>,
  flags: ListFlags,
): Listing {
  const isPreview = formatOf(flags) === 'table' && !flags.all && flags.limit === undefined
  const wanted = isPreview ? tableRows : flags.limit
  const asked = isPreview ? tableRows + 1 : wanted
  let hasMore = false
  // Everything there is, however much that is.
  if (asked === undefined) keepHeapSmall()

  async function* rows() {
    let shown = 0
    const options = {
      pageSize: flags['page-size'] ?? Math.min(asked ?? largestPage, largestPage),
      ...(asked !== undefined && { limit: asked }),
    }
    for await (const row of client.items(endpoint, request, options)) {
      if (shown === wanted) {
        hasMore = true
        return
      }
      shown += 1
      yield row as object
    }
  }

  return {
    rows: rows(),
    more: () => (hasMore ? `the first ${tableRows} rows; there are more: add --all, or --limit N` : undefined),
  }
}
