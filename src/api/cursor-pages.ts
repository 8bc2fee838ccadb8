// A list that continues after the id of its last item. Source: docs/service/lists.md#cursors-by-id.
import type { Item, ListAnswer } from './list-answer.ts'
import { type ListReader, lesser, memoryOf, type Page, tooFew } from './list-reader.ts'

/** How many of the latest rows, and positions, are remembered: a hundred pages of rows. */
const mostRemembered = 10_000

/**
 * Yields the pages of a list by cursor, each row once among ten thousand, and no more rows than `limit`.
 *
 * Ends where the service stops to continue: at a position that was returned before, or after two empty pages. Each is
 * doubted, as is a page without a new row that the page before it announced.
 */
export async function* byCursor(
  list: ListReader,
  query: Record<string, unknown>,
  size: number,
  limit: number,
): AsyncGenerator<Item[]> {
  const rows = memoryOf(mostRemembered)
  const positions = memoryOf(mostRemembered, [query.starting_after_id])
  // A loop that is longer than the memory is noticed by a position that is kept for ever longer stretches.
  let milestone = query.starting_after_id
  let after = query.starting_after_id
  let asked: Record<string, unknown> | undefined
  let wasEmpty = false
  let received = 0
  let least: number | undefined
  const first = { ...query, limit: Math.min(size, limit) }
  const isReturned = (next: unknown) => next === milestone || positions.has(next)

  for (let page = 1; ; page += 1) {
    const previous = asked
    const left = limit - received
    asked = { ...query, ...(after !== undefined && { starting_after_id: after }), limit: Math.min(size, left) }
    const found = await list.read(asked, async (one, isAgain) => {
      if (one.items.length >= left) return undefined
      const problem = problemOf(one, previous !== undefined)
      // What was announced may have been deleted meanwhile: the page before it then announces nothing any more.
      if (!isAgain || problem !== noneFollows || previous === undefined) return problem
      return (await list.read(previous)).answer.has_more === true ? problem : undefined
    })
    const { items, answer } = found
    least = lesser(least, found.total)
    const fresh = rows.fresh(found)
    received += fresh.length
    yield fresh.slice(0, left)
    if (received >= limit) return
    if (answer.has_more !== true) break
    const next = nextOf(answer, items)
    if (next === undefined || isReturned(next) || (items.length === 0 && wasEmpty)) return
    wasEmpty = items.length === 0
    positions.add(next)
    if ((page & (page - 1)) === 0) milestone = next
    after = next
  }
  if (query.starting_after_id !== undefined || received >= (least ?? 0)) return
  // Rows that were created meanwhile are counted, and are on the first page of a list with the newest first.
  const again = await list.read(first)
  const fresh = rows.fresh(again)
  received += fresh.length
  yield fresh
  least = lesser(least, again.total) ?? 0
  if (received < least) list.doubt(tooFew(received, least))

  function problemOf({ items, answer }: Page, isAnnounced: boolean): string | undefined {
    const hasNew = items.some(({ id }) => id === undefined || !rows.has(id))
    const hasMore = answer.has_more === true
    if (isAnnounced && !hasNew && (items.length > 0 || !hasMore)) return noneFollows
    if (!hasMore) return undefined
    if (items.length === 0 && wasEmpty) return 'two pages in a row are empty although the service reports more'
    const next = nextOf(answer, items)
    if (next === undefined) return 'the service reports more, but not where'
    return isReturned(next) ? `the position ${JSON.stringify(next)} was returned twice` : undefined
  }
}

const noneFollows = 'a page has no new row although the page before it reports more'

/** The published sample has `has_more` and no cursor; the cursor would be the last id. */
function nextOf({ more_starting_after }: ListAnswer, items: readonly Item[]): unknown {
  return typeof more_starting_after === 'string' ? more_starting_after : items.at(-1)?.id
}
