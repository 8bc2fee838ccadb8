import { expect, test } from 'vitest'
import { checkRequest } from '../../../../src/api/request/request.ts'
import { withUnknownMembers } from '../../../../src/api/request/unknown-members.ts'
import { createCampaign, updateCampaign } from '../../../../src/contract/campaigns.ts'
import { createVoucher } from '../../../../src/contract/new-voucher.ts'

const path = { code: 'A' }

test('members that the contract does not know are sent at every depth, in unions too', () => {
  const discount = { type: 'PERCENT', percent_off: 10, rounding: { mode: 'up' } }
  const body = {
    type: 'DISCOUNT_VOUCHER',
    discount,
    sparkle: [1, { a: null }],
    redemption: { quantity: 1, per_day: 2 },
  }

  const sent = checkRequest(withUnknownMembers(createVoucher), { path, body })

  expect(JSON.parse(String(sent.body))).toEqual(body)
  expect(() => checkRequest(createVoucher, { path, body })).toThrow('has no field')
})

test('a known member is checked as always', () => {
  const body = { type: 'GIFT_VOUCHER', gift: { amount: 'much' }, sparkle: 1 }

  expect(() => checkRequest(withUnknownMembers(createVoucher), { path, body })).toThrow(/gift\.amount must be/)
})

test.each([
  ['', createVoucher],
  [' beside what the contract does not know', withUnknownMembers(createVoucher)],
])('null is not given%s, as the service reads it', (_, endpoint) => {
  const body = { type: 'GIFT_VOUCHER', gift: { amount: 5 }, discount: null, redemption: null }

  const sent = checkRequest(endpoint, { path, body })

  expect(JSON.parse(String(sent.body))).toEqual({ type: 'GIFT_VOUCHER', gift: { amount: 5 } })
})

test('null stays a mistake where a member is required, and where an update cannot clear it', () => {
  expect(() => checkRequest(createCampaign, { body: { name: null } })).toThrow('name')
  expect(() => checkRequest(updateCampaign, { path: { campaignId: 'C' }, body: { auto_join: null } })).toThrow(
    'auto_join',
  )
})
