import { expect, test } from 'vitest'
import { eventFilter, eventsNamed } from '../../../../../src/cli/topics/webhooks/events.ts'

test('a star stands for every event', () => {
  expect(eventsNamed(['*'])).toHaveLength(60)
})

test('a pattern may have stars anywhere, and each event comes once', () => {
  expect(eventsNamed(['*.rollback.*', 'redemption.rollback.failed', 'c*.d*ed'])).toEqual([
    'redemption.rollback.succeeded',
    'redemption.rollback.failed',
    'customer.deleted',
    'campaign.deleted',
    'campaign.disabled',
    'campaign.earning_rule.deleted',
    'campaign.earning_rule.disabled',
    'campaign.loyalty_tier.deleted',
    'campaign.referral_tier.deleted',
    'campaign.promotion_tier.deleted',
    'campaign.promotion_tier.disabled',
    'campaign.reward.assignment.deleted',
  ])
})

test('a pattern does not use one character twice', () => {
  expect(() => eventsNamed(['voucher.created*created'])).toThrow('no event matches')
})

test.each([
  ['voucher.gift.balance_aded', 'voucher.gift.balance_added'],
  ['campaign.vouchers.aded', 'campaign.vouchers.added'],
])('%s and %s are one event', (sent, shown) => {
  expect(eventsNamed([sent])).toEqual(eventsNamed([shown]))
  expect(eventFilter([sent])(shown)).toBe(true)
})

test('a filter lets everything pass when it names nothing, and also what only the console can ask for', () => {
  expect(eventFilter([])('some.new.event')).toBe(true)
  expect(eventFilter(['customer.*'])('customer.updated')).toBe(true)
  expect(eventFilter(['customer.*'])('voucher.updated')).toBe(false)
})
