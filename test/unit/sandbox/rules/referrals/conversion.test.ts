import { expect, test } from 'vitest'
import { conversionOf, type ReferralCase } from '../../../../../src/sandbox/rules/referrals/conversion.ts'

const byRedemption = { conversion_event_type: 'redemption' }
const byEvent = { conversion_event_type: 'custom_event', custom_event: { id: 'ms_1', name: 'signed_up' } }

function decided(fields: Partial<ReferralCase> = {}) {
  return conversionOf({
    program: byEvent,
    trigger: { type: 'custom_event', event: 'signed_up' },
    referrerId: 'cust_anna',
    refereeId: 'cust_ben',
    hasConverted: false,
    ...fields,
  })
}

test('a referee converts by the event that the program defines', () => {
  expect(decided()).toEqual({ converts: true, referrerId: 'cust_anna' })
  expect(decided({ program: byRedemption, trigger: { type: 'redemption' } })).toEqual({
    converts: true,
    referrerId: 'cust_anna',
  })
})

test.each<[string, Partial<ReferralCase>, string]>([
  ['another event', { trigger: { type: 'custom_event', event: 'logged_in' } }, 'other_event'],
  ['a redemption where an event is required', { trigger: { type: 'redemption' } }, 'other_event'],
  ['an event where a redemption is required', { program: byRedemption }, 'other_event'],
  ['a code without a holder', { referrerId: undefined }, 'unpublished_code'],
  ['the referrer', { refereeId: 'cust_anna' }, 'self_referral'],
  ['a referee a second time', { hasConverted: true }, 'already_converted'],
])('%s does not convert', (_name, fields, reason) => {
  expect(decided(fields)).toEqual({ converts: false, reason })
})
