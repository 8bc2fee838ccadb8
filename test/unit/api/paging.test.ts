import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Item, itemsOf } from '../../../src/api/list-answer.ts'
import { eachOf, type PageOptions, pages } from '../../../src/api/paging.ts'
import { endpoint, type Paging } from '../../../src/contract/endpoint.ts'

const cursorList = listOf({ style: 'cursor' })
const pageList = listOf({ style: 'page', lastPage: 3 })

test.each([
  ['under the name in data_ref', { data_ref: 'skus', skus: [{ id: 'a' }], data: [{ id: 'b' }] }, ['a']],
  ['under data when data_ref names nothing', { data_ref: 'skus', data: [{ id: 'b' }] }, ['b']],
  ['as the only array', { object: 'list', campaign_templates: [{ id: 'c' }], total: 1 }, ['c']],
  ['under a data_ref that is not inherited', { data_ref: 'constructor', data: [{ id: 'd' }] }, ['d']],
])('the array of a list is found %s', (_, answer, ids) => {
  expect(itemsOf(cursorList, answer).map((item) => item.id)).toEqual(ids)
})

test.each([{}, { a: [], b: [] }, null, { data_ref: 'toString' }])('%j has no array of items', (answer) => {
  expect(() => itemsOf(cursorList, answer)).toThrow(/has no array of items/)
})

test('a list without pages is requested once', async () => {
  const { queries, items } = walk(listOf({ style: 'none' }), [{ data: ids(1, 3) }], {})

  expect(await all(items)).toEqual(['1', '2', '3'])
  expect(queries).toEqual([{}])
})

test('an empty list yields nothing', async () => {
  const { queries, items } = walk(cursorList, [{ data: [], has_more: false }])

  expect(await all(items)).toEqual([])
  expect(queries).toEqual([{ limit: 100 }])
})

test('a list continues after the last item until there is no more', async () => {
  const { queries, items } = walk(
    cursorList,
    [
      { data: ids(1, 2), has_more: true, more_starting_after: '2' },
      { data: ids(3, 3), has_more: false },
    ],
    { pageSize: 2 },
  )

  expect(await all(items)).toEqual(['1', '2', '3'])
  expect(queries).toEqual([{ limit: 2 }, { limit: 2, starting_after_id: '2' }])
})

test('a list comes in the pages that were requested, without the empty ones', async () => {
  const { walked } = walk(cursorList, [
    { data: ids(1, 2), has_more: true },
    { data: [], has_more: true, more_starting_after: '3' },
    { data: ids(4, 4), has_more: false },
  ])

  const seen: Item[][] = []
  for await (const page of walked) seen.push(page)

  expect(seen).toEqual([ids(1, 2), ids(4, 4)])
})

test('a page that does not say whether there is more is the last one', async () => {
  const { queries, items } = walk(cursorList, [{ data: ids(1, 2) }], { pageSize: 2 })

  expect(await all(items)).toEqual(['1', '2'])
  expect(queries).toHaveLength(1)
})

test('a missing cursor is the id of the last item', async () => {
  const { queries, items } = walk(cursorList, [
    { data: ids(1, 2), has_more: true },
    { data: [], has_more: false },
  ])

  expect(await all(items)).toEqual(['1', '2'])
  expect(queries[1]).toEqual({ limit: 100, starting_after_id: '2' })
})

test('a listing begins at the position in its query', async () => {
  const { queries, items } = walk(cursorList, [{ data: ids(8, 9) }], {}, { starting_after_id: '7', order: 'id' })

  expect(await all(items)).toEqual(['8', '9'])
  expect(queries).toEqual([{ starting_after_id: '7', order: 'id', limit: 100 }])
})

test('no more is requested than is wanted', async () => {
  const { queries, items } = walk(
    cursorList,
    [
      { data: ids(1, 2), has_more: true },
      { data: ids(3, 3), has_more: true },
    ],
    { pageSize: 2, limit: 3 },
  )

  expect(await all(items)).toEqual(['1', '2', '3'])
  expect(queries).toEqual([{ limit: 2 }, { limit: 1, starting_after_id: '2' }])
})

test('a cursor that is missing after the last item wanted does not matter', async () => {
  const { items } = walk(cursorList, [{ data: [{ name: 'a' }, { name: 'b' }], has_more: true }], { limit: 2 })

  expect(await all(items)).toEqual(['undefined', 'undefined'])
})

test('nothing is requested when nothing is wanted', async () => {
  const { queries, items } = walk(cursorList, [], { limit: 0 })

  expect(await all(items)).toEqual([])
  expect(queries).toEqual([])
})

test('a service that sends more than it was asked for does not exceed the limit', async () => {
  const { items } = walk(cursorList, [{ data: ids(1, 10), has_more: true }], { limit: 4 })

  expect(await all(items)).toEqual(['1', '2', '3', '4'])
})

test('the next page is requested only when the consumer asks for it', async () => {
  const { queries, items } = walk(cursorList, [{ data: ids(1, 2), has_more: true }, { data: ids(3, 4) }])

  await items.next()
  await items.next()
  expect(queries).toHaveLength(1)
  await items.next()
  expect(queries).toHaveLength(2)
  await items.return(undefined)
  expect(await items.next()).toEqual({ done: true, value: undefined })
  expect(queries).toHaveLength(2)
})

test('a repeated cursor stops the listing with an error', async () => {
  const { queries, items } = walk(cursorList, [
    { data: ids(1, 2), has_more: true, more_starting_after: '2' },
    { data: ids(3, 4), has_more: true, more_starting_after: '4' },
    { data: ids(1, 2), has_more: true, more_starting_after: '2' },
  ])

  expect(await all(items)).toEqual([
    '1',
    '2',
    '3',
    '4',
    '1',
    '2',
    'api 3: the list of test.list cannot be read to its end: the position "2" was returned twice',
  ])
  expect(queries).toHaveLength(3)
})

test('a cursor that points to where the listing began stops it', async () => {
  const { items } = walk(
    cursorList,
    [{ data: ids(8, 9), has_more: true, more_starting_after: '7' }],
    {},
    { starting_after_id: '7' },
  )

  expect((await all(items)).at(-1)).toMatch(/^api 3: .* the position "7" was returned twice$/)
})

test('one empty page in between is skipped and two in a row stop the listing with an error', async () => {
  const { items } = walk(cursorList, [
    { data: [], has_more: true, more_starting_after: 'a' },
    { data: ids(1, 1), has_more: true, more_starting_after: 'b' },
    { data: [], has_more: true, more_starting_after: 'c' },
    { data: [], has_more: true, more_starting_after: 'd' },
  ])

  expect(await all(items)).toEqual(['1', expect.stringMatching(/^api 3: .*two pages in a row are empty/)])
})

test('a page that reports more but not where stops the listing with an error', async () => {
  const { items } = walk(cursorList, [{ data: [{}], has_more: true }])

  expect((await all(items)).at(-1)).toMatch(/^api 3: .*the service reports more, but not where$/)
})

test('numbered pages continue until the total is reached', async () => {
  const { queries, items } = walk(
    pageList,
    [
      { data: ids(1, 2), total: 4 },
      { data: ids(3, 4), total: 4 },
    ],
    { pageSize: 2 },
  )

  expect(await all(items)).toEqual(['1', '2', '3', '4'])
  expect(queries).toEqual([
    { limit: 2, page: 1 },
    { limit: 2, page: 2 },
  ])
})

test('numbered pages without a total continue until a short one', async () => {
  const { queries, items } = walk(pageList, [{ data: ids(1, 2) }, { data: ids(3, 3) }], { pageSize: 2 })

  expect(await all(items)).toEqual(['1', '2', '3'])
  expect(queries).toHaveLength(2)
})

test('an empty page ends a numbered list whatever the total says', async () => {
  const { queries, items } = walk(pageList, [{ data: [], total: 500 }], { pageSize: 2 })

  expect(await all(items)).toEqual([])
  expect(queries).toHaveLength(1)
})

test('all numbered pages have one size, or the second would begin elsewhere', async () => {
  const { queries, items } = walk(
    pageList,
    [
      { data: ids(1, 2), total: 9 },
      { data: ids(3, 4), total: 9 },
    ],
    { pageSize: 2, limit: 3 },
  )

  expect(await all(items)).toEqual(['1', '2', '3'])
  expect(queries).toEqual([
    { limit: 2, page: 1 },
    { limit: 2, page: 2 },
  ])
})

test('a limit below the page size shrinks the only page', async () => {
  const { queries, items } = walk(pageList, [{ data: ids(1, 3), total: 9 }], { limit: 3 })

  expect(await all(items)).toEqual(['1', '2', '3'])
  expect(queries).toEqual([{ limit: 3, page: 1 }])
})

test('an item that moved to the next page meanwhile comes once', async () => {
  const { items } = walk(
    pageList,
    [
      { data: ids(1, 2), total: 4 },
      { data: ids(2, 3), total: 4 },
    ],
    { pageSize: 2 },
  )

  expect(await all(items)).toEqual(['1', '2', '3'])
})

test('more items than the last page reaches are refused before the first, where the service counts them', async () => {
  const { queries, items } = walk(pageList, [{ data: ids(1, 2), total: 7 }], { pageSize: 2 })

  expect(await all(items)).toEqual([
    'api 3: test.list stops at page 3: 1 of 7 rows cannot be reached this way; narrow the list with dates or filters, and read it in parts',
  ])
  expect(queries).toHaveLength(1)
})

test('where it does not count them, all rows come, then an error that explains how to narrow the list', async () => {
  const { queries, items } = walk(pageList, [{ data: ids(1, 2) }, { data: ids(3, 4) }, { data: ids(5, 6) }], {
    pageSize: 2,
  })

  expect(await all(items)).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    'api 3: test.list stops at page 3: rows may remain that cannot be reached this way; narrow the list with dates or filters, and read it in parts',
  ])
  expect(queries).toHaveLength(3)
})

test('a last page that completes the total is no error', async () => {
  const { items } = walk(
    pageList,
    [
      { data: ids(1, 2), total: 6 },
      { data: ids(3, 4), total: 6 },
      { data: ids(5, 6), total: 6 },
    ],
    { pageSize: 2 },
  )

  expect(await all(items)).toEqual(['1', '2', '3', '4', '5', '6'])
})

test('the number of requests counts the last page, however few rows are on it', async () => {
  const told: number[] = []
  const { items } = walk(
    pageList,
    [
      { data: ids(1, 2), total: 3 },
      { data: ids(3, 3), total: 3 },
    ],
    { pageSize: 2, onRequests: (requests) => told.push(requests) },
  )

  expect([await all(items), told]).toEqual([['1', '2', '3'], [2]])
})

test('a row that vanished moves those after it to the page before, which is read again', async () => {
  const { queries, items } = walk(
    pageList,
    [
      { data: ids(1, 2), total: 6 },
      { data: ids(4, 5), total: 5 },
      { data: ids(2, 3), total: 5 },
      { data: ids(4, 5), total: 5 },
      { data: ids(6, 6), total: 5 },
    ],
    { pageSize: 2 },
  )

  expect((await all(items)).toSorted()).toEqual(['1', '2', '3', '4', '5', '6'])
  expect(queries).toEqual([1, 2, 1, 2, 3].map((page) => ({ limit: 2, page })))
})

function listOf(paging: Paging) {
  return endpoint({
    id: 'test.list',
    method: 'GET',
    path: '/v1/test',
    query: z.looseObject({}),
    response: z.looseObject({}),
    paging,
    repeat: 'read',
    source: 'test',
    summary: 'List',
  })
}

function ids(from: number, to: number): Item[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({ id: String(from + index) }))
}

function walk(
  list: ReturnType<typeof listOf>,
  answers: unknown[],
  options: PageOptions = {},
  query: Record<string, unknown> = {},
) {
  const queries: unknown[] = []
  const walked = pages(list, query, options, async (asked) => {
    queries.push(asked)
    return answers[queries.length - 1]
  })
  return { queries, walked, items: eachOf(walked) }
}

/** The ids in order, and the error that ended them, if any, in one line. */
async function all(items: AsyncGenerator<Item>): Promise<string[]> {
  const seen: string[] = []
  try {
    for await (const item of items) seen.push(String(item.id))
  } catch (error) {
    const { kind, exitCode, message, facts } = error as {
      kind: string
      exitCode: number
      message: string
      facts: { hint?: string }
    }
    seen.push(`${kind} ${exitCode}: ${message}${facts.hint === undefined ? '' : `; ${facts.hint}`}`)
  }
  return seen
}
