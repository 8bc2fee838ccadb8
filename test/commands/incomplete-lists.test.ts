// Every command that reads a list shows what it received, and says that it may not be all there is. Source: docs/reliability.md#lists.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CommandClass } from '../../src/cli/command.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { keysFor, lines, notFound } from '../support/command-lines.ts'
import { classOf, promoIn, temporaryFolder } from '../support/promo.ts'
import { type Action, type Asked, answer, scriptedServer } from '../support/scripted-server.ts'
import { isRequestOf } from '../support/sent-requests.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)

/** Commands that call a list to see whether it is answered, or take its first row, and read none. */
const onlyKnocking = ['doctor', 'loyalty:cards:get', 'profiles:add', 'profiles:verify']

const readings = (await Promise.all(Object.keys(lines).map(async (id) => ({ id, Class: await classOf(id) })))).flatMap(
  ({ id, Class }) => {
    const { calls, effect } = Class
    const lists = calls === 'any' ? [] : calls.filter(isList)
    if (lists.length === 0 || onlyKnocking.includes(id)) return []
    // Without writing it only asks how long the lists are.
    const reads = (lines[id] ?? []).filter(([words]) => id !== 'sandbox:copy' || !words.includes('--dry-run'))
    return reads.map((line) => ({ id, Class, lists, line, isWrite: effect === 'write', words: line[0] }))
  },
)
type Reading = (typeof readings)[number]

const showing = readings.filter(({ isWrite }) => !isWrite)

describe.each([...new Set(showing.map(({ id }) => id))])('promo %s', (name) => {
  test('shows the rows of a list that is not complete, then says so and ends with 5', async () => {
    const ran = await Promise.all(showing.filter(({ id }) => id === name).map((reading) => tried(reading)))

    const read = ran.filter(({ hasRead }) => hasRead)
    expect(read).not.toEqual([])
    for (const { exitCode, stderr } of read) {
      expect(exitCode, stderr).toBe(5)
      expect(stderr).toMatch(/^promo: the list of \S+ may not be complete, after a second look: .*$/m)
      expect(stderr.match(/^try: run (?:it|the command) again/gm), stderr).toHaveLength(1)
    }
  })
})

// Nobody is the customer of such a line, so its list is not read; --explain prints words.
const listing = showing.filter(({ Class, words }) => kindOf(Class) === 'list' && !/--customer|@|--explain/.test(words))

describe.each(listing)('promo $id $words', (reading) => {
  test.each([[], ['--json'], ['--jsonl'], ['--csv'], ['--format', 'yaml']])(
    'prints its rows with %j',
    async (...more) => {
      const { exitCode, stdout } = await tried(reading, ...more)

      expect(exitCode).toBe(5)
      expect(stdout).toContain('row_1')
      if (more[0] === '--json') expect(JSON.parse(stdout)).toHaveLength(1)
    },
  )

  test('leaves the old file of --out as it was', async () => {
    const out = join(folder, 'old.csv')
    writeFileSync(out, 'old')

    const { exitCode } = await tried(reading, '--csv', '--out', out)

    expect([exitCode, readFileSync(out, 'utf8')]).toEqual([5, 'old'])
  })
})

test('promo api --paginate does the same for a list that the contract does not have', async () => {
  await using server = await scriptedServer(() => cut({ paging: { style: 'none' } }, undefined))

  const { exitCode, stdout, stderr } = await promo('api GET /v1/things --paginate --json', {
    env: keysFor(server.origin),
  })

  expect(exitCode).toBe(5)
  expect(JSON.parse(stdout)).toHaveLength(1)
  expect(stderr).toContain('the list of GET /v1/things may not be complete')
})

const looking = readings.filter(({ isWrite }) => isWrite)

test.each(looking)('promo $id $words does not take an incomplete list for a complete one', async (reading) => {
  const { exitCode, stderr } = await tried(reading, ...(reading.Class.flags.yes === undefined ? [] : ['--yes']))

  expect(exitCode, stderr).not.toBe(0)
})

async function tried({ id, Class, line, lists, isWrite }: Reading, ...more: string[]) {
  const [words, goesOn, keys] = line
  await using server = await scriptedServer((asked, index) => {
    const found = goesOn?.(asked, index)
    const list = lists.find((one) => isRequestOf(one, pathOf(asked)))
    if (list !== undefined) return cut(list, isWrite || kindOf(Class) === 'list' ? undefined : found)
    if (asked.url.startsWith('/v1/orders/'))
      return isListAnswer(found) ? answer(200, order) : (found ?? answer(200, order))
    // What finds a list at every address has no single objects.
    return isListAnswer(found) ? notFound : (found ?? notFound)
  })
  const argv = [...id.split(':'), ...words.split(' ').filter((word) => word !== ''), ...more]
  const ran = await promo(argv, {
    env: keysFor(server.origin, keys),
    stdin: 'token',
    now: () => Date.parse(row.created_at),
    sleep: async () => {},
  })
  return { ...ran, hasRead: server.asked.some((asked) => lists.some((list) => isRequestOf(list, pathOf(asked)))) }
}

/** The answer of a list that announces more rows than it has, however often it is asked. */
function cut({ paging }: Pick<Endpoint, 'paging'>, found: Action | undefined): Action {
  const body: List = isListAnswer(found) ? found.body : { object: 'list', data_ref: 'data', data: [row] }
  const rows = body[body.data_ref] as object[]
  const announced =
    paging.style === 'cursor' ? { has_more: true, more_starting_after: 'row_1' } : { total: rows.length + 2 }
  return answer(200, { ...body, ...announced })
}

function isListAnswer(found: Action | undefined): found is { do: 'answer'; status: number; body: List } {
  return found?.do === 'answer' && (found.body as { object?: unknown } | undefined)?.object === 'list'
}

interface List {
  object: 'list'
  data_ref: string
  [name: string]: unknown
}

const row = {
  id: 'row_1',
  code: 'row_1',
  name: 'row_1',
  related_object: 'row_1',
  channel: 'row_1',
  reward_id: 'row_1',
  customer_id: 'cust_1',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

const order = {
  id: 'ord_1',
  object: 'order',
  source_id: 'shop-7',
  status: 'PAID',
  created_at: row.created_at,
  updated_at: null,
  customer_id: null,
  referrer_id: null,
}

function pathOf({ method, url }: Asked) {
  return { method, path: url.split('?')[0] ?? '' }
}

function kindOf(Class: CommandClass): string | undefined {
  return (Class as { kind?: string }).kind
}

function isList({ method, response }: Endpoint): boolean {
  return method === 'GET' && 'data_ref' in ((response as { shape?: object }).shape ?? {})
}
