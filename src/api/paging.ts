// The one loop over lists: by cursor, by page number, or without paging. Source: docs/service/lists.md#page-numbers.
import type { Endpoint, PageNumbers } from '../contract/endpoint.ts'
import { byCursor } from './cursor-pages.ts'
import { type Fetch, type Item, incomplete } from './list-answer.ts'
import { describeMiscount, type ListReader, listReader, memoryOf } from './list-reader.ts'
import { byNumber } from './numbered-pages.ts'
import { slices, slicingOf } from './slices.ts'

export interface PageOptions {
  /** Items per request, 1 to 100; by default the maximum. */
  pageSize?: number
  /** Items wanted in total; no request is made beyond them. */
  limit?: number
  /** Told after the first answer how many requests there will be, where the service counts its rows. */
  onRequests?: (requests: number) => void
  /** Told as soon as the list contradicts itself, before the rows of that page: what comes may not be all there is. */
  onDoubt?: () => void
}

const largestPage = 100

/**
 * Iterates over a list page by page, none of them empty, and requests the next one only when the consumer asks for it.
 *
 * Throws `api` when items remain after the last page that may be requested, and after the last page `partial` (exit 5)
 * when the list contradicts itself, also at a second look: its pages and its total, or what a page announces and the next one
 * has. What was received is yielded first.
 */
export async function* pages(
  endpoint: Endpoint,
  query: Record<string, unknown>,
  options: PageOptions,
  fetch: Fetch,
): AsyncGenerator<Item[]> {
  const list = listReader(endpoint, fetch, options.onDoubt)
  for await (const page of walkPages(list, query, options)) if (page.length > 0) yield page
  if (list.doubts.length > 0) throw incomplete(endpoint, list.doubts)
}

/** Yields the items of pages one by one. */
export async function* eachOf(pages: AsyncIterable<Item[]>): AsyncGenerator<Item> {
  for await (const page of pages) yield* page
}

async function* walkPages(
  list: ListReader,
  query: Record<string, unknown>,
  options: PageOptions,
): AsyncGenerator<Item[]> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY
  if (limit <= 0) return
  const { paging } = list.endpoint
  const size = options.pageSize ?? (typeof query.limit === 'number' ? query.limit : largestPage)
  if (paging.style === 'cursor') yield* byCursor(list, query, size, limit)
  else if (paging.style === 'page') yield* byPage(list, query, size, options, paging)
  else yield* whole(list, query, limit)
}

/** Reads a list that has one page, of `limit` rows where its query has one. */
async function* whole(list: ListReader, query: Record<string, unknown>, limit: number): AsyncGenerator<Item[]> {
  const { paging } = list.endpoint
  const isLimited = paging.style === 'none' && paging.isLimited === true
  const asked = isLimited ? { limit: largestPage, ...query } : query
  const most = typeof asked.limit === 'number' ? asked.limit : Number.POSITIVE_INFINITY
  const found = await list.read(asked, (page) => {
    const { items, total = 0 } = page
    const hasMore = page.answer.has_more === true && items.length < most
    if (hasMore) return 'the service reports more rows of a list without pages'
    const isCut = isLimited && total > items.length && limit > items.length
    return isCut ? `the service returns ${items.length} of ${total} rows` : describeMiscount(page, 0, most, 'the list')
  })
  yield memoryOf(Number.POSITIVE_INFINITY).fresh(found).slice(0, limit)
}

async function* byPage(
  list: ListReader,
  query: Record<string, unknown>,
  pageSize: number,
  { limit = Number.POSITIVE_INFINITY, onRequests }: PageOptions,
  paging: PageNumbers,
): AsyncGenerator<Item[]> {
  // The same size for all pages: page 2 of a smaller size would begin elsewhere.
  const size = Math.min(pageSize, limit)
  const slicing = limit > size * paging.lastPage ? slicingOf(paging, query) : undefined
  // Every request after the first one shows the row again where the one before it ended.
  const perRequest = slicing && size > 1 ? size - 1 : size
  const onTotal = (total: number) => onRequests?.(Math.ceil(Math.min(limit, total) / perRequest))
  const walk = slicing
    ? slices(list, query, size, slicing, paging, onTotal)
    : byNumber(list, query, size, paging, { limit, onTotal })
  let left = limit
  for await (const page of walk) {
    yield page.slice(0, left)
    left = Math.max(0, left - page.length)
    if (left === 0 && slicing) return
  }
}
