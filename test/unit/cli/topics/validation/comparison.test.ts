import { expect, test } from 'vitest'
import { resultsOf } from '../../../../../src/cli/topics/validation/answer.ts'
import { comparedAnswer } from '../../../../../src/cli/topics/validation/comparison.ts'
import type { Validation } from '../../../../../src/contract/validations.ts'

const result = (id: string, status: string, object = 'voucher') => ({ id, object, status })

const partial = {
  valid: true,
  redeemables: [result('C', 'APPLICABLE')],
  inapplicable_redeemables: [result('A', 'INAPPLICABLE')],
  skipped_redeemables: [result('B', 'SKIPPED')],
  stacking_rules: {},
  order: { total_discount_amount: 5, total_amount: 95 },
} as Validation

const redeemables = ['A', 'B', 'C'].map((id) => ({ object: 'voucher' as const, id }))

test('what the PARTIAL mode sets aside is told after what applies, and each once', () => {
  const doubled = { ...partial, redeemables: [...partial.redeemables, result('A', 'INAPPLICABLE')] }

  expect(resultsOf(partial).map(({ id }) => id)).toEqual(['C', 'A', 'B'])
  expect(resultsOf(doubled).map(({ id }) => id)).toEqual(['C', 'A', 'B'])
})

test('the statuses of a verdict stand in the order in which the cart names its redeemables', () => {
  expect(comparedAnswer(partial, { redeemables })).toEqual({
    valid: true,
    total_discount_amount: 5,
    total_amount: 95,
    statuses: ['INAPPLICABLE', 'SKIPPED', 'APPLICABLE'],
  })
})

test('the tiers of a stack keep the order in which they are answered', () => {
  const tiers = ['promo_2', 'promo_1'].map((id, at) =>
    result(id, at === 0 ? 'APPLICABLE' : 'SKIPPED', 'promotion_tier'),
  )
  const stack = [{ object: 'promotion_stack' as const, id: 'stack_1' }]

  const { statuses } = comparedAnswer({ valid: true, redeemables: tiers, stacking_rules: {} } as Validation, {
    redeemables: stack,
  })

  expect(statuses).toEqual(['APPLICABLE', 'SKIPPED'])
})
