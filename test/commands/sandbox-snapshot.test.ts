// Snapshots of a running sandbox, and back to its beginning.
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/catalogue.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { type Serving, whileServing } from '../support/serving.ts'

let data: string
let folder: string
let promo: ReturnType<typeof promoIn>
beforeEach(() => {
  folder = temporaryFolder()
  promo = promoIn(folder)
  data = join(folder, 'shop.db')
})

const serving = (act: (serving: Serving) => Promise<void>, ...flags: string[]) =>
  whileServing(promo, ['--data', data, ...flags], act)
const sandbox = (...words: string[]) => promo(['sandbox', ...words, '--data', data])
const done = async (...words: string[]) => {
  const { stdout, stderr, exitCode } = await sandbox(...words)
  if (exitCode !== 0) throw new Error(stderr)
  return stdout
}
const fileOf = (name: string) => join(`${data}.snapshots`, `${name}.snapshot.db`)

/** Every list without a parameter, as its bytes. */
async function everyList({ url, app_id, app_token, management, project_id }: Serving) {
  const lists = endpoints.filter(
    ({ method, path, credential }) =>
      method === 'GET' &&
      /^\/(v1|management)/.test(path) &&
      !path.replace('{projectId}', '').includes('{') &&
      credential !== 'client',
  )
  const answers: Record<string, string> = {}
  for (const { path } of lists) {
    const headers: Record<string, string> = { 'x-app-id': app_id, 'x-app-token': app_token, ...management }
    const answer = await fetch(`${url}${path.replace('{projectId}', project_id)}`, { headers })
    answers[path] = `${answer.status} ${(await answer.text()).replace(/"request_id":"[^"]*"/, '')}`
  }
  return answers
}

const change = async ({ call }: Serving) => {
  await call('POST', '/v1/vouchers/AFTER', { type: 'GIFT_VOUCHER', gift: { amount: 1 } })
  await call('POST', '/v1/customers', { source_id: 'after' })
  await call('DELETE', '/v1/vouchers/MORNING')
  await call('POST', '/v1/redemptions', {
    redeemables: [{ object: 'voucher', id: 'WELCOME-010' }],
    order: { amount: 5000 },
  })
}

describe('a snapshot', () => {
  test('brings every list back to the byte, with the clock', async () => {
    await serving(
      async (one) => {
        await change(one)
        const before = await everyList(one)
        await done('snapshot', 'save', 'before')
        await one.call('POST', '/v1/campaigns', { name: 'New', campaign_type: 'PROMOTION' })
        await one.call('DELETE', '/v1/vouchers/AFTER')
        await done('clock', 'advance', '40d')
        const between = await everyList(one)

        await done('snapshot', 'load', 'before')

        expect(between).not.toEqual(before)
        expect(Object.keys(before).length).toBeGreaterThan(20)
        expect(await everyList(one)).toEqual(before)
        expect(JSON.parse(await done('clock', 'show', '--json')).now).toBe('2026-03-01T00:00:00.000Z')
        expect(
          (await one.call('POST', '/v1/vouchers/AFTER-2', { type: 'GIFT_VOUCHER', gift: { amount: 1 } })).status,
        ).toBe(200)
      },
      '--time',
      '2026-03-01',
    )
  })

  test("is listed, is its owner's alone, has no token of the control server, and is a data file itself", async () => {
    let token = ''
    await serving(async ({ control_token }) => {
      token = control_token
      await done('snapshot', 'save', 'one')
      await done('snapshot', 'save', 'one')
      await done('snapshot', 'save', 'two')
      for (const odd of ['a b', 'con', '.x', '-y', 'd\n']) writeFileSync(fileOf(odd), '', { mode: 0o600 })

      const names = JSON.parse(await done('snapshot', 'list', '--json')).map(({ name }: { name: string }) => name)

      expect(names).toEqual(['one', 'two'])
    })
    const copy = join(folder, 'copy.db')
    copyFileSync(fileOf('one'), copy)
    chmodSync(copy, 0o600)

    const { stdout } = await promo(`sandbox status --data ${copy} --json`)

    expect(readFileSync(fileOf('one')).includes(token)).toBe(false)
    expect(JSON.parse(stdout)).toMatchObject({ counts: { vouchers: 1040 }, held_by: [] })
  })

  test('of a sandbox in memory lasts as long as it does, and so without a server', async () => {
    await whileServing(promo, ['--data', ':memory:'], async (one) => {
      await one.control('POST', '/snapshots', { name: 'a' })
      await change(one)
      const { status } = await one.control('POST', '/snapshots/load', { name: 'a' })

      expect(status).toBe(200)
      expect((await one.call('GET', '/v1/vouchers/AFTER')).status).toBe(404)
    })
    await promo(`sandbox seed --data ${data}`)
    await done('snapshot', 'save', 'still')
    expect(await done('snapshot', 'load', 'still')).toContain('still')
  })

  test('is not loaded by a name that is none, or that no snapshot has', async () => {
    await serving(async () => {
      for (const [name, words] of [
        ['../evil', '"../evil" is not the name of a snapshot'],
        ['.hidden', 'is not the name of a snapshot'],
        ['a'.repeat(65), 'is not the name of a snapshot'],
        ['none', 'there is no snapshot "none"'],
      ] as const)
        expect(await sandbox('snapshot', 'load', name)).toEnd(2, words)
    })
  })
})

/** What may be in the place of a snapshot, and how it is refused. */
const hostile: Record<string, [(path: string) => void, code: number, words: string]> = {
  'a file of text': [(path) => writeFileSync(path, 'text '.repeat(1000)), 4, 'is not a snapshot, or is damaged'],
  'another database': [(path) => sqlite(path, 'DELETE FROM vouchers; PRAGMA application_id=1'), 4, 'is not a snapshot'],
  'a file with a trigger': [
    (path) => sqlite(path, 'CREATE TRIGGER evil AFTER INSERT ON vouchers BEGIN DELETE FROM projects; END'),
    4,
    'is not a snapshot, or is damaged',
  ],
  'a file with a view in the place of a table': [
    (path) => sqlite(path, 'ALTER TABLE vouchers RENAME TO v; CREATE VIEW vouchers AS SELECT * FROM v'),
    4,
    'is not a snapshot, or is damaged',
  ],
  'a file with another column': [
    (path) => sqlite(path, 'ALTER TABLE vouchers ADD COLUMN evil ANY'),
    2,
    'another version of promo',
  ],
  'a file without a table': [(path) => sqlite(path, 'DROP TABLE tokens'), 2, 'another version of promo'],
  'a file of a later version': [(path) => sqlite(path, 'PRAGMA user_version=99'), 4, 'schema version 99'],
  'a file whose documents are no objects': [(path) => sqlite(path, "UPDATE vouchers SET doc = '[]'"), 4, 'is damaged'],
  'a file whose documents are no JSON': [(path) => sqlite(path, "UPDATE vouchers SET doc = '{'"), 4, 'is damaged'],
  'a file with an index of its own': [
    (path) => sqlite(path, 'CREATE INDEX evil ON vouchers (length(doc))'),
    4,
    'is not a snapshot, or is damaged',
  ],
  'a file with an empty key': [
    (path) => sqlite(path, "UPDATE projects SET doc = json_set(doc, '$.app_token', '')"),
    4,
    'is damaged',
  ],
  'a file without a key': [
    (path) => sqlite(path, "UPDATE projects SET doc = json_remove(doc, '$.client_token')"),
    4,
    'is damaged',
  ],
  'a file with an empty management key': [
    (path) =>
      sqlite(
        path,
        "UPDATE meta SET value = json_set(value, '$.management_token', '') WHERE name = 'fact.management_keys'",
      ),
    4,
    'is damaged',
  ],
  'a file without its project': [(path) => sqlite(path, 'DELETE FROM projects'), 4, 'is damaged'],
  'a file that was cut': [
    (path) => writeFileSync(path, readFileSync(path).subarray(0, 8192 * 3), { mode: 0o600 }),
    4,
    'is damaged',
  ],
  'a link': [
    (path) => {
      renameSync(path, `${path}.elsewhere`)
      symlinkSync(`${path}.elsewhere`, path)
    },
    4,
    'is a symbolic link',
  ],
  'a file that others can change': [(path) => chmodSync(path, 0o666), 4, 'have access'],
  'a folder that others can change': [(path) => chmodSync(dirname(path), 0o777), 4, 'have access'],
}

function sqlite(path: string, sql: string): void {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
}

test('what is no snapshot, or not safe, is refused before anything is replaced', async () => {
  await serving(async (one) => {
    const before = await everyList(one)
    const ends: object = {}
    for (const [what, [make]] of Object.entries(hostile)) {
      await done('snapshot', 'save', 'hostile')
      make(fileOf('hostile'))

      const { exitCode, stderr } = await sandbox('snapshot', 'load', 'hostile')

      Object.assign(ends, { [what]: [exitCode, stderr] })
      chmodSync(dirname(fileOf('hostile')), 0o700)
      rmSync(fileOf('hostile'))
    }

    expect(ends).toEqual(
      Object.fromEntries(
        Object.entries(hostile).map(([what, [, code, words]]) => [what, [code, expect.stringContaining(words)]]),
      ),
    )
    expect(await everyList(one)).toEqual(before)
  })
})

describe('reset --while-serving', () => {
  test('brings a running sandbox back to its beginning, as often as it is asked to, with the same keys', async () => {
    await serving(
      async (one) => {
        const clock = async () => JSON.parse(await done('clock', 'show', '--json')).now
        const beginning = await everyList(one)
        const lists = []
        for (let n = 0; n < 3; n += 1) {
          await change(one)
          await done('clock', 'advance', '1d')
          await done('reset', '--while-serving', '--yes')
          lists.push(await everyList(one))
        }

        expect(await clock()).toBe('2026-03-01T00:00:00.000Z')
        expect(lists[1]).toEqual(lists[0])
        expect(lists[2]).toEqual(lists[0])
        expect(Object.keys(lists[0] ?? {})).toEqual(Object.keys(beginning))
        expect((await one.call('GET', '/v1/vouchers/MORNING')).status).toBe(200)
      },
      '--time',
      '2026-03-01',
    )
  })

  test('asks first, and needs a sandbox that runs', async () => {
    await promo(`sandbox seed --data ${data}`)

    const unasked = await promo(`sandbox reset --while-serving --data ${data}`, { stdin: '' })
    const stopped = await sandbox('reset', '--while-serving', '--yes')

    expect([unasked.exitCode, stopped.exitCode]).toEqual([11, 5])
  })
})
