// What texts on command lines and in files are sent as: numbers, texts, days.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../src/contract/catalogue.ts'
import { testHome } from '../support/promo.ts'

const { promo, input } = testHome()
const onSandbox = ['--profile', 'sandbox']

async function answered(words: string[], query: string, env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = await promo([...words, '--json', '--query', query, ...onSandbox], { env })
  return { exitCode, stderr, value: exitCode === 0 ? JSON.parse(stdout) : undefined }
}

describe('a value of metadata', () => {
  const update = ['customers', 'update', 'shop-1001']

  test('is a number only if it prints back the same', async () => {
    const set = ['1.10', '007', '12', '0.5', '1.0', 'true', 'text'].flatMap((v, at) => [
      '--set',
      `metadata.m${at}=${v}`,
    ])

    const { value } = await answered([...update, ...set], '[0].customer.metadata.[m0, m1, m2, m3, m4, m5, m6]')

    expect(value).toEqual(['1.10', '007', 12, 0.5, '1.0', true, 'text'])
  })

  test('is what --type-of says, in --set and in the columns of a file', async () => {
    const types = ['zip=string', 'size=number', 'open=boolean', 'tags=json'].flatMap((type) => [
      '--type-of',
      `metadata.${type}`,
    ])
    const set = ['zip=10115', 'size=1.50', 'open=true', 'tags=["a"]'].flatMap((one) => ['--set', `metadata.${one}`])
    const rows = input('zips.csv', 'source_id,metadata.zip\nshop-1002,10115\n')
    const wanted = 'metadata.[zip, size, open, tags]'

    const bySet = await answered([...update, ...set, ...types], `[0].customer.${wanted}`)
    const byColumn = await answered(
      ['customers', 'update', '--from', rows, '--type-of', 'metadata.zip=string', '--yes'],
      '[0].customer.metadata.zip',
    )
    const inCart = await promo(
      'validate redeemables BEANS10 --metadata zip=10115 --type-of metadata.zip=string --amount 100 --dry-run --json --profile sandbox'.split(
        ' ',
      ),
    )

    expect(bySet.value).toEqual(['10115', 1.5, true, ['a']])
    expect(byColumn.value).toBe('10115')
    expect(inCart.stdout).toContain('"zip": "10115"')
  })

  test('that is not of its type is refused, and so is a type of what nothing gives', async () => {
    const notOne = await promo([...update, '--set', 'metadata.a=x', '--type-of', 'metadata.a=number', ...onSandbox])
    const unknown = await promo([...update, '--set', 'metadata.a=x', '--type-of', 'metadata.a=text', ...onSandbox])
    const unused = await promo([...update, '--set', 'metadata.a=x', '--type-of', 'metadata.b=string', ...onSandbox])

    expect([notOne, unknown, unused].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2])
    expect(notOne.stderr).toMatch(/^promo: "metadata\.a" takes a number, not "x"$/m)
    expect(unknown.stderr).toMatch(/"metadata\.a=text" does not have the form path=string\|number\|boolean\|json$/m)
    expect(unused.stderr).toMatch(/^promo: --type-of names "metadata\.b", which nothing gives a value$/m)
  })
})

describe('a day where an instant is taken', () => {
  const dates = '[0].voucher.[start_date, expiration_date]'
  const update = ['vouchers', 'update', 'MORNING']
  const days = ['--set', 'start_date=2026-07-01', '--set', 'expiration_date=2026-12-31']

  test('is a day of the zone of --tz', async () => {
    const { stdout } = await promo([
      ...update,
      ...'--expires 2026-12-31 --tz America/New_York --dry-run'.split(' '),
      ...onSandbox,
    ])

    expect(stdout).toContain('2027-01-01T04:59:59.999Z')
  })

  test('is the beginning where something starts and the end where it expires, and says so before it is sent', async () => {
    const plan = await promo([...update, ...days, '--dry-run', ...onSandbox])
    const { value, stderr } = await answered([...update, ...days], dates)

    expect(plan.stdout).toContain('2026-12-31T23:59:59.999Z')
    expect(stderr).toContain('start_date: a day is sent as its start in UTC, 2026-07-01 as 2026-07-01T00:00:00.000Z\n')
    expect(stderr).toContain(
      'expiration_date: a day is sent as its end in UTC, 2026-12-31 as 2026-12-31T23:59:59.999Z\n',
    )
    expect(value).toEqual(['2026-07-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'])
  })

  test('is one of the project: of PROMO_TIMEZONE, or of the profile', async () => {
    const { value } = await answered([...update, ...days], dates, { PROMO_TIMEZONE: 'Europe/Warsaw' })
    const add = ['profiles', 'add', 'shop', '--timezone', 'America/New_York', '--app-id', 'app', '--insecure-storage']
    await promo(add, { stdin: 'app-token\n' })
    const ofProfile = await promo([...update, ...days, '--dry-run', '--profile', 'shop'])
    const shown = await promo('profiles show shop --csv')
    const wrong = await promo([...update, ...days, ...onSandbox], { env: { PROMO_TIMEZONE: 'Warsaw' } })

    expect(value).toEqual(['2026-06-30T22:00:00.000Z', '2026-12-31T22:59:59.999Z'])
    expect(ofProfile.stdout).toContain('2027-01-01T04:59:59.999Z')
    expect(shown.stdout).toContain('timezone,America/New_York')
    expect(wrong).toEnd(4, 'PROMO_TIMEZONE is not a time zone')
  })

  test('means the same in a column, where it is said once; an instant is an instant', async () => {
    const rows = input(
      'dates.csv',
      'code,expiration_date\nMORNING,2026-12-31\nWEEKEND,2026-11-30\nBEANS10,2026-12-31T12:00:00Z\n',
    )

    const { value, stderr } = await answered(
      ['vouchers', 'update', '--from', rows, '--yes'],
      '[?voucher].voucher.expiration_date',
    )

    expect(value).toEqual(['2026-12-31T23:59:59.999Z', '2026-11-30T23:59:59.999Z', '2026-12-31T12:00:00.000Z'])
    expect(stderr.match(/a day is sent as/g)).toHaveLength(1)
  })

  test('is no instant for a birthday, in no time zone', async () => {
    const update = ['customers', 'update', 'shop-1001', '--set', 'birthdate=1990-05-01']

    const { value, stderr } = await answered(update, '[0].customer.birthdate', { PROMO_TIMEZONE: 'Europe/Warsaw' })

    expect([value, stderr.includes('a day is sent')]).toEqual(['1990-05-01', false])
  })

  test('is a member that is known to be one: a new one is added here, once it is clear what its day means', () => {
    const names = endpoints.flatMap(({ body }) => (body === undefined ? [] : instantsIn(z.toJSONSchema(body, asInput))))

    expect([...new Set(names)].toSorted()).toEqual(['created_at', 'expiration_date', 'start_date', 'starting_after'])
  })

  test('that does not exist is refused', async () => {
    expect(await promo([...update, '--set', 'expiration_date=2026-02-30', ...onSandbox])).toEnd(2, 'expiration_date')
  })
})

const asInput = { io: 'input', unrepresentable: 'any' } as const

/** Lists the names of the members that take an instant, in a JSON Schema. */
function instantsIn(schema: unknown, name = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'format' in schema && schema.format === 'date-time' ? [name] : []
  // The parts of a list or of a union belong to the member that has them.
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties'
      ? Object.entries(value as object).flatMap(([member, one]) => instantsIn(one, member))
      : instantsIn(value, name),
  )
  return [...own, ...inner]
}
