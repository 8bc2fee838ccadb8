// A profile that only reads: no command sends anything that may change the project.
import { describe, expect, test } from 'vitest'
import { keysFor, lines, notFound } from '../support/command-lines.ts'
import { classOf, promoIn, temporaryFolder } from '../support/promo.ts'
import { scriptedServer } from '../support/scripted-server.ts'
import { hearing, isRequestOf } from '../support/sent-requests.ts'

const all = await Promise.all(Object.entries(lines).map(async ([id, some]) => ({ id, some, Class: await classOf(id) })))
const writing = all.flatMap(({ id, some, Class }) => {
  const writes = Class.calls === 'any' ? [] : Class.calls.filter(({ repeat }) => repeat !== 'read')
  return writes.length === 0 ? [] : [{ id, some, Class, writes }]
})

test('there are commands that write', () => {
  expect(writing.length).toBeGreaterThan(40)
})

test.each(writing)('$id sends no call that may change something', async ({ id, some, Class, writes }) => {
  const promo = promoIn(temporaryFolder())
  const takesYes = Class.flags.yes === undefined ? [] : ['--yes']
  const [[words, goesOn, keys] = ['']] = some

  const { result, sent } = await hearing(async () => {
    await using server = await scriptedServer((asked, index) => goesOn?.(asked, index) ?? notFound)
    const argv = [...id.split(':'), ...words.split(' ').filter((word) => word !== ''), ...takesYes]
    return await promo(argv, { env: { ...keysFor(server.origin, keys), PROMO_READ_ONLY: '1' }, stdin: 'token' })
  })

  expect(sent.filter((request) => writes.some((call) => isRequestOf(call, request)))).toEqual([])
  expect(result.exitCode, result.stderr).not.toBe(0)
})

describe('a read-only profile', () => {
  const keys = { PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 't' }

  test('refuses writes by name with the way out, lists, and shows what it is', async () => {
    const promo = promoIn(temporaryFolder())
    await using server = await scriptedServer(() => notFound)
    await promo(`profiles add desk --base-url ${server.origin} --read-only --insecure-storage`, {
      env: keys,
    })

    const refused = await promo('vouchers disable A B --yes --profile desk')
    const raw = await promo('api POST /v1/vouchers/A/disable --yes --profile desk')
    const planned = await promo('vouchers disable A --dry-run --profile desk')
    const read = await promo('vouchers get A --profile desk')
    const shown = await promo('whoami --profile desk --csv')

    for (const { exitCode, stderr } of [refused, raw]) {
      expect(exitCode).toBe(4)
      expect(stderr).toContain('profile "desk" allows only calls that read; nothing was sent')
      expect(stderr).toContain('try: promo profiles update desk --no-read-only')
    }
    expect(planned.exitCode).toBe(0)
    expect(read.exitCode).toBe(3)
    expect(server.asked.map(({ method }) => method)).toEqual(['GET'])
    expect(shown.stdout).toContain('read_only,true,"profile ""desk"""')
  })

  test('is refused before a person is asked', async () => {
    const asked: string[] = []
    const ask = async (question: string) => asked.push(question) > 0
    const env = { ...keys, PROMO_BASE_URL: 'http://127.0.0.1:9', PROMO_READ_ONLY: '1' }

    const one = await promoIn(temporaryFolder())(['vouchers', 'disable', 'A'], { env, ask })
    const many = await promoIn(temporaryFolder())(['vouchers', 'disable', 'A', 'B'], { env, ask })

    expect([one.exitCode, many.exitCode, asked]).toEqual([4, 4, []])
  })

  test.each([
    'POST /v1/vouchers/A/disable',
    'PUT /v1/vouchers/A',
    'DELETE /v1/vouchers/A',
    'GET /v1/publications/create?voucher=A',
    'GET /client/v1/validate?code=A&session_type=LOCK',
    'GET /client/v1/validate --param code=A --param session_type=LOCK',
  ])('refuses %s, whatever --repeat says', async (call) => {
    await using server = await scriptedServer(() => notFound)

    for (const more of [[], ['--repeat', 'read'], ['--yes']]) {
      const argv = ['api', ...call.split(' '), ...more]
      const { exitCode } = await promoIn(temporaryFolder())(argv, {
        env: { ...keysFor(server.origin), PROMO_CLIENT_ID: 'c', PROMO_CLIENT_TOKEN: 't', PROMO_READ_ONLY: '1' },
      })
      expect(exitCode, argv.join(' ')).toBe(4)
    }
    expect(server.asked).toEqual([])
  })

  test('is opened again by name, and a variable closes every profile', async () => {
    const promo = promoIn(temporaryFolder())
    await using server = await scriptedServer(() => notFound)
    await promo(`profiles add desk --base-url ${server.origin} --read-only --insecure-storage`, {
      env: keys,
    })
    const disable = ['vouchers', 'disable', 'A', '--yes', '--profile', 'desk']

    const opened = await promo('profiles update desk --no-read-only')
    const sent = await promo(disable)
    const closed = await promo(disable, { env: { PROMO_READ_ONLY: '1' } })
    const misspelt = await promo(disable, { env: { PROMO_READ_ONLY: 'yes' } })

    expect(opened.exitCode).toBe(0)
    expect(sent.exitCode).toBe(3)
    expect(closed).toMatchObject({ exitCode: 4 })
    expect(closed.stderr).toContain('try: unset PROMO_READ_ONLY')
    expect(misspelt).toMatchObject({ exitCode: 4 })
    expect(server.asked).toHaveLength(1)
  })
})
