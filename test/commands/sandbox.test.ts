import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder, testHome } from '../support/promo.ts'

const home = testHome()
const { promo } = home
describe('sandbox seed', () => {
  test('loads a fixture with its ids and codes', async () => {
    const data = join(home.folder, 'shop.db')

    const ran = await promo(`sandbox seed --from examples/fixture.json --data ${data}`)

    const status = JSON.parse((await promo(`sandbox status --data ${data} --json`)).stdout)
    expect(ran).toEnd(0, 'loaded 1 campaigns, 2 vouchers into')
    expect(status.counts).toMatchObject({ campaigns: 1, vouchers: 2 })
  })

  test('loads the demo project when no fixture is named, and refuses to load it twice', async () => {
    const data = join(home.folder, 'shop.db')

    const first = await promo(`sandbox seed --data ${data}`)
    const second = await promo(`sandbox seed --data ${data}`)

    expect(first.stderr).toContain('1,040 vouchers')
    expect(second).toEnd(2, /\[0\]: its id or .* is taken/)
  })

  test('loads all or nothing', async () => {
    const data = join(home.folder, 'shop.db')
    const bad = join(home.folder, 'bad.json')
    writeFileSync(
      bad,
      '{"vouchers":[{"code":"A","type":"GIFT_VOUCHER","gift":{"amount":1}},{"code":"B","type":"NONSENSE"}]}',
    )

    const ran = await promo(['sandbox', 'seed', '--from', bad, '--data', data])

    const status = JSON.parse((await promo(`sandbox status --data ${data} --json`)).stdout)
    expect(ran).toEnd(2, 'vouchers[1]')
    expect(status.counts.vouchers).toBe(0)
  })

  test.each([
    ['{"vouchers": [', 'line 1, column 15'],
    ['{"coupons": []}', '"coupons" is not a member of a fixture'],
    ['[]', 'the fixture must be one JSON object'],
    ['{"vouchers": {}}', '"vouchers" must be an array'],
  ])('refuses %s from stdin', async (stdin, message) => {
    expect(await promo('sandbox seed --from -', { stdin })).toEnd(2, message)
  })
})

describe('sandbox status and reset', () => {
  test('status shows nothing before the first use, and explains how to begin', async () => {
    expect(await promo('sandbox status')).toEnd(2, 'promo sandbox start')
  })

  test('status shows people what is there, the most first, and how many kinds are empty; programs get all', async () => {
    await promo('vouchers disable MORNING --profile sandbox')

    const shown = await promo('sandbox status')
    const { counts } = JSON.parse((await promo('sandbox status --json')).stdout)
    const named = await promo('sandbox status --columns counts.segments')

    const empty = Object.values(counts).filter((count) => count === 0).length
    const listed = [...shown.stdout.matchAll(/^counts\.\w+ +(\d+)$/gm)].map(([, count]) => Number(count))
    expect(empty).toBeGreaterThan(2)
    expect(listed).toEqual(
      Object.values<number>(counts)
        .filter((count) => count > 0)
        .toSorted((one, other) => other - one),
    )
    expect(shown.stderr).toBe(`${empty} other kinds of object: none; --json lists all\n`)
    expect(named.stdout).toMatch(/^counts\.segments +0$/m)
  })

  test('reset deletes the file only on request, and the next use starts with a new one', async () => {
    await promo('vouchers disable MORNING --profile sandbox')
    const file = join(home.folder, 'state/sandbox.db')

    const unasked = await promo('sandbox reset', { stdin: '' })
    const stillThere = existsSync(file)
    const reset = await promo('sandbox reset --yes')

    const { stdout } = await promo('vouchers get MORNING --json --profile sandbox')
    expect([unasked.exitCode, stillThere, reset.exitCode]).toEqual([11, true, 0])
    expect(JSON.parse(stdout).active).toBe(true)
  })

  test('reset refuses a file that is not a sandbox', async () => {
    const file = join(home.folder, 'notes.txt')
    writeFileSync(file, 'not a database')

    expect(await promo(`sandbox reset --data ${file} --yes`)).toEnd(4)
    expect(existsSync(file)).toBe(true)
  })
})

test('a state folder that cannot be created is named with the reason and what to do', async () => {
  const inTheWay = join(temporaryFolder(), 'file')
  writeFileSync(inTheWay, '')
  const env = { PROMO_STATE_DIR: join(inTheWay, 'state') }

  const read = await promo('vouchers get WELCOME-001 --profile sandbox', { env })
  const job = await promo('vouchers disable A B --yes --profile sandbox', { env })

  const next =
    '\ntry: make its folder writable for you, or point PROMO_STATE_DIR, or the data file, to another folder\n'
  expect([read.exitCode, job.exitCode]).toEqual([10, 10])
  expect(read.stderr).toContain(`/file/state/sandbox.db" cannot be created or read: its folder is a file${next}`)
  expect(job.stderr).toContain('or point PROMO_STATE_DIR, or the folder of the journal, to another folder\n')
})

describe('a fixture with members that the service does not have', () => {
  const fixture = JSON.stringify({
    vouchers: [
      { code: 'A', type: 'GIFT_VOUCHER', gift: { amount: 5 } },
      { code: 'F', type: 'GIFT_VOUCHER', gift: { amount: 5 }, new: 1, old: 2 },
    ],
  })

  test('is refused by seed and start with the names, and nothing is loaded', async () => {
    const [data, file] = [join(home.folder, 'shop.db'), join(home.folder, 'fixture.json')]
    writeFileSync(file, fixture)

    const seeded = await promo(`sandbox seed --from ${file} --data ${data}`)
    const started = await promo(`sandbox start --seed ${file} --data ${data}`)

    for (const { exitCode, stderr } of [seeded, started]) {
      expect(exitCode).toBe(2)
      expect(stderr).toContain('vouchers[1] has an unknown member "new", and there are 1 more; nothing was loaded')
      expect(stderr).toContain('--allow-unknown')
    }
    expect(existsSync(data)).toBe(false)
  })

  test('is loaded with --allow-unknown, which names what it drops', async () => {
    const data = join(home.folder, 'shop.db')

    const ran = await promo(`sandbox seed --from - --data ${data} --allow-unknown`, {
      stdin: fixture,
    })

    expect(ran).toEnd(
      0,
      'vouchers[1] has an unknown member "new", which is dropped',
      'vouchers[1] has an unknown member "old", which is dropped',
      'loaded 2 vouchers',
    )
  })

  test.each(['examples/fixture.json', 'examples/full-fixture.json'])('%s has none', async (file) => {
    const data = join(home.folder, 'shop.db')

    const { exitCode, stderr } = await promo(`sandbox seed --from ${file} --data ${data}`)

    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('loaded')])
  })
})
