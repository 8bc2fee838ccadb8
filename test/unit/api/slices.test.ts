import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Item } from '../../../src/api/list-answer.ts'
import { type PageOptions, pages } from '../../../src/api/paging.ts'
import { type DateBounds, endpoint, type PageNumbers } from '../../../src/contract/endpoint.ts'

interface Query {
  limit: number
  page: number
  order?: string
  created_at?: { after?: string; before?: string }
  filters?: { created_at: { conditions: { $after?: string; $before?: string } } }
  start_date?: string
  end_date?: string
}

const startMs = Date.parse('2026-01-01T00:00:00Z')
const forms = ['period', 'filters', 'dates'] as const
const orders = ['created_at', '-created_at'] as const

test.each(forms.flatMap((form) => orders.map((order) => [form, order] as const)))(
  'a list restricted by %s is read far beyond its last page, in the order %s, each row once',
  async (form, order) => {
    const rows = rowsAt(Array.from({ length: 500 }, (_, index) => Math.floor(index / 3)))

    const { ids, queries } = await walk(serviceOf(rows), { form, query: { order } })

    const expected = rows.map(({ id }) => id)
    expect(ids).toEqual(order === 'created_at' ? expected : expected.toReversed())
    expect(queries.every(({ page }) => page === 1)).toBe(true)
  },
)

test.each([
  ['excludes', false],
  ['includes', true],
])('it makes no difference that the service %s the instants of a bound', async (_, isInclusive) => {
  const rows = rowsAt([0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 4, 5, 6, 6, 6, 7, 8, 8, 8, 8, 8, 8, 9, 9, 9])

  for (const order of orders) {
    const { ids } = await walk(serviceOf(rows, { isInclusive }), { query: { order }, pageSize: 3, lastPage: 6 })

    expect(ids.toSorted()).toEqual(rows.map(({ id }) => String(id)).toSorted())
  }
})

test.each(Array.from({ length: 40 }, (_, seed) => seed))(
  'rows that are there the whole time come exactly once while others come and go (%i)',
  async (seed) => {
    const random = randomOf(seed)
    const rows = rowsAt(Array.from({ length: 300 }, () => Math.floor(random() * 60)).toSorted((a, b) => a - b))
    const stays = new Set(rows.filter(() => random() < 0.6).map(({ id }) => String(id)))
    const all = [...rows]
    const service = serviceOf(all, {
      isInclusive: random() < 0.5,
      meanwhile() {
        const leaving = all.findIndex(({ id }) => !stays.has(String(id)) && random() < 0.05)
        if (leaving >= 0) all.splice(leaving, 1)
        if (random() < 0.5)
          all.push({ id: `new-${all.length}-${random()}`, created_at: at(60 + Math.floor(random() * 3)) })
      },
    })

    const { ids, error } = await walk(service, { query: { order: orders[seed % 2] }, pageSize: 5, lastPage: 12 })

    expect(error).toBeUndefined()
    const seen = ids.filter((id) => stays.has(id))
    expect(seen.toSorted()).toEqual([...stays].toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  },
)

test.each(Array.from({ length: 30 }, (_, seed) => seed))(
  'what changed is read in the order of its changes far beyond the last page, the latest state last (%i)',
  async (seed) => {
    const random = randomOf(seed)
    const rows = Array.from({ length: 200 }, (_, at) => ({ id: String(at), updated_at: '' }))
    let now = 0
    const change = () => {
      const row = rows[Math.floor(random() * rows.length)]
      now += random() < 0.4 ? 0 : 1
      if (row !== undefined) row.updated_at = at(now)
    }
    for (let count = 0; count < 300; count += 1) change()
    const fetch = async (asked: Record<string, unknown>) => {
      for (let count = 0; count < 2; count += 1) if (random() < 0.4) change()
      const { limit, page, updated_at } = asked as { limit: number; page: number; updated_at: Record<string, string> }
      const { after = '', before = '9' } = updated_at
      const found = rows
        .filter((row) => row.updated_at > after && row.updated_at < before)
        .toSorted((a, b) => (a.updated_at + a.id < b.updated_at + b.id ? -1 : 1))
      return { data: structuredClone(found.slice((page - 1) * limit, page * limit)), total: found.length }
    }
    const latest = new Map<string, string>()
    const query = { order: 'updated_at', updated_at: { after: at(-1) } }

    for await (const page of pages(listOf({ lastPage: 6 }), query, { pageSize: 5 }, fetch))
      for (const { id, updated_at } of page) latest.set(String(id), String(updated_at))

    // What changed after the last page was read is what the next walk begins with.
    const end = [...latest.values()].toSorted().at(-1) ?? ''
    const changed = rows.filter(({ updated_at }) => updated_at !== '')
    expect(changed.filter(({ id, updated_at }) => updated_at !== latest.get(id) && updated_at < end)).toEqual([])
    expect(latest.size).toBeGreaterThan(100)
  },
)

test('the order of the list decides where it is read on from when no order is asked for', async () => {
  const newest = await walk(serviceOf(rowsAt([1, 2, 3, 4, 5])), { pageSize: 2, lastPage: 1 })
  const oldest = await walk(serviceOf(rowsAt([1, 2, 3, 4, 5])), { pageSize: 2, lastPage: 1, isOldestFirst: true })

  expect(newest.ids).toEqual(['0005', '0004', '0003', '0002', '0001'])
  expect(oldest.ids).toEqual(['0001', '0002', '0003', '0004', '0005'])
})

test('bounds that were asked for hold for every request', async () => {
  const rows = rowsAt(Array.from({ length: 50 }, (_, index) => index))
  const query = { order: '-created_at', created_at: { after: at(9), before: at(40) } }

  const { ids, queries } = await walk(serviceOf(rows), { query, pageSize: 4 })

  expect(ids).toEqual(
    rows
      .slice(10, 40)
      .map(({ id }) => id)
      .toReversed(),
  )
  expect(queries.every(({ created_at }) => created_at?.after === at(9))).toBe(true)
})

test('a list that ends within its last page is asked for nothing but its order', async () => {
  const { queries } = await walk(serviceOf(rowsAt([1, 2])), { pageSize: 5 })

  expect(queries).toEqual([{ order: '-created_at', limit: 5, page: 1 }])
})

test('as many rows as page numbers reach are read by page numbers', async () => {
  const { ids, queries } = await walk(serviceOf(rowsAt([1, 2, 3, 4, 5, 6, 7])), { pageSize: 2, limit: 6 })

  expect(ids).toHaveLength(6)
  expect(queries).toEqual([
    { limit: 2, page: 1 },
    { limit: 2, page: 2 },
    { limit: 2, page: 3 },
  ])
})

test.each([
  [11, 10],
  [2, 95],
  [1, 95],
])('with pages of %i rows, %i requests are told before the first row', async (pageSize, requests) => {
  const told: unknown[] = []
  const options = { pageSize, onRequests: (count: number) => told.push(count) }
  const service = serviceOf(rowsAt(Array.from({ length: 95 }, (_, index) => index)))
  const walked = pages(listOf({}), {}, options, service.fetch)

  await walked.next()

  expect(told).toEqual([requests])
})

test('an instant with more rows than the service shows of it ends the list with an error that names the export', async () => {
  const rows = rowsAt([1, ...Array<number>(20).fill(2), 3])

  const { ids, error } = await walk(serviceOf(rows), { query: { order: 'created_at' }, pageSize: 4 })

  expect(ids).toHaveLength(13)
  expect(error).toMatchObject({
    kind: 'api',
    exitCode: 3,
    message:
      'test.list cannot be read to its end: more than 12 rows were created at 2026-01-01T00:00:00.002Z, and the service shows no more of them',
    facts: { hint: 'promo exports create things --wait --out things.csv' },
  })
})

test.each([
  ['whose rows are of many instants', (index: number) => at(index)],
  ['whose rows are all of one', () => at(1)],
  ['whose rows have no created_at', () => undefined],
])('a service that ignores the bounds (%s) is read by page numbers', async (_, created_at) => {
  const rows = Array.from({ length: 50 }, (_, index) => ({
    id: String(index).padStart(4, '0'),
    created_at: created_at(index),
  }))
  const { fetch } = serviceOf(rows)

  const { ids, error } = await walk(
    { fetch: (query) => fetch({ ...query, created_at: undefined }) },
    { query: { order: 'created_at' }, pageSize: 4, lastPage: 12 },
  )

  expect(ids.toSorted()).toEqual(rows.slice(0, 48).map(({ id }) => id))
  expect(error).toMatchObject({ exitCode: 3 })
})

test('a service that gives up the order in the middle is noticed instead of losing rows', async () => {
  const rows = rowsAt(Array.from({ length: 50 }, (_, index) => index))
  const { fetch } = serviceOf(rows)
  let requests = 0

  const { error } = await walk(
    {
      fetch(query) {
        requests += 1
        return fetch(requests > 4 ? { ...query, created_at: undefined } : query)
      },
    },
    { query: { order: 'created_at' }, pageSize: 4 },
  )

  expect(error).toMatchObject({
    kind: 'partial',
    exitCode: 5,
    message:
      'the list of test.list may not be complete, after a second look: a page has other rows than those asked for by created_at',
    facts: { hint: 'run it again, or: promo exports create things --wait --out things.csv' },
  })
})

type Bad = [string, (answer: Answered, first: Answered) => Answered, RegExp]
const badAnswers: Bad[] = [
  ['is empty', ({ total }) => ({ data: [], total }), /a page has 0 rows, but by its total of \d+ it should have 4/],
  [
    'is short',
    ({ data, total }) => ({ data: data.slice(0, 2), total }),
    /a page has 2 rows, but by its total of \d+ it should have 4/,
  ],
  ['is the first one again', (_, first) => first, /a page has other rows than those asked for/],
  ['counts fewer rows than it has', ({ data }) => ({ data, total: 1 }), /a page has 4 rows, but by its total of 1/],
]

test.each(badAnswers.flatMap((bad) => orders.map((order) => [...bad, order] as const)))(
  'an answer in the middle that %s is asked for again, and doubted if it is the same',
  async (_, spoilt, reason, order) => {
    const rows = rowsAt(Array.from({ length: 50 }, (_, index) => index))
    const answered = async (isBad: (times: number) => boolean) => {
      const { fetch } = serviceOf(rows)
      const first = await fetch({ limit: 4, page: 1, order })
      const times = new Map<string, number>()
      return await walk(
        {
          async fetch(query) {
            const key = JSON.stringify(query)
            times.set(key, (times.get(key) ?? 0) + 1)
            const answer = await fetch(query)
            const isMiddle = answer.data.some(({ id }) => id === '0025') && answer.total < rows.length
            return isMiddle && isBad(times.get(key) ?? 0) ? spoilt(answer, first) : answer
          },
        },
        { query: { order }, pageSize: 4 },
      )
    }

    const once = await answered((times) => times === 1)
    const always = await answered(() => true)

    expect([once.ids.toSorted(), once.error]).toEqual([rows.map(({ id }) => id), undefined])
    expect(always.error).toMatchObject({ kind: 'partial', message: expect.stringMatching(reason) })
    expect(new Set(always.ids).size).toBe(always.ids.length)
  },
)

test.each([
  ['the first answer', (total: number, requests: number) => (requests === 1 ? 4 : total)],
  ['every answer', () => 4],
])('a total of %s that lies low does not end the list, and is told after its rows', async (_, lie) => {
  const rows = rowsAt(Array.from({ length: 50 }, (_, index) => index))
  const { fetch } = serviceOf(rows)

  for (const order of orders) {
    let requests = 0
    const first = JSON.stringify({ order, limit: 4, page: 1 })
    const { ids, error } = await walk(
      {
        async fetch(query) {
          requests += 1
          const answer = await fetch(query)
          return { ...answer, total: lie(answer.total, JSON.stringify(query) === first ? 1 : requests) }
        },
      },
      { query: { order }, pageSize: 4 },
    )

    expect(ids.toSorted()).toEqual(rows.map(({ id }) => id))
    expect(error).toMatchObject({
      message: expect.stringContaining('more rows follow than the 4 that the service counts'),
    })
  }
})

test('a first total that lies low does not end the list at an instant that alone has more rows', async () => {
  const rows = rowsAt([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6])
  const { fetch } = serviceOf(rows)
  const service = {
    fetch: async (query: Record<string, unknown>) => ({
      ...(await fetch(query)),
      ...(query.created_at === undefined && { total: 6 }),
    }),
  }

  const { ids } = await walk(service, { query: { order: 'created_at' }, pageSize: 4 })

  expect(ids).toEqual(rows.map(({ id }) => id))
})

test.each([
  ['', []],
  [', also when a row before them vanishes', ['0002']],
  [', also when one of them vanishes', ['new-2']],
])('rows that are created behind the last page meanwhile are no contradiction%s', async (_, vanishing) => {
  const rows = rowsAt([1, 2, 3, 4])
  let requests = 0
  const service = serviceOf(rows, {
    meanwhile() {
      requests += 1
      if (requests === 2) rows.push({ id: 'new-1', created_at: at(5) }, { id: 'new-2', created_at: at(6) })
      if (requests === 3)
        for (const gone of vanishing)
          rows.splice(
            rows.findIndex(({ id }) => id === gone),
            1,
          )
    },
  })

  const { ids, error } = await walk(service, { query: { order: 'created_at' }, pageSize: 4 })

  expect([ids, error]).toEqual([['0001', '0002', '0003', '0004', 'new-1', 'new-2'], undefined])
})

test.each([
  [{ order: '-code' }, 'leave out --order, or: promo exports create things --order -code --wait --out things.csv'],
  [{ order: 'rank' }, 'leave out --order, or: promo exports create things --wait --out things.csv'],
  [{ filters: { junction: 'OR' } }, 'promo exports create things --wait --out things.csv'],
])('a list that cannot be continued by date (%j) is refused before its first row', async (query, hint) => {
  const service = serviceOf(rowsAt([1, 2, 3, 4, 5, 6, 7, 8]))

  const { ids, queries, error } = await walk(service, { query, pageSize: 2 })
  const part = await walk(service, { query, pageSize: 2, limit: 6 })

  expect([ids, queries.length]).toEqual([[], 1])
  expect(error).toMatchObject({
    message: 'test.list stops at page 3: 2 of 8 rows cannot be reached this way',
    facts: { hint },
  })
  expect([part.ids.length, part.error]).toEqual([6, undefined])
})

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'rows in another order that are there the whole time come exactly once while others vanish (%i)',
  async (seed) => {
    const random = randomOf(seed)
    const all = rowsAt(Array.from({ length: 60 }, (_, index) => index))
    const stays = new Set(all.filter(() => random() < 0.5).map(({ id }) => String(id)))
    const service = serviceOf(all, {
      meanwhile() {
        for (let gone = Math.floor(random() * 4); gone > 0; gone -= 1) {
          const leaving = all.findIndex(({ id }) => !stays.has(String(id)))
          if (leaving >= 0) all.splice(leaving, 1)
        }
      },
    })

    const { ids, error } = await walk(service, { query: { order: 'code' }, pageSize: 5, lastPage: 12 })

    expect(error).toBeUndefined()
    expect(ids.filter((id) => stays.has(id)).toSorted()).toEqual([...stays].toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  },
)

function at(ms: number): string {
  return new Date(startMs + ms).toISOString()
}

function rowsAt(instants: number[]): Item[] {
  return instants.map((ms, index) => ({ id: String(index + 1).padStart(4, '0'), created_at: at(ms) }))
}

function randomOf(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** A service with these rows, of which it shows pages; something may happen before each request. */
function serviceOf(rows: Item[], { isInclusive = false, meanwhile = () => {} } = {}) {
  return {
    fetch: async (asked: Record<string, unknown>) => {
      meanwhile()
      const {
        limit,
        page,
        order = '-created_at',
        created_at = {},
        filters,
        start_date,
        end_date,
      } = asked as never as Query
      const { $after, $before } = filters?.created_at?.conditions ?? {}
      const from = created_at.after ?? $after ?? start_date ?? ''
      const until = created_at.before ?? $before ?? end_date ?? '9'
      const sign = order.startsWith('-') ? -1 : 1
      const isIn = (time: string) => (isInclusive ? time >= from && time <= until : time > from && time < until)
      const found = rows
        .filter((row) => row.created_at === undefined || isIn(row.created_at as string))
        .toSorted((a, b) => sign * (keyOf(a) < keyOf(b) ? -1 : 1))
      return { data: found.slice((page - 1) * limit, page * limit), total: found.length }
    },
  }
}

function keyOf({ created_at, id }: Item): string {
  return `${String(created_at)} ${String(id)}`
}

function listOf({ form = 'period', lastPage = 3, isOldestFirst = false }: Listed) {
  const paging: PageNumbers = {
    style: 'page',
    lastPage,
    dates: { created_at: form, updated_at: form },
    exportedAs: 'things',
    unexportedOrder: 'rank',
    ...(isOldestFirst && { isOldestFirst }),
  }
  return endpoint('test.list', 'List', {
    call: 'GET /v1/test',
    query: z.looseObject({}),
    response: z.looseObject({}),
    paging,
    source: 'test',
  })
}

interface Answered {
  data: Item[]
  total: number
}

interface Listed {
  form?: DateBounds
  lastPage?: number
  isOldestFirst?: boolean
}

async function walk(
  service: { fetch: (query: Record<string, unknown>) => Promise<unknown> },
  { query = {}, pageSize = 5, limit, ...listed }: Listed & PageOptions & { query?: Record<string, unknown> },
) {
  const queries: Query[] = []
  const ids: string[] = []
  const options = { pageSize, ...(limit !== undefined && { limit }) }
  const walked = pages(listOf(listed), query, options, async (asked) => {
    queries.push(asked as never as Query)
    if (queries.length > 2000) throw new Error('the walk does not end')
    return await service.fetch(asked)
  })
  try {
    for await (const page of walked) ids.push(...page.map(({ id }) => String(id)))
  } catch (error) {
    return { ids, queries, error }
  }
  return { ids, queries, error: undefined }
}
