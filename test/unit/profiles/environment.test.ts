import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { readEnvironment, variables } from '../../../src/profiles/environment.ts'
import { needing } from '../../support/programs.ts'
import { promo } from '../../support/promo.ts'
import { sparseFile } from '../../support/sparse-file.ts'

test('an empty environment sets nothing', async () => {
  expect(await readEnvironment({})).toEqual({})
})

test('every value is returned with its variable', async () => {
  const env = {
    PROMO_PROFILE: 'live',
    PROMO_REGION: 'us',
    PROMO_PROJECT_ID: 'proj_1',
    PROMO_APP_ID: 'id',
    PROMO_APP_TOKEN: 'token\n',
  }

  expect(await readEnvironment(env)).toEqual({
    profile: { value: 'live', source: 'PROMO_PROFILE' },
    origin: { value: 'https://us1.api.voucherify.io', source: 'PROMO_REGION' },
    project_id: { value: 'proj_1', source: 'PROMO_PROJECT_ID' },
    app_id: { value: 'id', source: 'PROMO_APP_ID' },
    app_token: { value: 'token', source: 'PROMO_APP_TOKEN' },
  })
})

test('a secret is read from the file that its _FILE variable names', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'promo-')), 'token')
  writeFileSync(path, 'from-file\r\n')

  expect(await readEnvironment({ PROMO_ACCESS_TOKEN_FILE: path })).toEqual({
    access_token: { value: 'from-file', source: 'PROMO_ACCESS_TOKEN_FILE' },
  })
})

test('secret variables are removed from the environment, and a second reading still finds them', async () => {
  const env = { PROMO_APP_ID: 'id', PROMO_APP_TOKEN: 'token', PROMO_PROFILE: 'live', PATH: '/bin' }

  const first = await readEnvironment(env)

  expect(env).toEqual({ PROMO_PROFILE: 'live', PATH: '/bin' })
  expect(await readEnvironment(env)).toEqual(first)
})

test('secret variables are removed even when something else is wrong', async () => {
  const env = { PROMO_ACCESS_TOKEN: 'token', PROMO_REGION: 'mars' }

  await expect(readEnvironment(env)).rejects.toThrow('PROMO_REGION is not one of eu, us, as')

  expect(env).toEqual({ PROMO_REGION: 'mars' })
})

test.each([
  ['PROMO_APP_ID', 'PROMO_APP_TOKEN'],
  ['PROMO_APP_TOKEN', 'PROMO_APP_ID'],
  ['PROMO_MANAGEMENT_ID', 'PROMO_MANAGEMENT_TOKEN'],
  ['PROMO_MANAGEMENT_TOKEN', 'PROMO_MANAGEMENT_ID'],
  ['PROMO_CLIENT_ID', 'PROMO_CLIENT_TOKEN'],
  ['PROMO_CLIENT_TOKEN', 'PROMO_CLIENT_ID'],
])('%s without %s is refused, naming the missing one', async (given, missing) => {
  await expect(readEnvironment({ [given]: 'x' })).rejects.toThrow(
    expect.objectContaining({
      exitCode: 4,
      message: `${given} is set and ${missing} is not; one is useless without the other`,
    }),
  )
})

test.each([
  'PROMO_PROFILE',
  'PROMO_REGION',
  'PROMO_BASE_URL',
  'PROMO_PROJECT_ID',
  'PROMO_APP_ID',
  'PROMO_APP_TOKEN',
  'PROMO_MANAGEMENT_ID',
  'PROMO_MANAGEMENT_TOKEN',
  'PROMO_ACCESS_TOKEN',
  'PROMO_ACCESS_TOKEN_FILE',
])('an empty %s is an error and not the same as an absent one', async (variable) => {
  await expect(readEnvironment({ [variable]: '' })).rejects.toThrow(
    expect.objectContaining({ kind: 'config', exitCode: 4, message: `${variable} is empty` }),
  )
})

test.each([
  ['canary canary', 'holds a space or a line break'],
  ['canary\n\n', 'holds a space or a line break'],
  [' canary', 'holds a space or a line break'],
  ['canary\t', 'holds a space or a line break'],
  ['"canary"', 'holds a quotation mark'],
  ['“canary”', 'holds a quotation mark'],
  ['canaryé', 'holds a character outside of printable ASCII'],
  ['canary\u0000', 'holds a character outside of printable ASCII'],
  ['Bearer canary', 'starts with the word Bearer; give the token alone'],
  ['bearer:canary', 'starts with the word Bearer; give the token alone'],
  ['canary'.repeat(1000), 'is longer than 4096 characters'],
])('the token %j is refused without being shown', async (value, reason) => {
  const error = await failureOf(() => readEnvironment({ PROMO_ACCESS_TOKEN: value }))

  expect(error).toMatchObject({ exitCode: 4, message: `PROMO_ACCESS_TOKEN ${reason}` })
  expect(inspect(error, { depth: 9 })).not.toContain('canary')
})

test.each([
  ['a device', '/dev/null', 'names a device, not a file'],
  ['a folder', tmpdir(), 'names a folder, not a file'],
  ['a file of a gigabyte', sparseFile(), 'names a file that is longer than 64 KiB'],
])('%s in place of a file with a secret is refused without being read as a whole', async (_what, path, reason) => {
  const error = await failureOf(() => readEnvironment({ PROMO_ACCESS_TOKEN_FILE: path }))

  expect(error).toMatchObject({ exitCode: 4, message: `PROMO_ACCESS_TOKEN_FILE ${reason}` })
})

test('a pipe is read up to the limit', needing('mkfifo'), async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'promo-')), 'pipe')
  execFileSync('mkfifo', [path])
  spawn('sh', ['-c', 'head -c 1000000 /dev/zero > "$1"', 'sh', path], { stdio: 'ignore' })

  const error = await failureOf(() => readEnvironment({ PROMO_ACCESS_TOKEN_FILE: path }))

  expect(error).toMatchObject({ message: 'PROMO_ACCESS_TOKEN_FILE names a file that is longer than 64 KiB' })
})

test('a token in place of the path of its file is not shown', async () => {
  const error = await failureOf(() => readEnvironment({ PROMO_ACCESS_TOKEN_FILE: 'canary' }))

  expect(error).toMatchObject({
    message: 'PROMO_ACCESS_TOKEN_FILE names a file that cannot be read: there is no such file',
  })
  expect(inspect(error, { depth: 9 })).not.toContain('canary')
})

test.each([
  [{ PROMO_REGION: 'eu', PROMO_BASE_URL: 'https://h' }, 'PROMO_REGION and PROMO_BASE_URL exclude each other'],
  [
    { PROMO_ACCESS_TOKEN: 'a', PROMO_ACCESS_TOKEN_FILE: '/b' },
    'PROMO_ACCESS_TOKEN and PROMO_ACCESS_TOKEN_FILE exclude each other',
  ],
  [{ PROMO_PROFILE: '../x' }, 'PROMO_PROFILE is not a name'],
  [{ PROMO_BASE_URL: 'http://evil.example' }, 'PROMO_BASE_URL is plain http to evil.example'],
])('%j is refused', async (env, message) => {
  expect(await failureOf(() => readEnvironment({ ...env }))).toMatchObject({
    exitCode: 4,
    message: expect.stringContaining(message),
  })
})

async function failureOf(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was refused')
}

/** Variables whose value may be any text, those of other programs, and the door of a running sandbox, which answers 401. */
const anyText = [
  'PROMO_ACTOR',
  'PROMO_REASON',
  'PROMO_SANDBOX_CONTROL_TOKEN',
  'PROMO_ALLOW_INSECURE_CONFIG',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'HTTPS_PROXY, NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'NO_COLOR',
  'PAGER',
  'CI',
]

test('every variable with a form is named where its value has another one', async () => {
  const formed = variables
    .map(({ name }) => name.replace('…_FILE', 'APP_ID_FILE'))
    .filter((name) => !anyText.includes(name))
  const said = formed.map(async (name) => {
    const argv = name.startsWith('PROMO_SANDBOX_')
      ? ['sandbox', 'start', '--data', ':memory:', '--empty']
      : ['vouchers', 'list', '--profile', 'sandbox']
    const { exitCode, stderr } = await promo(argv, { env: { [name]: '!no such value' } })
    return [name, exitCode === 4 || exitCode === 2, stderr.includes(name), /^try: .*/m.test(stderr)]
  })

  expect(formed).toContain('PROMO_SANDBOX_PORT')
  expect(await Promise.all(said)).toEqual(formed.map((name) => [name, true, true, true]))
})
