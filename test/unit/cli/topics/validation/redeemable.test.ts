import { expect, test } from 'vitest'
import { redeemableFrom } from '../../../../../src/cli/topics/validation/redeemable.ts'
import { PromoError } from '../../../../../src/errors.ts'

test.each([
  ['SUMMER', { object: 'voucher', id: 'SUMMER' }],
  ['voucher:tier:odd', { object: 'voucher', id: 'tier:odd' }],
  ['A:B=C', { object: 'voucher', id: 'A:B=C' }],
  ['tier:promo_1', { object: 'promotion_tier', id: 'promo_1' }],
  ['stack:stack_1', { object: 'promotion_stack', id: 'stack_1' }],
  ['gift:G1', { object: 'voucher', id: 'G1' }],
  ['gift:G1=1500', { object: 'voucher', id: 'G1', gift: { credits: 1500 } }],
  ['gift:A=B=0', { object: 'voucher', id: 'A=B', gift: { credits: 0 } }],
  ['card:L1', { object: 'voucher', id: 'L1' }],
  ['card:L1=rew_1', { object: 'voucher', id: 'L1', reward: { id: 'rew_1' } }],
  ['card:L1=rew_1:50', { object: 'voucher', id: 'L1', reward: { id: 'rew_1', points: 50 } }],
])('%s is read as what it says', (text, redeemable) => {
  expect(redeemableFrom(text)).toEqual(redeemable)
})

test.each(['', 'tier:', 'gift:G1=', 'gift:G1=1.5', 'gift:G1=-1', 'card:L1=', 'card:L1=:5', 'card:L1=rew_1:x'])(
  '"%s" is refused as wrong usage',
  (text) => {
    expect(() => redeemableFrom(text)).toThrow(PromoError)
  },
)
