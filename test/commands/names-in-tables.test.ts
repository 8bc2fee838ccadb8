// A table that names other objects reads each of them once, and several of a kind by one list.
import { expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())

test.each([
  // Four rules, two tiers, a campaign and a voucher.
  ['rules assignments list', 5],
  ['vouchers list', 2],
  // The vouchers are read by 13 calls, and the other campaigns with the second of them.
  ['vouchers list --csv --columns code,state --all', 15],
  ['vouchers get BEANS10', 1],
  ['vouchers get SORRY5', 1],
  ['loyalty rewards list Bean_Club', 2],
  ['referrals holders list FRIEND-001', 2],
])('`%s` makes %i calls', async (line, calls) => {
  const words = line.split(' ').map((word) => word.replace('_', ' '))

  const { exitCode, stderr } = await promo([...words, '--profile', 'sandbox', '--verbose'])

  expect([exitCode, stderr.match(/^> /gm)?.length], stderr).toEqual([0, calls])
})
