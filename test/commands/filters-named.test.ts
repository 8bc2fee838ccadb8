// A flag of a list that names an object: an empty list because of a typing mistake is not answered with "none found".
import { describe, expect, test } from 'vitest'
import type { CommandClass } from '../../src/cli/command.ts'
import { dateFlags } from '../../src/cli/flags/dates.ts'
import { listFlags, outputFlags, serviceFlags } from '../../src/cli/flags/flags.ts'
import { classOf, lines } from '../support/command-lines.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())
const sandbox = ['--profile', 'sandbox']

/** Filters by a value of a row, which names no other object. */
const values: Readonly<Record<string, readonly string[]>> = {
  'async list': ['before'],
  'loyalty cards list': ['code'],
  'vouchers list': ['code'],
  'customers list': ['email', 'name', 'city'],
  'loyalty transactions list': ['type', 'min-points', 'filter', 'after'],
  'publications list': ['source-id'],
  'redemptions list': ['filter'],
  'skus list': ['page', 'start-date', 'end-date'],
  'templates list': ['name'],
}

/** What a list needs beside the flag, where it is of one thing. */
const within: Readonly<Record<string, readonly string[]>> = {
  'loyalty cards list': ['Bean Club'],
  'loyalty pending list': ['Bean Club'],
  'loyalty transactions list': ['Bean Club'],
  'referrals holders list': ['FRIEND-001'],
}

const lists = (
  await Promise.all(Object.keys(lines).map(async (id) => ({ id, Class: (await classOf(id)) as CommandClass })))
).filter(({ Class }) => (Class as { kind?: string }).kind === 'list')

const naming = lists.flatMap(({ id, Class }) => {
  const command = id.replaceAll(':', ' ')
  const common = { ...serviceFlags, ...outputFlags, ...listFlags, ...dateFlags((Class.calls as [never])[0]) }
  return Object.entries(Class.flags)
    .filter(([name, flag]) => !(name in common) && flag.type === 'option' && flag.options === undefined)
    .filter(([name]) => name !== 'project' && !values[command]?.includes(name))
    .map(([name]) => [command, name] as const)
})

describe.each(naming)('%s --%s', (command, flag) => {
  test('is refused for what does not exist, with a next step', async () => {
    const line = [...command.split(' '), ...(within[command] ?? []), `--${flag}`, 'no-such-thing', '--csv']

    const { exitCode, stdout, stderr } = await promo([...line, ...sandbox])

    expect([exitCode, stdout], stderr).toEqual([3, ''])
    expect(stderr).toContain('no-such-thing')
    expect(stderr).toMatch(/^try: /m)
  })
})

test('a customer of a list is named by whatever customers show takes', async () => {
  const of = ['CUSTOMER6@example.com', 'farid', 'club 006', 'shop-1006', 'northlight-2006', 'cust_19b8d627a800000006']
  const listed = async (words: string[]) => {
    const { stdout } = await promo([...words, '--json', '--query', 'length(@)', ...sandbox])
    return Number(stdout)
  }

  const found = await Promise.all(
    of.map(async (text) => [
      await listed(['redemptions', 'list', '--customer', text]),
      await listed(['vouchers', 'list', '--customer', text]),
      await listed(['orders', 'list', '--customer', text]),
    ]),
  )

  expect(found).toEqual(of.map(() => [2, 1, 2]))
})

test('what exists, and has no row, is an empty list', async () => {
  const { exitCode, stdout, stderr } = await promo(['redemptions', 'list', '--voucher', 'GIFT-001', ...sandbox])

  expect([exitCode, stdout, stderr]).toEqual([0, '', 'no redemptions found\n'])
})

test('a rule of a code or of a named campaign is found by that', async () => {
  const { stderr } = await promo(['rules', 'assignments', 'list', '--object', 'Bean Club', ...sandbox])

  expect(stderr).toBe('no assignments found\n')
})
