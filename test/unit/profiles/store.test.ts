import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { ProfileSettings } from '../../../src/profiles/profile.ts'
import { openStore } from '../../../src/profiles/store.ts'

const live: ProfileSettings = { name: 'live', region: 'eu', protected: true, secrets_in: 'file' }
let dir: string
let file: string

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'promo-')), 'config')
  file = join(dir, 'config.json')
})

test('without a file there are no profiles, and reading creates nothing', async () => {
  const store = openStore(dir)

  expect(await store.list()).toEqual([])
  expect(await store.get('live')).toBeUndefined()
  expect(await store.current()).toBeUndefined()
  expect(existsSync(dir)).toBe(false)
})

test('an added profile is found again with the origin of its region', async () => {
  await openStore(dir).add({ ...live, project_id: 'proj_1', api_version: 'v2018-08-01', rate: '20/s' })

  expect(await openStore(dir).get('live')).toEqual({
    name: 'live',
    region: 'eu',
    origin: 'https://api.voucherify.io',
    project_id: 'proj_1',
    api_version: 'v2018-08-01',
    rate: '20/s',
    protected: true,
    secrets_in: 'file',
  })
})

test('profiles are listed by name, including those named like inherited members of objects', async () => {
  const store = openStore(dir)
  await store.add({ ...live, name: 'toString' })
  await store.add({ ...live, name: 'constructor' })
  await store.add({ ...live, name: '7' })

  expect((await store.list()).map(({ name }) => name)).toEqual(['7', 'constructor', 'toString'])
  expect(await store.get('valueOf')).toBeUndefined()
})

test('the first profile becomes the current one, and later ones do not', async () => {
  const store = openStore(dir)
  await store.add(live)
  await store.add({ ...live, name: 'test' })

  expect(await store.current()).toBe('live')

  await store.use('test')
  expect(await store.current()).toBe('test')

  await store.use('sandbox')
  expect(await store.current()).toBe('sandbox')
})

test('removing the current profile clears the choice of profiles use', async () => {
  const store = openStore(dir)
  await store.add(live)

  expect(await store.remove('live')).toMatchObject({ name: 'live', origin: 'https://api.voucherify.io' })

  expect(await store.list()).toEqual([])
  expect(await store.current()).toBeUndefined()
})

test('a new address replaces the region, and undefined removes a setting', async () => {
  const store = openStore(dir)
  await store.add({ ...live, project_id: 'proj_1' })

  await store.update('live', { base_url: 'https://promo.example.com/', project_id: undefined, protected: false })

  expect(await store.get('live')).toEqual({
    name: 'live',
    base_url: 'https://promo.example.com',
    origin: 'https://promo.example.com',
    protected: false,
    secrets_in: 'file',
  })
})

test.each(['', '../x', '.x', '-x', '__proto__', 'a b', 'a=b', 'a\n', 'ä', 'x'.repeat(65)])(
  'the name %j is refused',
  async (name) => {
    await expect(openStore(dir).add({ ...live, name })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('a profile name is 1 to 64'),
    })
  },
)

test.each(['con', 'a', '0', 'A.b_c-9', 'x'.repeat(64)])('the name %j is accepted', async (name) => {
  await expect(openStore(dir).add({ ...live, name })).resolves.toMatchObject({ name })
})

test('the sandbox profile cannot be added, changed or removed', async () => {
  const store = openStore(dir)

  for (const attempt of [
    () => store.add({ ...live, name: 'sandbox' }),
    () => store.update('sandbox', { protected: true }),
    () => store.remove('sandbox'),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('is built in') })
  }
})

test('a profile is not added twice', async () => {
  const store = openStore(dir)
  await store.add(live)

  await expect(store.add({ ...live, protected: false })).rejects.toMatchObject({ kind: 'usage' })

  expect(await store.get('live')).toMatchObject({ protected: true })
})

test('the error for an unknown profile lists those that exist', async () => {
  const store = openStore(dir)
  await store.add(live)

  await expect(store.use('prod')).rejects.toMatchObject({
    exitCode: 4,
    message: 'there is no profile "prod"; there are: live, sandbox',
    facts: { hint: 'promo profiles list' },
  })
})

test.each([
  [{ region: 'mars' }, '"region" of a profile is not one of eu, us, as'],
  [{ base_url: 'https://h' }, '"base_url" of a profile and "region" exclude each other'],
  [{ region: undefined, base_url: 'http://h' }, '"base_url" of a profile is plain http to h'],
  [{ project_id: 'a/b' }, '"project_id" of a profile is malformed'],
  [{ rate: '0/s' }, '"rate" of a profile is not like 10/s, 600/m or 5000/h'],
  [{ origin: 'https://evil.example' }, '"origin" of a profile is not the origin of the region or the base URL'],
])('settings such as %j are refused', async (settings, message) => {
  await expect(openStore(dir).add({ ...live, ...settings } as ProfileSettings)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(message),
  })
})

test('a file truncated at any byte is refused with its path and left unchanged', async () => {
  const store = openStore(dir)
  await store.add(live)
  await store.add({ ...live, name: 'test', region: 'us' })
  const whole = readFileSync(file)

  for (let length = 0; length < whole.length; length++) {
    const cut = whole.subarray(0, length)
    writeFileSync(file, cut)
    const refusal = { exitCode: 4, message: expect.stringMatching(/config\.json" cannot be used .* line \d+: /) }
    await expect(store.list()).rejects.toMatchObject(refusal)
    await expect(store.add({ ...live, name: 'new' })).rejects.toMatchObject(refusal)
    expect(readFileSync(file).equals(cut)).toBe(true)
  }
})

const sound = `{
  "version": 1,
  "current": "live",
  "profiles": {
    "live": {
      "region": "eu",
      "origin": "https://api.voucherify.io",
      "protected": true,
      "secrets_in": "keyring"
    }
  }
}`

test.each([
  ['', '', 'line 1: it is not JSON from here on', ''],
  ['"current"', 'current', 'line 3: it is not JSON from here on'],
  ['"eu",', '"eu"', 'line 7: it is not JSON from here on'],
  ['true', 'yes', 'line 8: it is not JSON from here on'],
  ['"version": 1', '"version": 2', 'line 2: it was written by a newer promo'],
  ['"version": 1', '"version": "1"', 'line 2: "version" is not 1'],
  ['"current": "live"', '"current": "prod"', 'line 3: "current" names no profile'],
  ['"current"', '"curent"', 'line 3: there is no such setting'],
  ['"live": {', '"../x": {', 'line 5: a profile cannot have this name'],
  ['"region"', '"regoin"', 'line 6: "regoin" is not a setting of a profile'],
  ['https://api.voucherify.io', 'https://evil.example', 'line 7: "origin" is not the origin of the region'],
  ['"protected": true', '"protected": "true"', 'line 8: "protected" is neither true nor false'],
  ['"keyring"', 'null', 'line 9: "secrets_in" is neither "keyring" nor "file"'],
])('a file with %j in place as %j is refused: %s', async (from, to, message, whole = sound.replace(from, to)) => {
  mkdirSync(dir)
  writeFileSync(file, whole)

  await expect(openStore(dir).list()).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining(`${file}" cannot be used and was left as it is: ${message}`),
  })
})

test.each([
  ['an array', '[]', 'it is not a JSON object'],
  ['null', 'null', 'it is not a JSON object'],
  ['a byte order mark', `\uFEFF${sound}`, 'it starts with a byte order mark'],
  ['more than 1 MiB', `${sound}${' '.repeat(1024 * 1024)}`, 'it is larger than 1 MiB'],
])('a file of %s is refused', async (_, text, message) => {
  mkdirSync(dir)
  writeFileSync(file, text)

  await expect(openStore(dir).current()).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining(message),
  })
})

test('a folder in place of the file is refused', async () => {
  mkdirSync(file, { recursive: true })

  await expect(openStore(dir).list()).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining('not a file'),
  })
})

test('a file that is a symbolic link is read and never written through', async () => {
  await openStore(dir).add(live)
  const target = join(dir, 'elsewhere.json')
  writeFileSync(target, readFileSync(file))
  const linked = `${dir}-linked`
  mkdirSync(linked)
  symlinkSync(target, join(linked, 'config.json'))
  const store = openStore(linked)

  expect(await store.list()).toHaveLength(1)
  await expect(store.remove('live')).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining('symbolic link'),
  })

  expect(readFileSync(target, 'utf8')).toContain('"live"')
  expect(lstatSync(join(linked, 'config.json')).isSymbolicLink()).toBe(true)
})

test('a file that others could read is closed to them by the next change', async () => {
  const store = openStore(dir)
  await store.add(live)
  chmodSync(file, 0o644)

  await store.use('sandbox')

  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a change leaves nothing behind but the file', async () => {
  await openStore(dir).add(live)

  expect(readdirSync(dir)).toEqual(['config.json'])
})

test('a change is written atomically even where promo appears to run in a Snap package', async () => {
  const store = openStore(dir)
  await store.add(live)
  const before = statSync(file).ino
  process.env.SNAP = '/snap/code/1'

  await store.use('sandbox').finally(() => delete process.env.SNAP)

  // A file written in place would keep its inode.
  expect(statSync(file).ino).not.toBe(before)
})

test('the error for a folder that cannot be created names it and a next step', async () => {
  writeFileSync(dir, '')

  await expect(openStore(join(dir, 'below')).add(live)).rejects.toMatchObject({ kind: 'io', exitCode: 10 })
})
