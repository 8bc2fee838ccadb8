// How the pages of a list are read, whichever way it continues: a page that contradicts what the service said is read once
// more, and a list that then still contradicts itself is said to be incomplete, after its last row.
// Source: docs/reliability.md#lists.

import { formatNumber } from '../base/numbers.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { type Fetch, type Item, itemsOf, type ListAnswer } from './list-answer.ts'

export interface Page {
  /** The rows of the answer. */
  items: Item[]
  /** After a second look, the rows that only the first answer had. */
  earlier: readonly Item[]
  /** How many rows the service counts in all, if it says so. */
  total: number | undefined
  answer: ListAnswer
}

/** Says what is wrong with a page; the second time of the page that was read again. */
export type ProblemOf = (page: Page, isAgain: boolean) => string | undefined | Promise<string | undefined>

export interface ListReader {
  endpoint: Endpoint
  /**
   * Requests a page, and once more where the first answer has a problem; a problem of both becomes a doubt. A row that a page
   * has twice is a problem of every list.
   */
  read(query: Record<string, unknown>, problemOf?: ProblemOf): Promise<Page>
  /** Notes why the list cannot be relied on to be all there is. */
  doubt(reason: string): void
  /** What was noted so far. */
  doubts: readonly string[]
}

/** Makes a reader for one walk through a list. */
export function listReader(endpoint: Endpoint, fetch: Fetch, onDoubt = () => {}): ListReader {
  const doubts: string[] = []
  const doubt = (reason: string) => {
    doubts.push(reason)
    onDoubt()
  }

  async function once(query: Record<string, unknown>): Promise<Page> {
    const answer = ((await fetch(query)) ?? {}) as ListAnswer
    const items = itemsOf(endpoint, answer)
    const total = Number.isSafeInteger(answer.total) ? (answer.total as number) : undefined
    return { items, earlier: [], total, answer }
  }

  return {
    endpoint,
    async read(query, problemOf = () => undefined) {
      const page = await once(query)
      if ((rowTwice(page) ?? (await problemOf(page, false))) === undefined) return page
      const again = await once(query)
      const problem = rowTwice(again) ?? (await problemOf(again, true))
      if (problem !== undefined) doubt(problem)
      const known = new Set(again.items.map(identityOf))
      return { ...again, earlier: page.items.filter((item) => !known.has(identityOf(item))) }
    },
    doubt,
    doubts,
  }
}

/** What tells a row from the others: its id, or all of it where it has none. */
export function identityOf(item: Item): unknown {
  return item.id ?? JSON.stringify(item)
}

/**
 * Says how a page contradicts the number of rows in the same answer: no write between two pages explains that.
 *
 * `before` is how many rows come before the page, `size` how many it may have, `called` what the page is called.
 */
export function describeMiscount(
  { items, total }: Pick<Page, 'items' | 'total'>,
  before: number,
  size: number,
  called: string,
): string | undefined {
  if (total === undefined) return undefined
  const count = items.length
  const due = Math.max(0, Math.min(size, total - before))
  if (count === due || (before === 0 && count === total)) return undefined
  return `${called} has ${formatNumber(count)} ${count === 1 ? 'row' : 'rows'}, but by its total of ${formatNumber(total)} it should have ${formatNumber(due)}`
}

function rowTwice({ items }: Page): string | undefined {
  const ids = items.map(({ id }) => id).filter((id) => id !== undefined)
  return new Set(ids).size < ids.length ? 'a page has the same row twice' : undefined
}

/** Says that fewer rows came than the service counts. */
export function tooFew(received: number, counted: number): string {
  return `${formatNumber(received)} different rows came, but the service counts ${formatNumber(counted)}`
}

/** Returns the lesser of two numbers, as far as they are known. */
export function lesser(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
}

/**
 * Remembers the latest `most` values, and up to as many before them, so that the length of a list does not matter.
 *
 * Values are forgotten a generation at a time: to delete the oldest one of a set at every row takes a quarter of a listing.
 */
export function memoryOf(most: number, known: Iterable<unknown> = []) {
  let older = new Set<unknown>()
  let latest = new Set<unknown>(known)
  const memory = {
    has: (value: unknown) => latest.has(value) || older.has(value),
    add(value: unknown): void {
      latest.add(value)
      if (latest.size < most) return
      older = latest
      latest = new Set()
    },
    /** The rows of a page that were not met before, each once; from now on they were. A row without an id is always new. */
    fresh: ({ earlier, items }: Pick<Page, 'items' | 'earlier'>): Item[] =>
      [...earlier, ...items].filter(({ id }) => {
        if (id === undefined) return true
        if (memory.has(id)) return false
        memory.add(id)
        return true
      }),
  }
  return memory
}
