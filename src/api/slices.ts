// Reading a list by page number to its end, however long it is and whatever changes meanwhile: each request takes up where
// the last row left off, by its date, instead of counting pages. Source: docs/service/lists.md#page-numbers.
import { withBounds } from '../contract/date-bounds.ts'
import type { DateBounds, Endpoint, PageNumbers } from '../contract/endpoint.ts'
import { EXIT, PromoError } from '../errors.ts'
import { broken, exportHint, type Fetch, type Item, itemsOf } from './list-answer.ts'

interface Slicing {
  bounds: DateBounds
  isDescending: boolean
}

interface Onward {
  /** Told what the first answer says. */
  onTotal: (total: number) => void
  /** Reads on by page numbers, without the rows that were seen. */
  byNumber: (page: number, seen: Iterable<unknown>) => AsyncGenerator<Item[]>
}

interface Read {
  items: Item[]
  /** What the request matched in all, if the service says so. */
  total: number | undefined
  isLast: boolean
}

/** Says how a list can be read beyond its last page; undefined when its order, or its query, does not allow it. */
export function slicingOf({ dates, isOldestFirst }: PageNumbers, query: Record<string, unknown>): Slicing | undefined {
  const bounds = dates?.created_at
  const { order = isOldestFirst ? 'created_at' : '-created_at', page, filters } = query
  if (bounds === undefined || page !== undefined || (order !== 'created_at' && order !== '-created_at'))
    return undefined
  // "This, or created before" is another list than "this, and created before".
  if (String((filters as { junction?: unknown } | undefined)?.junction).toLowerCase() === 'or') return undefined
  return { bounds, isDescending: order === '-created_at' }
}

/**
 * Yields every row of a list in the order of `created_at`, each once: also while other rows are created and deleted.
 *
 * Rows of the instant where a request ends are read again by the next one, and those that were seen are left out; only
 * their ids are kept. An instant with more rows than a page is read by page numbers, again from its first page when rows
 * vanished meanwhile, because the others then moved towards the front. The bounds of a request are a millisecond wider than
 * necessary, since it is not published whether the service includes them.
 * A service whose rows have no `created_at`, or that ignores the first bound, is read by page numbers after all.
 * Throws `api` when one instant has more rows than the service lets one see.
 */
export async function* slices(
  endpoint: Endpoint,
  query: Record<string, unknown>,
  size: number,
  { bounds, isDescending }: Slicing,
  fetch: Fetch,
  lastPage: number,
  { onTotal, byNumber }: Onward,
): AsyncGenerator<Item[]> {
  const order = isDescending ? '-created_at' : 'created_at'
  const sign = isDescending ? -1 : 1
  let seen = new Map<unknown, number>()
  let requests = 0
  let all = Number.POSITIVE_INFINITY
  let fromMs: number | undefined

  async function read(between: { afterMs?: number; beforeMs?: number }, page: number): Promise<Read> {
    const bounded = withBounds({ ...query, order }, bounds, 'created_at', between)
    const answer = (await fetch({ ...bounded, limit: size, page })) as { total?: unknown }
    requests += 1
    const items = itemsOf(endpoint, answer)
    const total = typeof answer.total === 'number' ? answer.total : undefined
    const isLast = items.length === 0 || (total === undefined ? items.length < size : page * size >= total)
    return { items, total, isLast }
  }

  function fresh(items: Item[]): Item[] {
    const unseen = items.filter(({ id }) => id === undefined || !seen.has(id))
    for (const item of unseen) seen.set(item.id, createdMs(item))
    return unseen
  }

  /** Reads everything of one instant, with the milliseconds beside it; returns how many rows it has, if the service says so. */
  async function* instant(atMs: number): AsyncGenerator<Item[], number | undefined> {
    const window = { afterMs: atMs - 1, beforeMs: atMs + 1 }
    let before = Number.POSITIVE_INFINITY
    for (let page = 1; ; page += 1) {
      const { items, total, isLast } = await read(window, page)
      yield fresh(items)
      const hasShrunk = total !== undefined && total < before
      before = total ?? before
      if (hasShrunk && page > 1) page = 0
      else if (isLast) return total
      else if (page >= lastPage) throw crowded(endpoint, atMs, lastPage * size)
    }
  }

  for (;;) {
    const side = isDescending ? { beforeMs: (fromMs ?? 0) + 1 } : { afterMs: (fromMs ?? 0) - 1 }
    const { items, total, isLast } = await read(fromMs === undefined ? {} : side, 1)
    if (fromMs === undefined) {
      if (total !== undefined) {
        all = total
        onTotal(total)
      }
      if (isLast) return yield items
    }
    if (!follows(items, fromMs, sign)) {
      if (requests > 2) throw broken(endpoint, 'the service does not keep to the order, or the bounds, of created_at')
      if (requests === 1) yield items
      return yield* byNumber(2, requests === 1 ? items.map(({ id }) => id) : seen.keys())
    }
    yield fresh(items)
    const last = items.at(-1)
    if (last === undefined || isLast) return
    const atMs = createdMs(last)
    const isStuck = fromMs !== undefined && sign * atMs <= sign * fromMs
    const fullMs = isStuck ? fromMs : createdMs(items[0] as Item) === atMs ? atMs : undefined
    if (fullMs !== undefined) {
      const there = yield* instant(fullMs)
      // One instant has all there is; a service that ignores the bounds is not asked on, either.
      if (there !== undefined && there >= all) return
    }
    fromMs = fullMs === undefined ? atMs : fullMs + sign
    const borderMs = fromMs
    // What the next request can return again: rows at its bound, and as far beyond it as its bound is widened.
    seen = new Map([...seen].filter(([, ms]) => Math.abs(ms - borderMs) <= 1))
  }
}

function createdMs({ created_at }: Item): number {
  return typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN
}

/** Says whether the rows are those that were asked for: else reading on would lose some, or never end. */
function follows(items: Item[], fromMs: number | undefined, sign: number): boolean {
  let lastMs = fromMs === undefined ? Number.NEGATIVE_INFINITY : sign * fromMs - 1
  return items.every((item) => {
    const ms = sign * createdMs(item)
    const isNext = ms >= lastMs
    lastMs = ms
    return isNext
  })
}

function crowded({ id, paging }: Endpoint, atMs: number, reach: number): PromoError {
  const exportedAs = paging.style === 'page' ? paging.exportedAs : undefined
  const at = new Date(atMs).toISOString()
  return new PromoError(
    'api',
    EXIT.refused,
    `${id} cannot be read to its end: more than ${reach} rows were created at ${at}, and the service shows no more of them`,
    { hint: exportedAs === undefined ? 'narrow the list with filters' : exportHint(exportedAs) },
  )
}
