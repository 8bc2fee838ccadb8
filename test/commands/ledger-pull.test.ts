// The copy of what happened in a project: what a pull reads, and that it says what it lacks.
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Run } from '../../src/cli/session/run.ts'
import { openCopyToRead } from '../../src/cli/topics/ledger/copy-file.ts'
import { openCopy } from '../../src/ledger/copy.ts'
import { customersNamed, forgetIn } from '../../src/ledger/forget.ts'
import { queryCopy } from '../../src/ledger/query.ts'
import { storeOf } from '../../src/ledger/store.ts'
import { type TestProject, type TestProjects, testProjects } from '../support/projects.ts'
import { temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'
import { sized } from '../support/size.ts'

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
  const copy = await openCopyToRead({ data }, {} as Run)
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

    const { exitCode, stderr } = await other.promo(`ledger pull --data ${data}`)

    expect([exitCode, stderr]).toEqual([4, expect.stringContaining(`is the copy of ${shop.id}`)])
  })
})

test('names and addresses come only with --with customers, and later pulls keep them', async () => {
  const names = async () => (await rowsOf('SELECT name FROM customers WHERE name IS NOT NULL')).length
  await pulled()
  const without = await names()
  await pulled('--with', 'customers')
  const withThem = await names()
  await shop.call('PUT', '/v1/customers/shop-1001', { name: 'Ada Byron' })
  await pulled()

  expect([without, withThem]).toEqual([0, 8])
  expect(await rowsOf("SELECT name FROM customers WHERE source_id = 'shop-1001'")).toEqual([{ name: 'Ada Byron' }])
})

test('what changed, was rolled back or deleted is so in the copy after the next pull', async () => {
  const [disabled, deleted] = (await listed('vouchers', 'vouchers'))
    .filter(({ active }) => active)
    .map(({ code }) => String(code))
  await pulled()
  await shop.call('POST', `/v1/vouchers/${disabled}/disable`)
  await shop.call('DELETE', `/v1/vouchers/${deleted}`)
  const redemption = await shop.call('POST', '/v1/redemptions', {
    redeemables: [{ object: 'voucher', id: 'GIFT-008', gift: { credits: 100 } }],
    order: { amount: 5000, source_id: 'order-1' },
  })
  const { id } = redemption.redemptions[0]
  await shop.call('POST', `/v1/redemptions/${id}/rollback`, { reason: 'cancelled' })
  const { exitCode, stdout } = await pulled()

  expect(exitCode, stdout).toBe(0)
  const states = await rowsOf(
    `SELECT active, deleted_at IS NOT NULL AS is_gone FROM vouchers WHERE code IN ('${disabled}', '${deleted}') ORDER BY 2`,
  )
  expect(states).toEqual([
    { active: 0, is_gone: 0 },
    { active: 1, is_gone: 1 },
  ])
  const pairs = await rowsOf(
    `SELECT status, gift_amount, order_number, rollback_reason FROM redemptions_paired WHERE id = '${id}'`,
  )
  expect(pairs).toEqual([
    { status: 'ROLLED_BACK', gift_amount: 100, order_number: 'order-1', rollback_reason: 'cancelled' },
  ])
})

test('a rollback says that an older redemption, which is not read again, is rolled back', async () => {
  const copy = openCopy(data, { writes: true })
  const { keep } = storeOf(copy, false)
  keep('redemptions', [{ id: 'r_1', object: 'redemption', result: 'SUCCESS', status: 'SUCCEEDED' }])
  keep('redemptions', [{ id: 'rrf_1', object: 'redemption_rollback', result: 'FAILURE', redemption: 'r_1' }])
  const before = copy.get<object>('SELECT status FROM redemptions_paired')
  keep('redemptions', [{ id: 'rr_1', object: 'redemption_rollback', result: 'SUCCESS', redemption: 'r_1' }])
  copy.close()

  expect({ ...before }).toEqual({ status: 'SUCCEEDED' })
  expect(await rowsOf('SELECT status, rollback_id FROM redemptions_paired')).toEqual([
    { status: 'ROLLED_BACK', rollback_id: 'rr_1' },
  ])
})

test('a pull that --max-requests ends is continued by the next one', async () => {
  const dry = await pulled('--dry-run')
  const few = await pulled('--max-requests', '20')
  const all = await pulled()

  expect(dry.exitCode).toBe(0)
  expect(JSON.parse(dry.stdout)).toContainEqual({ kind: 'publications', objects: 10, requests: 2 })
  expect([few.exitCode, few.stderr]).toEqual([2, expect.stringMatching(/add --max-requests \d+/)])
  expect(all.exitCode).toBe(0)
})

test('two pulls of one copy at once are refused', async () => {
  const both = await Promise.all([pulled(), pulled()])

  expect(both.map(({ exitCode }) => exitCode).toSorted((one, other) => one - other)).toEqual([0, 8])
})

test.each(['pull', 'forget cust_1'])(
  'ledger %s waits while another process reads the copy, and says so',
  async (line) => {
    await pulled()
    await shop.call('POST', '/v1/customers', { source_id: 'somebody-new' })
    const reader = openCopy(data)
    const rows = reader.each('SELECT id FROM vouchers')[Symbol.iterator]()
    rows.next()

    const { exitCode, stderr } = await shop.promo(`ledger ${line} --data ${data}`, {
      onStderr: (text) => {
        if (text.includes('waiting until no other process uses the copy')) reader.close()
      },
    })

    expect(exitCode, stderr).toBe(0)
    expect(reader.database.isOpen).toBe(false)
  },
)

test('a question waits for a commit of a pull', async () => {
  const other = openCopy(data, { writes: true })
  other.database.exec('BEGIN EXCLUSIVE')
  setTimeout(other.close, 500)
  const { rows } = await queryCopy(data, 'select count(*) as n from orders', { waitMs: 60_000, memoryBytes: 5e8 })

  expect((await rows.next()).value).toEqual({ n: 0 })
})

test.each(sized({ quick: ['pull'], slow: ['balances'] }))(
  'ledger %s of a copy that another process locks says to wait for it',
  async (verb) => {
    const other = openCopy(data, { writes: true })
    other.database.exec('BEGIN EXCLUSIVE')
    const { exitCode, stderr } = await shop.promo(`ledger ${verb} --data ${data}`)
    other.close()

    expect([exitCode, stderr]).toEqual([8, expect.stringMatching(/in use by another process\n.*wait until it ends/)])
  },
)

test.each([
  ['a table that the keys may not read stays empty, and the exit code says so', '/v1/orders', 12],
  ['keys that may read no table copy nothing', '/v1', 4],
])('%s', async (_what, refused, expected) => {
  await using server = await scriptedServer(async ({ url }) => {
    if (url.startsWith(refused)) return answer(403, { code: 403, key: 'forbidden', message: 'Forbidden' })
    const { app_id, app_token } = service.sandbox.credentials
    const passed = await fetch(`${service.sandbox.url}${url}`, {
      headers: { 'x-app-id': app_id, 'x-app-token': app_token },
    })
    return {
      do: 'text',
      status: passed.status,
      text: await passed.text(),
      headers: { 'content-type': 'application/json' },
    }
  })
  const { exitCode, stdout } = await shop.promo(`ledger pull --data ${data} --json`, {
    env: { PROMO_BASE_URL: server.origin },
  })

  expect(exitCode).toBe(expected)
  if (expected !== 12) return
  expect(JSON.parse(stdout).filter(({ missing }: { missing: string | null }) => missing !== null)).toEqual([
    expect.objectContaining({
      table: 'orders',
      held: 0,
      complete_until: null,
      missing: expect.stringContaining('403'),
    }),
  ])
})

describe('ledger forget', () => {
  const forget = async (who: string) => await shop.promo(['ledger', 'forget', who, '--data', data, '--json'])

  test('refuses somebody who is still there, and removes nothing', async () => {
    await pulled('--with', 'customers')
    const { exitCode, stderr } = await forget('shop-1002')

    expect([exitCode, stderr]).toEqual([3, expect.stringMatching(/still exists.*promo customers forget cust_/)])
    expect(await rowsOf("SELECT count(*) AS n FROM customers WHERE source_id = 'shop-1002'")).toEqual([{ n: 1 }])
  })

  test('removes what says who somebody was, shows what the service has, and no pull brings it back', async () => {
    await pulled('--with', 'customers')
    const [found] = await rowsOf("SELECT id FROM customers WHERE source_id = 'shop-1003'")
    const id = String(found?.id)
    await shop.promo(`customers forget ${id} --yes`)
    const { exitCode, stdout, stderr } = await forget('shop-1003')
    await pulled()

    expect(exitCode, stderr).toBe(0)
    const rows = JSON.parse(stdout) as { what: string; removed?: number; left?: number }[]
    expect(rows.find(({ what }) => what === 'customers')).toMatchObject({ removed: 1 })
    expect(rows.find(({ what }) => what === 'vouchers')).toHaveProperty('left')
    expect(await rowsOf(`SELECT source_id, name, email, phone, address FROM customers WHERE id = '${id}'`)).toEqual([
      { source_id: null, name: null, email: null, phone: null, address: null },
    ])
  })
  test('keeps what a list still shows of them out of the copy', async () => {
    const ann = { id: 'cust_ann', source_id: 'shop-1', name: 'Ann', email: 'ann@shop.example', object: 'customer' }
    const rollback = { id: 'rr_1', object: 'redemption_rollback', customer_id: 'cust_ann', tracking_id: 'shop-1' }
    const copy = openCopy(data, { writes: true })
    storeOf(copy, true).keep('customers', [ann])
    storeOf(copy, true).keep('redemptions', [{ ...rollback, reason: 'by Ann', amount: -500 }])
    const [known] = customersNamed(copy, 'ANN@shop.example')
    if (known !== undefined) forgetIn(copy, known, '2026-05-06T00:00:00.000Z')
    storeOf(copy, true).keep('customers', [ann])
    storeOf(copy, true).keep('redemptions', [{ ...rollback, reason: 'by Ann', amount: -500 }])
    copy.close()

    expect(await rowsOf('SELECT id, source_id, name, email FROM customers')).toEqual([
      { id: 'cust_ann', source_id: null, name: null, email: null },
    ])
    expect(await rowsOf('SELECT id, tracking_id, reason, amount FROM redemptions')).toEqual([
      { id: 'rr_1', tracking_id: null, reason: null, amount: -500 },
    ])
  })

  test.each([
    ['shop-1', 1, 'by shop-1, by phone', null],
    ['shop-1', 2, 'by shop-10', 'by shop-10'],
  ])('removes %s where it is a whole word (%i)', (source_id, _, reason, left) => {
    const copy = openCopy(data, { writes: true })
    storeOf(copy, false).keep('transactions', [
      { id: 'vtx_1', voucher_id: 'v_1', type: 'POINTS_ADDITION', created_at: '2026-05-06T00:00:00Z', reason },
    ])
    forgetIn(copy, { id: 'cust_1', source_id, name: null, email: null, phone: null }, '2026-05-06T00:00:00.000Z')
    const held = copy.get<{ reason: string | null }>('SELECT reason FROM transactions')
    copy.close()

    expect(held?.reason).toBe(left)
  })
})
