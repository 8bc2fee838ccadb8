// Reading a list by page number to its end, however long it is and whatever changes meanwhile: each request takes up where
// the last row left off, by its date, instead of counting pages. Source: docs/service/lists.md#page-numbers.
import { isBoundedBelow, withBounds } from '../contract/date-bounds.ts'
import type { DateBounds, DateField, Endpoint, PageNumbers } from '../contract/endpoint.ts'
import { PromoError } from '../errors.ts'
import { exportHint, type Item } from './list-answer.ts'
import { describeMiscount, identityOf, type ListReader, lesser, type Page, tooFew } from './list-reader.ts'
import { byNumber } from './numbered-pages.ts'

interface Slicing {
  bounds: DateBounds
  field: DateField
  isDescending: boolean
}

interface Between {
  afterMs?: number
  beforeMs?: number
}

interface Read extends Page {
  query: Record<string, unknown>
  isLast: boolean
}

/** Says how a list can be read beyond its last page; undefined when its order, or its query, does not allow it. */
export function slicingOf({ dates, isOldestFirst }: PageNumbers, query: Record<string, unknown>): Slicing | undefined {
  const { order = isOldestFirst ? 'created_at' : '-created_at', page, filters } = query
  const field = String(order).replace('-', '') as DateField
  const bounds = dates?.[field]
  if (bounds === undefined || page !== undefined) return undefined
  // What was never changed has no such date, and is in the list unless that is bounded.
  if (field !== 'created_at' && !isBoundedBelow(query, bounds, field)) return undefined
  // "This, or created before" is another list than "this, and created before".
  if (String((filters as { junction?: unknown } | undefined)?.junction).toLowerCase() === 'or') return undefined
  return { bounds, field, isDescending: String(order).startsWith('-') }
}

/**
 * Yields every row of a list in the order of a date, each once: also while other rows are created and deleted. In the order of
 * `updated_at` a row that is changed meanwhile may come again.
 *
 * Rows of the instant where a request ends are read again by the next one, and those that were seen are left out; only
 * their ids are kept. An instant with more rows than a page is read by page numbers. The bounds of a request are a millisecond wider than
 * necessary, since it is not published whether the service includes them.
 * A service whose rows have no `created_at`, or that ignores the first bound, is read by page numbers after all.
 * Where fewer rows came than the first answer counts, those between the first and the last one are counted before that is
 * doubted. The newest instant is left out: rows may have been created in it meanwhile.
 * Throws `api` when one instant has more rows than the service lets one see.
 */
export async function* slices(
  list: ListReader,
  query: Record<string, unknown>,
  size: number,
  { bounds, field, isDescending }: Slicing,
  paging: PageNumbers,
  onTotal: (total: number) => void,
): AsyncGenerator<Item[]> {
  const { endpoint } = list
  const order = isDescending ? `-${field}` : field
  const dateMs = (item: Item) => msOf(item[field])
  const otherRows = `a page has other rows than those asked for by ${field}`
  const sign = isDescending ? -1 : 1
  const received = countByAge()
  let seen = new Map<unknown, number>()
  let requests = 0
  let all = Number.POSITIVE_INFINITY
  let fromMs: number | undefined
  let previous: Read | undefined
  let firstIds: unknown[] = []
  let ignoresBounds = false

  const within = (between: Between) => withBounds({ ...query, order }, bounds, field, between)

  async function read(between: Between, problemOf = (_: Page): string | undefined => undefined) {
    const bounded = { ...within(between), limit: size, page: 1 }
    const found = await list.read(bounded, (one) => describeMiscount(one, 0, size, 'a page') ?? problemOf(one))
    requests += 1
    const { items, total } = found
    const isEnd = total === undefined || size >= total
    const isLast = isEnd && (items.length < size || (total !== undefined && paging.lastPage === 1))
    return { ...found, query: bounded, isLast: isLast || items.length === 0 } satisfies Read
  }

  function fresh({ earlier, items }: Pick<Page, 'earlier' | 'items'>): Item[] {
    // Of an answer that did not follow, rows may have been forgotten that were yielded long ago.
    const following = earlier.filter((item) => follows([item], fromMs))
    return [...following, ...items].filter((item) => {
      // A row that was changed since then is another one.
      if (item.id !== undefined && seen.get(item.id) === dateMs(item)) return false
      seen.set(item.id, dateMs(item))
      received.add(dateMs(item))
      return true
    })
  }

  const isAt = (items: Item[], atMs: number) => items.every((item) => Math.abs(dateMs(item) - atMs) <= 1)

  /** Says whether the rows are those that were asked for: else reading on would lose some, or never end. */
  function follows(items: Item[], fromMs: number | undefined): boolean {
    let lastMs = fromMs === undefined ? Number.NEGATIVE_INFINITY : sign * fromMs - 1
    return items.every((item) => {
      const ms = sign * dateMs(item)
      const isNext = ms >= lastMs
      lastMs = ms
      return isNext
    })
  }

  /** Reads everything of one instant, with the milliseconds beside it; returns how many rows it has, if the service says so. */
  async function* instant(atMs: number): AsyncGenerator<Item[], number | undefined> {
    let count: number | undefined
    const window = within({ afterMs: atMs - 1, beforeMs: atMs + 1 })
    const inWindow: ListReader = {
      ...list,
      async read(asked, problemOf) {
        const page = await list.read(asked, (one, isAgain) => {
          if (isAt(one.items, atMs)) return problemOf?.(one, isAgain)
          ignoresBounds = requests === 1 && isAgain
          return ignoresBounds ? undefined : otherRows
        })
        requests += 1
        return page
      },
    }
    const rows = byNumber(inWindow, window, size, paging, {
      limit: Number.POSITIVE_INFINITY,
      onTotal: (total) => (count = total),
      beyond: () => crowdedInstant(endpoint, field, atMs, paging.lastPage * size),
    })
    for await (const items of rows) {
      if (ignoresBounds) break
      yield fresh({ items: items.filter((item) => isAt([item], atMs)), earlier: [] })
    }
    return count
  }

  /** Reads on by page numbers, for a service that ignores the bounds; its caller ends the walk at a limit. */
  function byNumberOnward(): AsyncGenerator<Item[]> {
    const options = { limit: Number.POSITIVE_INFINITY, onTotal: () => {}, alreadySeen: firstIds }
    return byNumber(list, { ...query, page: 2 }, size, paging, options)
  }

  async function mustBeAll(): Promise<void> {
    const { count, newestMs, olderCount, oldestMs } = received
    if (list.doubts.length > 0 || count >= all || newestMs - oldestMs < 2) return
    const older = { ...within({ afterMs: oldestMs, beforeMs: newestMs - 1 }), limit: size, page: 1 }
    await list.read(older, ({ total = 0 }) => (olderCount < total ? tooFew(olderCount, total) : undefined))
  }

  /**
   * Doubts a total when more rows follow than it leaves. Rows come and go between two requests, so it is read again between
   * two looks at the rows that follow: those that are in both were there while it was counted.
   */
  async function mustLeave(before: Read, following: Read, rows: number): Promise<void> {
    const isExceeded = (by: number | undefined, count: number, total: number | undefined) =>
      by !== undefined && (count > by || (total ?? 0) > by)
    if (!isExceeded(before.total, before.items.length + rows, following.total)) return
    const counted = await list.read(before.query)
    const still = await list.read(following.query)
    const stayed = new Set(still.items.map(identityOf))
    const surely = following.items.filter((item) => stayed.has(identityOf(item)))
    const there = new Set([...counted.items, ...surely].map(identityOf))
    if (!isExceeded(counted.total, there.size, lesser(following.total, still.total))) return
    list.doubt(`more rows follow than the ${counted.total} that the service counts`)
  }

  for (;;) {
    const side = isDescending ? { beforeMs: (fromMs ?? 0) + 1 } : { afterMs: (fromMs ?? 0) - 1 }
    const before = requests
    let found = await read(fromMs === undefined ? {} : side, ({ items }) =>
      before < 2 || follows(items, fromMs) ? undefined : otherRows,
    )
    // A service that ignores the bounds does so every time; another one made a mistake.
    if (before === 1 && !follows(found.items, fromMs)) found = await read(side)
    const { items, total, isLast } = found
    if (fromMs === undefined) {
      firstIds = items.map(({ id }) => id)
      if (total !== undefined) {
        all = total
        onTotal(total)
      }
      if (isLast) return yield fresh(found)
    }
    if (!follows(items, fromMs)) {
      if (before > 1) return
      if (before === 0) yield fresh(found)
      return yield* byNumberOnward()
    }
    const rows = fresh(found)
    yield rows
    if (previous !== undefined) await mustLeave(previous, found, rows.length)
    const last = items.at(-1)
    if (last === undefined || isLast) return await mustBeAll()
    const atMs = dateMs(last)
    const isStuck = fromMs !== undefined && sign * atMs <= sign * fromMs
    const fullMs = isStuck ? fromMs : dateMs(items[0] as Item) === atMs ? atMs : undefined
    if (fullMs !== undefined) {
      const there = yield* instant(fullMs)
      if (ignoresBounds) return yield* byNumberOnward()
      // One instant has all there is.
      if (there === all) return await mustBeAll()
    }
    previous = fullMs === undefined ? found : undefined
    fromMs = fullMs === undefined ? atMs : fullMs + sign
    const borderMs = fromMs
    // What the next request can return again: rows at its bound, and as far beyond it as its bound is widened.
    seen = new Map([...seen].filter(([, ms]) => Math.abs(ms - borderMs) <= 1))
  }
}

/** Counts rows, and those among them that are older than the newest instant. */
function countByAge() {
  let newestCount = 0
  const counted = {
    count: 0,
    olderCount: 0,
    newestMs: Number.NEGATIVE_INFINITY,
    oldestMs: Number.POSITIVE_INFINITY,
    add(ms: number) {
      if (ms > counted.newestMs) {
        counted.newestMs = ms
        newestCount = 0
      }
      if (ms === counted.newestMs) newestCount += 1
      counted.oldestMs = Math.min(counted.oldestMs, ms)
      counted.count += 1
      counted.olderCount = counted.count - newestCount
    },
  }
  return counted
}

function msOf(date: unknown): number {
  return typeof date === 'string' ? Date.parse(date) : Number.NaN
}

function crowdedInstant({ id, paging }: Endpoint, field: DateField, atMs: number, reach: number): PromoError {
  const exportedAs = paging.style === 'page' ? paging.exportedAs : undefined
  const at = new Date(atMs).toISOString()
  return new PromoError(
    'api',
    `${id} cannot be read to its end: more than ${reach} rows were ${field.replace('_at', '')} at ${at}, and the service shows no more of them`,
    { hint: exportedAs === undefined ? 'narrow the list with filters' : exportHint(exportedAs) },
  )
}
