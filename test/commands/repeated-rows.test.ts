// Every command whose rows count once each says which of them repeat another, before anything is sent.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allCommands, promoIn, temporaryFolder } from '../support/promo.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)

const files: Record<string, [flags: string[], header: string, row: string, whom: string, items: string]> = {
  'loyalty points add': [['--points', '5'], 'code', 'CLUB-001', 'CLUB-001', '1 loyalty card, in 2 rows'],
  'loyalty points remove': [['--points', '5'], 'code', 'CLUB-001', 'CLUB-001', '1 loyalty card, in 2 rows'],
  'loyalty points transfer': [
    ['--points', '5', '--to', 'CLUB-002'],
    'code',
    'CLUB-001',
    'CLUB-001',
    '1 loyalty card, in 2 rows',
  ],
  'loyalty rewards redeem': [['--reward', 'Enamel mug'], 'code', 'CLUB-001', 'CLUB-001', '1 loyalty card, in 2 rows'],
  'vouchers balance add': [['--amount', '5'], 'code', 'GIFT-001', 'GIFT-001', '1 gift card, in 2 rows'],
  'vouchers balance remove': [['--amount', '5'], 'code', 'GIFT-001', 'GIFT-001', '1 gift card, in 2 rows'],
  'publications create': [['--campaign', 'Welcome'], 'customer', 'shop-1001', 'shop-1001', '1 customer, in 2 rows'],
  'redemptions create': [[], 'code', 'WELCOME-001', 'WELCOME-001', '1 code, in 2 rows'],
  'events send': [[], 'event,customer', 'seen,shop-1001', 'seen', '2 events'],
}

test('every command whose rows would count twice has a file here', async () => {
  const commands = (await allCommands()).map(({ id: command, Class: { flags, calls } }) => {
    const id = command.replaceAll(':', ' ')
    const isOnce =
      Array.isArray(calls) &&
      calls.some(({ method, repeat }) => method !== 'GET' && ['once', 'duplicate'].includes(repeat))
    return 'shard' in flags && isOnce && id !== 'campaigns vouchers add' ? [id] : []
  })

  // Those that a unique code or a suite of carts guards are no such commands.
  expect(Object.keys(files).toSorted()).toEqual(expect.arrayContaining(commands.flat().filter((id) => id in files)))
  expect(commands.flat().filter((id) => !(id in files))).toEqual(
    ['config apply', 'validate redeemables'].filter((id) => commands.flat().includes(id)),
  )
})

test.each(Object.entries(files))(
  '%s names the rows that repeat another',
  async (id, [flags, header, row, whom, items]) => {
    const file = join(folder, 'rows.csv')
    await writeFile(file, `${header}\n${row}\n${row}\n`)

    const { exitCode, stderr } = await promo([
      ...id.split(' '),
      '--from',
      file,
      ...flags,
      ...'--dry-run --profile sandbox'.split(' '),
    ])

    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining(` ${items}; 1 row repeats another: "${whom}" (line 3);`),
    ])
  },
)

describe('a code that cannot be redeemed by all who would get it', () => {
  test.each([
    ['--voucher', 'ONCE'],
    ['--campaign', 'For one'],
  ])('is given to nobody by %s, and to one customer as it is', async (flag, name) => {
    const promo = promoIn(temporaryFolder())
    const given = async (rows: string) =>
      await promo(['publications', 'create', flag, name, '--from', '-', '--yes', '--csv', '--profile', 'sandbox'], {
        stdin: rows,
      })
    await promo('vouchers create ONCE --percent-off 10 --uses 1 --profile sandbox')
    await promo('campaigns create --name "For one" --set type=STANDALONE --percent-off 10 --profile sandbox')
    await promo('campaigns vouchers add "For one" ONCE-2 --uses 1 --profile sandbox')

    const many = await given('customer\nshop-1001\nshop-1002\n')
    const one = await given('customer\nshop-1001\n')

    expect([many.exitCode, many.stdout, one.exitCode, one.stderr]).toEqual([2, '', 0, expect.any(String)])
    expect(many.stderr).toContain(
      `2 customers would get the code ${flag === '--voucher' ? 'ONCE' : 'ONCE-2'}, which can be redeemed once`,
    )
  })
})
