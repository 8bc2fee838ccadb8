import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  adjustment,
  balanceOf,
  type Card,
  type CardTransaction,
  cardOf,
  type Moved,
  move,
  type TransactionType,
  withCard,
} from '../../../../../src/sandbox/rules/balances/balance.ts'

const now = '2026-03-18T12:00:00.000Z'
const stamp = { id: 'vtx_1', now }

function loyalty(fields: Partial<Card> = {}): Card {
  return {
    kind: 'loyalty_card',
    voucher_id: 'v_1',
    code: 'CLUB-1',
    campaign_id: 'camp_1',
    income: 283,
    subtracted: 0,
    expired: 0,
    redeemed: 210,
    ...fields,
  }
}

function gift(fields: Partial<Card> = {}): Card {
  return {
    ...loyalty({ kind: 'gift_voucher', code: 'GIFT-1', campaign_id: null, income: 10_000, redeemed: 0 }),
    ...fields,
  }
}

function done(moved: Moved): Extract<Moved, { card: Card }> {
  if ('refusal' in moved) throw new Error(moved.refusal.message)
  return moved
}

test('paying with points lowers the balance and keeps the total: 283 stays while 73 becomes 23', () => {
  const details = { redemption: { id: 'r_1' }, reward: { id: 'rew_1', name: 'Coins' } }

  const { card, transaction } = done(move(loyalty(), { type: 'POINTS_REDEMPTION', units: 50, details }, stamp))

  expect(balanceOf(card)).toBe(23)
  expect(transaction).toEqual({
    id: 'vtx_1',
    source_id: null,
    voucher_id: 'v_1',
    campaign_id: 'camp_1',
    source: null,
    reason: null,
    type: 'POINTS_REDEMPTION',
    details: {
      redemption: { id: 'r_1' },
      reward: { id: 'rew_1', name: 'Coins' },
      balance: {
        type: 'loyalty_card',
        total: 283,
        object: 'balance',
        points: -50,
        balance: 23,
        operation_type: 'AUTOMATIC',
        related_object: { id: 'v_1', type: 'voucher' },
      },
    },
    related_transaction_id: null,
    created_at: '2026-03-18T12:00:00.000Z',
  })
})

test.each<[TransactionType, number, number, number, string]>([
  ['POINTS_ADDITION', 10, 83, 293, 'MANUAL'],
  ['POINTS_REMOVAL', -10, 63, 273, 'MANUAL'],
  ['POINTS_ACCRUAL', 10, 83, 293, 'AUTOMATIC'],
  ['POINTS_REDEMPTION', -10, 63, 283, 'AUTOMATIC'],
  ['POINTS_REFUND', 10, 83, 283, 'AUTOMATIC'],
  ['POINTS_EXPIRATION', -10, 63, 273, 'AUTOMATIC'],
  ['POINTS_TRANSFER_IN', 10, 83, 293, 'MANUAL'],
  ['POINTS_TRANSFER_OUT', -10, 63, 273, 'MANUAL'],
  ['CREDITS_ADDITION', 500, 9500, 10_500, 'MANUAL'],
  ['CREDITS_REMOVAL', -500, 8500, 9500, 'MANUAL'],
  ['CREDITS_REDEMPTION', -500, 8500, 10_000, 'AUTOMATIC'],
  ['CREDITS_REFUND', 500, 9500, 10_000, 'AUTOMATIC'],
])(
  '%s changes a card by %d, leaves %d and a total of %d, and is %s',
  (type, change, balance, total, operation_type) => {
    const isGift = type.startsWith('CREDITS')
    const { card, transaction } = done(
      move(isGift ? gift({ redeemed: 1000 }) : loyalty(), { type, units: Math.abs(change) }, stamp),
    )

    expect(transaction.details.balance).toEqual({
      type: isGift ? 'gift_voucher' : 'loyalty_card',
      total,
      object: 'balance',
      [isGift ? 'amount' : 'points']: change,
      balance,
      operation_type,
      related_object: { id: 'v_1', type: 'voucher' },
    })
    expect(balanceOf(card)).toBe(balance)
  },
)

test('the source of points by a rule is Automation, of redemptions none, of adjustments the given one', () => {
  const source = (type: TransactionType, given?: string) =>
    done(move(loyalty(), { type, units: 1, ...(given && { source: given }) }, stamp)).transaction.source

  expect(source('POINTS_ACCRUAL')).toBe('Automation')
  expect(source('POINTS_REDEMPTION')).toBeNull()
  expect(source('POINTS_ADDITION', 'API')).toBe('API')
})

test('an adjustment keeps its reason and source id, and a negative one is a removal', () => {
  const facts = { source: 'API', reason: 'goodwill', source_id: 'case-7' }

  const added = done(move(loyalty(), { ...adjustment('POINTS', 5), ...facts }, stamp)).transaction
  const removed = done(move(gift(), { ...adjustment('CREDITS', -5), ...facts }, stamp)).transaction

  expect(added).toMatchObject({ type: 'POINTS_ADDITION', reason: 'goodwill', source_id: 'case-7' })
  expect(removed).toMatchObject({ type: 'CREDITS_REMOVAL', details: { balance: { amount: -5, balance: 9995 } } })
})

describe('a movement that is refused', () => {
  const refused = (card: Card, type: TransactionType, units: number) => move(card, { type, units }, stamp)
  const refusal = (key: string, message: string, details: string) => ({ refusal: { code: 400, key, message, details } })

  test.each([0, -1, 1.5, Number.NaN, 2 ** 53])('%d points', (units) => {
    const details = 'Amount has to be a valid positive number'
    expect(refused(loyalty(), 'POINTS_ADDITION', units)).toEqual(refusal('invalid_amount', 'Invalid Amount', details))
  })

  test.each<TransactionType>(['POINTS_REDEMPTION', 'POINTS_REMOVAL', 'POINTS_EXPIRATION', 'POINTS_TRANSFER_OUT'])(
    '%s of more points than are left',
    (type) => {
      const exceeded = refusal('loyalty_card_points_exceeded', 'loyalty card points exceeded', 'CLUB-1')
      expect(refused(loyalty(), type, 74)).toEqual(exceeded)
      expect(refused(loyalty(), type, 73)).toHaveProperty('card')
    },
  )

  test('more credits than are left', () => {
    const exceeded = refusal('gift_amount_exceeded', 'gift amount exceeded', 'GIFT-1')
    expect(refused(gift(), 'CREDITS_REDEMPTION', 10_001)).toEqual(exceeded)
  })

  test.each<[string, Card, TransactionType, number, string]>([
    ['a refund of more than was redeemed', loyalty(), 'POINTS_REFUND', 211, 'invalid_amount'],
    ['points on a gift card', gift(), 'POINTS_ADDITION', 1, 'invalid_voucher'],
    ['credits on a loyalty card', loyalty(), 'CREDITS_ADDITION', 1, 'invalid_voucher'],
  ])('%s', (_, card, type, units, key) => {
    expect(refused(card, type, units)).toHaveProperty('refusal.key', key)
  })
})

test('a card is read from its voucher and written back into it', () => {
  const loyaltyVoucher = {
    id: 'v_1',
    code: 'CLUB-1',
    campaign_id: 'camp_1',
    type: 'LOYALTY_CARD',
    loyalty_card: { points: 283, balance: 73 },
    redemption: { redeemed_quantity: 2, redeemed_points: 210 },
  }
  const giftVoucher = {
    id: 'v_1',
    code: 'GIFT-1',
    campaign_id: null,
    type: 'GIFT_VOUCHER',
    gift: { amount: 10_000, balance: 9000, effect: 'APPLY_TO_ORDER' },
    redemption: { redeemed_quantity: 1, redeemed_amount: 1000 },
  }
  const points = (fields: Partial<Card>) => withCard(loyaltyVoucher, loyalty(fields)).loyalty_card

  expect(cardOf(loyaltyVoucher)).toEqual(loyalty())
  expect(cardOf(giftVoucher)).toEqual(gift({ redeemed: 1000 }))
  expect(cardOf({ ...giftVoucher, redemption: {} })).toEqual(gift())
  expect(cardOf({ ...loyaltyVoucher, redemption: {} })).toEqual(loyalty({ redeemed: 0 }))
  expect(cardOf({ ...loyaltyVoucher, type: 'GIFT_VOUCHER' })).toBeUndefined()
  expect(cardOf({ ...giftVoucher, type: 'DISCOUNT_VOUCHER' })).toBeUndefined()
  expect(cardOf({ id: 'v_1', code: 'C', type: 'DISCOUNT_VOUCHER' })).toBeUndefined()
  expect(withCard(loyaltyVoucher, loyalty({ redeemed: 220 }))).toEqual({
    ...loyaltyVoucher,
    loyalty_card: { points: 283, balance: 63 },
    redemption: { redeemed_quantity: 2, redeemed_points: 220 },
  })
  for (const [subtracted, expired, balance] of [
    [3, 10, 60],
    [1, 1, 71],
  ] as const)
    expect(points({ subtracted, expired })).toEqual({
      points: 283,
      balance,
      subtracted_points: subtracted,
      expired_points: expired,
    })
  expect(withCard(giftVoucher, gift({ redeemed: 1500 })).gift).toEqual({ ...giftVoucher.gift, balance: 8500 })
  expect(withCard(giftVoucher, gift({ subtracted: 1 })).gift).toHaveProperty('subtracted_amount', 1)
  expect(withCard(giftVoucher, gift({ redeemed: 1000, subtracted: 500 }))).toMatchObject({
    gift: { amount: 10_000, balance: 8500, subtracted_amount: 500, effect: 'APPLY_TO_ORDER' },
    redemption: { redeemed_quantity: 1, redeemed_amount: 1000 },
  })
})

test('after any sequence of movements the balance is the sum of the transactions, and never negative', () => {
  const types = fc.constantFrom<TransactionType>(
    'POINTS_ADDITION',
    'POINTS_REMOVAL',
    'POINTS_ACCRUAL',
    'POINTS_REDEMPTION',
    'POINTS_REFUND',
    'POINTS_EXPIRATION',
    'POINTS_TRANSFER_IN',
    'POINTS_TRANSFER_OUT',
    'CREDITS_ADDITION',
  )

  fc.assert(
    fc.property(fc.array(fc.tuple(types, fc.integer({ min: -5, max: 200 }))), (movements) => {
      const rows: CardTransaction[] = []
      let card = loyalty({ income: 0, redeemed: 0 })

      for (const [type, units] of movements) {
        const moved = move(card, { type, units }, { id: `vtx_${rows.length}`, now })
        if ('refusal' in moved) continue
        card = moved.card
        rows.push(moved.transaction)
        const sum = rows.reduce((total, row) => total + (row.details.balance.points ?? 0), 0)
        expect(moved.transaction.details.balance.balance).toBe(sum)
        expect(balanceOf(card)).toBe(sum)
        expect(sum).toBeGreaterThanOrEqual(0)
        expect(Math.min(card.income, card.subtracted, card.expired, card.redeemed)).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})
