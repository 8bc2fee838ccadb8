// A command reads no more than it needs.
import { expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())

test.each([
  // Four rules, two tiers, a campaign and a voucher.
  ['rules assignments list', 5],
  ['vouchers list', 2],
  // The vouchers are read by 13 calls, and the other campaigns with the second of them.
  ['vouchers list --csv --columns code,state --all', 15],
  ['products get house-blend', 1],
  // No source id is it: the names of all are listed.
  ['products get House+Blend', 3],
  ['products get prod_19b8d627a800000001', 1],
  ['vouchers get BEANS10', 1],
  ['vouchers get SORRY5', 1],
  ['loyalty rewards list Bean+Club', 2],
  ['referrals holders list FRIEND-001', 2],
  // It is no id, code or order, nor is CLUB006 a code; the holder of CLUB-006 is read, and their orders.
  ['orders list --customer club+006', 7],
  // The codes that may be meant are one list.
  ['vouchers get CLUB-OO3', 2],
  ['validate redeemables BEANS1O --amount 3000 --explain', 2],
])('`%s` makes %i calls', async (line, calls) => {
  const words = line.split(' ').map((word) => word.replace('+', ' '))

  const { stderr } = await promo([...words, '--profile', 'sandbox', '--verbose'], { terminal: { columns: 80 } })

  expect(stderr.match(/^> /gm)?.length, stderr).toBe(calls)
})

test('an explanation reads the campaign of several codes once', async () => {
  const here = promoIn(temporaryFolder())
  const on = ['--yes', '--profile', 'sandbox']
  await here(['projects', 'stacking', 'set', '--application', 'PARTIAL', ...on])
  await here(['campaigns', 'disable', 'Welcome', ...on])
  const codes = ['WELCOME-006', 'WELCOME-007', 'WELCOME-008']

  const line = ['validate', 'redeemables', ...codes, '--amount', '4000', '--explain', '--verbose']
  const { stdout, stderr } = await here([...line, '--profile', 'sandbox'])

  expect(stdout.match(/its campaign "Welcome" is off/g), stdout).toHaveLength(3)
  expect(stderr.match(/^> /gm), stderr).toHaveLength(5)
})
