// Every list of the contract, by every way in which a service was found to end a list early. Source: docs/reliability.md#lists.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient } from '../../../src/api/client.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import {
  answerOf,
  type Envelope,
  type Habit,
  habits,
  isFirstOf,
  type Row,
  rowsOf,
  size,
} from '../../support/list-service.ts'
import { type Asked, answer, type ScriptedServer, scriptedServer } from '../../support/scripted-server.ts'
import { sampled } from '../../support/size.ts'
import { fakeClock } from './pacing/fake-clock.ts'

const contract = import.meta.glob<Record<string, unknown>>('../../../src/contract/*.ts', { eager: true })
const lists = Object.values(contract)
  .flatMap((module) => Object.values(module))
  .filter(isList)
  // Its rows have a name of their own, and no command reads it.
  .filter(({ id }) => id !== 'vouchers.redemption')
  .filter((list, index, all) => all.findIndex(({ id }) => id === list.id) === index)

let answering: (asked: Asked) => object
let server: ScriptedServer
let client: Client
beforeAll(async () => {
  server = await scriptedServer((asked) => answer(200, answering(asked)))
  const pair = { id: 'id', token: 'token' }
  client = createClient({
    origin: server.origin,
    credentials: { application: pair, management: pair, client: pair },
    clock: fakeClock(),
    userAgent: 'promo/test',
  })
})
afterAll(async () => {
  await client.close()
  await server[Symbol.asyncDispose]()
})

test('the contract has lists of each kind', () => {
  expect(new Set(lists.map(({ paging }) => paging.style))).toEqual(new Set(['none', 'page', 'cursor']))
  expect(lists.length).toBeGreaterThan(50)
})

test.each(lists)('$id, without such a habit, is complete', async (list) => {
  const rows = rowsIn(list)

  const { ids, error } = await read(list, rows)

  expect([ids.toSorted(), error]).toEqual([rows.map(({ id }) => id), undefined])
})

/** Whether an instant has few rows, or more than a page: lists by date then continue in another way. */
const instants = [3, 13, 25]

const cases = lists.flatMap((list) =>
  habits
    .filter(({ styles }) => styles.includes(list.paging.style))
    .flatMap((habit) =>
      (list.paging.style === 'page' ? instants : [3]).map((ofInstant) => ({ list, habit, ofInstant })),
    ),
)

test.each(sampled(cases, 17))(
  '$list.id, $ofInstant rows of an instant: $habit.name is asked for again, and said if it is the same',
  async ({ list, habit, ofInstant }) => {
    const rows = rowsIn(list, ofInstant)
    const ids = rows.map(({ id }) => id)

    const once = await read(list, rows, habit, (times) => times === 1)
    const always = await read(list, rows, habit)

    expect([once.ids.toSorted(), once.error]).toEqual([ids, undefined])
    expect(always.error).toMatchObject({
      kind: 'partial',
      exitCode: 5,
      message: expect.stringContaining(`the list of ${list.id} may not be complete`),
    })
    expect(new Set(always.ids).size).toBe(always.ids.length)
    expect(always.ids.length).toBeGreaterThanOrEqual(Math.min(size, rows.length) - (habit.losesRows ? 1 : 0))
  },
)

function rowsIn({ paging }: Endpoint, ofInstant?: number): Row[] {
  return rowsOf(paging.style === 'none' ? 3 : 25, ofInstant).map((row) => ({ ...ofSomeRows, ...row }))
}

/** What the rows of a single list have besides. */
const ofSomeRows = { resource_id: 'x', resource_type: 'x', resource_name: 'x', object: 'x' }

/** Reads a list of a service that has a habit: at requests that it met so many times before. */
async function read(list: Endpoint, rows: readonly Row[], habit?: Habit, has = (_times: number) => true) {
  const met = new Map<string, number>()
  const befores = new Map<string, Envelope>()
  let latest: Envelope | undefined
  answering = ({ url }) => {
    const times = (met.get(url) ?? 0) + 1
    met.set(url, times)
    const query = new URL(url, server.origin).searchParams
    const sound = answerOf(list, rows, query)
    // A request that is repeated has the same one before it.
    const previous = befores.get(url) ?? latest ?? sound
    befores.set(url, previous)
    latest = sound
    if (habit === undefined || !has(times)) return sound
    const begin = new URLSearchParams([...query].filter(([name]) => name === 'limit' || name === 'order'))
    return habit.spoil(sound, { isFirst: isFirstOf(query), first: answerOf(list, rows, begin), previous })
  }
  const path = Object.fromEntries([...list.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x']))
  const ids: string[] = []
  try {
    for await (const { id } of client.items(list, { path } as never, { pageSize: size })) ids.push(String(id))
  } catch (error) {
    return { ids, error }
  }
  return { ids, error: undefined }
}

function isList(value: unknown): value is Endpoint {
  const { id, method, response } = (value ?? {}) as Partial<Endpoint>
  // Parts of declarations, like `listing`, have no id.
  return (
    method === 'GET' &&
    id !== undefined &&
    response !== undefined &&
    'data_ref' in ((response as { shape?: object }).shape ?? {})
  )
}
