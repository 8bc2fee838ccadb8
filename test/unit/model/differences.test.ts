import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLosslessJson } from '../../../src/base/lossless-json.ts'
import { differences } from '../../../src/model/differences.ts'
import { voucherForms } from '../../../src/model/forms.ts'
import { testSandbox } from '../../support/sandbox.ts'

const voucher = {
  id: 'v_1',
  code: 'GIFT-1',
  type: 'GIFT_VOUCHER',
  discount: null,
  gift: { amount: 500, balance: 320, effect: 'APPLY_TO_ORDER' },
  loyalty_card: null,
  campaign: 'Summer',
  campaign_id: 'camp_1',
  category: null,
  category_id: null,
  start_date: '2026-01-01T00:00:00.000Z',
  expiration_date: null,
  validity_day_of_week: [1, 2],
  active: true,
  additional_info: null,
  metadata: { tags: ['a', 'b'], owner: { name: 'Ada', age: 36 } },
  redemption: { quantity: null, redeemed_quantity: 3 },
  validation_rules_assignments: { object: 'list', data: [{ rule_id: 'val_1' }, { rule_id: 'val_2' }], total: 2 },
}
const inVoucher = (sent: object, shown: object) => differences(sent, shown, voucherForms)
const metadata = voucher.metadata
const percent = { discount: { type: 'PERCENT', percent_off: 5 } }

test.each<[string, Record<string, unknown>]>([
  ['nothing', {}],
  ['the same amount', { type: 'GIFT_VOUCHER', gift: { amount: 500 } }],
  ['a balance, which is for the service to compute', { gift: { amount: 500, balance: 500 } }],
  ['the same instant in another zone', { start_date: '2026-01-01T01:00:00+01:00' }],
  ['the same instant as a day', { start_date: '2026-01-01' }],
  ['null for what is not there', { expiration_date: null, loyalty_card: null, redemption: { quantity: null } }],
  ['nothing about being on', { active: null }],
  ['the campaign by name', { campaign: 'Summer' }],
  ['the campaign by id', { campaign: 'camp_1', campaign_id: 'camp_1' }],
  ['the days in another order', { validity_day_of_week: [2, 1] }],
  [
    'the same metadata with its members in another order',
    { metadata: { owner: { age: 36, name: 'Ada' }, tags: ['a', 'b'] } },
  ],
  ['the rules in another order', { validation_rules: ['val_2', 'val_1'] }],
])('a request for %s is fulfilled', (_, sent) => {
  expect(inVoucher(sent, voucher)).toEqual([])
})

test.each<[string, Record<string, unknown>, string[]]>([
  ['another type', { type: 'DISCOUNT_VOUCHER' }, ['type']],
  ['another amount', { gift: { amount: 501, effect: 'APPLY_TO_ORDER' } }, ['gift.amount']],
  ['a discount', { discount: { type: 'PERCENT', percent_off: 10 } }, ['discount']],
  ['another instant', { start_date: '2026-01-01T00:00:00+01:00' }, ['start_date']],
  ['an end', { expiration_date: '2026-02-01' }, ['expiration_date']],
  ['being off', { active: false }, ['active']],
  ['another campaign', { campaign: 'Winter' }, ['campaign']],
  ['other days', { validity_day_of_week: [1, 3] }, ['validity_day_of_week']],
  ['fewer days', { validity_day_of_week: [1] }, ['validity_day_of_week']],
  ['a limit', { redemption: { quantity: 1 } }, ['redemption.quantity']],
  ['another item of a list', { metadata: { ...metadata, tags: ['a', 'c'] } }, ['metadata.tags[1]']],
  [
    'a list in another order',
    { metadata: { ...metadata, tags: ['b', 'a'] } },
    ['metadata.tags[0]', 'metadata.tags[1]'],
  ],
  [
    'another member deep down',
    { metadata: { ...metadata, owner: { name: 'Ada', age: '36' } } },
    ['metadata.owner.age'],
  ],
  ['less metadata', { metadata: { owner: { name: 'Ada' } } }, ['metadata.owner.age', 'metadata.tags']],
  ['no metadata', { metadata: {} }, ['metadata.tags', 'metadata.owner']],
  ['other rules', { validation_rules: ['val_1'] }, ['validation_rules']],
  ['several things', { gift: { amount: 1 }, active: false }, ['gift.amount', 'active']],
])('a request for %s is not', (_, sent, paths) => {
  expect(inVoucher(sent, voucher)).toEqual(paths)
})

test('numbers are compared by value, also those JavaScript cannot hold', () => {
  const read = (text: string) => readLosslessJson(text).exact as object

  const sent = read('{"metadata":{"id":9007199254740993,"rate":1.50,"n":1e2}}')

  expect(inVoucher(sent, read('{"metadata":{"id":9007199254740993,"rate":1.5,"n":100}}'))).toEqual([])
  expect(inVoucher(sent, read('{"metadata":{"id":9007199254740995,"rate":1.5,"n":100}}'))).toEqual(['metadata.id'])
})

test('a voucher that lists no rules says nothing about them', () => {
  expect(inVoucher({ validation_rules: ['val_1'] }, { code: 'X' })).toEqual([])
})

test('the rules of its campaign do not make a voucher another one', () => {
  const data = [
    { rule_id: 'val_1', related_object_id: 'v_1' },
    { rule_id: 'val_9', related_object_id: 'camp_1' },
  ]
  const inCampaign = { ...voucher, validation_rules_assignments: { data } }

  expect(inVoucher({ validation_rules: ['val_1'] }, inCampaign)).toEqual([])
  expect(inVoucher({ validation_rules: ['val_1', 'val_2'] }, inCampaign)).toEqual(['validation_rules'])
  expect(inVoucher({ validation_rules: [] }, inCampaign)).toEqual(['validation_rules'])
})

test.each<[string, Record<string, unknown>]>([
  ['a gift card', { type: 'GIFT_VOUCHER', gift: { amount: 10000, effect: 'APPLY_TO_ITEMS' }, active: null }],
  [
    'a percentage',
    { discount: { type: 'PERCENT', percent_off: 10.5 }, start_date: '2026-01-01', metadata: { a: [1, {}] } },
  ],
  [
    'an amount',
    { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 2000 }, redemption: { quantity: 1 } },
  ],
  ['a window', { ...percent, validity_timeframe: { duration: 'P1D', interval: 'P2D' }, start_date: '2026-01-01' }],
  ['days', { ...percent, validity_day_of_week: [3, 1] }],
  [
    'hours',
    {
      discount: { type: 'PERCENT', percent_off: 5 },
      start_date: '2026-01-01T00:00:00Z',
      validity_hours: { daily: [{ start_time: '09:00', expiration_time: '12:00', days_of_week: [5, 1] }] },
      additional_info: 'one',
    },
  ],
])('%s that the service made of a request is what was asked for', (_, body) => {
  const { call } = testSandbox()

  const created = call('POST', '/v1/vouchers/A', { body })

  expect(created).toMatchObject({ status: 200, body: { code: 'A' } })
  expect(inVoucher(body, call('GET', '/v1/vouchers/A').body as object)).toEqual([])
})

test('what was stored as it was sent never differs', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        fc.jsonValue(),
      ),
      (metadata) => {
        expect(inVoucher({ metadata }, { metadata: structuredClone(metadata) })).toEqual([])
      },
    ),
  )
})

test('a member that is named like a method of every object is compared like any other', () => {
  expect(
    differences({ constructor: 1, metadata: { toString: 2 } }, { constructor: 1, metadata: {} }, voucherForms),
  ).toEqual(['metadata.toString'])
})

test.each<[string, object, object, string[]]>([
  ['a member that it does not show', { name: 'a', filter: { junction: 'AND' } }, { name: 'a', filter: {} }, []],
  [
    'a list in another order',
    { name: 'a', ids: ['x', { id: 'y' }] },
    { name: 'a', ids: [{ id: 'y', at: 1 }, 'x'] },
    [],
  ],
  ['a shorter list', { ids: ['x', 'y'] }, { ids: ['x'] }, ['ids']],
  ['another item', { ids: ['x', 'y'] }, { ids: ['x', 'z'] }, ['ids']],
  ['null for what it shows', { filter: null }, { filter: { junction: 'AND' } }, ['filter']],
])('in a row of a list, %s', (_, asked, shown, paths) => {
  expect(differences(asked, shown, { isListed: true })).toEqual(paths)
})
