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
