import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { secretStore } from '../../../src/profiles/secrets.ts'

const eu = 'https://api.voucherify.io'
const us = 'https://us1.api.voucherify.io'
const pair = { app_id: 'canary-id', app_token: 'canary-token' }
let dir: string
let file: string

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'promo-')), 'config')
  file = join(dir, 'credentials.json')
})

test('secrets are found under the profile and the origin they were stored for, and nowhere else', async () => {
  const store = await secretStore('file', dir)
  await store.set('live', eu, pair)

  expect(await store.get('live', eu)).toEqual(pair)
  expect(await store.get('live', us)).toBeUndefined()
  expect(await store.get('test', eu)).toBeUndefined()
})

test('reading secrets creates nothing', async () => {
  const store = await secretStore('file', dir)

  expect(await store.get('live', eu)).toBeUndefined()
  expect(await store.remove('live', eu)).toBe(false)
  expect(existsSync(dir)).toBe(false)
})

test('removed secrets are gone from the file, and those of other profiles stay', async () => {
  const store = await secretStore('file', dir)
  await store.set('live', eu, pair)
  await store.set('test', eu, { access_token: 'other' })

  expect(await store.remove('live', eu)).toBe(true)

  expect(readFileSync(file, 'utf8')).not.toContain('canary')
  expect(await store.get('test', eu)).toEqual({ access_token: 'other' })
})

test('the probe leaves no secret behind', async () => {
  const store = await secretStore('file', dir)

  await store.probe()

  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ version: 1, secrets: {} })
})

test('secrets without an origin are refused', async () => {
  const store = await secretStore('file', dir)

  await expect(store.set('live', '', pair)).rejects.toMatchObject({ kind: 'usage' })
  await expect(store.get('live', 'https://')).rejects.toMatchObject({ kind: 'usage' })
})

test.each([
  [{ app_id: 'canary' }, '"app_id" needs "app_token"'],
  [{ management_token: 'canary' }, '"management_token" needs "management_id"'],
  [{ access_token: 'canary canary' }, '"access_token" holds a space or a line break'],
  [{ access_token: '' }, '"access_token" is empty'],
])('the secrets %j are refused without being shown', async (secrets, message) => {
  const store = await secretStore('file', dir)

  await expect(store.set('live', eu, secrets)).rejects.toMatchObject({ exitCode: 2, message })
})

test.each([0o640, 0o604, 0o620, 0o666])('a file of mode %o is refused with the chmod to run', async (mode) => {
  const store = await secretStore('file', dir, { env: {} })
  await store.set('live', eu, pair)
  chmodSync(file, mode)

  await expect(store.get('live', eu)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining(`have access to "${file}"`),
    facts: { hint: expect.stringContaining(`chmod 600 ${file}`) },
  })
})

test('a folder in which others can replace the file is refused with the chmod to run', async () => {
  const store = await secretStore('file', dir, { env: {} })
  await store.set('live', eu, pair)
  chmodSync(dir, 0o777)

  for (const attempt of [() => store.get('live', eu), () => store.set('live', eu, pair)]) {
    await expect(attempt()).rejects.toMatchObject({
      exitCode: 4,
      facts: { hint: expect.stringContaining(`chmod 700 ${dir}`) },
    })
  }
})

test('a file that another user owns is neither read nor replaced', async () => {
  await (await secretStore('file', dir)).set('live', eu, pair)
  const store = await secretStore('file', dir, { env: {}, uid: 4711 })

  await expect(store.get('live', eu)).rejects.toMatchObject({
    message: expect.stringContaining('belongs to another user'),
  })
  await expect(store.set('live', eu, pair)).rejects.toMatchObject({ exitCode: 4 })
})

test('PROMO_ALLOW_INSECURE_CONFIG=1 reads such a file', async () => {
  await (await secretStore('file', dir)).set('live', eu, pair)
  chmodSync(file, 0o644)
  chmodSync(dir, 0o777)

  const store = await secretStore('file', dir, { env: { PROMO_ALLOW_INSECURE_CONFIG: '1' }, uid: 4711 })

  expect(await store.get('live', eu)).toEqual(pair)
})

test('a file that others could read is closed to them by the next change', async () => {
  const store = await secretStore('file', dir, { env: {} })
  await store.set('live', eu, pair)
  chmodSync(file, 0o644)

  await store.set('test', eu, pair)

  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await store.get('live', eu)).toEqual(pair)
})

test('secrets are not written through a symbolic link', async () => {
  mkdirSync(dir, { mode: 0o700 })
  const target = join(dir, 'target.json')
  writeFileSync(target, '{"version":1,"secrets":{}}', { mode: 0o600 })
  symlinkSync(target, file)
  const store = await secretStore('file', dir)

  await expect(store.set('live', eu, pair)).rejects.toMatchObject({ message: expect.stringContaining('symbolic link') })

  expect(readFileSync(target, 'utf8')).not.toContain('canary')
})

test('no error about a damaged file shows a secret, wherever it is cut', async () => {
  const store = await secretStore('file', dir)
  await store.set('live', eu, { ...pair, webhook_secret: 'canary-webhook' })
  const whole = readFileSync(file)

  for (let length = 0; length < whole.length; length++) {
    const cut = whole.subarray(0, length)
    writeFileSync(file, cut)
    for (const attempt of [
      () => store.get('live', eu),
      () => store.set('live', eu, pair),
      () => store.remove('live', eu),
    ]) {
      const error = await attempt().catch((refusal: unknown) => refusal)
      expect(error).toMatchObject({ exitCode: 4 })
      expect(inspect(error, { depth: 9 })).not.toContain('canary')
    }
    expect(readFileSync(file).equals(cut)).toBe(true)
  }
})

test('no error about a garbled file shows a secret', async () => {
  const store = await secretStore('file', dir)
  await store.set('live', eu, pair)
  const whole = readFileSync(file, 'utf8')

  for (let at = 0; at < whole.length; at++) {
    writeFileSync(file, `${whole.slice(0, at)}x${whole.slice(at + 1)}`)
    const error = await store.get('live', eu).catch((refusal: unknown) => refusal)
    if (error instanceof Error) expect(inspect(error, { depth: 9 })).not.toMatch(/canar|anary/)
  }
})
