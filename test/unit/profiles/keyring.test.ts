import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { keyringPatienceMs, secretStore } from '../../../src/profiles/secrets.ts'
import { root } from '../../support/source-files.ts'

const eu = 'https://api.voucherify.io'
const pair = { app_id: 'canary-id', app_token: 'canary-token' }
const keyringModule = pathToFileURL(join(root, 'test/support/keyring-module.ts')).href
let file: string

beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'promo-')), 'keyring.json')
})

function keyring(fault?: string, timeoutMs = 600_000) {
  const env = { KEYRING_FILE: file, KEYRING_FAULT: fault, PROMO_APP_TOKEN: 'inherited' }
  return secretStore('keyring', '/nowhere', { env, keyringModule, timeoutMs })
}

test('secrets are kept in the Secret Service under the profile and its origin', async () => {
  const store = await keyring()
  await store.set('live', eu, pair)

  expect(await store.get('live', eu)).toEqual(pair)
  expect(await store.get('live', 'https://us1.api.voucherify.io')).toBeUndefined()
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual([
    'promo/live@https://api.voucherify.io/secret-service',
  ])
})

test('removed secrets are gone, and a second removal reports that there were none', async () => {
  const store = await keyring()
  await store.set('live', eu, pair)

  expect(await store.remove('live', eu)).toBe(true)
  expect(await store.remove('live', eu)).toBe(false)

  expect(readFileSync(file, 'utf8')).toBe('{}')
})

test('the probe leaves nothing behind', async () => {
  await (await keyring()).probe()

  expect(readFileSync(file, 'utf8')).toBe('{}')
})

test('a removal fails while the secrets still read back', async () => {
  await (await keyring()).set('live', eu, pair)

  await expect((await keyring('keep')).remove('live', eu)).rejects.toMatchObject({ exitCode: 4 })
})

test.each([
  ['hang', 'it is locked or does not answer', 300],
  ['locked', 'it is locked or does not answer'],
  ['forget', 'a value that was written does not read back'],
  ['long', 'it takes 2,560 bytes for a profile on Windows, and these secrets are longer'],
  ['refuse', 'it refused'],
  ['crash', 'it refused'],
])(
  'a keyring with the fault "%s" is an error that names the file instead',
  async (fault, reason, timeoutMs?: number) => {
    const store = await keyring(fault, timeoutMs)

    for (const attempt of [() => store.probe(), () => store.set('live', eu, pair)]) {
      const error = await attempt().catch((refusal: unknown) => refusal)
      expect(error).toMatchObject({
        kind: 'config',
        exitCode: 4,
        message: `the keyring of this computer cannot be used: ${reason}`,
        facts: { hint: expect.stringContaining('--insecure-storage') },
      })
      expect(inspect(error, { depth: 9 })).not.toContain('canary')
    }
  },
)

test('a value that promo did not write is refused without being shown', async () => {
  writeFileSync(file, JSON.stringify({ 'promo/live@https://api.voucherify.io/secret-service': '"canary"' }))

  const error = await (await keyring()).get('live', eu).catch((refusal: unknown) => refusal)

  expect(error).toMatchObject({ exitCode: 4, message: expect.stringContaining('was not stored by this promo') })
  expect(inspect(error, { depth: 9 })).not.toContain('canary')
})

test('a keyring module that is not installed is an error that suggests the file', async () => {
  const store = await secretStore('keyring', '/nowhere', { env: {}, keyringModule: 'file:///nowhere/keyring.js' })

  await expect(store.probe()).rejects.toMatchObject({
    message: 'the keyring of this computer cannot be used: its module is not installed',
    facts: { hint: expect.stringContaining('--insecure-storage') },
  })
})

test.runIf(process.platform === 'linux')('without a desktop session the real keyring reports that', async () => {
  const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' }
  const store = await secretStore('keyring', '/nowhere', { env, timeoutMs: 600_000 })

  for (const attempt of [() => store.probe(), () => store.get('live', eu), () => store.set('live', eu, pair)]) {
    const error = await attempt().catch((refusal: unknown) => refusal)
    expect(error).toMatchObject({
      exitCode: 4,
      // On a platform for which the native module was not built, that is the reason.
      message: expect.stringMatching(/cannot be used: (no desktop session answers|its module is not installed)/),
      facts: { hint: expect.stringContaining('--insecure-storage') },
    })
    expect(inspect(error, { depth: 9 })).not.toContain('canary')
  }
})

test.each([
  ['darwin', true, 60_000],
  ['darwin', false, 3_000],
  ['linux', true, 3_000],
  ['win32', true, 3_000],
] as const)('on %s, with a terminal: %s, the keyring has %i ms', (platform, isTerminal, patienceMs) => {
  expect(keyringPatienceMs(platform, isTerminal)).toBe(patienceMs)
})
