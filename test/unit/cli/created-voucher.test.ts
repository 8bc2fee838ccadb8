import { describe, expect, test } from 'vitest'
import { differences } from '../../../src/cli/created-voucher.ts'

const voucher = {
  code: 'A',
  type: 'GIFT_VOUCHER',
  gift: { amount: 5000, balance: 100, effect: 'APPLY_TO_ORDER' },
  start_date: '2026-01-02T00:00:00.000Z',
  expiration_date: null,
  category: null,
  validity_day_of_week: [1, 2],
  metadata: { season: 'spring', depth: { a: 1 } },
  active: true,
}

describe('what a row wanted and a voucher is', () => {
  test.each<[string, object]>([
    ['nothing', {}],
    ['the same', { type: 'GIFT_VOUCHER', gift: { amount: 5000 }, active: true }],
    ['the same instant written differently', { start_date: '2026-01-02T01:00:00+01:00' }],
    ['nothing of its own accord', { category: null, additional_info: 'x' }],
    ['a balance that has been used since', { gift: { amount: 5000, balance: 5000 } }],
    ['a part of the metadata', { metadata: { season: 'spring' } }],
    ['the same list', { validity_day_of_week: [1, 2] }],
  ])('%s is no difference', (_, sent) => {
    expect(differences(sent, voucher)).toEqual([])
  })

  test.each<[string, object, string[]]>([
    ['another amount', { gift: { amount: 1 } }, ['gift.amount']],
    ['another kind', { type: 'DISCOUNT_VOUCHER' }, ['type']],
    ['an end where there is none', { expiration_date: '2026-01-02' }, ['expiration_date']],
    ['other metadata', { metadata: { season: 'summer', depth: { a: 2 } } }, ['metadata.season', 'metadata.depth.a']],
    ['another order', { validity_day_of_week: [2, 1] }, ['validity_day_of_week']],
  ])('%s is named by its path', (_, sent, paths) => {
    expect(differences(sent, voucher)).toEqual(paths)
  })
})
