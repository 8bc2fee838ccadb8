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
    { data: ids(3, 3), has_more: false },
  ])

  expect(await all(items)).toEqual(['1', '2', '3'])
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

test('a repeated cursor stops the listing after a second look', async () => {
  const { queries, items } = walk(
    cursorList,
    [
      { data: ids(1, 2), has_more: true, more_starting_after: '2' },
      { data: ids(3, 4), has_more: true, more_starting_after: '4' },
      { data: ids(5, 6), has_more: true, more_starting_after: '2' },
      { data: ids(5, 6), has_more: true, more_starting_after: '2' },
    ],
    { pageSize: 2 },
  )

  expect(await all(items)).toEqual(['1', '2', '3', '4', '5', '6', doubted('the position "2" was returned twice')])
  expect(queries.slice(2)).toEqual([
    { limit: 2, starting_after_id: '4' },
    { limit: 2, starting_after_id: '4' },
  ])
})

test('a cursor that is repeated once, and right at the second look, is followed', async () => {
  const { items } = walk(cursorList, [
    { data: ids(1, 2), has_more: true, more_starting_after: '2' },
    { data: ids(3, 4), has_more: true, more_starting_after: '2' },
    { data: ids(3, 4), has_more: true, more_starting_after: '4' },
    { data: ids(5, 5), has_more: false },
  ])

  expect(await all(items)).toEqual(['1', '2', '3', '4', '5'])
})

test('a cursor that points to where the listing began stops it', async () => {
  const page = { data: ids(8, 9), has_more: true, more_starting_after: '7' }
  const { items } = walk(cursorList, [page, page], {}, { starting_after_id: '7' })

  expect(await all(items)).toEqual(['8', '9', doubted('the position "7" was returned twice')])
})

test('cursors that repeat themselves after more pages than are remembered stop the listing', async () => {
  const loop = 11_000
  let requests = 0
  const walked = pages(cursorList, {}, {}, async ({ starting_after_id = '0' }) => {
    requests += 1
    const next = String((Number(starting_after_id) + 1) % loop)
    return { data: [{ id: `${requests}` }], has_more: true, more_starting_after: next }
  })

  const seen = await all(eachOf(walked))

  expect(seen.at(-1)).toContain('was returned twice')
  expect(requests).toBeLessThan(4 * loop)
})

test('one empty page in between is skipped and two in a row stop the listing', async () => {
  const { items } = walk(cursorList, [
    { data: [], has_more: true, more_starting_after: 'a' },
    { data: ids(1, 1), has_more: true, more_starting_after: 'b' },
    { data: [], has_more: true, more_starting_after: 'c' },
    { data: [], has_more: true, more_starting_after: 'd' },
    { data: [], has_more: true, more_starting_after: 'd' },
  ])

  expect(await all(items)).toEqual(['1', doubted('two pages in a row are empty although the service reports more')])
})

test('a page that reports more but not where stops the listing', async () => {
  const { items } = walk(cursorList, [
    { data: [{}], has_more: true },
    { data: [{}], has_more: true },
  ])

  expect(await all(items)).toEqual(['undefined', doubted('the service reports more, but not where')])
})

test('rows that a cursor list repeats come once', async () => {
  const { items } = walk(cursorList, [
    { data: [...ids(1, 2), ...ids(1, 2)], has_more: true },
    { data: ids(2, 3), has_more: false },
  ])

  expect(await all(items)).toEqual(['1', '2', '3'])
})

const announced = [
  ['is empty', []],
  ['repeats the one before it', ids(1, 2)],
] as const

test.each(announced)('a page that was announced and %s is read again', async (_, data) => {
  const { items } = walk(cursorList, [
    { data: ids(1, 2), has_more: true },
    { data, has_more: false },
    { data: ids(3, 4), has_more: false },
  ])

  expect(await all(items)).toEqual(['1', '2', '3', '4'])
})

test.each(announced)('a page that was announced and %s twice makes the list incomplete', async (_, data) => {
  const { queries, items } = walk(cursorList, [
    { data: ids(1, 2), has_more: true },
    { data, has_more: false },
    { data, has_more: false },
    { data: ids(1, 2), has_more: true },
  ])

  expect(await all(items)).toEqual([
    '1',
    '2',
    doubted('a page has no new row although the page before it reports more'),
  ])
  expect(queries.at(-1)).toEqual({ limit: 100 })
})

test('what was announced and deleted meanwhile is not announced any more, and nothing is missing', async () => {
  const { items } = walk(cursorList, [
    { data: ids(1, 2), has_more: true },
    { data: [], has_more: false },
    { data: [], has_more: false },
    { data: ids(1, 2), has_more: false },
  ])

  expect(await all(items)).toEqual(['1', '2'])
})

test('a cursor list that ends before its total is looked at once more', async () => {
  const { queries, items } = walk(cursorList, [
    { data: ids(1, 2), has_more: true, total: 5 },
    { data: ids(3, 3), has_more: false, total: 5 },
    { data: ids(1, 2), has_more: true, total: 5 },
  ])

  expect(await all(items)).toEqual(['1', '2', '3', doubted('3 different rows came, but the service counts 5')])
  expect(queries.at(-1)).toEqual({ limit: 100 })
})

test.each([
  ['created', { data: [{ id: 'new' }, ...ids(1, 1)], has_more: true, total: 4 }, 4, ['1', '2', '3', 'new']],
  ['deleted', { data: ids(1, 2), has_more: true, total: 3 }, 4, ['1', '2', '3']],
])('rows that were %s meanwhile are not missing in a cursor list', async (_, again, total, expected) => {
  const { items } = walk(cursorList, [
    { data: ids(1, 2), has_more: true, total },
    { data: ids(3, 3), has_more: false, total: 4 },
    again,
  ])

  expect(await all(items)).toEqual(expected)
})

test.each([
  [
    'fewer rows than its total',
    { data: ids(1, 2), total: 3 },
    'the list has 2 rows, but by its total of 3 it should have 3',
  ],
  [
    'more rows than its total',
    { data: ids(1, 2), total: 1 },
    'the list has 2 rows, but by its total of 1 it should have 1',
  ],
  ['more to come', { data: ids(1, 2), has_more: true }, 'the service reports more rows of a list without pages'],
])('a list without pages that has %s, twice, is incomplete', async (_, answer, reason) => {
  const { queries, items } = walk(listOf({ style: 'none' }), [answer, answer])

  expect(await all(items)).toEqual(['1', '2', doubted(reason)])
  expect(queries).toHaveLength(2)
})

test('rows of either look at a list without pages are kept, each once', async () => {
  const { items } = walk(listOf({ style: 'none' }), [
    { data: [{ id: '1' }, { name: 'a' }, { id: '1' }], total: 4 },
    { data: [{ id: '2' }, { name: 'a' }, { name: 'b' }], total: 3 },
  ])

  expect(await all(items)).toEqual(['1', '2', 'undefined', 'undefined'])
})

test('numbered pages continue until the total is reached', async () => {
  const { queries, items } = walk(
    pageList,
    [
      { data: ids(1, 2), total: 3 },
      { data: ids(3, 3), total: 3 },
    ],
    { pageSize: 2 },
  )

  expect(await all(items)).toEqual(['1', '2', '3'])
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

test('a full page is not the last one on the word of the total alone', async () => {
  const { queries, items } = walk(
    pageList,
    [
      { data: ids(1, 2), total: 2 },
      { data: [], total: 2 },
    ],
    { pageSize: 2 },
  )

  expect(await all(items)).toEqual(['1', '2'])
  expect(queries).toHaveLength(2)
})

const counted = (rows: number) => (page: number, size: number) => {
  const from = (page - 1) * size
  return { data: ids(from + 1, Math.min(from + size, rows)), total: rows }
}

test.each([
  ['an empty page', 3, { data: [], total: 9 }, ids(1, 9), 'page 3 has 0 rows, but by its total of 9 it should have 2'],
  [
    'a short page',
    3,
    { data: ids(5, 5), total: 9 },
    ids(1, 9),
    'page 3 has 1 row, but by its total of 9 it should have 2',
  ],
  ['a repeated page', 3, { data: ids(3, 4), total: 9 }, ids(1, 9), '7 different rows came, but the service counts 9'],
] as const)(
  '%s among numbered pages is read again, and doubted if it is the same',
  async (_, at, bad, rows, reason) => {
    const list = listOf({ style: 'page', lastPage: 9 })
    const good = counted(9)
    const answered = async (isBad: (times: number) => boolean) => {
      let times = 0
      return await all(
        eachOf(
          pages(list, {}, { pageSize: 2 }, async ({ page, limit }) => {
            if (page !== at) return good(page as number, limit as number)
            times += 1
            return isBad(times) ? bad : good(at, 2)
          }),
        ),
      )
    }

    const once = await answered((times) => times === 1)
    const always = await answered(() => true)

    expect(once.toSorted()).toEqual(rows.map(({ id }) => id))
    expect(always.slice(0, -1)).toEqual(
      rows
        .map(({ id }) => id)
        .filter((id) => !['5', '6'].includes(id as string) || bad.data.some((row) => row.id === id)),
    )
    expect(always.at(-1)).toBe(doubted(reason))
  },
)

test('a total that is too low does not end a numbered list, and is told after its rows', async () => {
  const list = listOf({ style: 'page', lastPage: 9 })
  const walked = pages(list, {}, { pageSize: 2 }, async ({ page }) => ({
    ...counted(5)(page as number, 2),
    total: 2,
  }))

  expect(await all(eachOf(walked))).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    doubted('page 2 has 2 rows, but by its total of 2 it should have 0, and 1 more like this'),
  ])
})

test('an empty list that counts rows ends after two pages', async () => {
  const { queries, items } = walk(pageList, Array(4).fill({ data: [], total: 500 }), { pageSize: 2 })

  expect(await all(items)).toEqual([
    doubted('page 1 has 0 rows, but by its total of 500 it should have 2, and 1 more like this'),
  ])
  expect(queries.map(({ page }) => page)).toEqual([1, 1, 2, 2])
})

test('a limit that is reached behind a repeated page is not the beginning of the list', async () => {
  const list = listOf({ style: 'page', lastPage: 9 })
  const walked = pages(list, {}, { pageSize: 2, limit: 5 }, async ({ page }) =>
    counted(20)(page === 2 ? 1 : (page as number), 2),
  )

  expect(await all(eachOf(walked))).toEqual([
    '1',
    '2',
    '5',
    '6',
    '7',
    doubted('6 different rows came, but the service counts 20'),
  ])
})

test('a service that does not know pages returns all rows at once, and is not asked on', async () => {
  const { queries, items } = walk(pageList, [{ data: ids(1, 5), total: 5 }], { pageSize: 2 })

  expect(await all(items)).toEqual(['1', '2', '3', '4', '5'])
  expect(queries).toHaveLength(1)
})

test('a total that rises and falls for ever does not keep the list from ending', async () => {
  let requests = 0
  const walked = pages(listOf({ style: 'page', lastPage: 9 }), {}, { pageSize: 2 }, async ({ page }) => {
    requests += 1
    return { ...counted(9)(page as number, 2), total: 8 + (requests % 2) }
  })

  await all(eachOf(walked))

  expect(requests).toBeLessThan(100)
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
      { data: ids(1, 2), total: 3 },
      { data: ids(2, 3), total: 4 },
      { data: [], total: 4 },
    ],
    { pageSize: 2 },
  )

  expect(await all(items)).toEqual(['1', '2', '3'])
})

test('a row that was created while another was deleted is found at the second look', async () => {
  const { queries, items } = walk(
    pageList,
    [
      { data: ids(1, 2), total: 4 },
      { data: ids(2, 3), total: 4 },
      { data: ids(2, 3), total: 4 },
      { data: [], total: 4 },
      { data: [{ id: 'new' }, ...ids(1, 1)], total: 4 },
      { data: ids(2, 3), total: 4 },
      { data: [], total: 4 },
    ],
    { pageSize: 2 },
  )

  expect(await all(items)).toEqual(['1', '2', '3', 'new'])
  expect(queries.map(({ page }) => page)).toEqual([1, 2, 2, 3, 1, 2, 3])
})

test('a page that the service sends twice is asked for again before the next one', async () => {
  const { queries, items } = walk(
    pageList,
    [
      { data: ids(1, 2), total: 5 },
      { data: ids(1, 2), total: 5 },
      { data: ids(3, 4), total: 5 },
      { data: ids(5, 5), total: 5 },
    ],
    { pageSize: 2 },
  )

  expect(await all(items)).toEqual(['1', '2', '3', '4', '5'])
  expect(queries.map(({ page }) => page)).toEqual([1, 2, 2, 3])
})

test('a row that vanished after it was read does not stand for one that was passed over', async () => {
  const { items } = walk(
    pageList,
    [
      { data: ids(1, 2), total: 6 },
      // 1 and 9 vanish after this, and 4 and 5 are passed over: `new` alone makes the count right again.
      { data: [...ids(2, 2), ...ids(9, 9)], total: 6 },
      { data: [...ids(2, 2), ...ids(9, 9)], total: 6 },
      { data: ids(6, 6), total: 5 },
      { data: [{ id: 'new' }, ...ids(2, 2)], total: 5 },
      { data: ids(4, 5), total: 5 },
      { data: ids(6, 6), total: 5 },
    ],
    { pageSize: 2 },
  )

  expect(await all(items)).toEqual(expect.arrayContaining(['4', '5', '6']))
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
  return endpoint('test.list', 'List', {
    call: 'GET /v1/test',
    query: z.looseObject({}),
    response: z.looseObject({}),
    paging,
    source: 'test',
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
  const queries: Record<string, unknown>[] = []
  const walked = pages(list, query, options, async (asked) => {
    queries.push(asked)
    return answers[queries.length - 1]
  })
  return { queries, walked, items: eachOf(walked) }
}

/** The line of an error that says why a list may not be complete. */
function doubted(reason: string): string {
  return `partial 5: the list of test.list may not be complete, after a second look: ${reason}; run the command again`
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
