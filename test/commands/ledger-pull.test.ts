// The copy of what happened in a project: what a pull reads, and that it says what it lacks.
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Host } from '../../src/cli/run/host.ts'
import { openCopyToRead } from '../../src/cli/topics/ledger/copy-file.ts'
import { type TestProject, type TestProjects, testProjects } from '../support/projects.ts'
import { temporaryFolder } from '../support/promo.ts'

let service: TestProjects
let shop: TestProject
let data: string

beforeAll(async () => {
  service = await testProjects()
  shop = service.first
})
afterAll(() => service.close())
beforeEach(() => {
  data = join(temporaryFolder(), 'copy.db')
})

const pulled = async (...more: string[]) => await shop.promo(['ledger', 'pull', '--data', data, '--json', ...more])

async function rowsOf(sql: string): Promise<Record<string, unknown>[]> {
  const copy = await openCopyToRead({ data }, {} as Host)
  try {
    return copy.all(sql).map((row) => ({ ...(row as object) }))
  } finally {
    copy.close()
  }
}

async function listed(path: string, name: string): Promise<Record<string, unknown>[]> {
  return (await shop.call('GET', `/v1/${path}?limit=100`))[name]
}

const ids = (rows: readonly Record<string, unknown>[]) => rows.map(({ id }) => String(id)).toSorted()

test('the copy has every row of the project, and a second pull reads little', async () => {
  const first = await pulled()
  const second = await pulled()

  expect([first.exitCode, second.exitCode], first.stderr + second.stderr).toEqual([0, 0])
  const tables = JSON.parse(first.stdout) as { table: string; read: number; held: number; counted: number | null }[]
  expect(tables.map(({ table, read, held, counted }) => [table, read, held, counted])).toEqual([
    ['campaigns', 6, 6, 6],
    ['customers', 8, 8, 8],
    ['vouchers', 1040, 1040, 1040],
    ['orders', 9, 9, 9],
    ['redemptions', 9, 9, 9],
    ['publications', 10, 10, 10],
    ['transactions', 16, 16, null],
  ])
  for (const name of ['orders', 'redemptions', 'publications', 'customers', 'campaigns'])
    expect(ids(await rowsOf(`SELECT id FROM ${name}`)), name).toEqual(ids(await listed(name, name)))
})

describe('a file that is no copy of the project', () => {
  test.each<[string, (path: string) => void, string]>([
    ['is a link', (path) => symlinkSync('elsewhere', path), 'is a symbolic link'],
    ['is something else', (path) => writeFileSync(path, 'shopping list', { mode: 0o600 }), 'is not a copy'],
    [
      'is open to others',
      (path) => {
        writeFileSync(path, '', { mode: 0o600 })
        chmodSync(path, 0o644)
      },
      'other users of this computer have access',
    ],
  ])('%s: it is refused and left as it is', async (_, make, problem) => {
    make(data)

    const { exitCode, stderr } = await pulled()

    expect([exitCode, stderr]).toEqual([4, expect.stringContaining(problem)])
  })

  test('belongs to another project: nothing is written into it', async () => {
    const other = await service.another()
    await pulled()

    const { exitCode, stderr } = await other.promo(['ledger', 'pull', '--data', data])

    expect([exitCode, stderr]).toEqual([4, expect.stringContaining(`is the copy of ${shop.id}`)])
  })
})
