// The one loop over lists: by cursor, by page number, or without paging. Source: docs/service/lists.md#page-numbers.
import type { Endpoint, PageNumbers } from '../contract/endpoint.ts'
import { EXIT, PromoError } from '../errors.ts'
import { broken, exportHint, type Fetch, type Item, itemsOf, type ListAnswer } from './list-answer.ts'
import { slices, slicingOf } from './slices.ts'

export interface PageOptions {
  /** Items per request, 1 to 100; by default the maximum. */
  pageSize?: number
  /** Items wanted in total; no request is made beyond them. */
  limit?: number
  /** Told after the first answer how many requests there will be, where the service counts its rows. */
  onRequests?: (requests: number) => void
}

const largestPage = 100

/**
 * Iterates over a list page by page, none of them empty, and requests the next one only when the consumer asks for it.
 *
 * Throws `api` when the list cannot be read to its end: a cursor is returned twice, two pages in a row are empty, or items
 * remain after the last page that may be requested. What was received before is yielded first.
 */
export async function* pages(
  endpoint: Endpoint,
  query: Record<string, unknown>,
  options: PageOptions,
  fetch: Fetch,
): AsyncGenerator<Item[]> {
  for await (const page of walked(endpoint, query, options, fetch)) if (page.length > 0) yield page
}

/** Yields the items of pages one by one. */
export async function* eachOf(pages: AsyncIterable<Item[]>): AsyncGenerator<Item> {
  for await (const page of pages) yield* page
}

async function* walked(
  endpoint: Endpoint,
  query: Record<string, unknown>,
  options: PageOptions,
  fetch: Fetch,
): AsyncGenerator<Item[]> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY
  if (limit <= 0) return
  const { paging } = endpoint
  if (paging.style === 'none') {
    const answer = (await fetch(paging.isLimited ? { limit: largestPage, ...query } : query)) as ListAnswer
    const items = itemsOf(endpoint, answer)
    yield items.slice(0, limit)
    const total = Number(answer.total ?? 0)
    if (paging.isLimited && limit > items.length && total > items.length)
      throw broken(endpoint, `the list has ${total} rows, and the service returns ${items.length} of them`)
    return
  }
  const size = options.pageSize ?? (typeof query.limit === 'number' ? query.limit : largestPage)
  if (paging.style === 'cursor') yield* byCursor(endpoint, query, size, limit, fetch)
  else yield* byPage(endpoint, query, size, options, fetch, paging)
}

async function* byCursor(
  endpoint: Endpoint,
  query: Record<string, unknown>,
  size: number,
  limit: number,
  fetch: Fetch,
) {
  const seen = new Set<unknown>([query.starting_after_id])
  let after = query.starting_after_id
  let left = limit
  for (let emptyPages = 0; left > 0; ) {
    const position = after === undefined ? {} : { starting_after_id: after }
    const answer = (await fetch({ ...query, ...position, limit: Math.min(size, left) })) as ListAnswer
    const items = itemsOf(endpoint, answer)
    yield items.slice(0, left)
    left -= items.length
    if (answer.has_more !== true || left <= 0) return
    emptyPages = items.length === 0 ? emptyPages + 1 : 0
    if (emptyPages === 2) throw broken(endpoint, 'two pages in a row are empty although the service reports more')
    // The published sample has `has_more` and no cursor; the cursor would be the last id.
    const next = typeof answer.more_starting_after === 'string' ? answer.more_starting_after : items.at(-1)?.id
    if (next === undefined) throw broken(endpoint, 'the service reports more, but not where')
    if (seen.has(next)) throw broken(endpoint, `the position ${JSON.stringify(next)} was returned twice`)
    seen.add(next)
    after = next
  }
}

async function* byPage(
  endpoint: Endpoint,
  query: Record<string, unknown>,
  pageSize: number,
  { limit = Number.POSITIVE_INFINITY, onRequests }: PageOptions,
  fetch: Fetch,
  paging: PageNumbers,
) {
  // The same size for all pages: page 2 of a smaller size would begin elsewhere.
  const size = Math.min(pageSize, limit)
  const slicing = limit > size * paging.lastPage ? slicingOf(paging, query) : undefined
  // Every request after the first one shows the row again where the one before it ended.
  const perRequest = slicing && size > 1 ? size - 1 : size
  const onTotal = (total: number) => onRequests?.(Math.ceil(Math.min(limit, total) / perRequest))
  const walk = slicing
    ? slices(endpoint, query, size, slicing, fetch, paging.lastPage, {
        onTotal,
        byNumber: (page, seen) =>
          byNumber(endpoint, { ...query, page }, size, fetch, paging, { limit, onTotal: () => {}, alreadySeen: seen }),
      })
    : byNumber(endpoint, query, size, fetch, paging, { limit, onTotal })
  let left = limit
  for await (const page of walk) {
    yield page.slice(0, left)
    left -= page.length
    if (left <= 0) return
  }
}

interface ByNumber {
  /** Rows wanted. */
  limit: number
  onTotal: (total: number) => void
  alreadySeen?: Iterable<unknown>
}

/**
 * Reads pages by number. A list that has more rows than its last page reaches is refused before its first row, where the
 * service counts its rows. When rows vanish, those after them move towards the front: pages are then read again from
 * where the first of them can be now.
 */
// ASSUMED A1201: rows that are created hide from the count as many that vanish between the same two requests, so a row may
// then be missed; only a list by created_at is read without counting pages.
async function* byNumber(
  endpoint: Endpoint,
  query: Record<string, unknown>,
  size: number,
  fetch: Fetch,
  paging: PageNumbers,
  { limit, onTotal, alreadySeen = [] }: ByNumber,
) {
  const seen = new Set(alreadySeen)
  const first = typeof query.page === 'number' ? query.page : 1
  const reach = paging.lastPage * size
  let before: number | undefined
  for (let page = first; ; page += 1) {
    const answer = (await fetch({ ...query, limit: size, page })) as ListAnswer
    const items = itemsOf(endpoint, answer)
    const total = typeof answer.total === 'number' ? answer.total : undefined
    if (before === undefined && total !== undefined) {
      const isBeyond = total > reach && limit > reach - (first - 1) * size
      if (isBeyond && items.length > 0 && seen.size === 0) throw unreachable(endpoint, paging, query, reach, total)
      onTotal(total)
    }
    // An item that moved to a later page because another was added meanwhile was already received.
    const fresh = items.filter((item) => item.id === undefined || !seen.has(item.id))
    for (const item of fresh) seen.add(item.id)
    yield fresh
    const vanished = total === undefined ? 0 : Math.max(0, (before ?? total) - total)
    before = total
    if (vanished > 0 && page > first) {
      page = Math.max(first, page - Math.ceil(vanished / size)) - 1
      continue
    }
    const isLast = total === undefined ? items.length < size : page * size >= total
    if (isLast || items.length === 0) return
    if (page >= paging.lastPage) throw unreachable(endpoint, paging, query, page * size, total)
  }
}

function unreachable(
  endpoint: Endpoint,
  paging: PageNumbers,
  query: Record<string, unknown>,
  reached: number,
  total: number | undefined,
): PromoError {
  const rest = total === undefined ? 'rows may remain that' : `${total - reached} of ${total} rows`
  const { lastPage, dates, exportedAs, unexportedOrder } = paging
  const order = query.order as string | undefined
  const field = order?.replace('-', '') ?? 'created_at'
  const isByDate = field === 'created_at'
  const allRows =
    exportedAs === undefined
      ? 'narrow the list with dates or filters, and read it in parts'
      : exportHint(exportedAs, isByDate || field === unexportedOrder ? undefined : order)
  const hint = dates?.created_at === undefined || isByDate ? allRows : `leave out --order, or: ${allRows}`
  return new PromoError(
    'api',
    EXIT.refused,
    `${endpoint.id} stops at page ${lastPage}: ${rest} cannot be reached this way`,
    { hint },
  )
}
