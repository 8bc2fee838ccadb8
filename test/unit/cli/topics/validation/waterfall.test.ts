import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { waterfall } from '../../../../../src/cli/topics/validation/waterfall.ts'
import type { Validation } from '../../../../../src/contract/validations.ts'

const answerOf = (order: object | undefined, redeemables: object[] = []) =>
  ({ valid: true, redeemables, stacking_rules: {}, ...(order && { order }) }) as Validation

const applied = (id: string, order: object) => ({ status: 'APPLICABLE', object: 'voucher', id, order })

describe('the waterfall of an order', () => {
  test('has no step when the service calculated no order, or one without an amount', () => {
    expect(waterfall(answerOf(undefined))).toEqual([])
    expect(waterfall(answerOf({ items: [] }))).toEqual([])
  })

  test('leads from the initial amount through each redeemable to the total', () => {
    const answer = answerOf(
      { amount: 20000, total_discount_amount: 7000, total_applied_discount_amount: 7000, total_amount: 13000 },
      [
        applied('A', { amount: 20000, total_applied_discount_amount: 2000, total_amount: 18000 }),
        applied('B', { amount: 20000, total_applied_discount_amount: 5000, total_amount: 13000 }),
      ],
    )

    expect(waterfall(answer)).toEqual([
      { step: 'initial amount', left: '20000' },
      { step: 'voucher A', change: '-2000', left: '18000' },
      { step: 'voucher B', change: '-5000', left: '13000' },
      { step: 'total', left: '13000' },
    ])
  })

  test('shows units that a redeemable added before what it takes off', () => {
    const order = { initial_amount: 1000, amount: 1600, total_applied_discount_amount: 600, total_amount: 1000 }

    expect(waterfall(answerOf({ ...order, total_discount_amount: 600 }, [applied('FREE', order)]))).toEqual([
      { step: 'initial amount', left: '1000' },
      { step: 'units added by voucher FREE', change: '+600' },
      { step: 'voucher FREE', change: '-600', left: '1000' },
      { step: 'total', left: '1000' },
    ])
  })

  test('shows what earlier redemptions of a stored order took off', () => {
    const steps = waterfall(
      answerOf({ amount: 900, total_discount_amount: 300, total_applied_discount_amount: 100, total_amount: 600 }),
    )

    expect(steps.map(({ step, change }) => [step, change])).toEqual([
      ['initial amount', undefined],
      ['taken off by earlier redemptions', '-200'],
      ['taken off by all together', '-100'],
      ['total', undefined],
    ])
  })

  test('says that a total below zero is held at zero', () => {
    const steps = waterfall(
      answerOf({ amount: 500, total_discount_amount: 800, total_applied_discount_amount: 800, total_amount: 0 }),
    )

    expect(steps.at(-2)).toEqual({ step: 'held at zero', change: '+300' })
  })

  test('prints an amount that no number can hold as the service sent it', () => {
    const huge = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('9007199254740993')

    expect(waterfall(answerOf({ amount: huge, total_amount: huge }))).toEqual([
      { step: 'initial amount', left: '9007199254740993' },
      { step: 'total', left: '9007199254740993' },
    ])
  })

  test('adds up, whatever the service sends', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 })
    const money = fc.record(
      { amount, initial_amount: amount, total_discount_amount: amount, total_applied_discount_amount: amount },
      { requiredKeys: ['amount'] },
    )
    const order = fc.tuple(money, amount).map(([known, total_amount]) => ({ ...known, total_amount }))

    fc.assert(
      fc.property(order, fc.array(order, { maxLength: 5 }), (whole, parts) => {
        const steps = waterfall(
          answerOf(
            whole,
            parts.map((part, at) => applied(String(at), part)),
          ),
        )

        const sum = steps.reduce((total, { change = 0 }) => total + Number(change), Number(steps[0]?.left))
        expect(sum).toBe(whole.total_amount)
      }),
    )
  })
})
