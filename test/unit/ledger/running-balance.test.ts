import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { balanceCheck, brokenBalanceText } from '../../../src/ledger/running-balance.ts'

function change(id: number, voucher_id: string, points: unknown, balance: unknown) {
  return {
    id: `vtx_${id}`,
    voucher_id,
    created_at: '2026-01-05T00:00:00.000Z',
    details: { balance: { points, balance } },
  }
}

const history = [
  change(1, 'v_a', 100, 100),
  change(2, 'v_b', 10, 10),
  change(3, 'v_a', -30, 70),
  change(4, 'v_b', 5, 16),
  change(5, 'v_a', 1, 71),
]

/** Changes of a few cards, mixed, with running balances that add up. */
const histories = fc
  .array(fc.record({ card: fc.constantFrom('v_a', 'v_b', 'v_c'), points: fc.integer({ min: -1000, max: 1000 }) }))
  .map((changes) => {
    const balances = new Map<string, number>()
    return changes.map(({ card, points }, at) => {
      const balance = (balances.get(card) ?? 0) + points
      balances.set(card, balance)
      return change(at, card, points, balance)
    })
  })

describe('a running balance', () => {
  test.each([
    ['oldest first', false, history],
    ['newest first', true, history.toReversed()],
  ])('that does not add up is found at its transaction, %s', (_order, newestFirst, transactions) => {
    const check = balanceCheck({ newestFirst })

    const broken = transactions.map(check.take).filter((found) => found !== undefined)

    expect(broken).toEqual([
      {
        voucher_id: 'v_b',
        transaction_id: 'vtx_4',
        created_at: '2026-01-05T00:00:00.000Z',
        balance_before: 10,
        points: 5,
        expected: 15,
        found: 16,
      },
    ])
    expect(check.counts()).toEqual({ transactions: 5, cards: 2, uncountable: 0 })
  })

  test('that begins above zero is taken as it is', () => {
    const check = balanceCheck({ newestFirst: false })

    expect(check.take(change(1, 'v_a', 5, 505))).toBeUndefined()
  })

  test('continues after a transaction without whole numbers, which is counted', () => {
    const check = balanceCheck({ newestFirst: false })

    const found = [change(1, 'v_a', 5, 5), { id: 'vtx_2', voucher_id: 'v_a' }, change(3, 'v_a', 5, 900)].map(check.take)

    expect(found).toEqual([undefined, undefined, undefined])
    expect(check.counts().uncountable).toBe(1)
  })

  test('that adds up is never complained about, however the cards are mixed and whatever the order', () => {
    fc.assert(
      fc.property(histories, fc.boolean(), (transactions, newestFirst) => {
        const check = balanceCheck({ newestFirst })

        const found = (newestFirst ? transactions.toReversed() : transactions).map(check.take)

        expect(found.every((broken) => broken === undefined)).toBe(true)
      }),
    )
  })

  test('is put into a sentence with its arithmetic', () => {
    const check = balanceCheck({ newestFirst: false })
    check.take(change(1, 'v_a', 100, 100))

    const broken = check.take(change(2, 'v_a', -30, 80))

    expect(broken && brokenBalanceText(broken)).toBe(
      'the running balance breaks at vtx_2: 100 - 30 = 70, but its balance is 80',
    )
  })
})
