import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { PromoError } from '../../../src/errors.ts'
import { variables } from '../../../src/profiles/environment.ts'
import type { Env } from '../../../src/profiles/folders.ts'
import { resolve } from '../../../src/profiles/resolve.ts'
import { secretStore } from '../../../src/profiles/secrets.ts'
import { openStore } from '../../../src/profiles/store.ts'

const pair = { app_id: 'stored-id', app_token: 'stored-canary' }
const given = { PROMO_APP_ID: 'given-id', PROMO_APP_TOKEN: 'given-canary' }
let dir: string

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'promo-')), 'config')
})

async function addProfile(name: string, region: 'eu' | 'us' = 'eu') {
  const { origin } = await openStore(dir).add({
    name,
    region,
    project_id: `proj_${name}`,
    protected: name === 'live',
    rate: '20/s',
    secrets_in: 'file',
  })
  await (await secretStore('file', dir)).set(name, origin, pair)
}

const resolved = (env: Env = {}, flag?: string) => resolve({ flag, env, store: openStore(dir), dir })

test('without any profile the error names both next steps', async () => {
  await expect(resolved()).rejects.toMatchObject({
    kind: 'config',
    exitCode: 4,
    facts: { hint: expect.stringMatching(/promo profiles add.*--profile sandbox/) },
  })
})

test.each([
  ['--profile goes before everything', 'one', { PROMO_PROFILE: 'two' }, 'one', '--profile'],
  ['PROMO_PROFILE goes before profiles use', undefined, { PROMO_PROFILE: 'two' }, 'two', 'PROMO_PROFILE'],
  ['profiles use is the default', undefined, {}, 'three', 'profiles use'],
  ['the sandbox is chosen by flag', 'sandbox', {}, 'sandbox', '--profile'],
  ['the sandbox is chosen by environment', undefined, { PROMO_PROFILE: 'sandbox' }, 'sandbox', 'PROMO_PROFILE'],
])('%s', async (_, flag, env, name, source) => {
  await addProfile('one')
  await addProfile('two')
  await addProfile('three')
  await openStore(dir).use('three')

  expect(await resolved(env, flag)).toMatchObject({ name, source })
})

test('a profile provides its settings, each with its source', async () => {
  await addProfile('live')

  const profile = await resolved()

  expect(profile).toMatchObject({
    origin: 'https://api.voucherify.io',
    downloadOrigin: 'https://download.voucherify.io',
    region: 'eu',
    projectId: 'proj_live',
    protected: true,
    rate: '20/s',
    isSandbox: false,
    secretsIn: 'file',
  })
  expect(profile.values).toEqual([
    { setting: 'profile', value: 'live', source: 'profiles use' },
    { setting: 'base_url', value: 'https://api.voucherify.io', source: 'profile "live"' },
    { setting: 'region', value: 'eu', source: 'profile "live"' },
    { setting: 'project_id', value: 'proj_live', source: 'profile "live"' },
    { setting: 'protected', value: 'true', source: 'profile "live"' },
    { setting: 'rate', value: '20/s', source: 'profile "live"' },
    { setting: 'secrets_in', value: 'file', source: 'profile "live"' },
  ])
  expect(await profile.credentials()).toEqual(pair)
})

test('the environment alone is enough, and selects Europe by default', async () => {
  const profile = await resolved({ ...given })

  expect(profile).toMatchObject({ name: 'environment', source: 'environment', protected: false })
  expect(profile.values).toContainEqual({ setting: 'base_url', value: 'https://api.voucherify.io', source: 'default' })
  expect(await profile.credentials()).toEqual({ app_id: 'given-id', app_token: 'given-canary' })
})

const stored = {
  ...pair,
  management_id: 'stored-id',
  management_token: 'stored-canary',
  client_id: 'stored-id',
  client_token: 'stored-canary',
  webhook_secret: 'stored-canary',
}
/** Each variable with a value that stands for itself, and what it needs beside it. */
const valid: Record<string, Env> = Object.fromEntries(
  variables
    .flatMap(({ name }) => (name === 'PROMO_…_FILE' ? [] : name.startsWith('PROMO_') ? [name] : []))
    .map((name) => {
      const pairs = ['APP', 'MANAGEMENT', 'CLIENT'].filter((of) => new RegExp(`^PROMO_${of}_(ID|TOKEN)$`).test(name))
      const values: Env = { PROMO_REGION: 'us', PROMO_BASE_URL: 'https://x.example', PROMO_TIMEZONE: 'Asia/Tokyo' }
      const both = pairs.flatMap((of) => [`PROMO_${of}_ID`, `PROMO_${of}_TOKEN`])
      return [name, Object.fromEntries((both.length > 0 ? both : [name]).map((one) => [one, values[one] ?? '1']))]
    }),
)
/** Read elsewhere: they choose the profile, or are for other commands. */
const ofOthers = /^PROMO_(PROFILE|ACTOR|REASON|CONFIG_DIR|STATE_DIR|SANDBOX_.*|ALLOW_INSECURE_CONFIG|WEBHOOK_SECRET)$/

describe.each([
  ['no profile', undefined],
  ['a profile', 'live'],
  ['the built-in sandbox', 'sandbox'],
])('with %s', (_, flag) => {
  test.each(Object.keys(valid).filter((name) => !ofOthers.test(name)))('%s is used, or named', async (name) => {
    await addProfile('live')
    await openStore(dir).use('sandbox')
    const env = { ...valid[name] }

    const profile = await resolved(env, flag).catch((error: PromoError) => error)

    if (profile instanceof PromoError) return expect(profile.message).toContain(name)
    const used = [...profile.values, ...(await profile.credentialValues())].map(({ source }) => source)
    expect([...used, profile.unused.join(' ')]).toContainEqual(expect.stringMatching(`(^| )${name}( |,|$)`))
  })
})

test('a variable with the prefix that promo does not have is named, with what was meant', async () => {
  const { unused } = await resolved({ PROMO_BASEURL: 'https://x.example', PROMO_CODES: '1' }, 'sandbox')

  expect(unused).toEqual([
    'PROMO_BASEURL is set and not used: there is no such variable; did you mean PROMO_BASE_URL?',
    'PROMO_CODES is set and not used: there is no such variable',
  ])
})

test.each([{ ...given }, { PROMO_ACCESS_TOKEN: 'given-canary' }])(
  'keys of the environment borrow neither the project nor other keys of the profile: %j',
  async (env) => {
    await addProfile('live')
    await (await secretStore('file', dir)).set('live', 'https://api.voucherify.io', stored)
    const [variable = ''] = Object.keys(env)

    const profile = await resolved({ ...env })
    const own = await resolved({ ...env, PROMO_PROJECT_ID: 'proj_other' })

    const { webhook_secret: _, ...keys } = await profile.credentials()
    expect(Object.values(keys).some((value) => value.startsWith('stored'))).toBe(false)
    expect([profile.name, profile.protected, profile.projectId, profile.keysOf]).toEqual([
      'live',
      true,
      undefined,
      variable,
    ])
    expect(own.projectId).toBe('proj_other')
  },
)

test('a webhook secret alone is not enough to call the service', async () => {
  await expect(resolved({ PROMO_WEBHOOK_SECRET: 'canary' })).rejects.toMatchObject({ kind: 'config' })
})

test('the environment overrides the profile value by value', async () => {
  await addProfile('live')

  const profile = await resolved({ ...given, PROMO_PROJECT_ID: 'proj_other' })

  expect(profile).toMatchObject({ name: 'live', projectId: 'proj_other', protected: true })
  expect(profile.values).toContainEqual({ setting: 'project_id', value: 'proj_other', source: 'PROMO_PROJECT_ID' })
  expect(await profile.credentials()).toEqual({ app_id: 'given-id', app_token: 'given-canary' })
})

test('a bearer token from the environment replaces the stored application pair', async () => {
  await addProfile('live')
  await (await secretStore('file', dir)).set('live', 'https://api.voucherify.io', { ...pair, webhook_secret: 'hook' })

  const profile = await resolved({ PROMO_ACCESS_TOKEN: 'bearer' })

  expect(await profile.credentials()).toEqual({ access_token: 'bearer', webhook_secret: 'hook' })
})

test('each secret is shown only as set, with its source', async () => {
  await addProfile('live')

  const profile = await resolved({ PROMO_MANAGEMENT_ID: 'given-id', PROMO_MANAGEMENT_TOKEN: 'given-canary' })
  expect(await profile.credentialValues()).toEqual([
    { setting: 'app_id', value: 'set', source: join(dir, 'credentials.json') },
    { setting: 'app_token', value: 'set', source: join(dir, 'credentials.json') },
    { setting: 'access_token', value: 'not set', source: '' },
    { setting: 'management_id', value: 'set', source: 'PROMO_MANAGEMENT_ID' },
    { setting: 'management_token', value: 'set', source: 'PROMO_MANAGEMENT_TOKEN' },
    { setting: 'client_id', value: 'not set', source: '' },
    { setting: 'client_token', value: 'not set', source: '' },
    { setting: 'webhook_secret', value: 'not set', source: '' },
  ])
  expect(inspect(profile, { depth: 9 })).not.toContain('canary')
})

test.each([
  [{ PROMO_BASE_URL: 'https://evil.example' }, 'https://evil.example (PROMO_BASE_URL)'],
  [{ PROMO_REGION: 'us' }, 'https://us1.api.voucherify.io (PROMO_REGION)'],
])('stored secrets are not sent elsewhere because of %j', async (env, where) => {
  await addProfile('live')

  await expect(resolved(env)).rejects.toMatchObject({
    exitCode: 4,
    message: `the secrets of profile "live" were stored for https://api.voucherify.io and are not sent to ${where}`,
  })
})

test('another address with its own credentials gets those and none of the stored ones', async () => {
  await addProfile('live')
  const stored = await secretStore('file', dir)
  await stored.set('live', 'https://api.voucherify.io', { ...pair, management_id: 'm', management_token: 'm-canary' })

  const profile = await resolved({ ...given, PROMO_BASE_URL: 'https://promo.example.com' })

  expect(profile.origin).toBe('https://promo.example.com')
  expect(profile.region).toBeUndefined()
  expect(await profile.credentials()).toEqual({ app_id: 'given-id', app_token: 'given-canary' })
})

test('the same address in the environment and the profile is not another address', async () => {
  await addProfile('live')

  const profile = await resolved({ PROMO_BASE_URL: 'https://API.voucherify.io:443/' })

  expect(await profile.credentials()).toEqual(pair)
})

test('the sandbox needs no stored settings and uses none from the environment', async () => {
  mkdirSync(dir)
  writeFileSync(join(dir, 'config.json'), 'damaged')

  const profile = await resolved({ ...given, PROMO_REGION: 'us' }, 'sandbox')

  expect(profile).toMatchObject({ name: 'sandbox', isSandbox: true, protected: false, origin: '' })
  expect(await profile.credentials()).toEqual({})
})

test('credentials in the environment take precedence over a sandbox chosen by profiles use', async () => {
  await openStore(dir).use('sandbox')

  expect(await resolved({ ...given })).toMatchObject({ name: 'environment', isSandbox: false })
  expect(await resolved()).toMatchObject({ name: 'sandbox', source: 'profiles use' })
})

test.each(['prod', 'environment'])('the error for the unknown profile %s lists those that exist', async (name) => {
  await addProfile('live')

  await expect(resolved({}, name)).rejects.toMatchObject({
    exitCode: 4,
    message: `there is no profile "${name}"; there are: live, sandbox`,
    facts: { hint: 'promo profiles list' },
  })
})

test('the error for missing secrets of a profile says how to store them again', async () => {
  await addProfile('live')
  await (await secretStore('file', dir)).remove('live', 'https://api.voucherify.io')

  const profile = await resolved()

  await expect(profile.credentials()).rejects.toMatchObject({
    kind: 'auth',
    exitCode: 4,
    message: expect.stringContaining('there are no secrets for profile "live" at https://api.voucherify.io'),
  })
})

test('a run with its own credentials does not fail without a keyring', async () => {
  await openStore(dir).add({ name: 'live', region: 'eu', protected: false, secrets_in: 'keyring' })
  const openSecrets = () => secretStore('keyring', dir, { env: {}, keyringModule: 'file:///nowhere/keyring.js' })
  const withEnv = (env: Env) => resolve({ env, store: openStore(dir), dir, openSecrets })

  expect(await (await withEnv({ ...given })).credentials()).toEqual({ app_id: 'given-id', app_token: 'given-canary' })
  await expect((await withEnv({})).credentials()).rejects.toMatchObject({ exitCode: 4 })
})

test('the secret store is opened once, and only when secrets are needed', async () => {
  await addProfile('live')
  let opened = 0
  const openSecrets = async () => {
    opened++
    return await secretStore('file', dir)
  }

  const profile = await resolve({ env: {}, store: openStore(dir), dir, openSecrets })
  expect(opened).toBe(0)

  await profile.credentials()
  await profile.credentialValues()
  expect(opened).toBe(1)
})

test('disabled TLS checks stop everything but the sandbox', async () => {
  await addProfile('live')
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }

  await expect(resolved({ ...env })).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED=0'),
  })
  await expect(resolved({ ...env, ...given })).rejects.toMatchObject({ exitCode: 4 })
  await expect(resolved({ ...env }, 'sandbox')).resolves.toMatchObject({ isSandbox: true })
})
