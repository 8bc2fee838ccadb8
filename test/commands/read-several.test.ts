// What is read by key is read by list: from arguments, a file or a pipe, with `not found` as an outcome.
import { expect, test } from 'vitest'
import { lines } from '../support/command-lines.ts'
import { classOf, promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())
const sandbox = ['--profile', 'sandbox']
const there: Record<string, [key: string, column: string, id: string]> = {
  'customers:get': ['shop-1001', 'Customer ID', 'cust_19b8d627a800000001'],
  'loyalty:cards:get': ['CLUB-001', 'code', 'v_19b8d627a800000800'],
  'orders:get': ['northlight-2009', 'id', 'ord_19b8d627a800000009'],
  'redemptions:get': ['r_19b8d627a800000001', 'id', 'r_19b8d627a800000001'],
  'vouchers:get': ['MORNING', 'Coupon Code', 'v_19b8d627a800000008'],
}

/** Each run of the embedded service has a port of its own. */
function withoutPort(text: string): unknown {
  return JSON.parse(text.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST'))
}

test('every command that reads by the key of a file is here', async () => {
  const reading: string[] = []
  for (const id of Object.keys(lines)) {
    const Class = await classOf(id)
    if (Class?.effect === 'read' && Class.rows !== undefined) reading.push(id)
  }

  expect(reading.toSorted()).toEqual(Object.keys(there).toSorted())
})

test.each(Object.entries(there))(
  '%s shows some in their order, and says which was not found',
  async (id, [key, column, found]) => {
    const line = [...id.split(':'), ...sandbox]

    const byWords = await promo([...line, 'no-such', key, '--json'])
    const byFile = await promo([...line, '--from', '-', '--csv', '--columns', 'asked,lookup,id'], {
      stdin: `${column},other\n${key},1\nno-such,2\n`,
    })
    const one = await promo([...line, key, '--json'])
    const none = await promo([...line, 'no-such'])

    expect(withoutPort(byWords.stdout)).toEqual([{ asked: 'no-such', lookup: 'not found' }, withoutPort(one.stdout)])
    expect(byFile.stdout).toBe(`asked,lookup,id\n${key},found,${found}\nno-such,not found,\n`)
    expect([byWords, byFile, one, none].map(({ exitCode }) => exitCode)).toEqual([3, 3, 0, 3])
  },
)

test('a row that cannot be read stops before anything is read, and no key at all is asked for', async () => {
  const bad = await promo(['vouchers', 'get', '--from', '-', ...sandbox], { stdin: 'code\n1.2E+46\n' })
  const none = await promo(['vouchers', 'get', '--no-input', ...sandbox])

  expect(bad).toEnd(2, '1.2E+46')
  expect(none).toEnd(2, 'missing argument CODE or --from')
})
