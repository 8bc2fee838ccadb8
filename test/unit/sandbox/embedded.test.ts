import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type RunningSandbox,
  resetSandbox,
  sandboxStatus,
  seedSandbox,
  startSandbox,
} from '../../../src/sandbox/embedded.ts'

let folder: string
let file: string
const open: RunningSandbox[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'promo-sandbox-'))
  file = join(folder, 'state', 'sandbox.db')
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()))
  rmSync(folder, { recursive: true, force: true })
})

async function started(options: Partial<Parameters<typeof startSandbox>[0]> = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ file, port: 0, demo: false, ...options })
  open.push(sandbox)
  return sandbox
}

async function call(sandbox: RunningSandbox, method: string, path: string, body?: unknown) {
  const { app_id, app_token } = sandbox.credentials
  const answer = await fetch(sandbox.url + path, {
    method,
    headers: { 'x-app-id': app_id, 'x-app-token': app_token, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('a new file gets credentials of its own, and keeps them', async () => {
  const first = await started()
  await first.close()
  const again = await started()
  const other = await started({ file: join(folder, 'other.db') })

  expect(again.credentials).toEqual(first.credentials)
  expect(Object.keys(first.credentials)).toEqual([
    'project_id',
    'app_id',
    'app_token',
    'management_id',
    'management_token',
    'client_app_id',
    'client_token',
    'webhook_secret',
  ])
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
  const { project_id, webhook_secret, ...keys } = first.credentials
  expect(project_id).toMatch(/^proj_[0-9a-f]{18}$/)
  expect(webhook_secret).toMatch(/^[0-9a-f]{64}$/)
  for (const key of Object.values(keys)) expect(key).toMatch(uuid)
  const values = [...Object.values(first.credentials), ...Object.values(other.credentials)]
  expect(new Set(values).size).toBe(16)
})

test('the file and its folder are accessible to their owner only', async () => {
  await started()

  expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(join(folder, 'state'))) {
    expect([name, statSync(join(folder, 'state', name)).mode & 0o777]).toEqual([name, 0o600])
  }
})

test('a file that others could read loses those permissions', async () => {
  writeFileSync(join(folder, 'loose.db'), '', { mode: 0o644 })

  await started({ file: join(folder, 'loose.db') })

  expect(statSync(join(folder, 'loose.db')).mode & 0o777).toBe(0o600)
})

test('what was stored is there after a restart', async () => {
  const first = await started()
  await call(first, 'POST', '/v1/vouchers/KEPT', { gift: { amount: 1 } })
  await first.close()

  const again = await started()

  expect((await call(again, 'GET', '/v1/vouchers/KEPT')).body).toMatchObject({ code: 'KEPT' })
})

test('two servers of one file see each other, and one code is created once', async () => {
  const both = await Promise.all([started(), started()])
  const codes = Array.from({ length: 40 }, (_, index) => `C${index}`)
  const create = (code: string) => both.map((at) => call(at, 'POST', `/v1/vouchers/${code}`, { gift: { amount: 1 } }))

  const answers = await Promise.all(codes.flatMap(create))

  expect(both[0].credentials).toEqual(both[1].credentials)
  for (const status of [200, 409]) expect(answers.filter((answer) => answer.status === status)).toHaveLength(40)
  for (const at of both) expect((await call(at, 'GET', '/v1/vouchers')).body.total).toBe(40)
})

test('the demo project is put only into a new file', async () => {
  const empty = await started()
  await empty.close()
  const stillEmpty = await started({ demo: true })
  const full = await started({ file: join(folder, 'full.db'), demo: true })

  expect((await call(stillEmpty, 'GET', '/v1/vouchers')).body.total).toBe(0)
  expect((await call(full, 'GET', '/v1/vouchers')).body.total).toBe(1040)
})

test('a fixture that cannot be loaded leaves a new file empty', async () => {
  const good = { code: 'A', gift: { amount: 1 } }
  const message = "vouchers[1]: Payload must have required property 'type'"

  const refused = started({ fixture: { vouchers: [good, { code: 'B' }] } })
  await expect(refused).rejects.toMatchObject({ reason: 'bad-fixture', message })
  const after = await started({ fixture: { vouchers: [good] } })
  expect((await call(after, 'GET', '/v1/vouchers')).body.total).toBe(1)
})

test('the status counts the objects without starting a server', async () => {
  const sandbox = await started({ demo: true })
  const running = await sandboxStatus(file)
  await sandbox.close()

  const stopped = await sandboxStatus(file)

  expect(running.held_by).toEqual([{ pid: process.pid, url: sandbox.url, since: expect.any(String) }])
  expect(stopped).toEqual({ ...running, size_bytes: statSync(file).size, held_by: [] })
  expect(stopped).toMatchObject({ file, schema_version: 3, project_id: sandbox.credentials.project_id })
  expect(stopped.counts).toMatchObject({ vouchers: 1040, campaigns: 6, loyalty_transactions: 14 })
  expect(stopped.size_bytes).toBeGreaterThan(100_000)
})

test('the status of a file that does not exist is an error, and creates no file', async () => {
  const error = { reason: 'no-file', hint: `promo sandbox start --data ${file}` }
  await expect(sandboxStatus(file)).rejects.toMatchObject(error)

  expect(existsSync(file)).toBe(false)
})

test.each(['linux', 'win32'] as const)(
  'on %s a reset is refused while a live server has the file',
  async (platform) => {
    const sandbox = await started()

    const message = `the sandbox file "${file}" is in use by process ${process.pid} at ${sandbox.url}`
    await expect(resetSandbox(file, platform)).rejects.toMatchObject({ reason: 'held', message })
    expect((await call(sandbox, 'GET', '/v1/vouchers')).status).toBe(200)
  },
)

test.each(['linux', 'win32'] as const)('on %s a reset deletes the file and its companion files', async (platform) => {
  const sandbox = await started()
  await sandbox.close()

  expect(await resetSandbox(file, platform)).toBe(true)
  expect(readdirSync(join(folder, 'state'))).toEqual([])
  expect(await resetSandbox(file, platform)).toBe(false)
  expect((await started()).credentials).not.toEqual(sandbox.credentials)
})

test('a server that crashed does not hold the file', async () => {
  const sandbox = await started()
  await sandbox.close()
  const db = new DatabaseSync(file)
  // A process id beyond the maximum of every system.
  db.exec("INSERT INTO holders (pid, url, since) VALUES (2147483647, 'http://127.0.0.1:1', '')")
  db.close()

  expect((await sandboxStatus(file)).held_by).toEqual([])
  expect(await resetSandbox(file)).toBe(true)
})

function foreignDatabase(path: string): void {
  const db = new DatabaseSync(path)
  db.exec('CREATE TABLE bookmarks (url TEXT)')
  db.close()
}
const text = 'this is not a database, but long enough to be checked'.repeat(40)

test.each<[string, (path: string) => void]>([
  ['text', (path) => writeFileSync(path, text)],
  ['another database', foreignDatabase],
])('a file that is %s is refused, and nothing in or next to it changes', async (_, make) => {
  const foreign = join(folder, 'x.db')
  make(foreign)
  chmodSync(foreign, 0o644)
  const before = { bytes: readFileSync(foreign), files: readdirSync(folder) }

  await expect(started({ file: foreign })).rejects.toMatchObject({ reason: 'not-a-sandbox' })
  for (const act of [resetSandbox, seedSandbox, sandboxStatus])
    await expect(act(foreign)).rejects.toMatchObject({ reason: 'not-a-sandbox' })
  expect({ bytes: readFileSync(foreign), files: readdirSync(folder) }).toEqual(before)
  expect(statSync(foreign).mode & 0o777).toBe(0o644)
})

test('a file of a later version is refused', async () => {
  const sandbox = await started()
  await sandbox.close()
  const db = new DatabaseSync(file)
  db.exec('PRAGMA user_version=4')
  db.close()

  await expect(started()).rejects.toMatchObject({
    reason: 'newer-schema',
    message: `the sandbox file "${file}" has schema version 4; this version of promo knows 3`,
  })
})

test('seeding adds to a file, also while a server has it open, and is visible at once', async () => {
  const sandbox = await started()

  expect(await seedSandbox(file, { vouchers: [{ code: 'SEEDED', gift: { amount: 1 } }] })).toEqual({ vouchers: 1 })
  expect((await call(sandbox, 'GET', '/v1/vouchers/SEEDED')).status).toBe(200)
})

test('a second close has no effect', async () => {
  const sandbox = await started()

  await Promise.all([sandbox.close(), sandbox.close()])

  expect((await sandboxStatus(file)).held_by).toEqual([])
})

test('a clock that runs on between two looks never seems to go back', async () => {
  let ms = Date.parse('2026-05-06T07:08:09.000Z')
  const now = () => {
    ms += 5
    return new Date(ms).toISOString()
  }
  const { control } = await started({ now })

  const resumed = await control.call('clock.resume', { real_time: true, allow_back: false })
  const advanced = await control.call('clock.advance', { by: '1ms' })

  expect([resumed.runs, advanced.runs]).toEqual([true, true])
  expect(advanced.now > resumed.now).toBe(true)
})
