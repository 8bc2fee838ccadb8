// A list by page number. Source: docs/service/lists.md#page-numbers.
import type { Endpoint, PageNumbers } from '../contract/endpoint.ts'
import { PromoError } from '../errors.ts'
import { exportHint, type Item } from './list-answer.ts'
import { describeMiscount, type ListReader, lesser, memoryOf, type Page, tooFew } from './list-reader.ts'

interface ByNumber {
  /** Rows wanted; the last page may exceed them. */
  limit: number
  onTotal: (total: number) => void
  /** Rows that were received before the first page. */
  alreadySeen?: Iterable<unknown>
  /** What is thrown for rows after the last page, once all others were yielded; by default before the first row. */
  beyond?: () => PromoError
}

/**
 * Reads pages by number, each row once. A list that has more rows than its last page reaches is refused before its first
 * row, where the service counts its rows. When rows vanish, those after them move towards the front: pages are then read
 * again from where the first of them can be now.
 *
 * A full page is not taken for the last one on the word of `total` alone. Where fewer different rows came than the service
 * counts, the pages are read a second time before that is doubted: rows that were created meanwhile are then among them.
 * What is remembered are the ids of as many rows as the last page reaches.
 */
// ASSUMED A1201: rows that are created hide from the count as many that vanish between the same two requests, so a row may
// then be missed; only a list by created_at is read without counting pages.
export async function* byNumber(
  list: ListReader,
  query: Record<string, unknown>,
  size: number,
  paging: PageNumbers,
  { limit, onTotal, alreadySeen = [], beyond }: ByNumber,
): AsyncGenerator<Item[]> {
  const { endpoint } = list
  const known = [...alreadySeen]
  const rows = memoryOf(Number.POSITIVE_INFINITY, known)
  const first = typeof query.page === 'number' ? query.page : 1
  const before = (first - 1) * size
  const reach = paging.lastPage * size
  let received = 0
  let total: number | undefined
  let least: number | undefined
  let created = 0
  let turns = 0
  let page = first
  let furthest = 0

  async function read(number: number): Promise<Page> {
    const called = `page ${number}`
    const isOnward = number > furthest
    furthest = Math.max(furthest, number)
    const answered = await list.read({ ...query, limit: size, page: number }, async (found, isAgain) => {
      const problem = describeMiscount({ ...found, total: found.total ?? total }, (number - 1) * size, size, called)
      if (problem !== undefined || isAgain || !isOnward) return problem
      // Rows that were created before this page push the last ones onto it: a second look tells them from a wrong page.
      const pushed = Math.max(0, (found.total ?? 0) - (total ?? found.total ?? 0))
      return found.items.filter(({ id }) => rows.has(id)).length > pushed
        ? `${called} has rows of another list`
        : undefined
    })
    return { ...answered, total: answered.total ?? total }
  }

  function freshOf(answer: Page): Item[] {
    const fresh = rows.fresh(answer)
    received += fresh.length
    return fresh
  }

  for (let emptyPages = 0; ; page += 1) {
    const answer = await read(page)
    const count = answer.items.length
    if (total === undefined && answer.total !== undefined) {
      const isBeyond = answer.total > reach && limit > reach - before
      if (isBeyond && count > 0 && page === first && known.length === 0 && beyond === undefined)
        throw unreachable(endpoint, paging, query, reach, answer.total)
      onTotal(answer.total)
    }
    yield freshOf(answer)
    const grown = (answer.total ?? 0) - (total ?? answer.total ?? 0)
    total = answer.total
    least = lesser(least, total)
    created += Math.max(0, grown)
    if (received >= limit) break
    if (grown < 0 && page > first && turns < paging.lastPage) {
      turns += 1
      page = Math.max(first, page - Math.ceil(-grown / size)) - 1
      continue
    }
    emptyPages = count === 0 ? emptyPages + 1 : 0
    const isEnd = total === undefined || page * size >= total
    // A service that does not know pages returns all there is, whatever it was asked for.
    if (page === 1 && count === total && count > size) break
    if (isEnd && (count < size || (total !== undefined && page >= paging.lastPage))) break
    if (emptyPages === 2) break
    if (page >= paging.lastPage) throw beyond?.() ?? unreachable(endpoint, paging, query, page * size, total)
  }

  // Of a part of the list, as many rows may be missing as were created before it meanwhile.
  const due = () => Math.min(least ?? 0, page * size - created) - before
  if (list.doubts.length > 0 || least === undefined) return
  if (received >= due()) return
  // Rows that vanished after they were read stand in the count for rows that were passed over, so all pages are read.
  for (let again = first; again <= page; again += 1) {
    const answer = await read(again)
    yield freshOf(answer)
    least = lesser(least, answer.total)
  }
  if (received < due()) list.doubt(tooFew(before + received, least ?? 0))
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
  return new PromoError('api', `${endpoint.id} stops at page ${lastPage}: ${rest} cannot be reached this way`, { hint })
}
