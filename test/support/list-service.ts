// A service of one list, by any of the ways in which lists continue, and the habits of services whose lists end early.
import type { Endpoint, Paging } from '../../src/contract/endpoint.ts'

export interface Row {
  id: string
  created_at: string
}

/** An answer of a list; the array is under `data`. */
export interface Envelope {
  object: 'list'
  data_ref: 'data'
  data: Row[]
  total: number
  has_more?: boolean
  more_starting_after?: string
}

/** What a habit may look at. */
export interface Asked {
  /** Whether the request is the first of its list, by what it asks for. */
  isFirst: boolean
  /** The answer to the first request. */
  first: Envelope
  /** The answer to the request before. */
  previous: Envelope
}

export interface Habit {
  name: string
  /** The ways of continuing in which it contradicts the list. */
  styles: readonly Paging['style'][]
  /** Whether the rows of a spoilt answer are lost, where they are not asked for otherwise. */
  losesRows: boolean
  spoil: (answer: Envelope, asked: Asked) => Envelope
}

/** Rows of a page, in the tests of these habits. */
export const size = 10

/** Every way to end early, or to contradict itself, that a service was found to have. */
export const habits: readonly Habit[] = [
  {
    name: 'an empty page',
    styles: ['page', 'cursor'],
    losesRows: true,
    spoil: ({ has_more, more_starting_after: _, ...answer }, { isFirst, first }) =>
      isFirst ? first : { ...answer, data: [], ...(has_more !== undefined && { has_more: false }) },
  },
  {
    name: 'a short page',
    styles: ['page', 'none'],
    losesRows: true,
    spoil: (answer, { isFirst }) =>
      isFirst && answer.data.length === size ? answer : { ...answer, data: answer.data.slice(0, -1) },
  },
  {
    name: 'a repeated page',
    styles: ['page', 'cursor'],
    losesRows: true,
    spoil: (answer, { first }) => ({ ...answer, data: first.data }),
  },
  {
    name: 'the page before again',
    styles: ['page', 'cursor'],
    losesRows: true,
    spoil: (answer, { previous }) => ({ ...answer, data: previous.data }),
  },
  {
    name: 'a page with a row twice',
    styles: ['page', 'none', 'cursor'],
    losesRows: true,
    spoil: (answer) => ({ ...answer, data: [...answer.data.slice(0, -1), ...answer.data.slice(0, 1)] }),
  },
  {
    name: 'a total that lies low',
    styles: ['page', 'none'],
    losesRows: false,
    spoil: (answer) => ({ ...answer, total: Math.min(size, answer.data.length - 1) }),
  },
  {
    name: 'a total that lies high',
    styles: ['page', 'none', 'cursor'],
    losesRows: false,
    spoil: (answer) => ({ ...answer, total: answer.total + size }),
  },
  {
    name: 'a repeated cursor',
    styles: ['cursor'],
    losesRows: false,
    spoil: (answer, { first }) => ({ ...answer, has_more: true, more_starting_after: first.more_starting_after ?? '' }),
  },
]

/** Rows in the order of their ids and dates; so many of each instant. */
export function rowsOf(count: number, ofInstant = 3): Row[] {
  const startMs = Date.parse('2026-01-01T00:00:00Z')
  return Array.from({ length: count }, (_, index) => ({
    id: `row_${String(index).padStart(5, '0')}`,
    created_at: new Date(startMs + Math.floor(index / ofInstant) * 1000).toISOString(),
  }))
}

/** Answers a request of a list as its declaration promises. */
export function answerOf({ paging }: Pick<Endpoint, 'paging'>, rows: readonly Row[], query: URLSearchParams): Envelope {
  const list = { object: 'list', data_ref: 'data' } as const
  if (paging.style === 'none') return { ...list, data: [...rows], total: rows.length }
  const limit = Number(query.get('limit') ?? 10)
  const isDescending =
    query.get('order')?.startsWith('-') ?? !(paging.style === 'page' && paging.isOldestFirst === true)
  const ordered = isDescending ? rows.toReversed() : rows
  if (paging.style === 'cursor') {
    const from = ordered.findIndex(({ id }) => id === query.get('starting_after_id')) + 1
    const data = ordered.slice(from, from + limit)
    const last = data.at(-1)?.id
    const has_more = from + limit < ordered.length
    return {
      ...list,
      data,
      total: rows.length,
      has_more,
      ...(has_more && last !== undefined && { more_starting_after: last }),
    }
  }
  const from = boundOf(query, /^(?:start_date|.*created_at.*after\]?)$/) ?? ''
  const until = boundOf(query, /^(?:end_date|.*created_at.*before\]?)$/) ?? '9'
  const found = ordered.filter(({ created_at }) => created_at > from && created_at < until)
  const page = Number(query.get('page') ?? 1)
  return { ...list, data: found.slice((page - 1) * limit, page * limit), total: found.length }
}

/** Says whether a request begins a list. */
export function isFirstOf(query: URLSearchParams): boolean {
  return (
    (query.get('page') ?? '1') === '1' &&
    ![...query.keys()].some((name) => /starting_after_id|_date$|created_at/.test(name))
  )
}

function boundOf(query: URLSearchParams, name: RegExp): string | undefined {
  return [...query].find(([one]) => name.test(one))?.[1]
}
