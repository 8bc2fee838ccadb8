import { describe, expect, test } from 'vitest'
import { explanationOf } from '../../../../../src/cli/topics/validation/explanation.ts'
import { whyOf } from '../../../../../src/cli/topics/validation/why.ts'
import type { Validation } from '../../../../../src/contract/validations.ts'

const rules = { applicable_redeemables_limit: 5, applicable_redeemables_per_category_limit: 1 }

const answerOf = (redeemables: object[], more: object = {}) =>
  ({ valid: true, redeemables, stacking_rules: rules, ...more }) as Validation

function why(result: object, more: object = {}): string {
  const redeemable = { status: 'APPLICABLE', object: 'voucher', id: 'A', ...result }
  const answer = answerOf([redeemable], more)
  return whyOf(answer.redeemables[0] as Validation['redeemables'][number], answer)
}

describe('why a redeemable applied', () => {
  test.each([
    [{ discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' } }, '10% off the order'],
    [{ discount: { type: 'PERCENT', percent_off: 10, amount_limit: 1500 } }, '10% off the order, at most 1500'],
    [{ discount: { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ITEMS' } }, '500 off each item it applies to'],
    [{ discount: { type: 'FIXED', fixed_amount: 900 } }, 'a price of 900 for the order'],
    [
      { discount: { type: 'UNIT', unit_off: 2, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' } },
      'adds 2 of prod_1 for free',
    ],
    [{ discount: { type: 'NEWER' } }, 'applies a discount of type NEWER'],
    [{ gift: { credits: 1500, balance: 5000 } }, 'pays 1500 of gift credit, of a balance of 5000'],
    [{ loyalty_card: { points: 30 } }, 'takes 30 points'],
  ])('%j', (result, words) => {
    expect(why({ result })).toBe(words)
  })

  test('a redeemable without effect is told to change nothing', () => {
    const result = { discount: { type: 'PERCENT', percent_off: 0 } }

    expect(why({ result, order: { amount: 5, total_amount: 5 } })).toBe(
      '0% off the order; changes no amount of this order',
    )
  })

  test('one that would apply in a validation that failed is told not to be applied', () => {
    expect(why({ result: { gift: { credits: 5 } } }, { valid: false })).toBe(
      'pays 5 of gift credit; not applied, because the validation as a whole failed',
    )
  })
})

describe('why a redeemable failed', () => {
  test.each([
    [{ key: 'not_found', message: 'Resource not found' }, 'there is no such voucher (not_found)'],
    [{ key: 'not_found', resource_type: 'voucher', resource_id: 'A' }, 'there is no such voucher (not_found)'],
    [
      { key: 'not_found', resource_type: 'product', resource_id: 'prod_x' },
      'there is no such product prod_x (not_found)',
    ],
    [{ key: 'not_found', resource_type: 'voucher', resource_id: 'B' }, 'there is no such voucher B (not_found)'],
    [{ key: 'voucher_expired', message: 'voucher expired' }, 'it has expired (voucher_expired)'],
    [
      {
        key: 'order_rules_violated',
        details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_1',
        error: { message: 'Only above 20 euros' },
      },
      'the order does not meet its rules: Only above 20 euros (order_rules_violated: Discount Coupon cannot be redeemed because of violated validation rules: val_1)',
    ],
    [{ key: 'brand_new', message: 'A new reason' }, 'A new reason (brand_new)'],
    [{}, 'the service does not say why'],
  ])('%j', (error, words) => {
    expect(why({ status: 'INAPPLICABLE', result: { error } })).toBe(words)
  })
})

describe('why a redeemable was skipped', () => {
  test.each([
    ['applicable_redeemables_limit_exceeded', 'at most 5 redeemables apply together in this project'],
    ['preceding_validation_failed', 'one before it failed, and this project applies all or none'],
  ])('%s', (key, words) => {
    expect(why({ status: 'SKIPPED', result: { details: { key, message: 'x' } } })).toBe(`${words} (${key})`)
  })

  test('a key that promo does not know is explained in the words of the service', () => {
    expect(why({ status: 'SKIPPED', result: { details: { key: 'odd', message: 'Odd' } } })).toBe('Odd (odd)')
  })

  test('an empty result names the redeemable that failed before it, or the limits of the project', () => {
    const failed = { status: 'INAPPLICABLE', object: 'voucher', id: 'B', result: {} }

    const skipped = { status: 'SKIPPED', object: 'voucher', id: 'A', result: {} }
    const after = answerOf([failed, skipped], { valid: false, inapplicable_redeemables: [failed] })

    expect(whyOf(after.redeemables[1] as Validation['redeemables'][number], after)).toBe(
      'not evaluated, because voucher B failed',
    )
    expect(why({ status: 'SKIPPED', result: {} })).toBe(
      'skipped; the service does not say why. Its limits: applicable_redeemables_limit 5, applicable_redeemables_per_category_limit 1',
    )
  })
})

test('where one redeemable is enough, a failure is not the reason of a skip', () => {
  const failed = { status: 'INAPPLICABLE', object: 'voucher', id: 'B', result: {} }
  const applied = ['C', 'D'].map((id) => ({ status: 'APPLICABLE', object: 'voucher', id, result: {} }))
  const skipped = { status: 'SKIPPED', object: 'voucher', id: 'A', result: {} }
  const whyIn = (stacking_rules: object) =>
    whyOf(
      skipped,
      answerOf(applied, {
        inapplicable_redeemables: [failed],
        skipped_redeemables: [skipped],
        stacking_rules: { redeemables_application_mode: 'PARTIAL', ...stacking_rules },
      }),
    )

  expect(whyIn({ applicable_redeemables_limit: 2 })).toBe('at most 2 redeemables apply together in this project')
  expect(whyIn({ applicable_redeemables_limit: 5 })).toBe(
    'skipped; the service does not say why. Its limits: applicable_redeemables_limit 5',
  )
})

test('what the service sends cannot take over the terminal', async () => {
  const error = { key: 'x', message: 'red \u001b[31m' }
  const answer = answerOf([{ status: 'INAPPLICABLE', object: 'voucher', id: '\u001b]0;x', result: { error } }])

  const pieces: string[] = []
  for await (const piece of explanationOf(answer)) pieces.push(piece)
  expect(pieces.join('')).not.toContain('\u001b')
})
